//! One attempt at a class: its leases and its steps.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use boombots_cluster_protocol::{
    Assign, CheckKind, Digest, Finish, InputSlice, KnownDelta, ShardId, Step, ToWorker, Verify,
    WorkerId,
};

use super::record::{Change, Check, ClassRecord, DeltaRecord, Phase};
use super::worker::Loads;
use super::{Scheduler, Session, Severity, class_of, name_of, text_of};

/// An attempt and its leases.
#[derive(Debug)]
pub(super) struct ClassState {
    pub(super) record: ClassRecord,
    /// By step and shard.
    pub(super) deltas: Vec<Vec<Option<DeltaRecord>>>,
    pub(super) leases: Vec<Option<Lease>>,
    /// Shards whose booms were settled once.
    pub(super) settled: Vec<bool>,
    /// Second opinions on each shard.
    pub(super) opinions: Vec<Vec<(WorkerId, Vec<Digest>)>>,
    pub(super) failures: u32,
    /// Deltas that are none, by the workers that say so.
    pub(super) unreadable: BTreeMap<Digest, BTreeSet<WorkerId>>,
    pub(super) started: Duration,
    /// It was begun before the coordinator was started.
    pub(super) restored: bool,
    /// Why nothing happens, where nothing does.
    pub(super) waiting: Option<String>,
}

/// The right to work on a shard.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) worker: WorkerId,
    pub(super) epoch: u32,
    pub(super) kind: LeaseKind,
    /// Steps sent so far.
    pub(super) sent: u16,
    /// The booms are settled.
    pub(super) booms: bool,
    pub(super) finish_sent: bool,
    pub(super) progress: u64,
    pub(super) progressed: Duration,
    pub(super) done: (u64, u64),
    /// In an audit the digests of the deltas so far.
    pub(super) digests: Vec<Digest>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeaseKind {
    Solve,
    Verify,
    Audit,
}

impl ClassState {
    pub(super) fn new(record: ClassRecord, now: Duration) -> Self {
        let shards = record.shards();
        Self {
            deltas: vec![vec![None; shards]; record.plies.len()],
            leases: (0..shards).map(|_| None).collect(),
            settled: vec![false; shards],
            opinions: vec![Vec::new(); shards],
            failures: 0,
            unreadable: BTreeMap::new(),
            started: now,
            restored: false,
            waiting: None,
            record,
        }
    }

    pub(super) fn restored(
        record: ClassRecord,
        deltas: Vec<((u32, u16, u16), DeltaRecord)>,
        now: Duration,
    ) -> Self {
        let mut class = Self::new(record, now);
        class.restored = true;
        for ((_, step, shard), delta) in deltas {
            let steps = class.deltas.get_mut(usize::from(step));
            if let Some(slot) = steps.and_then(|step| step.get_mut(usize::from(shard))) {
                *slot = Some(delta);
                class.settled[usize::from(shard)] = true;
            }
        }
        class
    }

    pub(super) fn id(&self, shard: usize) -> ShardId {
        ShardId { attempt: self.record.attempt, shard: shard as u16 }
    }

    /// The lease of a shard, if this worker has it under this epoch.
    pub(super) fn lease(&mut self, shard: u16, epoch: u32, worker: WorkerId) -> Option<&mut Lease> {
        let lease = self.leases.get_mut(usize::from(shard))?.as_mut()?;
        (lease.epoch == epoch && lease.worker == worker).then_some(lease)
    }

    /// What a shard needs done now, if anything is.
    fn open_work(&self, shard: usize) -> Option<LeaseKind> {
        if self.leases[shard].is_some() {
            return None;
        }
        match self.record.phase {
            Phase::Solving => Some(LeaseKind::Solve),
            Phase::Encoding => self.record.segments[shard].is_none().then_some(LeaseKind::Solve),
            Phase::Verifying => (!self.record.verified[shard]).then_some(LeaseKind::Verify),
            Phase::Auditing => self.verdict(shard).is_none().then_some(LeaseKind::Audit),
            Phase::Publishing => None,
        }
    }

    /// What is on record of a shard: every delta and the segment, with who made each.
    fn on_record(&self, shard: usize) -> Vec<(WorkerId, Digest)> {
        let deltas = self.deltas.iter().filter_map(|step| step[shard].as_ref());
        let deltas = deltas.map(|delta| (delta.maker, delta.blob.digest));
        let segment = self.record.segments[shard];
        deltas.chain(segment.map(|(segment, maker)| (maker, segment.blob.digest))).collect()
    }

