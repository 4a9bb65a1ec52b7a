//! The one task that owns the scheduler: takes events in, puts changes on disk, does the rest.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use boombots_cluster_protocol::{
    AnalysisExport, AnalysisGoal, AnalysisRequest, AnalysisStatus, Fingerprint, Hello,
    ToCoordinator, ToWorker, WorkerId,
};
use boombots_probe::Class;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;
use tracing::{error, info, warn};

use crate::analysis::{
    Analyses, AnalysisAction, AnalysisChange, AnalysisCounters, AnalysisError, AnalysisWorker,
    ProofSources,
};
use crate::database::StateDatabase;
use crate::publish::publish;
use crate::scheduler::{
    Action, BuildOptions, BuildState, Change, ClassRecord, Scheduler, Session, Severity, Status,
};
use crate::store::Store;

/// The way to the scheduler.
#[derive(Clone, Debug)]
pub struct Service {
    events: mpsc::Sender<Event>,
}

#[derive(Debug)]
pub(crate) enum Event {
    Connected {
        id: WorkerId,
        session: Session,
        hello: Hello,
        out: mpsc::Sender<ToWorker>,
    },
    Message {
        session: Session,
        message: ToCoordinator,
    },
    /// Packets of the worker keep arriving.
    Alive {
        session: Session,
    },
    Disconnected {
        session: Session,
        reason: String,
    },
    Submit {
        class: Class,
        options: BuildOptions,
        reply: oneshot::Sender<u32>,
    },
    Cancel {
        build: u32,
        reply: oneshot::Sender<bool>,
    },
    Revoke {
        worker: WorkerId,
        reply: oneshot::Sender<bool>,
    },
    Status {
        reply: oneshot::Sender<Status>,
    },
    BuildState {
        build: u32,
        reply: oneshot::Sender<Option<BuildState>>,
    },
    Analyse {
        request: AnalysisRequest,
        reply: oneshot::Sender<Result<u32, AnalysisError>>,
    },
    CancelAnalysis {
        id: u32,
        reply: oneshot::Sender<Result<bool, AnalysisError>>,
    },
    ResumeAnalysis {
        id: u32,
        goal: Option<AnalysisGoal>,
        reply: oneshot::Sender<Result<(), AnalysisError>>,
    },
    AnalysisStatus {
        id: u32,
        reply: oneshot::Sender<Option<AnalysisStatus>>,
    },
    AnalysisStatuses {
        reply: oneshot::Sender<Vec<AnalysisStatus>>,
    },
    AnalysisRevision {
        id: u32,
        reply: oneshot::Sender<Option<u64>>,
    },
    AnalysisExport {
        id: u32,
        reply: oneshot::Sender<Option<AnalysisExport>>,
    },
    ProofSources {
        id: u32,
        reply: oneshot::Sender<Result<Option<ProofSources>, AnalysisError>>,
    },
    AnalysisCounters {
        reply: oneshot::Sender<AnalysisCounters>,
    },
    Pins(Vec<Fingerprint>),
    Published {
        attempt: u32,
        outcome: Result<(Vec<boombots_cluster_protocol::TableRef>, u8), String>,
    },
    Refused(String),
}

/// The service has stopped.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the coordinator is stopping")]
pub struct Stopped;

impl Service {
    pub(crate) async fn send(&self, event: Event) {
        let _ = self.events.send(event).await;
    }

    pub(crate) async fn ask<T>(
        &self,
        event: impl FnOnce(oneshot::Sender<T>) -> Event,
    ) -> Result<T, Stopped> {
        let (reply, answer) = oneshot::channel();
        self.send(event(reply)).await;
        answer.await.map_err(|_| Stopped)
    }

    /// Asks for a class; returns the build's number.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn submit(&self, class: Class, options: BuildOptions) -> Result<u32, Stopped> {
        self.ask(|reply| Event::Submit { class, options, reply }).await
    }

    /// Gives a build up.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn cancel(&self, build: u32) -> Result<bool, Stopped> {
        self.ask(|reply| Event::Cancel { build, reply }).await
    }

    /// Lets a worker do nothing any more.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn revoke(&self, worker: WorkerId) -> Result<bool, Stopped> {
        self.ask(|reply| Event::Revoke { worker, reply }).await
    }

    /// How everything stands.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn status(&self) -> Result<Status, Stopped> {
        self.ask(|reply| Event::Status { reply }).await
    }

    /// How a build stands.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn build_state(&self, build: u32) -> Result<Option<BuildState>, Stopped> {
        self.ask(|reply| Event::BuildState { build, reply }).await
    }
}

