//! The workers: who is there, who is dead and who gets work.

use std::collections::BTreeMap;
use std::time::Duration;

use boombots_cluster_protocol::{Heartbeat, Hello, Refusal, ToWorker, WorkState, WorkerId};

use super::class::{Lease, LeaseKind};
use super::record::{Ban, Change, Phase, WorkerRecord};
use super::{Action, Scheduler, Session, Severity};

/// How many leases each worker has: those in their boom pass, and all.
pub(super) type Loads = BTreeMap<WorkerId, (usize, usize)>;

/// A worker, there or not.
#[derive(Debug)]
pub(super) struct WorkerState {
    pub(super) record: WorkerRecord,
    pub(super) session: Option<Session>,
    pub(super) threads: u16,
    pub(super) memory_limit: u64,
    pub(super) version: String,
    pub(super) heartbeat: Option<Heartbeat>,
    pub(super) seen: Duration,
    /// Why it is not there, where it is not.
    pub(super) gone: Option<String>,
    pub(super) leaving: bool,
    /// It was silent too long, and whatever it had is free again.
    pub(super) buried: bool,
    /// It stalled or failed, and gets no work before this.
    pub(super) resting_until: Duration,
}

impl WorkerState {
    pub(super) fn new(record: WorkerRecord, now: Duration) -> Self {
        Self {
            record,
            session: None,
            threads: 0,
            memory_limit: 0,
            version: String::new(),
            heartbeat: None,
            seen: now,
            gone: Some("not seen since the coordinator started".into()),
            leaving: false,
            buried: false,
            resting_until: Duration::ZERO,
        }
    }

    pub(super) fn is_up(&self) -> bool {
        self.session.is_some() && !self.leaving && self.record.banned.is_none()
    }
}

impl Scheduler {
    /// A worker has connected and said hello; its secret was right.
    pub fn connected(&mut self, id: WorkerId, session: Session, hello: Hello, now: Duration) {
        let name: String = hello.name.chars().filter(|c| !c.is_control()).take(64).collect();
        let known = self.workers.get(&id).map(|worker| worker.record.clone());
        let mut record =
            known.clone().unwrap_or_else(|| WorkerRecord { id, name: name.clone(), banned: None });
        if record.banned.is_some() {
            self.send(session, ToWorker::Refused(Refusal::Revoked));
            self.out.push(Action::Close { session });
            let text = format!("worker {name} ({}) was refused: it is banned", id.short());
            return self.log(Severity::Warning, text);
        }
        record.name = name;
        if known.as_ref() != Some(&record) {
            self.save(Change::Worker(record.clone()));
        }
        let before = self.workers.get(&id).and_then(|worker| worker.session);
        if let Some(before) = before {
            self.sessions.remove(&before);
            self.send(before, ToWorker::Refused(Refusal::Duplicate));
            self.out.push(Action::Close { session: before });
        }
        let text = format!("worker {} ({}) joined", record.name, id.short());
        self.log(Severity::Info, text);
        let mut worker = WorkerState::new(record, now);
        worker.session = Some(session);
        worker.threads = hello.threads.max(1);
        worker.memory_limit = hello.memory;
        worker.version = hello.version.chars().take(32).collect();
        worker.gone = None;
        self.workers.insert(id, worker);
        self.sessions.insert(session, id);
        let heartbeat_ms = self.timing.heartbeat.as_millis() as u32;
        self.send(session, ToWorker::Welcome { heartbeat_ms, pins: Vec::new() });
        self.take_up_held_shards(id, session, &hello, now);
        self.schedule(now);
    }