    /// Everybody who is wrong about a shard, once two workers agree on all of it.
    fn verdict(&self, shard: usize) -> Option<Vec<WorkerId>> {
        let record = self.on_record(shard);
        let opinions = &self.opinions[shard];
        let agreed = opinions.iter().enumerate().find_map(|(i, (worker, opinion))| {
            let same = record.iter().map(|(_, digest)| digest).eq(opinion);
            let by_others = record.iter().all(|(maker, _)| maker != worker);
            let seconded = opinions[i + 1..].iter().any(|(_, other)| other == opinion);
            (seconded || same && by_others).then_some(opinion)
        })?;
        let makers = record.iter().zip(agreed);
        let makers = makers.filter(|((_, digest), agreed)| digest != *agreed);
        let makers = makers.map(|((maker, _), _)| *maker);
        let others = opinions.iter().filter(|(_, opinion)| opinion != agreed);
        Some(makers.chain(others.map(|(worker, _)| *worker)).collect())
    }

    /// Everybody who made something of a shard that is on record.
    fn makers(&self, shard: usize) -> Vec<WorkerId> {
        let deltas = self.deltas.iter().filter_map(|step| step[shard].as_ref());
        let mut makers: Vec<WorkerId> = deltas.map(|delta| delta.maker).collect();
        makers.extend(self.record.segments[shard].map(|(_, maker)| maker));
        makers.sort();
        makers.dedup();
        makers
    }

    pub(super) fn is_made_by(&self, worker: WorkerId) -> bool {
        (0..self.record.shards()).any(|shard| self.makers(shard).contains(&worker))
    }

    pub(super) fn blobs(&self) -> Vec<Digest> {
        let deltas = self.deltas.iter().flatten().flatten().map(|delta| delta.blob.digest);
        let segments = self.record.segments.iter().flatten();
        deltas.chain(segments.map(|(segment, _)| segment.blob.digest)).collect()
    }

    fn step(&self, shard: usize, epoch: u32, step: usize, audit: bool) -> Step {
        let (side, within, _) = self.record.place(shard);
        let before = step.checked_sub(1).map(|before| &self.deltas[before]);
        let sources = self.record.shards_of(self.record.other(side));
        let inputs = before.into_iter().flat_map(|before| {
            sources.clone().filter_map(move |source| Some((source, before[source].as_ref()?)))
        });
        let inputs = inputs.filter_map(|(source, delta)| {
            let slice = *delta.slices.get(within)?;
            let offset = delta.slices[..within].iter().map(|slice| u64::from(slice.len)).sum();
            let (_, _, strips) = self.record.place(source);
            Some(InputSlice { blob: delta.blob.digest, offset, slice, strips })
        });
        Step {
            id: self.id(shard),
            epoch,
            step: step as u16,
            ply: self.record.plies[step],
            inputs: inputs.collect(),
            known: self.deltas[step][shard]
                .as_ref()
                .filter(|_| !audit)
                .map(|delta| KnownDelta { blob: delta.blob, slices: delta.slices.clone() }),
        }
    }
}

impl Scheduler {
    /// Gives out what an attempt needs done, as far as there are workers for it.
    pub(super) fn lease_work(&mut self, attempt: u32, now: Duration) {
        let Some(class) = self.classes.get_mut(&attempt) else { return };
        class.waiting = None;
        let shards = class.record.shards();
        let mut loads: Option<Loads> = None;
        for shard in 0..shards {
            let class = &self.classes[&attempt];
            let Some(kind) = class.open_work(shard) else { continue };
            let loads = loads.get_or_insert_with(|| self.loads());
            if class.restored && now < self.started + self.timing.grace {
                // After a restart the worker that has the shard may yet come back.
                continue;
            }
            let avoid: Vec<WorkerId> = match kind {
                LeaseKind::Solve => Vec::new(),
                LeaseKind::Verify | LeaseKind::Audit => class.makers(shard),
            };
            let heard: Vec<WorkerId> = match kind {
                LeaseKind::Audit => {
                    class.opinions[shard].iter().map(|(worker, _)| *worker).collect()
                }
                _ => Vec::new(),
            };
            // Rather somebody who had no part in it, but two that agree are enough in any case.
            let strict: Vec<WorkerId> = avoid.iter().chain(&heard).copied().collect();
            let mut chosen = self.worker_for(kind, &strict, loads, now);
            let maker = class.record.segments[shard].map(|(_, maker)| maker);
            if chosen.is_none()
                && kind == LeaseKind::Verify
                && !self.is_another_expected(&strict, now)
            {
                let maker: Vec<WorkerId> = maker.into_iter().collect();
                chosen = self.worker_for(kind, &maker, loads, now);
            }
            if chosen.is_none() && kind == LeaseKind::Audit {
                chosen = self.worker_for(kind, &heard, loads, now);
            }
            match chosen {
                Some((worker, session)) => {
                    let load = loads.entry(worker).or_default();
                    *load = (load.0 + 1, load.1 + 1);
                    self.grant(attempt, shard, kind, worker, session, now);
                }
                None => {
                    let waiting = if !self.workers.values().any(|worker| worker.is_up()) {
                        Some("no worker is connected".to_owned())
                    } else if kind == LeaseKind::Audit {
                        Some(
                            "workers disagree about a shard: a third one is needed to tell who is \
                             wrong, or revoke the one you distrust"
                                .to_owned(),
                        )
                    } else {
                        None
                    };
                    let class = self.classes.get_mut(&attempt);
                    if let (Some(class), Some(waiting)) = (class, waiting) {
                        class.waiting = Some(waiting);
                    }
                }
            }
        }
        self.advance(attempt, now);
    }

