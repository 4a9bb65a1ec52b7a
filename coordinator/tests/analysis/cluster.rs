//! A cluster in virtual time: the analyses' state machine, workers that do real jobs, messages that
//! are late, and whatever trouble is asked for.

#![allow(dead_code, reason = "tests and the benchmark use different parts")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use boombots_cluster_protocol::{
    BlobRef, Fingerprint, JobId, JobKind, JobResult, SearchJob, ToCoordinator, ToWorker,
};
use boombots_coordinator::analysis::{
    Analyses, AnalysisAction, AnalysisChange, AnalysisRecords, AnalysisWorker,
};
use boombots_probe::canonical;
use boombots_search::{EndgameTables, StopSwitch};
use boombots_worker::{JobFindings, JobRunner};

/// Does each job once, with nothing to remember by, so that it finds the same whoever asks.
pub(crate) struct Solver {
    tables: Option<Arc<EndgameTables>>,
    /// The nodes of a job.
    budget: u64,
    known: HashMap<(String, JobKind, u64), JobFindings>,
}

impl Solver {
    pub(crate) fn new(tables: Option<Arc<EndgameTables>>, budget: u64) -> Self {
        Self { tables, budget, known: HashMap::new() }
    }

    fn solve(&mut self, job: &SearchJob) -> &JobFindings {
        let tables = &self.tables;
        let budget = self.budget * u64::from(job.milliseconds) / 1_000;
        self.known.entry((job.position.clone(), job.kind, budget)).or_insert_with(|| {
            let job = SearchJob { nodes: Some(budget), milliseconds: u32::MAX, ..job.clone() };
            let mebibytes = if budget > 100_000 { 64 } else { 1 };
            let mut runner = JobRunner::new(mebibytes);
            runner.run(&job, tables.clone(), &StopSwitch::new(), |_| {}).unwrap()
        })
    }
}

/// How likely trouble is, in thousandths for each step of time.
#[derive(Clone, Copy, Default)]
pub(crate) struct Trouble {
    pub(crate) worker_dies: u64,
    pub(crate) coordinator_dies: u64,
    pub(crate) result_doubled: u64,
    pub(crate) result_stale: u64,
}

#[derive(Default)]
struct Worker {
    session: u64,
    up: bool,
    queue: Vec<SearchJob>,
    /// When the first of the queue is done.
    done: Option<Duration>,
    busy: Duration,
}

/// The cluster.
pub(crate) struct Cluster<'a> {
    pub(crate) analyses: Analyses,
    pub(crate) now: Duration,
    pub(crate) disk: AnalysisRecords,
    pub(crate) blobs: HashMap<BlobRef, Vec<u8>>,
    pub(crate) finished: u64,
    pub(crate) busy: Duration,
    solver: &'a mut Solver,
    workers: Vec<Worker>,
    sessions: u64,
    /// On their way to the coordinator, by when they arrive.
    messages: BTreeMap<(Duration, u64), (u64, ToCoordinator)>,
    sent: u64,
    random: u64,
    latency: Duration,
    /// The time that a node takes.
    node: Duration,
    overhead: Duration,
    done_once: HashSet<(String, JobKind)>,
}

impl<'a> Cluster<'a> {
    pub(crate) fn new(solver: &'a mut Solver, workers: usize, seed: u64) -> Self {
        let disk = AnalysisRecords { starts: 1, ..AnalysisRecords::default() };
        let mut cluster = Self {
            analyses: Analyses::new(disk.clone(), Duration::ZERO),
            now: Duration::ZERO,
            disk,
            blobs: HashMap::new(),
            finished: 0,
            busy: Duration::ZERO,
            solver,
            workers: (0..workers).map(|_| Worker::default()).collect(),
            sessions: 0,
            messages: BTreeMap::new(),
            sent: 0,
            random: seed,
            latency: Duration::from_millis(1),
            node: Duration::from_nanos(1_000),
            overhead: Duration::from_micros(200),
            done_once: HashSet::new(),
        };
        (0..workers).for_each(|worker| cluster.join(worker));
        cluster.settle();
        cluster
    }

