//! What workers say of jobs, and what follows.

use std::time::Duration;

use boombots_cluster_protocol::{
    ExactValue, JobId, JobKind, JobOutcome, JobProgress, JobResult, Standing, ToCoordinator,
    WorkerId,
};
use boombots_rules::{Action, Position};

use super::Analyses;
use super::backup::score_before;
use super::graph::{MOVER, NEVER, NodeId, Numbers, OPPONENT, Settled, Target};
use super::jobs::index_of;
use super::record::{AnalysisChange, ResultRecord};
use crate::scheduler::{Session, Severity};

impl Analyses {
    /// A worker has said something of a job; other messages are not for this.
    pub fn message(&mut self, session: Session, message: &ToCoordinator, now: Duration) {
        self.now = now;
        let worker = self.workers.values().find(|slot| slot.worker.session == session);
        let Some(worker) = worker.map(|slot| slot.worker.id) else { return };
        match message {
            ToCoordinator::JobProgress(progress) => self.progressed(worker, progress),
            ToCoordinator::JobDone(result) => {
                self.finished(worker, result);
                self.schedule(now);
            }
            ToCoordinator::JobFailed { id, epoch, reason } => {
                self.failed(worker, *id, *epoch, reason);
                self.schedule(now);
            }
            _ => {}
        }
    }

    /// Whether a job is still lent to a worker by a lease.
    fn is_current(&self, worker: WorkerId, id: JobId, epoch: u32) -> bool {
        self.jobs.get(&id).is_some_and(|job| {
            job.epoch == epoch && job.lease.is_some_and(|lease| lease.worker == worker)
        })
    }

    fn progressed(&mut self, worker: WorkerId, progress: &JobProgress) {
        if !self.is_current(worker, progress.id, progress.epoch) {
            return;
        }
        let now = self.now;
        let Some(job) = self.jobs.get_mut(&progress.id) else { return };
        if let Some(lease) = &mut job.lease {
            lease.heard = now;
        }
        let Some(analysis) = self.analyses.get_mut(&job.analysis) else { return };
        if analysis.root == job.node && progress.line.is_some() {
            analysis.partial = Some(progress.clone());
            analysis.revision += 1;
        }
    }

    fn finished(&mut self, worker: WorkerId, result: &JobResult) {
        if !self.is_current(worker, result.id, result.epoch) {
            self.counters.stale += 1;
            return;
        }
        let Some(job) = self.jobs.get(&result.id) else { return };
        let (id, node, kind) = (job.analysis, job.node, job.kind);
        let was_waiting = job.lease.is_some_and(|lease| lease.is_behind_another);
        if !self.makes_sense(node, kind, &result.outcome) {
            let reason = "its result makes no sense";
            return self.failed(worker, result.id, result.epoch, reason);
        }
        self.jobs.remove(&result.id);
        self.taken.remove(&node);
        self.counters.results += 1;
        self.counters.busy_micros += result.micros;
        if was_waiting {
            let longest = &mut self.counters.longest_idle_micros;
            *longest = result.idle_micros.max(*longest);
            self.counters.idle_micros += result.idle_micros;
        }
        let record = ResultRecord {
            position: self.graph.node(node).position.to_string(),
            kind,
            outcome: result.outcome.clone(),
        };
        self.apply(node, &record);
        let number = self.next_result;
        self.next_result += 1;
        self.save(AnalysisChange::Result(number, record));
        let now = self.now;
        if let Some(analysis) = self.analyses.get_mut(&id) {
            analysis.record.spent_milliseconds = analysis.spent(now);
            analysis.since = now;
            analysis.record.jobs += 1;
            analysis.record.nodes = analysis.record.nodes.saturating_add(result.nodes);
            if analysis.root == node {
                analysis.partial = None;
            }
            let record = analysis.record.clone();
            self.save(AnalysisChange::Analysis(record));
        }
        // What one analysis finds another may show.
        self.touch_all();
        self.drop_needless_jobs();
    }

    fn failed(&mut self, worker: WorkerId, id: JobId, epoch: u32, reason: &str) {
        if !self.is_current(worker, id, epoch) {
            self.counters.stale += 1;
            return;
        }
        let now = self.now;
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(300).collect();
        if let Some(slot) = self.workers.get_mut(&worker) {
            slot.resting_until = now + REST;
            let text = format!("worker {} failed with a search job: {reason}", slot.worker.name);
            self.log(Severity::Warning, text);
        }
        let Some(job) = self.jobs.get_mut(&id) else { return };
        job.lease = None;
        job.failures += 1;
        if job.failures > MOST_FAILURES {
            // Nothing is learnt of the position, and others are worked on instead.
            let (node, kind) = (job.node, job.kind);
            self.jobs.remove(&id);
            self.taken.remove(&node);
            let node = self.graph.node_mut(node);
            match kind {
                JobKind::Evaluate { .. } => node.evaluation = node.evaluation.or(Some(0)),
                JobKind::Prove { winner } => {
                    node.worked[index_of(winner)] = true;
                    node.first[index_of(winner)] = Some(Numbers { proof: NEVER / 2, disproof: 1 });
                }
            }
        }
    }

