//! What workers say, and what follows from it.

use std::collections::BTreeMap;
use std::time::Duration;

use boombots_cluster_protocol::{
    Digest, SegmentRef, ShardId, ShardProgress, Swept, ToCoordinator, ToWorker, WorkerId,
};

use super::class::{ClassState, Lease, LeaseKind};
use super::record::{Change, DeltaRecord, Phase};
use super::{Scheduler, Session, Severity, text_of};

impl Scheduler {
    /// A worker has sent a message. Whatever comes over a connection that is no longer its newest
    /// is ignored.
    pub fn message(&mut self, session: Session, message: ToCoordinator, now: Duration) {
        let Some(&id) = self.sessions.get(&session) else { return };
        let Some(worker) = self.workers.get_mut(&id) else { return };
        worker.seen = now;
        match message {
            ToCoordinator::Hello(_) => {}
            ToCoordinator::Heartbeat(heartbeat) => {
                let before = worker.heartbeat.as_ref().map(|heartbeat| heartbeat.bulk);
                // Waiting for bytes that do come is progress.
                let mut comes_on = before.is_some_and(|before| before != heartbeat.bulk);
                for report in &heartbeat.shards {
                    if let Some(lease) = lease_of(&mut self.classes, report, id) {
                        lease.done = (report.done, report.all);
                        comes_on |= report.progress != lease.progress;
                        lease.progress = report.progress;
                    }
                }
                // So is waiting for one's turn: a worker does one thing after the other.
                for report in heartbeat.shards.iter().filter(|_| comes_on) {
                    if let Some(lease) = lease_of(&mut self.classes, report, id) {
                        lease.progressed = now;
                    }
                }
                worker.heartbeat = Some(heartbeat);
            }
            ToCoordinator::BoomsSettled { id: shard, epoch } => {
                self.booms_settled(id, shard, epoch, now);
            }
            ToCoordinator::Swept(swept) => self.swept(id, swept, now),
            ToCoordinator::Encoded { id: shard, epoch, segment } => {
                self.encoded(id, shard, epoch, segment, now);
            }
            ToCoordinator::Verified { id: shard, epoch, problem, positions } => {
                self.verified(id, shard, epoch, problem, positions, now);
            }
            ToCoordinator::Failed { id: shard, epoch, reason } => {
                self.failed(id, shard, epoch, &reason, now);
            }
            ToCoordinator::Unreadable { id: shard, epoch, blob, reason } => {
                self.unreadable(id, shard, epoch, blob, &reason, now);
            }
            // Search jobs are not the scheduler's.
            ToCoordinator::JobProgress(_)
            | ToCoordinator::JobDone(_)
            | ToCoordinator::JobFailed { .. } => {}
            ToCoordinator::Leaving => {
                self.leave(id);
                self.schedule(now);
            }
        }
    }

    /// Something of a worker has arrived: it is alive, even if its heartbeats are late.
    pub fn alive(&mut self, session: Session, now: Duration) {
        let worker = self.sessions.get(&session).and_then(|id| self.workers.get_mut(id));
        if let Some(worker) = worker {
            worker.seen = now;
        }
    }

    fn booms_settled(&mut self, worker: WorkerId, id: ShardId, epoch: u32, now: Duration) {
        let Some(class) = self.classes.get_mut(&id.attempt) else { return };
        let Some(lease) = class.lease(id.shard, epoch, worker) else {
            self.counters.stale += 1;
            return;
        };
        lease.progressed = now;
        if !std::mem::replace(&mut lease.booms, true) && lease.kind == LeaseKind::Solve {
            self.counters.booms += 1;
            let again = std::mem::replace(&mut class.settled[usize::from(id.shard)], true);
            self.counters.booms_again += u64::from(again);
        }
        self.schedule(now);
    }

    fn swept(&mut self, worker: WorkerId, swept: Swept, now: Duration) {
        let (id, shard, step) = (swept.id, usize::from(swept.id.shard), usize::from(swept.step));
        let Some(class) = self.classes.get_mut(&id.attempt) else { return };
        let destinations = {
            if shard >= class.record.shards() || step >= class.record.plies.len() {
                return;
            }
            let (side, _, _) = class.record.place(shard);
            class.record.sides[class.record.other(side)].shards.len()
        };
        let Some(lease) = class.lease(id.shard, swept.epoch, worker) else {
            self.counters.stale += 1;
            return;
        };
        lease.progressed = now;
        lease.booms = true;
        match lease.kind {
            LeaseKind::Audit => {
                if lease.digests.len() == step {
                    lease.digests.push(swept.blob.digest);
                }
                return;
            }
            LeaseKind::Verify => return,
            LeaseKind::Solve => {}
        }
        let len: u64 = swept.slices.iter().map(|slice| u64::from(slice.len)).sum();
        if len != swept.blob.len || (len > 0 && swept.slices.len() != destinations) {
            return self.failed(worker, id, swept.epoch, "its delta makes no sense", now);
        }
        if class.deltas[step][shard].is_some() {
            self.counters.steps_again += 1;
            return;
        }
        let record = DeltaRecord {
            blob: swept.blob,
            slices: swept.slices,
            decided: swept.decided,
            next_wake: swept.next_wake,
            maker: worker,
        };
        class.deltas[step][shard] = Some(record.clone());
        self.counters.steps += 1;
        self.counters.delta_bytes += record.blob.len;
        let change =
            Change::Delta { attempt: id.attempt, step: swept.step, shard: id.shard, record };
        self.save(change);
        self.advance(id.attempt, now);
    }

