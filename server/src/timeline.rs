//! The time since the server started.

use std::time::Duration;

use tokio::time::Instant;

/// A clock that starts with the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeline(Instant);

impl Timeline {
    pub(crate) fn start() -> Timeline {
        Timeline(Instant::now())
    }

    /// The time since the start.
    pub(crate) fn now(self) -> Duration {
        self.0.elapsed()
    }

    /// Waits until a time; for ever where there is none.
    pub(crate) async fn sleep_until(self, at: Option<Duration>) {
        match at.and_then(|at| self.0.checked_add(at)) {
            Some(at) => tokio::time::sleep_until(at).await,
            None => std::future::pending().await,
        }
    }
}