    /// A worker's state is worth keeping: leases go to whoever has it.
    fn take_up_held_shards(
        &mut self,
        id: WorkerId,
        session: Session,
        hello: &Hello,
        now: Duration,
    ) {
        let mut held_now = Vec::new();
        for held in &hello.held {
            let shard = usize::from(held.id.shard);
            let class = self.classes.get_mut(&held.id.attempt);
            let class = class.filter(|class| {
                let solving = matches!(class.record.phase, Phase::Solving | Phase::Encoding);
                let open = class.record.segments.get(shard).is_some_and(Option::is_none);
                class.record.epochs.get(shard) == Some(&held.epoch) && solving && open
            });
            let sent = match held.state {
                WorkState::Booms => Some((0, false, false)),
                WorkState::Steps(steps) => Some((steps, true, false)),
                WorkState::Encoding => Some((u16::MAX, true, true)),
                WorkState::Verifying => None,
            };
            let taken = class.zip(sent).filter(|(class, _)| {
                let lease = class.leases[shard].as_ref();
                lease.is_none_or(|lease| lease.worker == id && lease.kind == LeaseKind::Solve)
            });
            let Some((class, (sent, booms, finish_sent))) = taken else {
                self.send(session, ToWorker::Drop { id: held.id, epoch: held.epoch });
                continue;
            };
            let sent = sent.min(class.record.plies.len() as u16);
            class.leases[shard] = Some(Lease {
                worker: id,
                epoch: held.epoch,
                kind: LeaseKind::Solve,
                sent,
                booms,
                finish_sent,
                progress: 0,
                progressed: now,
                done: (0, 0),
                digests: Vec::new(),
            });
            held_now.push(held.id);
            self.feed(held.id.attempt, shard, session);
        }
        // What it had once and lost is free again.
        let lost = self.leases_of(id).into_iter().filter(|(attempt, shard)| {
            !held_now
                .iter()
                .any(|held| held.attempt == *attempt && usize::from(held.shard) == *shard)
        });
        let lost: Vec<(u32, usize)> = lost.collect();
        if !lost.is_empty() {
            self.counters.leases_lost += lost.len() as u64;
            let name = &self.workers[&id].record.name;
            let text = format!("worker {name} came back without {} of its shards", lost.len());
            self.log(Severity::Warning, text);
        }
        for (attempt, shard) in lost {
            if let Some(class) = self.classes.get_mut(&attempt) {
                class.leases[shard] = None;
            }
        }
    }

    /// A worker's connection is closed. Its leases stay for as long as it may be silent.
    pub fn disconnected(&mut self, session: Session, reason: &str, now: Duration) {
        let Some(id) = self.sessions.remove(&session) else { return };
        let Some(worker) = self.workers.get_mut(&id) else { return };
        if worker.session == Some(session) {
            worker.session = None;
            worker.gone = Some(format!("disconnected: {reason}"));
            let text = format!("worker {} disconnected: {reason}", worker.record.name);
            self.log(Severity::Warning, text);
        }
        self.schedule(now);
    }

    /// Gives a worker no work any more, and none of what it did is used.
    pub fn revoke(&mut self, id: WorkerId, now: Duration) -> bool {
        if !self.workers.contains_key(&id) {
            return false;
        }
        self.ban(id, Ban::Revoked, now);
        true
    }

    pub(super) fn distrust(&mut self, id: WorkerId, reason: &str, now: Duration) {
        self.ban(id, Ban::WrongResults(reason.to_owned()), now);
    }