    fn encoded(
        &mut self,
        worker: WorkerId,
        id: ShardId,
        epoch: u32,
        segment: SegmentRef,
        now: Duration,
    ) {
        let shard = usize::from(id.shard);
        let Some(class) = self.classes.get_mut(&id.attempt) else { return };
        let encoding = class.record.phase == Phase::Encoding;
        let Some(lease) = class.lease(id.shard, epoch, worker) else {
            self.counters.stale += 1;
            return;
        };
        match lease.kind {
            LeaseKind::Audit => {
                let mut opinion = std::mem::take(&mut lease.digests);
                opinion.push(segment.blob.digest);
                // Where a message was lost on the way it is no opinion, and asked for again.
                if opinion.len() == class.record.plies.len() + 1 {
                    class.opinions[shard].push((worker, opinion));
                }
            }
            LeaseKind::Solve if encoding => {
                class.record.segments[shard] = Some((segment, worker));
                let record = class.record.clone();
                self.counters.segment_bytes += segment.blob.len;
                self.save(Change::Class(record));
            }
            _ => return,
        }
        self.release(id.attempt, shard);
        self.schedule(now);
    }

    fn verified(
        &mut self,
        worker: WorkerId,
        id: ShardId,
        epoch: u32,
        problem: Option<String>,
        positions: u64,
        now: Duration,
    ) {
        let shard = usize::from(id.shard);
        let Some(class) = self.classes.get_mut(&id.attempt) else { return };
        let Some(lease) = class.lease(id.shard, epoch, worker) else {
            self.counters.stale += 1;
            return;
        };
        if lease.kind != LeaseKind::Verify {
            return;
        }
        self.counters.positions_checked += positions;
        let Some(problem) = problem else {
            class.record.verified[shard] = true;
            let record = class.record.clone();
            self.save(Change::Class(record));
            self.release(id.attempt, shard);
            return self.schedule(now);
        };
        let name = text_of(class.record.class);
        class.record.phase = Phase::Auditing;
        class.record.accuser = Some(worker);
        class.record.verified.fill(false);
        class.opinions.iter_mut().for_each(Vec::clear);
        let record = class.record.clone();
        let shards = record.shards();
        self.save(Change::Class(record));
        self.counters.problems += 1;
        let text = format!(
            "{name}: {problem}; every shard is made once more by another worker to see who is wrong"
        );
        self.log(Severity::Warning, text);
        for shard in 0..shards {
            self.release(id.attempt, shard);
        }
        self.schedule(now);
    }

    fn failed(&mut self, worker: WorkerId, id: ShardId, epoch: u32, reason: &str, now: Duration) {
        let Some(class) = self.classes.get_mut(&id.attempt) else { return };
        if class.lease(id.shard, epoch, worker).is_none() {
            self.counters.stale += 1;
            return;
        }
        class.failures += 1;
        let (failures, name) = (class.failures, text_of(class.record.class));
        self.release(id.attempt, usize::from(id.shard));
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(300).collect();
        if let Some(worker) = self.workers.get_mut(&worker) {
            worker.resting_until = now + REST;
            let text =
                format!("worker {} failed with a shard of {name}: {reason}", worker.record.name);
            self.log(Severity::Warning, text);
        }
        if failures > MAX_FAILURES {
            self.restart_class(id.attempt, &reason, now);
        }
        self.schedule(now);
    }

    /// A delta is none although its digest is right. One worker's word is not enough to shut
    /// another out, that of two is.
    fn unreadable(
        &mut self,
        worker: WorkerId,
        id: ShardId,
        epoch: u32,
        blob: Digest,
        reason: &str,
        now: Duration,
    ) {
        let Some(class) = self.classes.get_mut(&id.attempt) else { return };
        if class.lease(id.shard, epoch, worker).is_none() {
            self.counters.stale += 1;
            return;
        }
        let mut deltas = class.deltas.iter().flatten().flatten();
        let maker = deltas.find(|delta| delta.blob.digest == blob).map(|delta| delta.maker);
        // A delta that is not on record is nobody's, and what is said of it is not kept.
        let Some(maker) = maker else { return self.failed(worker, id, epoch, reason, now) };
        let sayers = class.unreadable.entry(blob).or_default();
        sayers.insert(worker);
        let others = sayers.iter().filter(|&&sayer| sayer != maker).count();
        let name = text_of(class.record.class);
        self.failed(worker, id, epoch, reason, now);
        if others >= 2 {
            self.distrust(maker, &format!("returned wrong bits for {name}: {reason}"), now);
        }
    }

    /// The coordinator's key is about to change.
    pub fn announce_pins(&mut self, pins: &[boombots_cluster_protocol::Fingerprint]) {
        let sessions: Vec<Session> = self.sessions.keys().copied().collect();
        let count = sessions.len();
        for session in sessions {
            self.send(session, ToWorker::Pins(pins.to_vec()));
        }
        for pin in pins {
            let text =
                format!("the key to come, {}, was announced to {count} workers", pin.short());
            self.log(Severity::Info, text);
        }
    }
}

/// How long a worker gets no work after it failed.
const REST: Duration = Duration::from_secs(2);

/// Failures of single shards after which the class is begun anew.
const MAX_FAILURES: u32 = 20;

fn lease_of<'a>(
    classes: &'a mut BTreeMap<u32, ClassState>,
    report: &ShardProgress,
    worker: WorkerId,
) -> Option<&'a mut Lease> {
    classes.get_mut(&report.id.attempt)?.lease(report.id.shard, report.epoch, worker)
}
