//! Workers, a network and a coordinator on a virtual clock, with everything that can go wrong.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::time::Duration;

use boombots_cluster_protocol::{
    Assign, BlobRef, ClassName, Digest, Fingerprint, Heartbeat, Held, Hello, ShardId,
    ShardProgress, Step, Swept, TableRef, ToCoordinator, ToWorker, Verify, WorkState,
};
use boombots_coordinator::scheduler::{
    Action, BuildOptions, BuildState, Change, Check, ClassRecord, Records, Scheduler, Timing,
};

use crate::model::{ShardModel, blob_of, expected_segments, spoil};

type Millis = u64;

#[derive(Debug)]
enum Event {
    Tick,
    Heartbeat { worker: usize, life: u32 },
    Connect { worker: usize, life: u32 },
    Arrived { session: u64, worker: usize, hello: Box<Hello> },
    ToCoordinator { session: u64, message: Box<ToCoordinator> },
    ToWorker { session: u64, message: Box<ToWorker> },
    Cut { session: u64 },
    JobDone { worker: usize, life: u32 },
    Published { reign: u32, record: Box<ClassRecord> },
    CrashWorker { worker: usize },
    StallWorker { worker: usize },
    CrashCoordinator,
    RestartCoordinator,
}

struct Shard {
    epoch: u32,
    assign: Assign,
    model: Option<ShardModel>,
    next: u16,
    received: u16,
    waiting: BTreeMap<u16, Step>,
    finish: Option<u16>,
    report: Option<ToCoordinator>,
    encoded: bool,
    progress: u64,
}

enum Job {
    Booms(ShardId),
    Step(ShardId),
    Encode(ShardId),
    Check(Box<Verify>),
}

#[derive(Default)]
struct Worker {
    life: u32,
    up: bool,
    /// Computing stands still until then, though heartbeats go on.
    stalled_until: Millis,
    session: Option<u64>,
    shards: BTreeMap<ShardId, Shard>,
    checks: Vec<Verify>,
    job: Option<Job>,
    liar: bool,
    slowness: u64,
}

pub(crate) struct World {
    seed: u64,
    random: u64,
    now: Millis,
    order: u64,
    events: BinaryHeap<Reverse<(Millis, u64)>>,
    what: HashMap<u64, Event>,
    disk: Records,
    scheduler: Option<Scheduler>,
    reign: u32,
    workers: Vec<Worker>,
    sessions: HashMap<u64, usize>,
    next_session: u64,
    loss: u64,
    doubling: u64,
    delay: Millis,
    troubles_end: Millis,
    last_arrival: Millis,
    classes: HashMap<u32, ClassName>,
    log: Vec<String>,
}

const TIMING: Timing = Timing {
    heartbeat: Duration::from_millis(500),
    silence: Duration::from_secs(3),
    no_progress: Duration::from_secs(20),
    grace: Duration::from_secs(5),
};

