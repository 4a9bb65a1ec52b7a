//! A coordinator on one thread and a thousand simulated workers over QUIC on loopback: how long
//! leases and steps take to be answered, and a mass reconnect to settle.
//!
//! The workers compute nothing. They answer what they are told after a while, with deltas of the
//! usual size that nobody reads.
//! `BOOMBOTS_WORKERS` changes their number.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]
#![allow(missing_docs, reason = "a benchmark has no interface")]

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use boombots_cluster_protocol::{
    ALPN, Assign, BlobRef, DeltaRef, Digest, Fingerprint, Heartbeat, Held, Hello, Identity,
    JoinToken, Limits, ShardId, Step, Swept, ToCoordinator, ToWorker, VERSION, WorkState,
    client_config, read_frame, read_preamble, write_frame, write_preamble,
};
use boombots_coordinator::scheduler::{BuildOptions, Check, Timing};
use boombots_coordinator::{Coordinator, CoordinatorOptions};
use boombots_probe::{Class, OrbitTables};
use boombots_retrograde::{
    Compression, Level, SolveOptions, SolvedClass, Storage, TableCoding, TableFolder, solve,
};
use quinn::{Connection, Endpoint, RecvStream, SendStream};
use tokio::sync::{mpsc, watch};

fn main() {
    let count: usize =
        std::env::var("BOOMBOTS_WORKERS").map_or(1000, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    build_foundation(&folder.path().join("tables"));
    let coordinator_runtime = runtime("coordinator");
    let coordinator = coordinator_runtime.block_on(start(folder.path()));
    let token = coordinator.token().clone();
    let log = Arc::new(Log::default());
    let (cut, is_cut) = watch::channel(0_u32);
    let workers_runtime = runtime("workers");
    let identities: Vec<Identity> = (0..count)
        .map(|number| {
            let folder = folder.path().join(format!("worker-{number}"));
            Identity::load_or_make(&folder).unwrap()
        })
        .collect();
    let started = Instant::now();
    for (number, identity) in identities.into_iter().enumerate() {
        let simulated = Simulated {
            number,
            config: config_of(&identity, token.fingerprint),
            token: token.clone(),
            // As on machines of their own; one socket would lose what comes for all at once.
            endpoint: workers_runtime
                .block_on(async { Endpoint::client(([127, 0, 0, 1], 0).into()) })
                .unwrap(),
            log: Arc::clone(&log),
            shards: HashMap::new(),
            random: number as u64,
        };
        workers_runtime.spawn(simulated.run(is_cut.clone()));
    }
    let service = coordinator.service().clone();
    let all_up = || async {
        loop {
            let status = service.status().await.unwrap();
            let up = status.workers.iter().filter(|worker| worker.state != "dead").count();
            if up == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    coordinator_runtime.block_on(all_up());
    println!(
        "{count} workers joined in {:.1} s; the coordinator took {:.2} s of processor time",
        started.elapsed().as_secs_f64(),
        cpu_of("coordinator")
    );

    let cpu = cpu_of("coordinator");
    let started = Instant::now();
    coordinator_runtime.block_on(async {
        log.submitted();
        for class in ["4v2", "5v1", "3v3"] {
            let options =
                BuildOptions { shards: Some(128), compression: (1, 1), check: Check::Sample(1) };
            service.submit(class.parse().unwrap(), options).await.unwrap();
        }
        log.until(|log| log.steps >= WANTED_STEPS).await;
    });
    let took = started.elapsed();
    let used = cpu_of("coordinator") - cpu;
    println!(
        "{} shards leased; the coordinator took {used:.2} s of processor time in {:.1} s",
        log.with(|log| log.shards),
        took.as_secs_f64()
    );
    report("lease after the build was asked for", log.with(|log| log.leases.clone()));
    report("step after the last delta of the step before", log.with(|log| log.answers.clone()));

    let at = Instant::now();
    log.with(|log| log.welcomes.clear());
    cut.send_replace(1);
    workers_runtime.block_on(log.until(|log| log.welcomes.len() == count));
    println!(
        "mass reconnect: all {count} admitted again after {:.1} s",
        at.elapsed().as_secs_f64()
    );
    report(
        "welcome after the cut",
        log.with(|log| log.welcomes.iter().map(|welcome| welcome.duration_since(at)).collect()),
    );
    std::process::exit(0);
}

/// The classes beneath 4v2, 5v1 and 3v3.
fn build_foundation(path: &Path) {
    std::fs::create_dir_all(path).unwrap();
    let (folder, orbits, level) = (TableFolder::new(path), OrbitTables::new(), Level::best());
    for class in ["1v1", "2v1", "2v2", "3v1", "3v2", "4v1"] {
        let class: Class = class.parse().unwrap();
        let load = |side| Ok(Arc::new(folder.load(side, &orbits, level)?));
        let options = SolveOptions { level, shards: 1, storage: Storage::Heap };
        let solved = solve(class, &orbits, &load, &options, &|_| {}).unwrap();
        let solved = SolvedClass::new(class, solved, &orbits);
        let coding = TableCoding { orbits: &orbits, level, compression: Compression::FAST };
        folder.write(&solved, &coding, &mut || {}).unwrap();
    }
}

fn runtime(name: &str) -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).thread_name(name).enable_all().build().unwrap()
}

async fn start(folder: &Path) -> Coordinator {
    let options = CoordinatorOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        http: ([127, 0, 0, 1], 0).into(),
        advertise: None,
        data: folder.join("data"),
        tables: folder.join("tables"),
        store: None,
        timing: Timing::default(),
        limits: Limits::default(),
    };
    tokio::spawn(Coordinator::start(options)).await.unwrap().unwrap()
}

