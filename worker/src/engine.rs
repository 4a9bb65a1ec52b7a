//! The thread that computes: takes orders, works on one piece at a time with all its threads, and
//! reports. It waits for nothing but orders: what it needs was fetched before.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

use anyhow::Context as _;
use boombots_cluster_protocol::{
    Assign, BlobRef, Digest, InputSlice, SegmentRef, SegmentWriter, ShardId, SideCounts, Step,
    Swept, ToCoordinator, Verify, WorkState,
};
use boombots_probe::{Material, Metric, OrbitTables, SideLayout, SideStatistics, Table};
use boombots_retrograde::{
    BoomSources, Delta, Level, Shard, SideEncoder, SideTables, Storage, eightfold_statistics,
    load_side,
};
use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::board::{Board, Meter};
use crate::cache::Cache;
use crate::delta::{Unreadable, pack, range, read_input, read_own};
use crate::link::Fault;
use crate::search::Pause;
use crate::verify::{Checked, verify};

/// What the engine is told.
#[derive(Debug)]
pub(crate) enum Order {
    /// Solve a shard; the tables it needs are in the cache.
    Assign(Assign),
    /// Go on by a step; the permit bounds how many wait.
    Step(Box<ReadyStep>),
    /// Code the shard after so many steps.
    Finish { id: ShardId, epoch: u32, steps: u16 },
    /// Check a shard; all files are in the cache.
    Verify(Verify),
    /// Let go of a shard.
    Drop { id: ShardId, epoch: u32 },
    /// Nothing of an attempt is needed any more.
    Forget { attempt: u32 },
}

/// What the engine has to say, and what must be stored before it is said.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) message: ToCoordinator,
    pub(crate) blob: Option<(Digest, Bytes)>,
}

pub(crate) struct Engine {
    pub(crate) orders: Receiver<Order>,
    pub(crate) reports: mpsc::Sender<Report>,
    pub(crate) board: Arc<Board>,
    pub(crate) cache: Arc<Cache>,
    pub(crate) level: Level,
    /// Memory for planes; shards past it are spilled.
    pub(crate) memory: u64,
    pub(crate) fault: Option<Fault>,
    /// Searches that somebody waits for go before.
    pub(crate) pause: Arc<Pause>,
    pub(crate) state: State,
}

#[derive(Default)]
pub(crate) struct State {
    orbits: OrbitTables,
    shards: BTreeMap<ShardId, Work>,
    checks: Vec<Verify>,
    checked: Option<Checked>,
    sides: HashMap<Material, SideTables>,
    sources: HashMap<(u32, Material), Arc<BoomSources>>,
    /// What shards of this worker decided lately, with the digest it went by.
    decided: HashMap<Decided, (Digest, Arc<Delta>)>,
}

/// What decided a delta. Its digest does not say: that of nothing is the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Decided {
    attempt: u32,
    material: Material,
    first_strip: u32,
    step: u16,
}

impl Decided {
    fn key(attempt: u32, material: Material, first_strip: u32, step: u16) -> Self {
        Self { attempt, material, first_strip, step }
    }
}

struct Work {
    assign: Assign,
    material: Material,
    strips: Range<usize>,
    meter: Arc<Meter>,
    shard: Option<Shard>,
    bytes: u64,
    next: u16,
    waiting: BTreeMap<u16, Box<ReadyStep>>,
    /// The last step was taken over from the record, so that the next sweep must look at everything.
    replayed: bool,
    finish: Option<u16>,
    done: bool,
}

/// A step with what it takes in.
#[derive(Debug)]
pub(crate) struct ReadyStep {
    pub(crate) step: Step,
    /// What the other side decided in the step before.
    pub(crate) inputs: Vec<(InputSlice, Bytes)>,
    /// The shard's own delta of this step, where it is on record.
    pub(crate) own: Bytes,
    pub(crate) permit: OwnedSemaphorePermit,
}

enum Job {
    Step(ShardId),
    Booms(ShardId),
    Encode(ShardId),
    Check(Verify),
}

impl Engine {
    /// Works until nobody gives orders any more.
    pub(crate) fn run(mut self, pool: &rayon::ThreadPool) {
        loop {
            let order = if let Some(job) = self.next_job() {
                self.pause.wait(|| self.board.touch());
                self.work(job, pool);
                match self.orders.try_recv() {
                    Ok(order) => order,
                    Err(TryRecvError::Empty) => continue,
                    Err(TryRecvError::Disconnected) => return,
                }
            } else {
                match self.orders.recv() {
                    Ok(order) => order,
                    Err(_) => return,
                }
            };
            self.take(order);
            loop {
                match self.orders.try_recv() {
                    Ok(order) => self.take(order),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return,
                }
            }
        }
    }