    fn grant(
        &mut self,
        attempt: u32,
        shard: usize,
        kind: LeaseKind,
        worker: WorkerId,
        session: Session,
        now: Duration,
    ) {
        let Some(class) = self.classes.get_mut(&attempt) else { return };
        class.record.epochs[shard] += 1;
        let epoch = class.record.epochs[shard];
        class.leases[shard] = Some(Lease {
            worker,
            epoch,
            kind,
            sent: 0,
            booms: false,
            finish_sent: false,
            progress: 0,
            progressed: now,
            done: (0, 0),
            digests: Vec::new(),
        });
        self.counters.leases += 1;
        let record = class.record.clone();
        let (side, _, strips) = record.place(shard);
        let id = class.id(shard);
        let tables = self.tables_beneath(attempt);
        self.save(Change::Class(record.clone()));
        if kind == LeaseKind::Verify {
            let share = record.shards() as u32;
            let seed =
                mix(self.seed ^ u64::from(attempt) << 32 ^ (shard as u64) << 16 ^ u64::from(epoch));
            let kind = match record.options.check {
                Check::Sample(positions) => {
                    CheckKind::Sample { positions: positions.div_ceil(share).max(16), seed }
                }
                Check::Full => CheckKind::Full,
            };
            let segments = record.segments.iter().flatten().map(|(segment, _)| *segment).collect();
            let sides = record.sides.iter().map(|side| (side.material, side.shards.clone()));
            let verify = Verify {
                id,
                epoch,
                class: record.class,
                side: record.sides[side].material,
                strips,
                kind,
                sides: sides.collect(),
                segments,
                tables,
            };
            self.send(session, ToWorker::Verify(verify));
            return;
        }
        let assign = Assign {
            id,
            epoch,
            side: record.sides[side].material,
            strips,
            destinations: record.sides[record.other(side)].shards.clone(),
            compression: record.options.compression,
            tables,
            audit: kind == LeaseKind::Audit,
        };
        self.send(session, ToWorker::Assign(assign));
        self.feed(attempt, shard, session);
    }

    fn tables_beneath(&self, attempt: u32) -> Vec<boombots_cluster_protocol::TableRef> {
        let class = class_of(self.classes[&attempt].record.class);
        let beneath = class.map(|class| class.beneath()).unwrap_or_default().into_iter();
        let published = beneath.filter_map(|class| self.published.get(&name_of(class)));
        published.flat_map(|class| class.tables.iter().copied()).collect()
    }

    /// Sends a shard the steps that have begun, and in the end that it may finish.
    pub(super) fn feed(&mut self, attempt: u32, shard: usize, session: Session) {
        let Some(class) = self.classes.get_mut(&attempt) else { return };
        let Some(lease) = &class.leases[shard] else { return };
        if lease.kind == LeaseKind::Verify {
            return;
        }
        let (epoch, first, audit) =
            (lease.epoch, usize::from(lease.sent), lease.kind == LeaseKind::Audit);
        let finish = class.record.phase != Phase::Solving && !lease.finish_sent;
        let end = class.record.plies.len();
        let steps: Vec<Step> =
            (first..end).map(|step| class.step(shard, epoch, step, audit)).collect();
        let id = class.id(shard);
        if let Some(lease) = &mut class.leases[shard] {
            lease.sent = end as u16;
            lease.finish_sent |= finish;
        }
        for step in steps {
            self.send(session, ToWorker::Step(step));
        }
        if finish {
            self.send(session, ToWorker::Finish(Finish { id, epoch, steps: end as u16 }));
        }
    }

