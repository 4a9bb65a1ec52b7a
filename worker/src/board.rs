//! What the worker has in hand, readable at any time while the engine computes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use boombots_cluster_protocol::{Held, ShardId, ShardProgress, ToCoordinator, WorkState};

/// Shards in hand, with how they come on.
#[derive(Debug, Default)]
pub(crate) struct Board {
    shards: Mutex<BTreeMap<ShardId, Entry>>,
}

#[derive(Debug)]
struct Entry {
    epoch: u32,
    state: WorkState,
    meter: Arc<Meter>,
    /// The last report; it is sent again after a reconnect, as it may have been lost.
    report: Option<ToCoordinator>,
}

/// How much of a phase is done.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    progress: AtomicU64,
    done: AtomicU64,
    all: AtomicU64,
}

impl Meter {
    pub(crate) fn start(&self, all: u64) {
        self.all.store(all, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.progress.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
        self.progress.fetch_add(1, Ordering::Relaxed);
    }
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<ShardId, Entry>> {
        self.shards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn insert(&self, id: ShardId, epoch: u32, state: WorkState) -> Arc<Meter> {
        let meter = Arc::new(Meter::default());
        let entry = Entry { epoch, state, meter: Arc::clone(&meter), report: None };
        self.lock().insert(id, entry);
        meter
    }

    pub(crate) fn remove(&self, id: ShardId, epoch: u32) {
        let mut shards = self.lock();
        if shards.get(&id).is_some_and(|entry| entry.epoch == epoch) {
            shards.remove(&id);
        }
    }

    pub(crate) fn forget(&self, attempt: u32) {
        self.lock().retain(|id, _| id.attempt != attempt);
    }

    pub(crate) fn has(&self, id: ShardId, epoch: u32) -> bool {
        self.lock().get(&id).is_some_and(|entry| entry.epoch == epoch)
    }

    pub(crate) fn set_state(&self, id: ShardId, state: WorkState) {
        if let Some(entry) = self.lock().get_mut(&id) {
            entry.state = state;
        }
    }

    pub(crate) fn meter(&self, id: ShardId) -> Option<Arc<Meter>> {
        self.lock().get(&id).map(|entry| Arc::clone(&entry.meter))
    }

    pub(crate) fn set_report(&self, id: ShardId, epoch: u32, report: ToCoordinator) {
        if let Some(entry) = self.lock().get_mut(&id).filter(|entry| entry.epoch == epoch) {
            entry.report = Some(report);
        }
    }

    /// Nothing is wrong although nothing gets done: something else goes before.
    pub(crate) fn touch(&self) {
        for entry in self.lock().values() {
            entry.meter.advance(0);
        }
    }

    pub(crate) fn held(&self) -> Vec<Held> {
        let held =
            |(&id, entry): (&ShardId, &Entry)| Held { id, epoch: entry.epoch, state: entry.state };
        self.lock().iter().map(held).collect()
    }

    pub(crate) fn reports(&self) -> Vec<ToCoordinator> {
        self.lock().values().filter_map(|entry| entry.report.clone()).collect()
    }

    pub(crate) fn progress(&self) -> Vec<ShardProgress> {
        let read = |value: &AtomicU64| value.load(Ordering::Relaxed);
        let progress = |(&id, entry): (&ShardId, &Entry)| ShardProgress {
            id,
            epoch: entry.epoch,
            progress: read(&entry.meter.progress),
            done: read(&entry.meter.done),
            all: read(&entry.meter.all),
        };
        self.lock().iter().map(progress).collect()
    }

    /// What is going on, in words.
    pub(crate) fn note(&self) -> String {
        let shards = self.lock();
        let (mut booms, mut steps, mut encoding, mut verifying) = (0, 0, 0, 0);
        for entry in shards.values() {
            match entry.state {
                WorkState::Booms => booms += 1,
                WorkState::Steps(_) => steps += 1,
                WorkState::Encoding => encoding += 1,
                WorkState::Verifying => verifying += 1,
            }
        }
        let named = [
            (booms, "in booms"),
            (steps, "in plies"),
            (encoding, "coding"),
            (verifying, "checking"),
        ];
        let parts = named.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, name)| format!("{count} {name}")).collect();
        if parts.is_empty() { "no shard in hand".into() } else { parts.join(", ") }
    }
}