    fn take(&mut self, order: Order) {
        let state = &mut self.state;
        match order {
            Order::Assign(assign) => {
                let Some(meter) = self.board.meter(assign.id) else { return };
                if !self.board.has(assign.id, assign.epoch) {
                    return;
                }
                let material =
                    Material { mover: assign.side.mover, opponent: assign.side.opponent };
                let strips = range(assign.strips);
                let waiting = state.shards.remove(&assign.id).map(|work| work.waiting);
                let waiting = waiting.unwrap_or_default();
                let waiting =
                    waiting.into_iter().filter(|(_, ready)| ready.step.epoch == assign.epoch);
                let work = Work {
                    material,
                    strips,
                    meter,
                    shard: None,
                    bytes: 0,
                    next: 0,
                    waiting: waiting.collect(),
                    replayed: false,
                    finish: None,
                    done: false,
                    assign,
                };
                state.shards.insert(work.assign.id, work);
            }
            Order::Step(ready) => {
                let step = &ready.step;
                if let Some(work) = state.shards.get_mut(&step.id)
                    && work.assign.epoch == step.epoch
                    && step.step >= work.next
                {
                    work.waiting.insert(step.step, ready);
                }
            }
            Order::Finish { id, epoch, steps } => {
                if let Some(work) = state.shards.get_mut(&id)
                    && work.assign.epoch == epoch
                {
                    work.finish = Some(steps);
                }
            }
            Order::Verify(verify) => state.checks.push(verify),
            Order::Drop { id, epoch } => {
                if state.shards.get(&id).is_some_and(|work| work.assign.epoch == epoch) {
                    state.shards.remove(&id);
                }
                state.checks.retain(|check| check.id != id || check.epoch != epoch);
            }
            Order::Forget { attempt } => {
                state.shards.retain(|id, _| id.attempt != attempt);
                state.checks.retain(|check| check.id.attempt != attempt);
                state.sources.retain(|(other, _), _| *other != attempt);
                state.decided.retain(|of, _| of.attempt != attempt);
                state.checked = None;
            }
        }
    }

    /// Plies first, as everybody waits for them.
    fn next_job(&mut self) -> Option<Job> {
        let shards = &self.state.shards;
        let first = |wanted: &dyn Fn(&Work) -> bool| {
            shards.iter().find(|(_, work)| !work.done && wanted(work)).map(|(id, _)| *id)
        };
        let ready = |work: &Work| work.shard.is_some() && work.waiting.contains_key(&work.next);
        if let Some(id) = first(&ready) {
            return Some(Job::Step(id));
        }
        if let Some(id) = first(&|work: &Work| work.shard.is_none()) {
            return Some(Job::Booms(id));
        }
        if let Some(id) =
            first(&|work: &Work| work.shard.is_some() && work.finish == Some(work.next))
        {
            return Some(Job::Encode(id));
        }
        (!self.state.checks.is_empty()).then(|| Job::Check(self.state.checks.remove(0)))
    }

    fn work(&mut self, job: Job, pool: &rayon::ThreadPool) {
        let (id, epoch) = match &job {
            Job::Step(id) | Job::Booms(id) | Job::Encode(id) => {
                (*id, self.state.shards[id].assign.epoch)
            }
            Job::Check(check) => (check.id, check.epoch),
        };
        let outcome = pool.install(|| match job {
            Job::Booms(id) => self.booms(id),
            Job::Step(id) => self.step(id),
            Job::Encode(id) => self.encode(id),
            Job::Check(check) => self.check(&check),
        });
        if let Err(error) = outcome {
            self.state.shards.remove(&id);
            self.board.remove(id, epoch);
            let message = match error.downcast_ref::<Unreadable>() {
                Some(unreadable) => ToCoordinator::Unreadable {
                    id,
                    epoch,
                    blob: unreadable.blob,
                    reason: unreadable.reason.clone(),
                },
                None => ToCoordinator::Failed { id, epoch, reason: format!("{error:#}") },
            };
            self.report(id, epoch, message, None);
        }
    }