    /// Goes on to the next step or phase where the present one is complete.
    pub(super) fn advance(&mut self, attempt: u32, now: Duration) {
        let Some(class) = self.classes.get_mut(&attempt) else { return };
        let name = text_of(class.record.class);
        match class.record.phase {
            Phase::Solving => {
                let Some(last) = class.deltas.last() else { return };
                if last.iter().any(Option::is_none) {
                    return;
                }
                let ply = class.record.plies.last().copied().unwrap_or(1);
                let decided: u64 = last.iter().flatten().map(|delta| delta.decided).sum();
                let next = if decided > 0 {
                    let Some(next) = ply.checked_add(1) else {
                        let reason = "it has positions more than 255 plies from the end";
                        class.record.restarts = u32::MAX - 1;
                        return self.restart_class(attempt, reason, now);
                    };
                    Some(next)
                } else {
                    last.iter().flatten().filter_map(|delta| delta.next_wake).min()
                };
                let shards = class.record.shards();
                match next {
                    Some(next) => {
                        class.record.plies.push(next);
                        class.deltas.push(vec![None; shards]);
                    }
                    None => class.record.phase = Phase::Encoding,
                }
                let record = class.record.clone();
                self.save(Change::Class(record));
                if next.is_none() {
                    self.log(Severity::Info, format!("{name}: solved in {ply} plies"));
                }
                for shard in 0..shards {
                    if let Some(session) = self.session_of_lease(attempt, shard) {
                        self.feed(attempt, shard, session);
                    }
                }
            }
            Phase::Encoding => {
                if class.record.segments.iter().all(Option::is_some) {
                    class.record.phase = Phase::Verifying;
                    let record = class.record.clone();
                    self.save(Change::Class(record));
                    self.lease_work(attempt, now);
                }
            }
            Phase::Verifying => {
                if class.record.verified.iter().all(|&verified| verified) {
                    class.record.phase = Phase::Publishing;
                    let record = class.record.clone();
                    self.save(Change::Class(record.clone()));
                    self.out.push(super::Action::Publish(Box::new(record)));
                }
            }
            Phase::Auditing => self.judge(attempt, now),
            Phase::Publishing => {}
        }
    }

    /// Once every shard has two workers that agree, says who was wrong.
    fn judge(&mut self, attempt: u32, now: Duration) {
        let Some(class) = self.classes.get(&attempt) else { return };
        let verdicts: Option<Vec<_>> =
            (0..class.record.shards()).map(|shard| class.verdict(shard)).collect();
        let Some(verdicts) = verdicts else { return };
        let mut wrong: Vec<WorkerId> = verdicts.into_iter().flatten().collect();
        wrong.sort();
        wrong.dedup();
        let name = text_of(class.record.class);
        if wrong.is_empty() {
            // All shards are as they should be, so whoever said otherwise was wrong.
            let accuser = class.record.accuser;
            if let Some(class) = self.classes.get_mut(&attempt) {
                class.record.accuser = None;
                class.record.phase = Phase::Verifying;
                let record = class.record.clone();
                self.save(Change::Class(record));
            }
            if let Some(accuser) = accuser {
                self.distrust(accuser, &format!("found {name} wrong where it is right"), now);
            }
            self.lease_work(attempt, now);
            return;
        }
        for worker in wrong {
            self.distrust(worker, &format!("returned wrong bits for {name}"), now);
        }
        if self.classes.contains_key(&attempt) {
            self.restart_class(attempt, "shards of it were wrong", now);
        }
    }

    /// Takes a shard's lease away, and tells the worker where it can be told.
    pub(super) fn release(&mut self, attempt: u32, shard: usize) {
        let session = self.session_of_lease(attempt, shard);
        let Some(class) = self.classes.get_mut(&attempt) else { return };
        let id = class.id(shard);
        let Some(lease) = class.leases[shard].take() else { return };
        if let Some(session) = session {
            self.send(session, ToWorker::Drop { id, epoch: lease.epoch });
        }
    }

    pub(super) fn session_of_lease(&self, attempt: u32, shard: usize) -> Option<Session> {
        let lease = self.classes.get(&attempt)?.leases.get(shard)?.as_ref()?;
        self.workers.get(&lease.worker)?.session
    }

    /// What each worker has to do.
    fn loads(&self) -> Loads {
        let mut loads = Loads::new();
        for lease in self.classes.values().flat_map(|class| class.leases.iter().flatten()) {
            let load = loads.entry(lease.worker).or_default();
            load.0 += usize::from(!lease.booms);
            load.1 += 1;
        }
        loads
    }
}

fn mix(seed: u64) -> u64 {
    let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