    /// Takes a result of an earlier run into the graph.
    pub(super) fn restore(&mut self, record: &ResultRecord) {
        let Ok(position) = record.position.parse::<Position>() else { return };
        if position.is_over() {
            return;
        }
        let node = self.graph.enter(&position);
        self.apply(node, record);
    }

    /// Whether a result can be one of a job: whatever a worker sends is looked at before it is kept.
    fn makes_sense(&self, node: NodeId, kind: JobKind, outcome: &JobOutcome) -> bool {
        let position = self.graph.node(node).position;
        let plays = |actions: &[String]| {
            let mut position = position;
            actions.iter().all(|action| {
                let next = action.parse().ok().and_then(|action| position.play(action).ok());
                next.map(|next| position = next).is_some()
            })
        };
        match (kind, outcome) {
            (_, JobOutcome::Exact(ExactValue::Win(plies))) => *plies > 0,
            (_, JobOutcome::Exact(_)) => true,
            (JobKind::Evaluate { .. }, JobOutcome::Evaluated { lines, .. }) => {
                !lines.is_empty()
                    && lines.iter().all(|line| {
                        line.score.abs() <= 1_000_000
                            && !line.actions.is_empty()
                            && plays(&line.actions)
                    })
            }
            (JobKind::Prove { .. }, JobOutcome::Searched { standing, children, proof }) => {
                let proved = |standing: &Standing| matches!(standing, Standing::Proved { .. });
                let is_backed = proof.is_some()
                    || !(proved(standing) || children.iter().any(|child| proved(&child.standing)));
                is_backed && children.iter().all(|child| plays(std::slice::from_ref(&child.action)))
            }
            _ => false,
        }
    }

    /// Takes a result into the graph, now or again after a restart.
    fn apply(&mut self, id: NodeId, record: &ResultRecord) {
        match &record.outcome {
            JobOutcome::Exact(value) => {
                let node = self.graph.node_mut(id);
                node.is_exact = true;
                node.settled = Some(match *value {
                    ExactValue::Win(plies) => Settled::Win(plies),
                    ExactValue::Draw => Settled::Draw,
                    ExactValue::Loss(plies) => Settled::Loss(plies),
                });
            }
            JobOutcome::Evaluated { lines, .. } => {
                self.graph.expand(id);
                for line in lines {
                    let action = line.actions.first().and_then(|action| action.parse().ok());
                    let target = action.and_then(|action| self.graph.target_of(id, action));
                    if let Some(Target::Node(child)) = target {
                        self.graph.node_mut(child).prior = Some(score_before(line.score));
                        self.graph.back_up(child);
                    }
                }
                self.graph.node_mut(id).evaluation = lines.first().map(|line| line.score);
            }
            JobOutcome::Searched { standing, children, proof } => {
                let JobKind::Prove { winner } = record.kind else { return };
                let party = index_of(winner);
                self.graph.expand(id);
                self.stand(id, party, *standing, *proof);
                self.graph.node_mut(id).worked[party] = true;
                for child in children {
                    let Ok(action) = child.action.parse::<Action>() else { continue };
                    let target = self.graph.target_of(id, action);
                    if let Some(Target::Node(to)) = target {
                        self.stand(to, 1 - party, child.standing, *proof);
                        self.graph.back_up(to);
                    }
                }
            }
        }
        for above in self.graph.ancestors(id) {
            self.graph.node_mut(above).visits += 1;
        }
        self.graph.back_up(id);
    }

    /// Notes how the win of a side stands at a position.
    fn stand(
        &mut self,
        id: NodeId,
        party: usize,
        standing: Standing,
        proof: Option<boombots_cluster_protocol::BlobRef>,
    ) {
        let node = self.graph.node_mut(id);
        match standing {
            Standing::Proved { plies } => {
                let is_new = match node.settled {
                    Some(Settled::Win(known) | Settled::Loss(known)) => plies < known,
                    _ => true,
                };
                if is_new && !node.is_exact {
                    node.proof = proof;
                    node.settled = Some(match party {
                        MOVER => Settled::Win(plies),
                        _ => Settled::Loss(plies),
                    });
                }
            }
            Standing::Open { proof, disproof } => {
                let known = node.first[party].is_some_and(|numbers| numbers.disproof == 0);
                // What a job at the position itself found stays.
                if !known && !node.worked[party] {
                    let numbers = Numbers { proof: proof.max(1), disproof: disproof.max(1) };
                    node.first[party] = Some(numbers);
                }
            }
            Standing::Refuted => node.first[party] = Some(Numbers::REFUTED),
        }
    }
}

const _: () = assert!(MOVER == 0 && OPPONENT == 1, "they are indices of arrays of two");

/// How long a worker gets no job after it failed.
const REST: Duration = Duration::from_secs(2);

/// A job that fails more often is given up.
const MOST_FAILURES: u32 = 4;