fn config_of(identity: &Identity, coordinator: Fingerprint) -> quinn::ClientConfig {
    let pins = Arc::new(RwLock::new(vec![coordinator]));
    client_config(identity, pins, ALPN, Limits::default()).unwrap()
}

/// Processor time of the threads of a name, in seconds.
fn cpu_of(name: &str) -> f64 {
    let mut ticks = 0;
    for task in std::fs::read_dir("/proc/self/task").unwrap() {
        let Ok(stat) = std::fs::read_to_string(task.unwrap().path().join("stat")) else { continue };
        let Some((before, after)) = stat.rsplit_once(')') else { continue };
        if before.ends_with(&format!("({name}")) {
            let fields: Vec<&str> = after.split_whitespace().collect();
            ticks += fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        }
    }
    ticks as f64 / 100.0
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    println!(
        "{what}: {} answers, median {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// What was seen, by all workers together.
#[derive(Default)]
struct Log(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    submitted: Option<Instant>,
    shards: usize,
    leases: Vec<Duration>,
    /// When the last delta of a step was sent.
    swept: HashMap<(u32, u16), Instant>,
    answers: Vec<Duration>,
    steps: usize,
    welcomes: Vec<Instant>,
}

impl Log {
    fn with<T>(&self, action: impl FnOnce(&mut Seen) -> T) -> T {
        action(&mut self.0.lock().unwrap())
    }

    fn submitted(&self) {
        self.with(|seen| seen.submitted = Some(Instant::now()));
    }

    async fn until(&self, wanted: impl Fn(&Seen) -> bool) {
        while !self.with(|seen| wanted(seen)) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

struct Simulated {
    number: usize,
    config: quinn::ClientConfig,
    token: JoinToken,
    endpoint: Endpoint,
    log: Arc<Log>,
    shards: HashMap<ShardId, (Assign, u16)>,
    random: u64,
}

impl Simulated {
    async fn run(mut self, mut cut: watch::Receiver<u32>) {
        loop {
            if let Some((connection, send, receive)) = self.join().await {
                self.talk(connection, send, receive, &mut cut).await;
            } else {
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        }
    }

    async fn join(&self) -> Option<(Connection, SendStream, RecvStream)> {
        let address = self.token.address.parse().unwrap();
        let config = self.config.clone();
        let connecting = self.endpoint.connect_with(config, address, "boombots-cluster").unwrap();
        let connection = connecting.await.ok()?;
        let (mut send, mut receive) = connection.open_bi().await.ok()?;
        write_preamble(&mut send, VERSION).await.ok()?;
        let held = self.shards.iter().map(|(&id, (assign, steps))| Held {
            id,
            epoch: assign.epoch,
            state: WorkState::Steps(*steps),
        });
        let hello = Hello {
            secret: self.token.secret,
            name: format!("simulated-{}", self.number),
            threads: 1,
            memory: 1 << 30,
            version: "0".into(),
            held: held.collect(),
        };
        write_frame(&mut send, &ToCoordinator::Hello(hello)).await.ok()?;
        read_preamble(&mut receive).await.ok()?;
        Some((connection, send, receive))
    }

    async fn talk(
        &mut self,
        connection: Connection,
        mut send: SendStream,
        mut receive: RecvStream,
        cut: &mut watch::Receiver<u32>,
    ) {
        let (incoming, mut incoming_out) = mpsc::channel(4096);
        let (answers, mut answers_out) = mpsc::channel(4096);
        let reader = tokio::spawn(async move {
            while let Ok(message) = read_frame::<ToWorker>(&mut receive).await {
                if incoming.send(message).await.is_err() {
                    return;
                }
            }
        });
        let mut beats = tokio::time::interval(Duration::from_millis(500));
        loop {
            tokio::select! {
                message = incoming_out.recv() => {
                    let Some(message) = message else { break };
                    if let Some(answer) = self.told(message) {
                        let (answers, think) = (answers.clone(), self.think());
                        tokio::spawn(async move {
                            tokio::time::sleep(think).await;
                            // A connection that is gone needs no answers.
                            let _ = answers.send(answer).await;
                        });
                    }
                }
                answer = answers_out.recv() => {
                    let Some(answer) = answer else { break };
                    self.stamp(&answer);
                    if write_frame(&mut send, &answer).await.is_err() {
                        break;
                    }
                }
                _ = beats.tick() => {
                    let beat = Heartbeat {
                        memory: 1 << 20,
                        bulk: (0, 0),
                        note: "simulated".into(),
                        shards: Vec::new(),
                    };
                    if write_frame(&mut send, &ToCoordinator::Heartbeat(beat)).await.is_err() {
                        break;
                    }
                }
                _ = cut.changed() => {
                    connection.close(0_u32.into(), b"cut");
                    break;
                }
            }
        }
        reader.abort();
    }

    /// Between 50 and 150 ms, as a ply of a large class takes.
    fn think(&mut self) -> Duration {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Duration::from_millis(50 + (self.random >> 33) % 100)
    }

    /// Notes when the last delta of a step was sent.
    fn stamp(&self, answer: &ToCoordinator) {
        if let ToCoordinator::Swept(swept) = answer {
            let key = (swept.id.attempt, swept.step);
            self.log.with(|seen| seen.swept.insert(key, Instant::now()));
        }
    }

    fn told(&mut self, message: ToWorker) -> Option<ToCoordinator> {
        let now = Instant::now();
        match message {
            ToWorker::Welcome { .. } => self.log.with(|seen| seen.welcomes.push(now)),
            ToWorker::Assign(assign) => {
                self.log.with(|seen| {
                    seen.shards += 1;
                    seen.leases.push(now.duration_since(seen.submitted.unwrap_or(now)));
                });
                let (id, epoch) = (assign.id, assign.epoch);
                self.shards.insert(id, (assign, 0));
                return Some(ToCoordinator::BoomsSettled { id, epoch });
            }
            ToWorker::Step(step) => return self.step(&step, now),
            _ => {}
        }
        None
    }

    /// Answers a step with a delta of the usual size, of which only the digests are sent.
    fn step(&mut self, step: &Step, now: Instant) -> Option<ToCoordinator> {
        let (assign, steps) = self.shards.get_mut(&step.id)?;
        *steps = step.step + 1;
        let slice = |at: usize| DeltaRef { digest: Digest::of(&at.to_le_bytes()), len: 900 };
        let slices: Vec<DeltaRef> = (0..assign.destinations.len()).map(slice).collect();
        let len = slices.iter().map(|slice| u64::from(slice.len)).sum();
        let swept = Swept {
            id: step.id,
            epoch: step.epoch,
            step: step.step,
            decided: 1,
            next_wake: None,
            blob: BlobRef { digest: Digest::of(&step.step.to_le_bytes()), len },
            slices,
        };
        self.log.with(|seen| {
            if let Some(before) = step.step.checked_sub(1)
                && let Some(&last) = seen.swept.get(&(step.id.attempt, before))
            {
                seen.answers.push(now.duration_since(last));
                seen.steps = seen.steps.max(usize::from(step.step));
            }
        });
        Some(ToCoordinator::Swept(swept))
    }
}

/// Plies that are timed in the class that gets furthest.
const WANTED_STEPS: usize = 60;
