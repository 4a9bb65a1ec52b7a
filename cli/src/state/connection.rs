//! The connection as the client sees it, and when it is tried again.

use std::time::Duration;

/// The connection as the client sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connection {
    /// How it stands.
    pub link: LinkState,
    /// The secret with which the session goes on.
    pub resume_token: Option<String>,
    /// This client's number.
    pub id: Option<u32>,
    /// Tries since it last stood.
    pub attempts: u32,
}

/// How a connection stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LinkState {
    /// There is none, and none is wanted yet.
    #[default]
    Idle,
    /// It is being opened.
    Opening,
    /// It stands, and the handshake is on its way.
    Greeting,
    /// The server has welcomed the client.
    Ready,
    /// It was lost, and is opened again at a moment.
    Waiting {
        /// Why it was lost.
        reason: String,
        /// When it is opened again.
        until: Duration,
    },
    /// It was ended for good; only the user opens it again.
    Ended {
        /// Why.
        reason: String,
    },
}

impl Connection {
    /// Whether the server listens.
    pub fn is_ready(&self) -> bool {
        self.link == LinkState::Ready
    }

    /// The connection is lost: it is tried again, each time later.
    pub fn lose(&mut self, reason: String, seed: u64, now: Duration) {
        let until = now + back_off(self.attempts, seed);
        self.attempts = self.attempts.saturating_add(1);
        self.link = LinkState::Waiting { reason, until };
    }
}

/// A quarter of a second, doubled with each try up to eight seconds, and up to a quarter more, so
/// that the clients of a server do not come back all at once.
fn back_off(attempts: u32, seed: u64) -> Duration {
    let base = 250_u64 << attempts.min(5);
    let spread = seed.wrapping_add(u64::from(attempts)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    Duration::from_millis(base + spread % (base / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_come_later_and_later_within_bounds() {
        for seed in 0..100 {
            for attempts in 0..40 {
                let wait = back_off(attempts, seed).as_millis();
                let base = 250 << attempts.min(5);
                assert!((base..base + base / 4).contains(&wait), "{attempts}: {wait}");
            }
        }
    }
}
