//! Jobs: which are made, who has them, and what becomes of those whose worker goes.

use std::time::Duration;

use boombots_cluster_protocol::{
    AnalysisPriority, JobId, JobKind, Party, SearchJob, ToWorker, Urgency, WorkerId,
};

use super::graph::{MOVER, NodeId, OPPONENT};
use super::record::Goal;
use super::{Analyses, Analysis};
use crate::scheduler::Severity;

/// A job that is not done yet.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) analysis: u32,
    pub(super) node: NodeId,
    pub(super) kind: JobKind,
    pub(super) epoch: u32,
    /// How many times the time of a job it has.
    pub(super) factor: u32,
    /// Who has it; nobody where its worker went.
    pub(super) lease: Option<Lease>,
    /// How often workers failed with it.
    pub(super) failures: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lease {
    pub(super) worker: WorkerId,
    /// When it was given out, or last heard of.
    pub(super) heard: Duration,
    /// Its worker had another job to do before it.
    pub(super) is_behind_another: bool,
}

impl Job {
    fn is_of(&self, worker: WorkerId) -> bool {
        self.lease.is_some_and(|lease| lease.worker == worker)
    }
}

/// The party of a job as the index of a position's arrays.
pub(super) fn index_of(party: Party) -> usize {
    match party {
        Party::Mover => MOVER,
        Party::Opponent => OPPONENT,
    }
}

impl Analyses {
    /// Gives every worker as many jobs as it works on at a time, and one more for each to go on with
    /// at once.
    pub(super) fn give_out(&mut self, now: Duration) {
        loop {
            // Whoever has least is served first.
            let hungry = self.workers.iter().filter_map(|(id, slot)| {
                let threads = usize::from(slot.worker.threads.max(1));
                let has = self.jobs.values().filter(|job| job.is_of(*id)).count();
                (has < 2 * threads && now >= slot.resting_until).then_some((has / threads, *id))
            });
            let Some((_, worker)) = hungry.min() else { return };
            let Some(id) = self.job_for(worker) else { return };
            self.lend(id, worker, now);
        }
    }

    /// A job for a worker: one that lost its own, or a new one.
    fn job_for(&mut self, worker: WorkerId) -> Option<JobId> {
        let free = self.jobs.iter().find(|(_, job)| job.lease.is_none());
        if let Some((id, _)) = free {
            return Some(*id);
        }
        let last = self.workers.get(&worker)?.last;
        let mut order: Vec<(AnalysisPriority, u64, usize, u32)> = self
            .running()
            .map(|analysis| {
                let id = analysis.record.id;
                let jobs = self.jobs.values().filter(|job| job.analysis == id).count();
                // Several jobs in a turn, as a worker remembers what it was at.
                let near = 2 * jobs + usize::from(last != Some(id));
                (analysis.record.priority, analysis.turns / JOBS_IN_A_TURN, near, id)
            })
            .collect();
        order.sort_unstable();
        order.into_iter().find_map(|(_, _, _, id)| self.new_job(id))
    }

    fn new_job(&mut self, id: u32) -> Option<JobId> {
        let analysis = self.analyses.get(&id)?;
        let (node, kind, factor) = match self.longer_at_root(analysis) {
            Some(longer) => longer,
            None => self.next_of(analysis).map(|(node, kind)| (node, kind, 1))?,
        };
        let analysis = self.analyses.get_mut(&id)?;
        if let JobKind::Prove { .. } = kind {
            let (root, below) = &mut analysis.proof_effort;
            *if node == analysis.root { root } else { below } += factor;
        }
        analysis.given += 1;
        analysis.turns += 1;
        let job = JobId(self.next_job);
        self.next_job += 1;
        self.taken.insert(node);
        let made = Job { analysis: id, node, kind, epoch: 0, factor, lease: None, failures: 0 };
        self.jobs.insert(job, made);
        Some(job)
    }

    /// A longer job for the proof at the root, whenever as much was done below: what is proved by
    /// one search costs far less there than in pieces, and only what one search does not prove is
    /// worth taking to pieces.
    fn longer_at_root(&self, analysis: &Analysis) -> Option<(NodeId, JobKind, u32)> {
        let node = self.graph.node(analysis.root);
        let (root, below) = analysis.proof_effort;
        let score = node.score?;
        let party = if score >= 0 { MOVER } else { OPPONENT };
        let is_due = analysis.record.goal == Goal::Proved
            && score.abs() >= LEVEL
            && node.worked[party]
            && node.settled.is_none()
            && !self.graph.numbers_at(analysis.root, party).is_settled()
            && !self.taken.contains(&analysis.root)
            && below >= root;
        let winner = if party == MOVER { Party::Mover } else { Party::Opponent };
        let factor = (root + 1).min(LONGEST);
        is_due.then_some((analysis.root, JobKind::Prove { winner }, factor))
    }

    /// What an analysis needs most.
    fn next_of(&self, analysis: &Analysis) -> Option<(NodeId, JobKind)> {
        let (root, taken) = (analysis.root, &self.taken);
        let evaluation = self.graph.node(root).evaluation;
        let score = |lines: u16| {
            let node = self.graph.most_promising(root, taken)?;
            let lines = if node == root { lines.max(LINES_AT_ROOT) } else { LINES_BELOW };
            Some((node, JobKind::Evaluate { lines }))
        };
        let proofs = |party: usize| {
            let (node, party) = self.graph.most_proving(root, party, taken)?;
            let winner = if party == MOVER { Party::Mover } else { Party::Opponent };
            Some((node, JobKind::Prove { winner }))
        };
        let lines = analysis.record.lines;
        let Some(score_now) = self.graph.node(root).score.or(evaluation) else {
            return score(lines);
        };
        let likely = if score_now >= 0 { MOVER } else { OPPONENT };
        let is_open = score_now.abs() < LEVEL;
        let turn = analysis.given;
        let party = match is_open && turn / 2 % 2 == 1 {
            true => 1 - likely,
            false => likely,
        };
        let proof = || proofs(party).or_else(|| proofs(1 - party));
        match analysis.record.goal {
            Goal::Proved if is_open && turn.is_multiple_of(2) => score(lines).or_else(proof),
            Goal::Proved => proof().or_else(|| score(lines)),
            _ if score_now.abs() >= CLEAR && turn % 2 == 1 => proof().or_else(|| score(lines)),
            _ => score(lines).or_else(proof),
        }
    }