/// A build that takes longer than this is stuck.
const LIMIT: Millis = 4 * 3600 * 1000;

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut world = Self {
            seed,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678,
            now: 0,
            order: 0,
            events: BinaryHeap::new(),
            what: HashMap::new(),
            disk: Records { next_attempt: 1, ..Records::default() },
            scheduler: None,
            reign: 0,
            workers: Vec::new(),
            sessions: HashMap::new(),
            next_session: 1,
            loss: 0,
            doubling: 0,
            delay: 0,
            troubles_end: 0,
            last_arrival: 0,
            classes: HashMap::new(),
            log: Vec::new(),
        };
        let liars = u64::from(world.below(4) == 0);
        // A third opinion is needed to tell a liar from an honest worker.
        let count = world.below(4) + if liars > 0 { 3 } else { 1 };
        world.loss = [0, 0, 5, 20][world.below(4) as usize];
        world.doubling = [0, 10, 50][world.below(3) as usize];
        world.delay = [2, 30, 400][world.below(3) as usize];
        world.troubles_end = 20_000 + world.below(120_000);
        for worker in 0..count {
            let slowness = 1 + world.below(30);
            let liar = worker < liars;
            world.workers.push(Worker { liar, slowness, ..Worker::default() });
            let at = world.below(3000);
            world.at(at, Event::Connect { worker: worker as usize, life: 0 });
        }
        for _ in 0..world.below(6) {
            let (at, worker) = (world.below(world.troubles_end), world.below(count) as usize);
            let event = match world.below(3) {
                0 => Event::CrashCoordinator,
                1 => Event::CrashWorker { worker },
                _ => Event::StallWorker { worker },
            };
            world.at(at, event);
        }
        world.at(0, Event::RestartCoordinator);
        world.at(1, Event::Tick);
        world
    }

    fn below(&mut self, end: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ self.random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end.max(1)
    }

    fn at(&mut self, time: Millis, event: Event) {
        self.order += 1;
        self.events.push(Reverse((time, self.order)));
        self.what.insert(self.order, event);
    }

    /// Sends a message over a network that is as bad as the seed has it.
    fn deliver(&mut self, message: impl Fn() -> Event) {
        let troubled = self.now < self.troubles_end;
        if troubled && self.below(1000) < self.loss {
            return;
        }
        let copies = 1 + u64::from(troubled && self.below(1000) < self.doubling);
        for _ in 0..copies {
            let mut arrives = self.now + 1 + self.below(self.delay);
            if !troubled {
                // The real streams keep their order; only the troubles are worse than they are.
                arrives = arrives.max(self.last_arrival);
                self.last_arrival = arrives;
            }
            self.at(arrives, message());
        }
    }

    pub(crate) fn run(mut self) -> Result<String, String> {
        let class = ["2v2", "3v1", "3v2"][self.below(3) as usize].parse().expect("a class");
        let shards = [1, 2, 3, 7][self.below(4) as usize];
        let options =
            BuildOptions { shards: Some(shards), compression: (1, 1), check: Check::Sample(10) };
        let mut build = None;
        while let Some(Reverse((time, order))) = self.events.pop() {
            self.now = time;
            if self.now > LIMIT {
                let log = self.log[self.log.len().saturating_sub(15)..].join("\n  ");
                return Err(format!("the build does not end; at last\n  {log}"));
            }
            let Some(event) = self.what.remove(&order) else { continue };
            self.happen(event)?;
            if let Some(scheduler) = &mut self.scheduler {
                // A liar that is alone cannot be found out, so everybody is there at first.
                let honest = self.workers.iter().all(|worker| !worker.liar);
                let all = self.disk.workers.len() == self.workers.len();
                if build.is_none() && (honest || all) {
                    build = Some(scheduler.submit(class, options, Duration::from_millis(self.now)));
                    self.act()?;
                }
            }
            let state = build
                .and_then(|id| self.disk.builds.iter().find(|build| build.id == id))
                .map(|build| build.state.clone());
            match state {
                Some(BuildState::Done) => {
                    return Ok(format!("seed {}: {class} in {} ms", self.seed, self.now));
                }
                Some(BuildState::Failed(reason)) => return Err(reason),
                _ => {}
            }
        }
        Err("nothing happens any more".into())
    }

    fn happen(&mut self, event: Event) -> Result<(), String> {
        let now = Duration::from_millis(self.now);
        match event {
            Event::Tick => {
                self.at(self.now + 100, Event::Tick);
                if let Some(scheduler) = &mut self.scheduler {
                    scheduler.tick(now);
                }
            }
            Event::Heartbeat { worker, life } => self.heartbeat(worker, life),
            Event::Connect { worker, life } => self.connect(worker, life),
            Event::Arrived { session, worker, hello } => {
                if let Some(scheduler) = &mut self.scheduler {
                    scheduler.connected(id_of(worker), session, *hello, now);
                }
            }
            Event::ToCoordinator { session, message } => {
                if let Some(scheduler) = &mut self.scheduler {
                    scheduler.message(session, *message, now);
                }
            }
            Event::ToWorker { session, message } => self.told(session, *message),
            Event::Cut { session } => {
                if let Some(&worker) = self.sessions.get(&session)
                    && self.workers[worker].session == Some(session)
                {
                    self.workers[worker].session = None;
                    let life = self.workers[worker].life;
                    let wait = 200 + self.below(2000);
                    self.at(self.now + wait, Event::Connect { worker, life });
                }
                if let Some(scheduler) = &mut self.scheduler {
                    scheduler.disconnected(session, "cut", now);
                }
            }
            Event::JobDone { worker, life } => self.job_done(worker, life),
            Event::Published { reign, record } => {
                if reign == self.reign
                    && let Some(scheduler) = &mut self.scheduler
                {
                    let tables = [false, true].map(|distances| TableRef {
                        class: record.class,
                        distances,
                        file: BlobRef { digest: Digest::of(&[]), len: 0 },
                    });
                    scheduler.published(record.attempt, Ok((tables.to_vec(), 9)), now);
                }
            }
            Event::CrashWorker { worker } => {
                let life = self.workers[worker].life + 1;
                let (liar, slowness) = (self.workers[worker].liar, self.workers[worker].slowness);
                self.workers[worker] = Worker { life, liar, slowness, ..Worker::default() };
                let wait = 100 + self.below(20_000);
                self.at(self.now + wait, Event::Connect { worker, life });
            }
            Event::StallWorker { worker } => {
                self.workers[worker].stalled_until = self.now + 1000 + self.below(60_000);
            }
            Event::CrashCoordinator => {
                if self.scheduler.take().is_some() {
                    self.reign += 1;
                    let sessions: Vec<u64> = self.sessions.keys().copied().collect();
                    for session in sessions {
                        self.at(self.now + 10, Event::Cut { session });
                    }
                    let wait = 10 + self.below(8000);
                    self.at(self.now + wait, Event::RestartCoordinator);
                }
            }
            Event::RestartCoordinator => {
                if self.scheduler.is_none() {
                    let records = self.disk.clone();
                    self.scheduler = Some(Scheduler::new(records, TIMING, self.seed, now));
                }
            }
        }
        self.act()
    }

    fn act(&mut self) -> Result<(), String> {
        let Some(scheduler) = &mut self.scheduler else { return Ok(()) };
        for action in scheduler.take_actions() {
            match action {
                Action::Save(change) => self.save(change),
                Action::Send { session, message } => {
                    self.deliver(|| Event::ToWorker { session, message: message.clone() });
                }
                Action::Close { session } => self.at(self.now + 5, Event::Cut { session }),
                Action::Publish(record) => {
                    let segments = record.segments.iter().flatten();
                    let digests: Vec<_> =
                        segments.map(|(segment, _)| segment.blob.digest).collect();
                    if digests != expected_segments(&record) {
                        let log = self.log.join("\n  ");
                        return Err(format!("{:?} would be wrong:\n  {log}", record.class));
                    }
                    let wait = 5 + self.below(300);
                    self.at(self.now + wait, Event::Published { reign: self.reign, record });
                }
                Action::Discard { .. } => {}
                Action::Log(_, text) => self.log.push(format!("{:>7} {text}", self.now)),
            }
        }
        Ok(())
    }

    fn save(&mut self, change: Change) {
        let disk = &mut self.disk;
        match change {
            Change::Build(build) => {
                disk.builds.retain(|other| other.id != build.id);
                disk.builds.push(build);
            }
            Change::Class(class) => {
                self.classes.insert(class.attempt, class.class);
                disk.classes.retain(|other| other.attempt != class.attempt);
                disk.classes.push(class);
            }
            Change::Delta { attempt, step, shard, record } => {
                disk.deltas.push(((attempt, step, shard), record));
            }
            Change::AttemptEnded { attempt } => {
                disk.classes.retain(|class| class.attempt != attempt);
                disk.deltas.retain(|(key, _)| key.0 != attempt);
            }
            Change::Published(class) => disk.published.push(class),
            Change::Worker(worker) => {
                disk.workers.retain(|other| other.id != worker.id);
                disk.workers.push(worker);
            }
            Change::NextAttempt(attempt) => disk.next_attempt = attempt,
        }
    }

    fn connect(&mut self, worker: usize, life: u32) {
        if self.workers[worker].life != life || self.workers[worker].session.is_some() {
            return;
        }
        if self.scheduler.is_none() {
            return self.at(self.now + 500, Event::Connect { worker, life });
        }
        let session = self.next_session;
        self.next_session += 1;
        self.sessions.insert(session, worker);
        self.workers[worker].session = Some(session);
        self.workers[worker].up = false;
        let held = self.workers[worker].shards.iter().map(|(&id, shard)| Held {
            id,
            epoch: shard.epoch,
            state: match shard {
                Shard { encoded: true, .. } => WorkState::Encoding,
                Shard { model: None, received: 0, .. } => WorkState::Booms,
                Shard { received, .. } => WorkState::Steps(*received),
            },
        });
        let hello = Hello {
            secret: [0; 16],
            name: format!("w{worker}"),
            threads: 1,
            memory: 0,
            version: String::new(),
            held: held.collect(),
        };
        // Within a connection nothing overtakes the hello.
        self.at(self.now + 1, Event::Arrived { session, worker, hello: Box::new(hello) });
        let reports: Vec<_> =
            self.workers[worker].shards.values().filter_map(|shard| shard.report.clone()).collect();
        for report in reports {
            self.say(worker, report);
        }
        self.at(self.now + 500, Event::Heartbeat { worker, life });
        // Now and then a connection breaks.
        if self.now < self.troubles_end && self.below(3) == 0 {
            let wait = self.below(30_000);
            self.at(self.now + wait, Event::Cut { session });
        }
    }

    fn heartbeat(&mut self, worker: usize, life: u32) {
        if self.workers[worker].life != life || self.workers[worker].session.is_none() {
            return;
        }
        let shards = self.workers[worker].shards.iter().map(|(&id, shard)| ShardProgress {
            id,
            epoch: shard.epoch,
            progress: shard.progress,
            done: 0,
            all: 0,
        });
        let heartbeat =
            Heartbeat { memory: 0, bulk: (0, 0), note: String::new(), shards: shards.collect() };
        self.say(worker, ToCoordinator::Heartbeat(heartbeat));
        self.at(self.now + 500, Event::Heartbeat { worker, life });
    }

    fn say(&mut self, worker: usize, message: ToCoordinator) {
        if let Some(session) = self.workers[worker].session {
            let message = Box::new(message);
            self.deliver(|| Event::ToCoordinator { session, message: message.clone() });
        }
    }

    fn told(&mut self, session: u64, message: ToWorker) {
        let Some(&at) = self.sessions.get(&session) else { return };
        if self.workers[at].session != Some(session) {
            return;
        }
        let worker = &mut self.workers[at];
        match message {
            ToWorker::Assign(assign) => {
                let shard = Shard {
                    epoch: assign.epoch,
                    model: None,
                    next: 0,
                    received: 0,
                    waiting: BTreeMap::new(),
                    finish: None,
                    report: None,
                    encoded: false,
                    progress: 0,
                    assign,
                };
                let newer = worker
                    .shards
                    .get(&shard.assign.id)
                    .is_none_or(|known| known.epoch < shard.epoch);
                if newer {
                    worker.shards.insert(shard.assign.id, shard);
                }
            }
            ToWorker::Step(step) => {
                if let Some(shard) = worker.shards.get_mut(&step.id)
                    && shard.epoch == step.epoch
                    && step.step >= shard.next
                {
                    shard.received = shard.received.max(step.step + 1);
                    shard.waiting.insert(step.step, step);
                }
            }
            ToWorker::Finish(finish) => {
                if let Some(shard) = worker.shards.get_mut(&finish.id)
                    && shard.epoch == finish.epoch
                {
                    shard.finish = Some(finish.steps);
                }
            }
            ToWorker::Verify(verify) => worker.checks.push(verify),
            ToWorker::Drop { id, epoch } => {
                worker.shards.retain(|other, shard| *other != id || shard.epoch != epoch);
            }
            ToWorker::Forget { attempt } => worker.shards.retain(|id, _| id.attempt != attempt),
            _ => {}
        }
        self.start_job(at);
    }

    fn start_job(&mut self, at: usize) {
        let worker = &mut self.workers[at];
        if worker.job.is_some() {
            return;
        }
        let find = |wanted: &dyn Fn(&Shard) -> bool| {
            worker.shards.iter().find(|(_, shard)| wanted(shard)).map(|(id, _)| *id)
        };
        let step = |shard: &Shard| {
            shard.model.is_some() && !shard.encoded && shard.waiting.contains_key(&shard.next)
        };
        let finish = |shard: &Shard| {
            shard.model.is_some() && !shard.encoded && shard.finish == Some(shard.next)
        };
        let job = if let Some(id) = find(&step) {
            Job::Step(id)
        } else if let Some(id) = find(&|shard| shard.model.is_none()) {
            Job::Booms(id)
        } else if let Some(id) = find(&finish) {
            Job::Encode(id)
        } else if let Some(check) = worker.checks.pop() {
            Job::Check(Box::new(check))
        } else {
            return;
        };
        let duration = match &job {
            Job::Booms(_) => 100 * worker.slowness,
            Job::Step(_) => worker.slowness,
            Job::Encode(_) | Job::Check(_) => 40 * worker.slowness,
        };
        worker.job = Some(job);
        let start = self.now.max(worker.stalled_until);
        let life = worker.life;
        self.at(start + duration, Event::JobDone { worker: at, life });
    }

    fn job_done(&mut self, at: usize, life: u32) {
        if self.workers[at].life != life {
            return;
        }
        if self.now < self.workers[at].stalled_until {
            let until = self.workers[at].stalled_until;
            return self.at(until, Event::JobDone { worker: at, life });
        }
        let Some(job) = self.workers[at].job.take() else { return };
        let report = match job {
            Job::Booms(id) => self.booms(at, id),
            Job::Step(id) => self.step(at, id),
            Job::Encode(id) => self.encode(at, id),
            Job::Check(check) => Some(self.check(at, &check)),
        };
        if let Some(report) = report {
            self.say(at, report);
        }
        self.start_job(at);
    }

    fn booms(&mut self, at: usize, id: ShardId) -> Option<ToCoordinator> {
        let class = *self.classes.get(&id.attempt)?;
        let shard = self.workers[at].shards.get_mut(&id)?;
        shard.model = Some(ShardModel::new(class, usize::from(id.shard)));
        shard.progress += 1;
        let report = ToCoordinator::BoomsSettled { id, epoch: shard.epoch };
        shard.report = Some(report.clone());
        Some(report)
    }

    fn step(&mut self, at: usize, id: ShardId) -> Option<ToCoordinator> {
        let liar = self.workers[at].liar;
        let shard = self.workers[at].shards.get_mut(&id)?;
        // The shard may have been lent anew while the job ran.
        shard.model.as_ref()?;
        let step = shard.waiting.remove(&shard.next)?;
        shard.next += 1;
        shard.progress += 1;
        let model = shard.model.as_mut()?;
        if step.step > 0 {
            let inputs: Vec<Digest> = step.inputs.iter().map(|input| input.slice.digest).collect();
            model.apply(&inputs);
        }
        let destinations = shard.assign.destinations.len();
        let (decided, next_wake, slices) = model.sweep(step.ply, destinations);
        let mut swept = Swept {
            id,
            epoch: shard.epoch,
            step: step.step,
            decided,
            next_wake,
            blob: blob_of(&slices),
            slices,
        };
        if liar && step.step == 2 {
            spoil(&mut swept);
        }
        let report = ToCoordinator::Swept(swept);
        shard.report = Some(report.clone());
        Some(report)
    }

    fn encode(&mut self, at: usize, id: ShardId) -> Option<ToCoordinator> {
        let shard = self.workers[at].shards.get_mut(&id)?;
        let segment = shard.model.as_ref()?.segment();
        shard.encoded = true;
        shard.progress += 1;
        let report = ToCoordinator::Encoded { id, epoch: shard.epoch, segment };
        shard.report = Some(report.clone());
        Some(report)
    }

    fn check(&mut self, at: usize, verify: &Verify) -> ToCoordinator {
        let record = self.disk.classes.iter().find(|class| class.attempt == verify.id.attempt);
        let wrong = record.is_some_and(|record| {
            let expected = expected_segments(record);
            verify.segments.iter().map(|segment| segment.blob.digest).ne(expected)
        });
        let problem = (wrong && !self.workers[at].liar).then(|| "it is wrong".to_owned());
        let (id, epoch) = (verify.id, verify.epoch);
        ToCoordinator::Verified { id, epoch, problem, positions: 1 }
    }
}

fn id_of(worker: usize) -> Fingerprint {
    Fingerprint([worker as u8 + 1; 32])
}