    fn report(
        &self,
        id: ShardId,
        epoch: u32,
        message: ToCoordinator,
        blob: Option<(Digest, Bytes)>,
    ) {
        if blob.is_none() {
            self.board.set_report(id, epoch, message.clone());
        }
        // Where nobody listens any more the worker is stopping.
        let _ = self.reports.blocking_send(Report { message, blob });
    }

    fn booms(&mut self, id: ShardId) -> anyhow::Result<()> {
        let used: u64 = self.state.shards.values().map(|work| work.bytes).sum();
        let State { orbits, shards, sides, sources, .. } = &mut self.state;
        let work = shards.get_mut(&id).context("a shard in hand")?;
        let (material, level) = (work.material, self.level);
        let layout = SideLayout::new(material);
        work.meter.start(0);
        sides.retain(|side, _| *side == material || *side == material.flipped());
        let side = sides.entry(material).or_insert_with(|| SideTables::new(material, orbits));
        let key = (id.attempt, material);
        if let Entry::Vacant(vacant) = sources.entry(key) {
            let (cache, tables) = (&self.cache, &work.assign.tables);
            let made = BoomSources::new(material, &|smaller| {
                let class = smaller.class();
                let open = |distances| {
                    let wanted = tables.iter().find(|table| {
                        table.distances == distances
                            && table.class.larger == class.larger()
                            && table.class.smaller == class.smaller()
                    });
                    let path = wanted.map(|table| cache.path(table.file.digest));
                    Table::open(&path.unwrap_or_else(|| PathBuf::from(class.to_string())))
                };
                load_side(smaller, &open(false)?, &open(true)?, orbits, level).map(Arc::new)
            })?;
            vacant.insert(Arc::new(made));
        }
        let sources = Arc::clone(&sources[&key]);
        let tiles = (work.strips.len() * layout.rows) as u64;
        let bytes = tiles * TILE_BYTES;
        let spill = used + bytes > self.memory;
        let storage = if spill {
            let folder = self.cache.folder().join("spill");
            std::fs::create_dir_all(&folder)?;
            Storage::Spill(folder)
        } else {
            Storage::Heap
        };
        let no_room = || format!("no room for the planes of a shard of {material}");
        let mut shard =
            Shard::new(side.clone(), work.strips.clone(), level, &storage).with_context(no_room)?;
        work.meter.start(tiles);
        shard.boom_pass(&sources, orbits, &|tiles| work.meter.advance(tiles));
        work.bytes = if spill { 0 } else { bytes };
        work.shard = Some(shard);
        let epoch = work.assign.epoch;
        if self.board.held().iter().any(|held| held.id == id && held.state == WorkState::Booms) {
            self.board.set_state(id, WorkState::Steps(0));
        }
        self.report(id, epoch, ToCoordinator::BoomsSettled { id, epoch }, None);
        Ok(())
    }

    fn step(&mut self, id: ShardId) -> anyhow::Result<()> {
        let work = self.state.shards.get_mut(&id).context("a shard in hand")?;
        let ready = work.waiting.remove(&work.next).context("a step that is there")?;
        let shard = work.shard.as_mut().context("a shard with planes")?;
        work.next += 1;
        work.meter.start(0);
        let step = ready.step;
        let mut deltas = Vec::with_capacity(ready.inputs.len());
        for (input, bytes) in &ready.inputs {
            // What a shard of this worker decided is at hand as it was.
            let other = work.material.flipped();
            let key =
                Decided::key(id.attempt, other, input.strips.start, step.step.wrapping_sub(1));
            deltas.push(match self.state.decided.get(&key) {
                Some((blob, own)) if *blob == input.blob => Arc::clone(own),
                _ => Arc::new(read_input(input, bytes, other, &work.strips)?),
            });
        }
        if step.step > 0 {
            shard.apply(&deltas);
        }
        let own = step.known.as_ref().map(|known| {
            let (strips, destinations) = (work.strips.clone(), &work.assign.destinations);
            read_own(known, &ready.own, work.material, strips, destinations)
        });
        drop((deltas, ready.inputs, ready.permit));
        if let Some(own) = own {
            shard.replay(step.ply, &own?);
            work.replayed = true;
            work.meter.advance(1);
            return Ok(());
        }
        if std::mem::take(&mut work.replayed) {
            shard.resume(step.ply);
        }
        let delta = shard.sweep(step.ply);
        let decided = delta.positions();
        // Where something was decided the next ply follows in any case.
        let next_wake = if decided == 0 { shard.next_wake(step.ply) } else { None };
        work.meter.advance(1);
        let packed = pack(&delta, &work.assign.destinations, self.fault)?;
        let swept = Swept {
            id,
            epoch: step.epoch,
            step: step.step,
            decided,
            next_wake,
            blob: BlobRef { digest: Digest::of(&packed.bytes), len: packed.bytes.len() as u64 },
            slices: packed.slices.iter().map(|(slice, _)| *slice).collect(),
        };
        for (slice, bytes) in packed.slices.into_iter().filter(|(slice, _)| slice.len > 0) {
            self.cache.keep_slice(slice.digest, bytes);
        }
        let stored = swept.blob.len > 0 && !work.assign.audit;
        // The shards of this worker may be a step apart, but no more.
        let (attempt, now) = (id.attempt, step.step);
        let decided = &mut self.state.decided;
        decided.retain(|of, _| of.attempt != attempt || of.step + 1 >= now);
        if self.fault.is_none() {
            let key = Decided::key(attempt, work.material, work.assign.strips.start, now);
            decided.insert(key, (swept.blob.digest, Arc::new(delta)));
        }
        let blob = stored.then_some((swept.blob.digest, packed.bytes));
        self.report(id, step.epoch, ToCoordinator::Swept(swept), blob);
        Ok(())
    }

