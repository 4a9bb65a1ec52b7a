//! The link to the coordinator: joins, joins again, and carries orders and reports.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use anyhow::Context as _;
use boombots_cluster_protocol::{
    ALPN, CONTROL_PRIORITY, Fingerprint, FrameError, Heartbeat, Hello, Identity, InputSlice,
    JoinToken, KnownDelta, Limits, Refusal, ShardId, Step, ToCoordinator, ToWorker, VERSION,
    WorkState, client_config, read_frame, read_preamble, write_frame, write_preamble,
};
use boombots_retrograde::Level;
use bytes::Bytes;
use quinn::{Connection, Endpoint, RecvStream, SendStream};
use thiserror::Error;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tracing::{info, warn};

use crate::board::Board;
use crate::bulk::Bulk;
use crate::cache::Cache;
use crate::engine::{Engine, Order, ReadyStep, Report};
use crate::search::{Pause, Searches, carry_found};

/// How a worker is run.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Where to and how.
    pub token: JoinToken,
    /// Threads that compute.
    pub threads: usize,
    /// Memory for planes, in bytes; what is past it goes to disk.
    pub memory: u64,
    /// The worker's folder.
    pub cache: PathBuf,
    /// Its name.
    pub name: String,
    /// Which vector instructions are used.
    pub level: Level,
    /// What it does wrong on purpose, for tests of the coordinator.
    pub fault: Option<Fault>,
    /// The version of the messages it says it speaks.
    pub version: u16,
    /// What its connection puts up with.
    pub limits: Limits,
}

impl WorkerOptions {
    /// A worker that does nothing out of the ordinary.
    pub fn new(
        token: JoinToken,
        threads: usize,
        memory: u64,
        cache: PathBuf,
        name: String,
    ) -> Self {
        Self {
            token,
            threads,
            memory,
            cache,
            name,
            level: Level::best(),
            fault: None,
            version: VERSION,
            limits: Limits::default(),
        }
    }
}

/// What a worker does wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Some bits of its deltas are wrong.
    WrongBits,
    /// Its deltas are none.
    Gibberish,
}

impl Fault {
    /// Spoils the bytes of a delta of so many strips.
    pub(crate) fn spoil(self, bytes: &mut Vec<u8>, strips: usize) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::WrongBits => {
                // The bytes of planes come last, and are a sixth at least of what follows the
                // counts. None of them may become zero, or it would not be a delta any more.
                let planes = (bytes.len().saturating_sub(4 * strips) / 6).max(1);
                let first = bytes.len() - planes;
                for byte in &mut bytes[first..] {
                    *byte ^= if *byte == 1 { 2 } else { 1 };
                }
            }
            Self::Gibberish => bytes.truncate(bytes.len() / 2 + 1),
        }
    }
}

