//! The jobs of a worker: which wait, which are under way, and how they are stopped.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use boombots_cluster_protocol::{JobId, SearchJob, Urgency};
use boombots_search::{EndgameTables, StopSwitch};

use super::pause::Pause;

/// A job whose tables are there.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) job: SearchJob,
    pub(super) tables: Option<Arc<EndgameTables>>,
}

/// The jobs.
#[derive(Debug)]
pub(super) struct Queue {
    jobs: Mutex<Jobs>,
    changed: Condvar,
    pause: Arc<Pause>,
}

#[derive(Debug, Default)]
struct Jobs {
    waiting: VecDeque<Waiting>,
    /// Every job in hand, waiting for tables, for a thread, or under way.
    known: HashMap<(JobId, u32), Known>,
    is_closed: bool,
}

#[derive(Debug)]
struct Known {
    switch: StopSwitch,
    urgency: Urgency,
}

impl Queue {
    pub(super) fn new(pause: Arc<Pause>) -> Self {
        Self { jobs: Mutex::default(), changed: Condvar::new(), pause }
    }

    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job is in hand from now on.
    pub(super) fn announce(&self, job: &SearchJob) {
        let known = Known { switch: StopSwitch::new(), urgency: job.urgency };
        if self.lock().known.insert((job.id, job.epoch), known).is_none()
            && job.urgency == Urgency::Interactive
        {
            self.pause.begin();
        }
    }

    /// A job can be taken up by a thread, if it was not stopped.
    pub(super) fn push(&self, waiting: Waiting) {
        let mut jobs = self.lock();
        if jobs.known.contains_key(&(waiting.job.id, waiting.job.epoch)) {
            jobs.waiting.push_back(waiting);
            self.changed.notify_one();
        }
    }

    /// The next job for a thread, how it is stopped, and how long the thread waited; `None` when
    /// there are no more to come.
    pub(super) fn pop(&self) -> Option<(Waiting, StopSwitch, Duration)> {
        let since = Instant::now();
        let mut jobs = self.lock();
        loop {
            if jobs.is_closed {
                return None;
            }
            if let Some(waiting) = jobs.waiting.pop_front() {
                let key = (waiting.job.id, waiting.job.epoch);
                if let Some(known) = jobs.known.get(&key) {
                    let switch = known.switch.clone();
                    return Some((waiting, switch, since.elapsed()));
                }
                continue;
            }
            jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A job is out of hand; whether it was still wanted.
    pub(super) fn finish(&self, id: JobId, epoch: u32) -> bool {
        let Some(known) = self.lock().known.remove(&(id, epoch)) else { return false };
        if known.urgency == Urgency::Interactive {
            self.pause.end();
        }
        true
    }

    pub(super) fn stop(&self, id: JobId, epoch: u32) {
        let Some(known) = self.lock().known.remove(&(id, epoch)) else { return };
        known.switch.stop();
        if known.urgency == Urgency::Interactive {
            self.pause.end();
        }
    }

    pub(super) fn stop_all(&self) {
        let known: Vec<(JobId, u32)> = self.lock().known.keys().copied().collect();
        for (id, epoch) in known {
            self.stop(id, epoch);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.lock().known.len()
    }

    /// Ends the threads.
    pub(super) fn close(&self) {
        self.stop_all();
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}