/// What the service works with.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) scheduler: Scheduler,
    pub(crate) analyses: Analyses,
    pub(crate) database: Arc<Mutex<StateDatabase>>,
    pub(crate) store: Arc<Store>,
    pub(crate) tables: PathBuf,
    pub(crate) scratch: PathBuf,
    pub(crate) clock: Clock,
}

/// Time since the start, without the time in which nothing could be written: silence then is not
/// the workers'.
#[derive(Debug)]
pub(crate) struct Clock {
    started: Instant,
    stalled: Duration,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), stalled: Duration::ZERO }
    }

    pub(crate) fn now(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.stalled)
    }
}

/// Starts the service as one of these tasks.
pub(crate) fn start(parts: Parts, tasks: &mut JoinSet<()>) -> Service {
    let (events, events_in) = mpsc::channel(QUEUE);
    let service = Service { events };
    let running =
        Running { parts, outs: HashMap::new(), service: service.clone(), refused: Vec::new() };
    tasks.spawn(running.run(events_in));
    service
}

struct Running {
    parts: Parts,
    outs: HashMap<Session, mpsc::Sender<ToWorker>>,
    service: Service,
    /// Connections refused lately, for the status.
    refused: Vec<String>,
}

impl Running {
    async fn run(mut self, mut events: mpsc::Receiver<Event>) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.act().await;
        let mut batch = Vec::new();
        loop {
            tokio::select! {
                count = events.recv_many(&mut batch, BATCH) => if count == 0 { return },
                _ = ticks.tick() => {
                    let now = self.parts.clock.now();
                    self.parts.scheduler.tick(now);
                    self.parts.analyses.tick(now);
                }
            }
            for event in batch.drain(..) {
                self.take(event);
            }
            self.act().await;
        }
    }

    fn take(&mut self, event: Event) {
        let now = self.parts.clock.now();
        let Parts { scheduler, analyses, .. } = &mut self.parts;
        // Whoever asked may have gone away; then nobody misses the answer.
        match event {
            Event::Connected { id, session, hello, out } => {
                self.outs.insert(session, out);
                scheduler.connected(id, session, hello, now);
            }
            Event::Message { session, message } => {
                analyses.message(session, &message, now);
                scheduler.message(session, message, now);
            }
            Event::Alive { session } => scheduler.alive(session, now),
            Event::Disconnected { session, reason } => {
                self.outs.remove(&session);
                scheduler.disconnected(session, &reason, now);
            }
            Event::Submit { class, options, reply } => {
                let _ = reply.send(scheduler.submit(class, options, now));
            }
            Event::Cancel { build, reply } => _ = reply.send(scheduler.cancel(build, now)),
            Event::Revoke { worker, reply } => _ = reply.send(scheduler.revoke(worker, now)),
            Event::Status { reply } => {
                let mut status = scheduler.status(now);
                let searching = analyses.jobs_by_worker();
                let searching: HashMap<String, u32> =
                    searching.into_iter().map(|(id, jobs)| (id.to_string(), jobs)).collect();
                for worker in &mut status.workers {
                    worker.searches = searching.get(&worker.id).copied().unwrap_or(0);
                    if worker.searches > 0 && worker.state == "idle" {
                        worker.state = "working".to_owned();
                        worker.reason = None;
                    }
                }
                status.searches = analyses.counters();
                status.store_problem = self.parts.store.problem();
                status.bulk_bytes = self.parts.store.traffic();
                status.refused.clone_from(&self.refused);
                let _ = reply.send(status);
            }
            Event::BuildState { build, reply } => {
                let _ = reply.send(scheduler.build_state(build).cloned());
            }
            Event::Analyse { request, reply } => {
                // Its first job goes out at once, and must know them.
                analyses.set_tables(scheduler.all_published_tables());
                let _ = reply.send(analyses.submit(&request, now));
            }
            Event::CancelAnalysis { id, reply } => _ = reply.send(analyses.cancel(id, now)),
            Event::ResumeAnalysis { id, goal, reply } => {
                analyses.set_tables(scheduler.all_published_tables());
                let _ = reply.send(analyses.resume(id, goal, now));
            }
            Event::AnalysisStatus { id, reply } => _ = reply.send(analyses.status(id, now)),
            Event::AnalysisStatuses { reply } => _ = reply.send(analyses.statuses(now)),
            Event::AnalysisRevision { id, reply } => _ = reply.send(analyses.revision(id)),
            Event::AnalysisExport { id, reply } => _ = reply.send(analyses.export(id, now)),
            Event::ProofSources { id, reply } => _ = reply.send(analyses.proof_sources(id)),
            Event::AnalysisCounters { reply } => _ = reply.send(analyses.counters()),
            Event::Pins(pins) => scheduler.announce_pins(&pins),
            Event::Published { attempt, outcome } => scheduler.published(attempt, outcome, now),
            Event::Refused(reason) => {
                warn!("{reason}");
                if self.refused.len() >= KEPT_REFUSALS {
                    self.refused.remove(0);
                }
                self.refused.push(reason);
            }
        }
    }

    /// Puts the changes on disk, however long it takes, and then does everything else.
    async fn act(&mut self) {
        let now = self.parts.clock.now();
        let Parts { scheduler, analyses, .. } = &mut self.parts;
        // Who takes jobs is the scheduler's to say.
        let workers = scheduler.up_workers().map(|(id, session, name, threads)| AnalysisWorker {
            id,
            session,
            name: name.to_owned(),
            threads,
        });
        if analyses.has_work() {
            analyses.set_tables(scheduler.all_published_tables());
        }
        analyses.set_workers(workers.collect(), now);
        let actions = scheduler.take_actions();
        let analysis_actions = analyses.take_actions();
        let changes = actions.iter().filter_map(|action| match action {
            Action::Save(change) => Some(change.clone()),
            _ => None,
        });
        let changes: Vec<Change> = changes.collect();
        let analysis_changes = analysis_actions.iter().filter_map(|action| match action {
            AnalysisAction::Save(change) => Some(change.clone()),
            _ => None,
        });
        let analysis_changes: Vec<AnalysisChange> = analysis_changes.collect();
        if !changes.is_empty() || !analysis_changes.is_empty() {
            self.save(changes, analysis_changes).await;
        }
        for action in actions {
            match action {
                Action::Save(_) => {}
                Action::Send { session, message } => self.send(session, *message),
                Action::Close { session } => drop(self.outs.remove(&session)),
                Action::Publish(class) => self.publish(*class),
                Action::Discard { blobs } => {
                    let store = Arc::clone(&self.parts.store);
                    tokio::spawn(async move { store.delete(&blobs).await });
                }
                Action::Log(severity, text) => log(severity, &text),
            }
        }
        // After the scheduler's, whose welcome a worker has to hear first.
        for action in analysis_actions {
            match action {
                AnalysisAction::Save(_) => {}
                AnalysisAction::Send { session, message } => self.send(session, *message),
                AnalysisAction::Log(severity, text) => log(severity, &text),
            }
        }
    }

    fn send(&mut self, session: Session, message: ToWorker) {
        if let Some(out) = self.outs.get(&session)
            && out.try_send(message).is_err()
        {
            // It does not read what it is sent; closing makes it start over.
            self.outs.remove(&session);
        }
    }

    /// What arrives meanwhile is taken in together and written together the next time.
    async fn save(&mut self, changes: Vec<Change>, analyses: Vec<AnalysisChange>) {
        let started = Instant::now();
        let changes = Arc::new((changes, analyses));
        loop {
            let (database, changes) = (Arc::clone(&self.parts.database), Arc::clone(&changes));
            let write = move || {
                let mut database = database.lock().unwrap_or_else(PoisonError::into_inner);
                database.apply(&changes.0, &changes.1).map_err(|error| error.to_string())
            };
            let written = tokio::task::spawn_blocking(write).await;
            let Err(failed) = written.map_err(|error| error.to_string()).flatten() else { break };
            error!("{failed}; everything waits until it can be written");
            self.parts.store.set_problem(Some(failed));
            tokio::time::sleep(RETRY).await;
        }
        let took = started.elapsed();
        if took > RETRY {
            self.parts.store.set_problem(None);
            self.parts.clock.stalled += took;
        }
    }

    fn publish(&self, class: ClassRecord) {
        let (store, service) = (Arc::clone(&self.parts.store), self.service.clone());
        let (tables, scratch) = (self.parts.tables.clone(), self.parts.scratch.clone());
        tokio::spawn(async move {
            let outcome = publish(tables, scratch, &store, &class).await;
            service.send(Event::Published { attempt: class.attempt, outcome }).await;
            store.upload_tables().await;
        });
    }
}

fn log(severity: Severity, text: &str) {
    match severity {
        Severity::Info => info!("{text}"),
        Severity::Warning => warn!("{text}"),
    }
}

const QUEUE: usize = 4096;
const BATCH: usize = 256;
const TICK: Duration = Duration::from_millis(100);
const RETRY: Duration = Duration::from_secs(1);
const KEPT_REFUSALS: usize = 50;