/// Why a worker gives up.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The coordinator refuses it.
    #[error("the coordinator refuses this worker: {0}")]
    Refused(Refusal),
    /// The two do not understand each other.
    #[error(transparent)]
    Protocol(#[from] FrameError),
    /// It cannot be run here.
    #[error("{0:#}")]
    Setup(#[from] anyhow::Error),
}

/// Runs a worker until `stop` is set, or the coordinator refuses it for good. When stopped it hands
/// its leases back.
///
/// # Errors
/// If it cannot be run or is refused.
pub async fn run(options: WorkerOptions, stop: watch::Receiver<bool>) -> Result<(), WorkerError> {
    std::fs::create_dir_all(&options.cache)
        .with_context(|| format!("cannot make the cache {}", options.cache.display()))?;
    let identity =
        Identity::load_or_make(&options.cache.join("identity")).map_err(anyhow::Error::from)?;
    let cache = Cache::new(options.cache.clone()).context("cannot use the cache")?;
    let pins = Arc::new(RwLock::new(vec![options.token.fingerprint]));
    let config = client_config(&identity, Arc::clone(&pins), ALPN, options.limits)
        .map_err(anyhow::Error::from)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .context("cannot start the threads")?;
    let board = Arc::new(Board::default());
    let pause = Arc::new(Pause::default());
    let (orders, orders_in) = std::sync::mpsc::sync_channel(1 << 16);
    let (reports, reports_out) = mpsc::channel(QUEUE);
    let engine = Engine {
        orders: orders_in,
        reports,
        board: Arc::clone(&board),
        cache: Arc::clone(&cache),
        level: options.level,
        memory: options.memory,
        fault: options.fault,
        pause: Arc::clone(&pause),
        state: Default::default(),
    };
    // Left to itself when the worker stops: it may be in the middle of a long piece of work, and
    // has nothing that needs to be kept.
    let (alive, mut ended) = oneshot::channel::<()>();
    std::thread::Builder::new()
        .name("engine".into())
        .spawn(move || {
            engine.run(&pool);
            drop(alive);
        })
        .context("cannot start the engine")?;
    let (connection, connections) = watch::channel(None);
    let bulk = Bulk::new(connections).context("cannot set up transfers")?;
    let (outbox, outbox_out) = mpsc::channel(QUEUE);
    let (arrived, arrived_in) = mpsc::channel(QUEUE);
    let (searches, found) = Searches::start(
        options.threads,
        options.memory / 4,
        Arc::clone(&cache),
        bulk.clone(),
        pause,
    )
    .context("cannot start the searching threads")?;
    let mut tasks = JoinSet::new();
    tasks.spawn(carry_reports(reports_out, bulk.clone(), Arc::clone(&board), outbox.clone()));
    tasks.spawn(carry_found(found, bulk.clone(), outbox.clone()));
    let fetcher = Fetcher {
        bulk: bulk.clone(),
        board: Arc::clone(&board),
        cache,
        orders,
        outbox,
        searches: Arc::clone(&searches),
    };
    tasks.spawn(fetcher.run(arrived_in));
    let mut link = Link {
        options,
        config,
        pins,
        board,
        bulk,
        connection,
        outbox: outbox_out,
        arrived,
        searches,
        stop,
    };
    let outcome = tokio::select! {
        outcome = link.run() => outcome,
        // A worker that only seems to be there is worse than none.
        _ = &mut ended => Err(anyhow::anyhow!("the engine has stopped, which it never should").into()),
    };
    tasks.shutdown().await;
    outcome
}

struct Link {
    options: WorkerOptions,
    config: quinn::ClientConfig,
    pins: Arc<RwLock<Vec<Fingerprint>>>,
    board: Arc<Board>,
    bulk: Bulk,
    connection: watch::Sender<Option<Connection>>,
    outbox: mpsc::Receiver<ToCoordinator>,
    arrived: mpsc::Sender<ToWorker>,
    searches: Arc<Searches>,
    stop: watch::Receiver<bool>,
}

enum Ended {
    Stopped,
    Lost(String),
}

impl Link {
    async fn run(&mut self) -> Result<(), WorkerError> {
        let mut wait = FIRST_WAIT;
        loop {
            if *self.stop.borrow() {
                return Ok(());
            }
            let started = Instant::now();
            let ended = self.session().await;
            self.connection.send_replace(None);
            let reason = match ended {
                Ok(Ended::Stopped) => return Ok(()),
                Ok(Ended::Lost(reason)) => reason,
                Err(WorkerError::Refused(Refusal::Full)) => Refusal::Full.to_string(),
                Err(WorkerError::Protocol(FrameError::Closed | FrameError::Io(_))) => {
                    "the connection was closed".to_owned()
                }
                Err(error) => return Err(error),
            };
            if started.elapsed() > LONGEST_WAIT {
                wait = FIRST_WAIT;
            }
            warn!("not connected to {}: {reason}; trying again", self.options.token.address);
            let mut stop = self.stop.clone();
            let _ = timeout(wait, stopped(&mut stop)).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    async fn connect(&self) -> Result<Result<Connection, String>, WorkerError> {
        let address = &self.options.token.address;
        let resolved = tokio::net::lookup_host(address.as_str()).await;
        let Some(address) = resolved.ok().and_then(|mut addresses| addresses.next()) else {
            return Ok(Err(format!("{address} has no address")));
        };
        let any: SocketAddr =
            if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
        let mut endpoint = Endpoint::client(any).context("cannot open a socket")?;
        endpoint.set_default_client_config(self.config.clone());
        let connecting = endpoint.connect(address, "boombots-cluster").context("cannot connect")?;
        match timeout(CONNECT_LIMIT, connecting).await {
            Err(_) => Ok(Err("no answer".to_owned())),
            Ok(Ok(connection)) => Ok(Ok(connection)),
            Ok(Err(quinn::ConnectionError::TransportError(error)))
                if error.to_string().contains("join token") =>
            {
                Err(anyhow::anyhow!("{error}: get a new join token").into())
            }
            Ok(Err(quinn::ConnectionError::ConnectionClosed(close)))
                if u64::from(close.error_code) == NO_COMMON_PROTOCOL =>
            {
                let text = "the coordinator speaks another version of the cluster protocol: \
                            upgrade whichever is older";
                Err(anyhow::anyhow!(text).into())
            }
            Ok(Err(error)) => Ok(Err(error.to_string())),
        }
    }

    async fn session(&mut self) -> Result<Ended, WorkerError> {
        let connection = match self.connect().await? {
            Ok(connection) => connection,
            Err(reason) => return Ok(Ended::Lost(reason)),
        };
        let (mut send, mut receive) = match timeout(CONNECT_LIMIT, connection.open_bi()).await {
            Ok(Ok(streams)) => streams,
            _ => return Ok(Ended::Lost("no control stream".to_owned())),
        };
        // It fails on a closed stream only, and then nothing is to be written.
        let _ = send.set_priority(CONTROL_PRIORITY);
        write_preamble(&mut send, self.options.version).await?;
        let hello = Hello {
            secret: self.options.token.secret,
            name: self.options.name.clone(),
            threads: self.options.threads as u16,
            memory: self.options.memory,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            held: self.board.held(),
        };
        write_frame(&mut send, &ToCoordinator::Hello(hello)).await?;
        let preamble = timeout(CONNECT_LIMIT, read_preamble(&mut receive)).await;
        let preamble = match preamble {
            Ok(preamble) => preamble?,
            Err(_) => return Ok(Ended::Lost("no answer".to_owned())),
        };
        preamble.check()?;
        let heartbeat = match read_frame(&mut receive).await? {
            ToWorker::Welcome { heartbeat_ms, pins } => {
                pin(&self.pins, &pins);
                Duration::from_millis(u64::from(heartbeat_ms.clamp(50, 60_000)))
            }
            ToWorker::Refused(refusal) => return Err(WorkerError::Refused(refusal)),
            _ => return Ok(Ended::Lost("an answer out of turn".to_owned())),
        };
        info!("joined {} as {}", self.options.token.address, self.options.name);
        self.searches.stop_all();
        self.connection.send_replace(Some(connection.clone()));
        let (incoming, mut incoming_out) = mpsc::channel(QUEUE);
        let reader = tokio::spawn(read_frames(receive, incoming));
        let ended = self.talk(&mut send, &mut incoming_out, heartbeat).await;
        reader.abort();
        connection.close(0_u32.into(), b"bye");
        ended
    }

    async fn talk(
        &mut self,
        send: &mut SendStream,
        incoming: &mut mpsc::Receiver<Result<ToWorker, FrameError>>,
        heartbeat: Duration,
    ) -> Result<Ended, WorkerError> {
        for report in self.board.reports() {
            write_frame(send, &report).await?;
        }
        let mut beats = interval(heartbeat);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut leaving: Option<Instant> = None;
        let Self { board, bulk, pins: pinned, outbox, arrived, searches, stop, .. } = self;
        loop {
            let limit = leaving.map_or(FAR, |since| GOODBYE_LIMIT.saturating_sub(since.elapsed()));
            tokio::select! {
                message = incoming.recv() => match message {
                    Some(Ok(ToWorker::Goodbye)) if leaving.is_some() => return Ok(Ended::Stopped),
                    Some(Ok(ToWorker::Goodbye | ToWorker::Welcome { .. })) => {}
                    Some(Ok(ToWorker::Refused(refusal))) => return Err(WorkerError::Refused(refusal)),
                    Some(Ok(ToWorker::Pins(pins))) => pin(pinned, &pins),
                    Some(Ok(message)) => {
                        if arrived.send(message).await.is_err() {
                            return Ok(Ended::Stopped);
                        }
                    }
                    Some(Err(error)) => return Ok(Ended::Lost(error.to_string())),
                    None => return Ok(Ended::Lost("the connection was closed".to_owned())),
                },
                message = outbox.recv() => match message {
                    Some(message) => write_frame(send, &message).await?,
                    None => return Ok(Ended::Stopped),
                },
                _ = beats.tick() => {
                    let heartbeat = Heartbeat {
                        memory: memory_in_use(),
                        bulk: bulk.traffic(),
                        note: note(board, searches, bulk),
                        shards: board.progress(),
                    };
                    write_frame(send, &ToCoordinator::Heartbeat(heartbeat)).await?;
                }
                () = stopped(stop), if leaving.is_none() => {
                    leaving = Some(Instant::now());
                    write_frame(send, &ToCoordinator::Leaving).await?;
                }
                () = tokio::time::sleep(limit), if leaving.is_some() => return Ok(Ended::Stopped),
            }
        }
    }
}

/// What the worker does, in words.
fn note(board: &Board, searches: &Searches, bulk: &Bulk) -> String {
    let mut note = board.note();
    match searches.count() {
        0 => {}
        1 => note.push_str(", 1 search"),
        count => note.push_str(&format!(", {count} searches")),
    }
    if let Some(problem) = bulk.problem() {
        note.push_str(&format!("; transfers wait: {problem}"));
    }
    note
}

/// Takes over the keys that the coordinator says it will have.
fn pin(known: &RwLock<Vec<Fingerprint>>, pins: &[Fingerprint]) {
    let mut known = known.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    for pin in pins.iter().take(4) {
        if !known.contains(pin) {
            known.push(*pin);
        }
    }
}

/// Returns when the worker is to stop.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Where nobody can stop it any more, it stops too.
    let _ = stop.wait_for(|&stop| stop).await;
}

async fn read_frames(
    mut receive: RecvStream,
    incoming: mpsc::Sender<Result<ToWorker, FrameError>>,
) {
    loop {
        let message = read_frame(&mut receive).await;
        let failed = message.is_err();
        if incoming.send(message).await.is_err() || failed {
            return;
        }
    }
}

/// Stores what must be stored before a report, and then passes the report on.
async fn carry_reports(
    mut reports: mpsc::Receiver<Report>,
    bulk: Bulk,
    board: Arc<Board>,
    outbox: mpsc::Sender<ToCoordinator>,
) {
    let mut uploads = JoinSet::new();
    while let Some(Report { message, blob }) = reports.recv().await {
        let Some((digest, bytes)) = blob else {
            if outbox.send(message).await.is_err() {
                return;
            }
            continue;
        };
        let (bulk, board, outbox) = (bulk.clone(), Arc::clone(&board), outbox.clone());
        uploads.spawn(async move {
            let Some((id, epoch)) = subject(&message) else { return };
            match bulk.put(digest, bytes).await {
                Ok(()) => {
                    board.set_report(id, epoch, message.clone());
                    let _ = outbox.send(message).await;
                }
                Err(error) => {
                    let reason = error.to_string();
                    let _ = outbox.send(ToCoordinator::Failed { id, epoch, reason }).await;
                }
            }
        });
        while uploads.try_join_next().is_some() {}
    }
}

fn subject(message: &ToCoordinator) -> Option<(ShardId, u32)> {
    match message {
        ToCoordinator::Swept(swept) => Some((swept.id, swept.epoch)),
        ToCoordinator::Encoded { id, epoch, .. } => Some((*id, *epoch)),
        _ => None,
    }
}

/// Fetches what orders need, and then hands them to the engine.
struct Fetcher {
    bulk: Bulk,
    board: Arc<Board>,
    cache: Arc<Cache>,
    orders: SyncSender<Order>,
    outbox: mpsc::Sender<ToCoordinator>,
    searches: Arc<Searches>,
}

impl Fetcher {
    async fn run(self, mut arrived: mpsc::Receiver<ToWorker>) {
        let waiting = Arc::new(Semaphore::new(WAITING_STEPS));
        let this = Arc::new(self);
        // The lease and steps of each shard, and whether its tables are there.
        let mut assigned = std::collections::HashMap::new();
        let mut tasks = JoinSet::new();
        while let Some(message) = arrived.recv().await {
            while tasks.try_join_next().is_some() {}
            let this = Arc::clone(&this);
            match message {
                ToWorker::Assign(assign) => {
                    let (id, epoch) = (assign.id, assign.epoch);
                    this.board.insert(id, epoch, WorkState::Booms);
                    let (ready, is_ready) = watch::channel(false);
                    assigned.insert(id, (epoch, 0_u16, is_ready));
                    tasks.spawn(async move {
                        let mut fetched = Ok(());
                        for table in &assign.tables {
                            if fetched.is_ok() {
                                fetched = this.cache.fetch(&this.bulk, table.file).await.map(drop);
                            }
                        }
                        if this.settle(id, epoch, fetched.map_err(anyhow::Error::from)).await {
                            this.order(Order::Assign(assign));
                            ready.send_replace(true);
                        }
                    });
                }
                ToWorker::Step(step) => {
                    let (id, epoch) = (step.id, step.epoch);
                    let Some((leased, steps, ready)) = assigned.get_mut(&id) else { continue };
                    if *leased != epoch || !this.board.has(id, epoch) {
                        continue;
                    }
                    *steps = (*steps).max(step.step + 1);
                    this.board.set_state(id, WorkState::Steps(*steps));
                    let mut ready = ready.clone();
                    let Ok(permit) = Arc::clone(&waiting).acquire_owned().await else { return };
                    tasks.spawn(async move {
                        let inputs = this.inputs(&step).await;
                        let is_ready = ready.wait_for(|&ready| ready).await.is_ok();
                        match inputs {
                            Ok((inputs, own)) if is_ready => {
                                let step = ReadyStep { step, inputs, own, permit };
                                this.order(Order::Step(Box::new(step)));
                            }
                            Ok(_) => {}
                            Err(error) => drop(this.settle(id, epoch, Err(error)).await),
                        }
                    });
                }
                ToWorker::Finish(finish) => {
                    let Some((leased, _, ready)) = assigned.get(&finish.id) else { continue };
                    if *leased != finish.epoch {
                        continue;
                    }
                    let mut ready = ready.clone();
                    tasks.spawn(async move {
                        if ready.wait_for(|&ready| ready).await.is_ok() {
                            let boombots_cluster_protocol::Finish { id, epoch, steps } = finish;
                            this.order(Order::Finish { id, epoch, steps });
                        }
                    });
                }
                ToWorker::Verify(verify) => {
                    let (id, epoch) = (verify.id, verify.epoch);
                    this.board.insert(id, epoch, WorkState::Verifying);
                    tasks.spawn(async move {
                        let fetched = this.files(&verify).await;
                        if this.settle(id, epoch, fetched).await {
                            this.order(Order::Verify(verify));
                        }
                    });
                }
                ToWorker::Search(job) => {
                    this.searches.announce(&job);
                    tasks.spawn(async move { this.searches.take(job).await });
                }
                ToWorker::StopJob { id, epoch } => this.searches.stop(id, epoch),
                ToWorker::Drop { id, epoch } => {
                    this.board.remove(id, epoch);
                    this.order(Order::Drop { id, epoch });
                }
                ToWorker::Forget { attempt } => {
                    assigned.retain(|id: &ShardId, _| id.attempt != attempt);
                    this.board.forget(attempt);
                    this.cache.forget(attempt);
                    this.order(Order::Forget { attempt });
                }
                _ => {}
            }
        }
    }

    fn order(&self, order: Order) {
        if self.orders.try_send(order).is_err() {
            warn!("the engine takes no orders");
        }
    }

    /// Whether an order can be given; if not and its lease still stands, says why.
    async fn settle(&self, id: ShardId, epoch: u32, fetched: anyhow::Result<()>) -> bool {
        if !self.board.has(id, epoch) {
            return false;
        }
        let Err(error) = fetched else { return true };
        self.board.remove(id, epoch);
        let reason = format!("{error:#}");
        warn!("giving a shard back: {reason}");
        let _ = self.outbox.send(ToCoordinator::Failed { id, epoch, reason }).await;
        false
    }

    /// What a step takes in, and the shard's own delta of it where that is on record.
    async fn inputs(&self, step: &Step) -> anyhow::Result<(Vec<(InputSlice, Bytes)>, Bytes)> {
        let mut fetches = Vec::new();
        for input in &step.inputs {
            let bytes = if input.slice.len == 0 {
                Some(Bytes::new())
            } else {
                self.cache.slice(input.slice.digest)
            };
            fetches.push((*input, bytes));
        }
        let mut tasks = JoinSet::new();
        for (at, (input, bytes)) in fetches.iter().enumerate() {
            if bytes.is_none() {
                let (bulk, input) = (self.bulk.clone(), *input);
                tasks.spawn(async move {
                    let InputSlice { blob, offset, slice, .. } = input;
                    (at, bulk.get(blob, offset, u64::from(slice.len), slice.digest).await)
                });
            }
        }
        let own = match &step.known {
            Some(KnownDelta { blob, .. }) if blob.len > 0 => {
                self.bulk.get(blob.digest, 0, blob.len, blob.digest).await?
            }
            _ => Bytes::new(),
        };
        while let Some(fetched) = tasks.join_next().await {
            let (at, bytes) = fetched?;
            fetches[at].1 = Some(bytes?);
        }
        let inputs = fetches.into_iter().filter_map(|(input, bytes)| Some((input, bytes?)));
        Ok((inputs.collect(), own))
    }

    async fn files(&self, verify: &boombots_cluster_protocol::Verify) -> anyhow::Result<()> {
        for table in &verify.tables {
            self.cache.fetch(&self.bulk, table.file).await?;
        }
        for segment in &verify.segments {
            self.cache.fetch(&self.bulk, segment.blob).await?;
            self.cache.note_segment(verify.id.attempt, segment.blob.digest);
        }
        Ok(())
    }
}

/// The memory that the process has in use, where the system tells.
fn memory_in_use() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

const QUEUE: usize = 1 << 12;

/// Steps fetched or being fetched that the engine has not got round to.
const WAITING_STEPS: usize = 256;

const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
const GOODBYE_LIMIT: Duration = Duration::from_secs(2);
const FAR: Duration = Duration::from_secs(3600);

/// The TLS alert `no_application_protocol` as a QUIC error code.
const NO_COMMON_PROTOCOL: u64 = 0x100 + 120;