    fn encode(&mut self, id: ShardId) -> anyhow::Result<()> {
        let State { orbits, shards, .. } = &mut self.state;
        let work = shards.get_mut(&id).context("a shard in hand")?;
        let shard = work.shard.take().context("a shard with planes")?;
        work.done = true;
        self.board.set_state(id, WorkState::Encoding);
        let layout = SideLayout::new(work.material);
        let blocks = Metric::ALL.map(|metric| layout.blocks(work.strips.clone(), metric).len());
        work.meter.start(blocks.iter().sum::<usize>() as u64);
        let parts = [shard.finish()];
        let counts = counts_of(&eightfold_statistics(&layout, &parts[0], orbits));
        let encoder = SideEncoder::of_strips(&layout, &parts, orbits, self.level);
        let mut segment = SegmentWriter::default();
        for metric in Metric::ALL {
            let (values, distances) = work.assign.compression;
            let level = if metric == Metric::Wdl { values } else { distances };
            let encoded: Result<(), std::convert::Infallible> =
                encoder.encode(metric, level, |block| {
                    segment.push(&block);
                    work.meter.advance(1);
                    Ok(())
                });
            let Ok(()) = encoded;
            if metric == Metric::Wdl {
                segment.end_values();
            }
        }
        work.bytes = 0;
        let bytes = Bytes::from(segment.finish());
        let digest = Digest::of(&bytes);
        let blob = BlobRef { digest, len: bytes.len() as u64 };
        let audit = work.assign.audit;
        let epoch = work.assign.epoch;
        if !audit {
            // Checking will want it; a cache that is full is no reason to fail.
            match self.cache.store(digest, &bytes) {
                Ok(_) => self.cache.note_segment(id.attempt, digest),
                Err(error) => tracing::warn!("{error}"),
            }
        }
        let segment = SegmentRef { blob, counts };
        let message = ToCoordinator::Encoded { id, epoch, segment };
        self.report(id, epoch, message, (!audit).then_some((digest, bytes)));
        Ok(())
    }

    fn check(&mut self, task: &Verify) -> anyhow::Result<()> {
        let Some(meter) = self.board.meter(task.id) else { return Ok(()) };
        let State { orbits, checked, .. } = &mut self.state;
        let outcome = verify(task, &self.cache, orbits, self.level, &meter, checked)?;
        let (problem, positions) = match outcome {
            Ok(positions) => (None, positions),
            Err(problem) => (Some(problem), 0),
        };
        let (id, epoch) = (task.id, task.epoch);
        self.report(id, epoch, ToCoordinator::Verified { id, epoch, problem, positions }, None);
        Ok(())
    }
}

fn counts_of(statistics: &SideStatistics) -> SideCounts {
    SideCounts {
        wins: statistics.wins,
        losses: statistics.losses,
        draws: statistics.draws,
        longest_win: statistics.longest_win.map_or(0, |plies| plies.0),
        longest_loss: statistics.longest_loss.map_or(0, |plies| plies.0),
    }
}

/// Four bit planes, the distances and two wakes a tile.
const TILE_BYTES: u64 = 4 * 64 + 512 + 2;