    fn ban(&mut self, id: WorkerId, ban: Ban, now: Duration) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        let text = match &ban {
            Ban::Revoked => format!("worker {} was revoked", worker.record.name),
            Ban::WrongResults(why) => {
                format!("worker {} gets no more work: it {why}", worker.record.name)
            }
        };
        worker.gone = Some(match &ban {
            Ban::Revoked => "revoked".to_owned(),
            Ban::WrongResults(why) => why.clone(),
        });
        worker.record.banned = Some(ban);
        let (record, session) = (worker.record.clone(), worker.session.take());
        self.save(Change::Worker(record));
        self.log(Severity::Warning, text);
        if let Some(session) = session {
            self.sessions.remove(&session);
            self.send(session, ToWorker::Refused(Refusal::Revoked));
            self.out.push(Action::Close { session });
        }
        for (attempt, shard) in self.leases_of(id) {
            self.release(attempt, shard);
        }
        let tainted = self.classes.values().filter(|class| class.is_made_by(id));
        let tainted: Vec<u32> = tainted.map(|class| class.record.attempt).collect();
        for attempt in tainted {
            self.restart_class(attempt, "a worker that had a part in it is banned", now);
        }
        self.schedule(now);
    }

    /// The workers that take work: who, by which connection, their names and threads.
    pub fn up_workers(&self) -> impl Iterator<Item = (WorkerId, Session, &str, u16)> {
        self.workers.iter().filter(|(_, worker)| worker.is_up()).filter_map(|(id, worker)| {
            Some((*id, worker.session?, worker.record.name.as_str(), worker.threads))
        })
    }

    pub(super) fn leave(&mut self, id: WorkerId) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        worker.leaving = true;
        worker.gone = Some("left".into());
        let (session, name) = (worker.session, worker.record.name.clone());
        for (attempt, shard) in self.leases_of(id) {
            if let Some(class) = self.classes.get_mut(&attempt) {
                class.leases[shard] = None;
            }
        }
        self.log(Severity::Info, format!("worker {name} left and handed its leases back"));
        if let Some(session) = session {
            self.send(session, ToWorker::Goodbye);
        }
    }

    /// Takes the work away from workers that were silent too long.
    pub(super) fn bury_the_dead(&mut self, now: Duration) {
        let silence = self.timing.silence;
        let dead = |worker: &WorkerState| !worker.buried && now >= worker.seen + silence;
        let dead = self.workers.iter().filter(|(_, worker)| dead(worker));
        let dead: Vec<WorkerId> = dead.map(|(id, _)| *id).collect();
        for id in dead {
            let leases = self.leases_of(id);
            let Some(worker) = self.workers.get_mut(&id) else { continue };
            worker.buried = true;
            let name = worker.record.name.clone();
            if let Some(session) = worker.session.take() {
                worker.gone = Some("dead: no heartbeat".into());
                self.sessions.remove(&session);
                self.out.push(Action::Close { session });
                let limit = silence.as_secs_f64();
                let text = format!("worker {name} is dead: no heartbeat for {limit} s");
                self.log(Severity::Warning, text);
            }
            if !leases.is_empty() {
                self.counters.leases_lost += leases.len() as u64;
                let text = format!("{} leases of worker {name} are free again", leases.len());
                self.log(Severity::Warning, text);
            }
            for (attempt, shard) in leases {
                self.release(attempt, shard);
            }
        }
    }

    /// Takes away work that does not come on although heartbeats do.
    pub(super) fn take_stalled_work_away(&mut self, now: Duration) {
        let limit = self.timing.no_progress;
        let mut stalled = Vec::new();
        for class in self.classes.values() {
            for (shard, lease) in class.leases.iter().enumerate() {
                let Some(lease) = lease else { continue };
                let reported = class.deltas.iter().filter(|step| step[shard].is_some()).count();
                let idle = lease.kind == LeaseKind::Solve
                    && lease.booms
                    && class.record.phase == Phase::Solving
                    && usize::from(lease.sent) <= reported;
                if !idle && now >= lease.progressed + limit {
                    stalled.push((class.record.attempt, shard, lease.worker));
                }
            }
        }
        for (attempt, shard, id) in stalled {
            self.counters.leases_lost += 1;
            self.release(attempt, shard);
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.resting_until = now + limit;
                let text = format!(
                    "worker {} made no progress with a shard for {} s; another gets it",
                    worker.record.name,
                    limit.as_secs()
                );
                self.log(Severity::Warning, text);
            }
        }
    }

    /// The worker that is to have a piece of work: one with the least to do.
    pub(super) fn worker_for(
        &self,
        kind: LeaseKind,
        avoid: &[WorkerId],
        loads: &Loads,
        now: Duration,
    ) -> Option<(WorkerId, Session)> {
        let mut best: [Option<(usize, usize, WorkerId, Session)>; 2] = [None; 2];
        let mut others = 0;
        for (id, worker) in &self.workers {
            let Some(session) = worker.session else { continue };
            if !worker.is_up() || now < worker.resting_until {
                continue;
            }
            let avoided = avoid.contains(id);
            others += usize::from(!avoided);
            let (starting, leased) = loads.get(id).copied().unwrap_or_default();
            // Fast ones take more: nobody has more than one piece waiting.
            if starting < 2 {
                let load = leased * 64 / usize::from(worker.threads.max(1));
                let candidate = Some((starting, load, *id, session));
                let best = &mut best[usize::from(avoided)];
                *best = best.map_or(candidate, |best| Some(best).min(candidate));
            }
        }
        // A lone worker checks itself once nobody else is likely to come; second opinions must be
        // another's.
        let [other, avoided] = best;
        let alone =
            || others == 0 && kind == LeaseKind::Verify && !self.is_another_expected(avoid, now);
        let chosen = match other {
            None if avoided.is_some() && alone() => avoided,
            other => other,
        };
        chosen.map(|(_, _, id, session)| (id, session))
    }

    /// Whether somebody other than these is there or was a moment ago.
    pub(super) fn is_another_expected(&self, avoid: &[WorkerId], now: Duration) -> bool {
        self.workers.iter().any(|(id, worker)| {
            let likely = !worker.leaving && now < worker.seen + self.timing.silence * 10;
            !avoid.contains(id) && worker.record.banned.is_none() && likely
        })
    }

    pub(super) fn leases_of(&self, id: WorkerId) -> Vec<(u32, usize)> {
        let mut leases = Vec::new();
        for class in self.classes.values() {
            for (shard, lease) in class.leases.iter().enumerate() {
                if lease.as_ref().is_some_and(|lease| lease.worker == id) {
                    leases.push((class.record.attempt, shard));
                }
            }
        }
        leases
    }
}
