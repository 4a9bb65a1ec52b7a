//! Analyses: what happened and when in, what to do out, without sockets, disk or clock.
//!
//! An analysis grows the graph below its position by jobs, each of which is one position for about
//! a second. Jobs are lent to workers like shards, with an epoch of their own: what comes under an
//! older one is refused. A job's result is on disk before anything follows from it, and holds for
//! every analysis.

mod backup;
mod graph;
mod jobs;
mod proofs;
mod record;
mod requests;
mod results;
mod select;
mod status;

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use boombots_cluster_protocol::{AnalysisState, JobId, TableRef, ToWorker, WorkerId};
use boombots_rules::Position;
use serde::{Deserialize, Serialize};

use self::graph::{Graph, NodeId};
use self::jobs::Job;

pub use self::proofs::ProofSources;
pub use self::record::{AnalysisChange, AnalysisRecord, AnalysisRecords, Goal, ResultRecord};
pub use self::requests::AnalysisError;
use crate::scheduler::{Session, Severity};

/// What to do, in this order. Changes must be on disk before anything after them is done.
#[derive(Clone, Debug)]
pub enum AnalysisAction {
    /// Put a change on disk.
    Save(AnalysisChange),
    /// Send a message.
    Send {
        /// To whom.
        session: Session,
        /// What.
        message: Box<ToWorker>,
    },
    /// Tell the operator.
    Log(Severity, String),
}

/// A worker that takes jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisWorker {
    /// Who it is.
    pub id: WorkerId,
    /// Its connection.
    pub session: Session,
    /// Its name.
    pub name: String,
    /// How many jobs it works on at a time.
    pub threads: u16,
}

/// An analysis.
#[derive(Debug)]
struct Analysis {
    record: AnalysisRecord,
    position: Position,
    root: NodeId,
    revision: u64,
    /// Since when it runs.
    since: Duration,
    /// What the job at the root has found so far.
    partial: Option<boombots_cluster_protocol::JobProgress>,
    /// Jobs given out, by which kinds take turns.
    given: u64,
    /// Jobs given out, by which analyses take turns: one that begins or goes on starts level with
    /// whichever has had least.
    turns: u64,
    /// Jobs' worth of time given to the proof at the root, and to those below.
    proof_effort: (u32, u32),
}

/// All analyses.
#[derive(Debug)]
pub struct Analyses {
    analyses: BTreeMap<u32, Analysis>,
    graph: Graph,
    workers: BTreeMap<WorkerId, WorkerSlot>,
    tables: Vec<TableRef>,
    jobs: BTreeMap<JobId, Job>,
    /// Positions that a job is at, or is to be.
    taken: HashSet<NodeId>,
    next_job: u64,
    next_result: u64,
    counters: AnalysisCounters,
    now: Duration,
    out: Vec<AnalysisAction>,
}

#[derive(Debug)]
struct WorkerSlot {
    worker: AnalysisWorker,
    /// The analysis it had a job of last.
    last: Option<u32>,
    resting_until: Duration,
}

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisCounters {
    /// Jobs given out.
    pub leases: u64,
    /// Jobs taken away from workers that went or stalled.
    pub leases_lost: u64,
    /// Results taken.
    pub results: u64,
    /// Results refused since they came under a lease that had ended.
    pub stale: u64,
    /// Microseconds of work in the results taken.
    pub busy_micros: u64,
    /// Microseconds that workers waited for the next job while there were jobs.
    pub idle_micros: u64,
    /// The longest such wait, in microseconds.
    pub longest_idle_micros: u64,
}

impl Analyses {
    /// Goes on from what is on disk.
    pub fn new(records: AnalysisRecords, now: Duration) -> Self {
        let mut analyses = Self {
            analyses: BTreeMap::new(),
            graph: Graph::default(),
            workers: BTreeMap::new(),
            tables: Vec::new(),
            jobs: BTreeMap::new(),
            taken: HashSet::new(),
            next_job: u64::from(records.starts) << 32,
            next_result: records.next_result,
            counters: AnalysisCounters::default(),
            now,
            out: Vec::new(),
        };
        for result in &records.results {
            analyses.restore(result);
        }
        for record in records.analyses {
            let Ok(position) = record.position.parse::<Position>() else { continue };
            let root = analyses.graph.enter(&position);
            let analysis = Analysis {
                position,
                root,
                revision: 0,
                since: now,
                partial: None,
                given: record.jobs,
                turns: 0,
                proof_effort: (0, 0),
                record,
            };
            analyses.analyses.insert(analysis.record.id, analysis);
        }
        analyses
    }

