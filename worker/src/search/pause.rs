//! Shards rest while somebody waits for a search.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Counts the searches that somebody waits for.
#[derive(Debug, Default)]
pub(crate) struct Pause {
    urgent: Mutex<usize>,
    over: Condvar,
}

impl Pause {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.urgent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin(&self) {
        *self.lock() += 1;
    }

    pub(crate) fn end(&self) {
        let mut urgent = self.lock();
        *urgent = urgent.saturating_sub(1);
        if *urgent == 0 {
            self.over.notify_all();
        }
    }

    /// Returns when nobody waits for a search; calls `while_waiting` now and then until then.
    pub(crate) fn wait(&self, mut while_waiting: impl FnMut()) {
        let mut urgent = self.lock();
        while *urgent > 0 {
            while_waiting();
            let woken = self.over.wait_timeout(urgent, EVERY);
            urgent = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

const EVERY: Duration = Duration::from_millis(500);