    fn chance(&mut self, permille: u64) -> bool {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) % 1_000 < permille
    }

    fn join(&mut self, worker: usize) {
        self.sessions += 1;
        let worker = &mut self.workers[worker];
        *worker =
            Worker { session: self.sessions, up: true, busy: worker.busy, ..Worker::default() };
    }

    /// Lets the coordinator act until nothing is to be done.
    pub(crate) fn settle(&mut self) {
        let up = self.workers.iter().enumerate().filter(|(_, worker)| worker.up);
        let up = up.map(|(number, worker)| AnalysisWorker {
            id: Fingerprint([number as u8; 32]),
            session: worker.session,
            name: format!("worker {number}"),
            threads: 1,
        });
        let up = up.collect();
        self.analyses.set_workers(up, self.now);
        let actions = self.analyses.take_actions();
        for action in &actions {
            match action {
                AnalysisAction::Save(AnalysisChange::Result(number, record)) => {
                    assert_eq!(*number, self.disk.next_result, "results are numbered in order");
                    let key = (record.position.clone(), record.kind);
                    let is_root = self.disk.analyses.iter().any(|analysis| {
                        let position = analysis.position.parse().unwrap();
                        canonical(&position).0.to_string() == record.position
                    });
                    // Only at a root more time is given, and then another time.
                    let is_new = self.done_once.insert(key);
                    assert!(is_new || is_root, "a finished job is never done again");
                    self.disk.results.push(record.clone());
                    self.disk.next_result += 1;
                    self.finished += 1;
                }
                AnalysisAction::Save(AnalysisChange::Analysis(record)) => {
                    self.disk.analyses.retain(|known| known.id != record.id);
                    self.disk.analyses.push(record.clone());
                    self.disk.analyses.sort_by_key(|record| record.id);
                }
                _ => {}
            }
        }
        for action in actions {
            let AnalysisAction::Send { session, message } = action else { continue };
            let worker = self.workers.iter_mut().find(|worker| worker.session == session);
            let Some(worker) = worker.filter(|worker| worker.up) else { continue };
            match *message {
                ToWorker::Search(job) => worker.queue.push(job),
                ToWorker::StopJob { id, epoch } => {
                    let is_first =
                        worker.queue.first().is_some_and(|job| job.id == id && job.epoch == epoch);
                    worker.queue.retain(|job| job.id != id || job.epoch != epoch);
                    if is_first {
                        worker.done = None;
                    }
                }
                _ => {}
            }
        }
        self.start_jobs();
    }

    fn start_jobs(&mut self) {
        for worker in &mut self.workers {
            if worker.done.is_none()
                && let Some(job) = worker.queue.first()
            {
                let nodes = self.solver.solve(job).nodes;
                let cost = self.node * nodes.min(u64::from(u32::MAX)) as u32 + self.overhead;
                worker.done = Some(self.now + cost);
                worker.busy += cost;
                self.busy += cost;
            }
        }
    }

    /// Goes on to whatever happens next. Returns whether anything does.
    pub(crate) fn step(&mut self, trouble: Trouble) -> bool {
        let message = self.messages.keys().next().map(|(at, _)| *at);
        let done = self.workers.iter().filter_map(|worker| worker.done).min();
        let Some(next) = message.into_iter().chain(done).min() else { return false };
        self.now = self.now.max(next);
        if self.chance(trouble.coordinator_dies) {
            self.restart();
            return true;
        }
        for number in 0..self.workers.len() {
            if self.workers[number].up && self.chance(trouble.worker_dies) {
                self.workers[number].up = false;
                self.workers[number].queue.clear();
                self.workers[number].done = None;
                self.settle();
                self.join(number);
            }
        }
        for number in 0..self.workers.len() {
            if self.workers[number].done.is_some_and(|done| done <= self.now) {
                self.finish(number, trouble);
            }
        }
        while let Some((&key, _)) = self.messages.first_key_value() {
            if key.0 > self.now {
                break;
            }
            if let Some((session, message)) = self.messages.remove(&key) {
                self.analyses.message(session, &message, self.now);
            }
        }
        self.analyses.tick(self.now);
        self.settle();
        true
    }

    fn finish(&mut self, number: usize, trouble: Trouble) {
        let worker = &mut self.workers[number];
        let (job, session) = (worker.queue.remove(0), worker.session);
        worker.done = None;
        let findings = self.solver.solve(&job).clone();
        if let boombots_cluster_protocol::JobOutcome::Searched { proof: Some(blob), .. } =
            &findings.outcome
        {
            self.blobs.insert(*blob, findings.proof.clone().unwrap().to_vec());
        }
        let result = JobResult {
            id: job.id,
            epoch: job.epoch,
            outcome: findings.outcome,
            nodes: findings.nodes,
            micros: findings.nodes,
            idle_micros: 0,
        };
        let copies = 1 + u64::from(self.chance(trouble.result_doubled));
        for copy in 0..copies {
            self.send(session, ToCoordinator::JobDone(result.clone()), 1 + 3 * copy as u32);
        }
        if self.chance(trouble.result_stale) {
            let stale = JobResult { epoch: result.epoch + 1, ..result.clone() };
            self.send(session, ToCoordinator::JobDone(stale), 1);
            let foreign = JobResult { id: JobId(result.id.0 + 1_000_000), ..result };
            self.send(session, ToCoordinator::JobDone(foreign), 1);
        }
    }

    fn send(&mut self, session: u64, message: ToCoordinator, delays: u32) {
        self.sent += 1;
        self.messages.insert((self.now + self.latency * delays, self.sent), (session, message));
    }

    /// The coordinator is killed, and started again with what is on disk.
    pub(crate) fn restart(&mut self) {
        self.disk.starts += 1;
        self.messages.clear();
        self.analyses = Analyses::new(self.disk.clone(), self.now);
        (0..self.workers.len()).for_each(|worker| self.join(worker));
        self.analyses.tick(self.now);
        self.settle();
    }

    pub(crate) fn running(&self) -> bool {
        self.analyses.has_work()
    }
}