    fn lend(&mut self, id: JobId, worker: WorkerId, now: Duration) {
        let is_behind_another = self.jobs.values().any(|job| job.is_of(worker));
        let Some(job) = self.jobs.get_mut(&id) else { return };
        job.epoch += 1;
        job.lease = Some(Lease { worker, heard: now, is_behind_another });
        let Some(slot) = self.workers.get_mut(&worker) else { return };
        slot.last = Some(job.analysis);
        let session = slot.worker.session;
        let Some(analysis) = self.analyses.get_mut(&job.analysis) else { return };
        analysis.revision += 1;
        let message = SearchJob {
            id,
            epoch: job.epoch,
            position: self.graph.node(job.node).position.to_string(),
            kind: job.kind,
            milliseconds: analysis.record.job_milliseconds.saturating_mul(job.factor),
            nodes: None,
            urgency: match analysis.record.priority {
                AnalysisPriority::Interactive => Urgency::Interactive,
                AnalysisPriority::Batch => Urgency::Batch,
            },
            tables: self.tables.clone(),
        };
        self.counters.leases += 1;
        self.send(session, ToWorker::Search(message));
    }

    /// Frees the jobs of a worker that has gone.
    pub(super) fn take_back(&mut self, worker: WorkerId) {
        let mut lost = 0;
        for job in self.jobs.values_mut().filter(|job| job.is_of(worker)) {
            job.lease = None;
            lost += 1;
        }
        self.counters.leases_lost += lost;
        if lost > 0 {
            let text = format!("{lost} search jobs of worker {} are free again", worker.short());
            self.log(Severity::Info, text);
        }
    }

    /// Frees jobs that nothing was heard of for much longer than they should take.
    pub(super) fn take_stalled_jobs_away(&mut self) {
        let now = self.now;
        let stalled = self.jobs.iter().filter_map(|(id, job)| {
            let lease = job.lease?;
            let analysis = self.analyses.get(&job.analysis)?;
            let budget = analysis.record.job_milliseconds.saturating_mul(job.factor);
            let budget = Duration::from_millis(budget.into());
            (now >= lease.heard + PATIENCE + 10 * budget).then_some((*id, lease.worker))
        });
        let stalled: Vec<(JobId, WorkerId)> = stalled.collect();
        for (id, worker) in stalled {
            self.free(id);
            self.counters.leases_lost += 1;
            if let Some(slot) = self.workers.get_mut(&worker) {
                slot.resting_until = now + PATIENCE;
                let text = format!("worker {} got nowhere with a search job", slot.worker.name);
                self.log(Severity::Warning, text);
            }
        }
    }

    /// Takes a job away from whoever has it.
    pub(super) fn free(&mut self, id: JobId) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let epoch = job.epoch;
        if let Some(lease) = job.lease.take()
            && let Some(slot) = self.workers.get(&lease.worker)
        {
            let session = slot.worker.session;
            self.send(session, ToWorker::StopJob { id, epoch });
        }
    }

    /// Drops jobs that nobody needs any more.
    pub(super) fn drop_jobs(&mut self, is_needless: impl Fn(&Job) -> bool) {
        let needless = self.jobs.iter().filter(|(_, job)| is_needless(job));
        let needless: Vec<JobId> = needless.map(|(id, _)| *id).collect();
        self.drop_jobs_named(&needless);
    }

    /// Drops jobs at positions that were settled meanwhile, or that matter to none but settled ones.
    pub(super) fn drop_needless_jobs(&mut self) {
        let needless = self.jobs.iter().filter(|(_, job)| {
            let node = self.graph.node(job.node);
            let is_root = self.analyses.get(&job.analysis).is_some_and(|a| a.root == job.node);
            let settled = |id: &NodeId| self.graph.node(*id).settled.is_some();
            let refuted = match job.kind {
                JobKind::Evaluate { .. } => false,
                JobKind::Prove { winner } => {
                    self.graph.numbers_at(job.node, index_of(winner)).is_settled()
                }
            };
            node.settled.is_some()
                || refuted
                || (!is_root && !node.parents.is_empty() && node.parents.iter().all(settled))
        });
        let needless: Vec<JobId> = needless.map(|(id, _)| *id).collect();
        self.drop_jobs_named(&needless);
    }

    fn drop_jobs_named(&mut self, ids: &[JobId]) {
        for id in ids {
            self.free(*id);
            if let Some(job) = self.jobs.remove(id) {
                self.taken.remove(&job.node);
            }
        }
    }
}

/// Jobs of one analysis before another of the same urgency has its turn.
const JOBS_IN_A_TURN: u64 = 8;

/// Lines of the job at the root, which every analysis shows some of.
const LINES_AT_ROOT: u16 = 3;

/// Lines of the other jobs.
const LINES_BELOW: u16 = 2;

/// Jobs' worth of the longest job.
const LONGEST: u32 = 16;

/// A score nearer to 0 leaves open who wins, if anybody.
const LEVEL: i32 = 30;

/// A score past this looks won.
const CLEAR: i32 = 150;

/// Time that a job may take past ten times its own.
const PATIENCE: Duration = Duration::from_secs(20);