    /// What is to be done now.
    pub fn take_actions(&mut self) -> Vec<AnalysisAction> {
        std::mem::take(&mut self.out)
    }

    /// Totals since the start.
    pub fn counters(&self) -> AnalysisCounters {
        self.counters
    }

    /// The workers that are there now; whoever is not among them has gone.
    pub fn set_workers(&mut self, workers: Vec<AnalysisWorker>, now: Duration) {
        self.now = now;
        let same = workers.len() == self.workers.len()
            && workers.iter().all(|worker| {
                self.workers.get(&worker.id).is_some_and(|slot| slot.worker == *worker)
            });
        if same {
            return;
        }
        let mut before = std::mem::take(&mut self.workers);
        for worker in workers {
            let known = before.remove(&worker.id);
            if let Some(known) =
                known.as_ref().filter(|known| known.worker.session != worker.session)
            {
                self.take_back(known.worker.id);
            }
            let (last, resting_until) =
                known.map_or((None, Duration::ZERO), |known| (known.last, known.resting_until));
            self.workers.insert(worker.id, WorkerSlot { worker, last, resting_until });
        }
        for gone in before.into_keys() {
            self.take_back(gone);
        }
        self.touch_all();
        self.schedule(now);
    }

    /// Whether an analysis is running.
    pub fn has_work(&self) -> bool {
        self.running().next().is_some()
    }

    /// The tables that are published.
    pub fn set_tables(&mut self, tables: Vec<TableRef>) {
        self.tables = tables;
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Duration) {
        self.now = now;
        self.take_stalled_jobs_away();
        self.schedule(now);
    }

    fn running(&self) -> impl Iterator<Item = &Analysis> {
        self.analyses.values().filter(|analysis| analysis.record.state == AnalysisState::Running)
    }

    /// The turns of the running analysis that has had least.
    fn least_turns(&self) -> u64 {
        self.running().map(|analysis| analysis.turns).min().unwrap_or(0)
    }

    /// Ends what has reached its goal, and gives out jobs.
    fn schedule(&mut self, now: Duration) {
        let done = self.running().filter(|analysis| self.is_done(analysis, now));
        let done: Vec<u32> = done.map(|analysis| analysis.record.id).collect();
        for id in done {
            self.end(id, AnalysisState::Done);
        }
        self.give_out(now);
    }

    fn is_done(&self, analysis: &Analysis, now: Duration) -> bool {
        self.graph.node(analysis.root).settled.is_some()
            || match analysis.record.goal {
                Goal::Time(milliseconds) => analysis.spent(now) >= milliseconds,
                Goal::Jobs(jobs) => analysis.record.jobs >= jobs,
                Goal::Proved => false,
            }
    }

    fn end(&mut self, id: u32, state: AnalysisState) {
        let now = self.now;
        let Some(analysis) = self.analyses.get_mut(&id) else { return };
        analysis.record.spent_milliseconds = analysis.spent(now);
        analysis.record.state = state;
        analysis.partial = None;
        analysis.revision += 1;
        let record = analysis.record.clone();
        let how = match (state, self.graph.node(analysis.root).settled) {
            (AnalysisState::Cancelled, _) => "was cancelled".to_owned(),
            (_, Some(settled)) => format!("is decided: {}", status::words(settled)),
            _ => "is done".to_owned(),
        };
        self.log(Severity::Info, format!("analysis {id} {how}; {} jobs", record.jobs));
        self.save(AnalysisChange::Analysis(record));
        self.drop_jobs(|job| job.analysis == id);
    }

    /// Something that every analysis shows has changed.
    fn touch_all(&mut self) {
        for analysis in self.analyses.values_mut() {
            analysis.revision += 1;
        }
    }

    fn save(&mut self, change: AnalysisChange) {
        self.out.push(AnalysisAction::Save(change));
    }

    fn send(&mut self, session: Session, message: ToWorker) {
        self.out.push(AnalysisAction::Send { session, message: Box::new(message) });
    }

    fn log(&mut self, severity: Severity, text: String) {
        self.out.push(AnalysisAction::Log(severity, text));
    }
}

impl Analysis {
    /// Milliseconds it has run.
    fn spent(&self, now: Duration) -> u64 {
        let running = match self.record.state {
            AnalysisState::Running => now.saturating_sub(self.since).as_millis() as u64,
            _ => 0,
        };
        self.record.spent_milliseconds + running
    }
}
