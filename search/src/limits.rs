//! When a search ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits of a search; the first that is reached ends it. Without any it
/// goes on until it is stopped or the game is decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most iterations.
    pub depth: Option<u32>,
    /// The most nodes of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// The time to use.
    pub time: Option<Duration>,
    /// The time after which no further iteration begins. Only clocks set it; a
    /// fixed time per move is used up.
    pub soft_time: Option<Duration>,
    /// Keep searching until stopped even when there is nothing left to find.
    pub infinite: bool,
}

impl Limits {
    /// So many iterations.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// So many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A fixed time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// A share of a clock with `left` on it and `increment` more after each
    /// action: games last some forty more actions a side, and a fortieth of the
    /// time may be overdrawn fourfold when the search is undecided.
    pub fn clock(left: Duration, increment: Duration) -> Limits {
        let usable = left.saturating_sub(OVERHEAD);
        let share = usable / 40 + increment * 3 / 4;
        Limits {
            soft_time: Some((share * 6 / 10).min(usable)),
            time: Some((share * 4).min(usable / 3).max(Duration::from_millis(1))),
            ..Limits::default()
        }
    }
}

/// Kept back from a clock for the way of the answer.
const OVERHEAD: Duration = Duration::from_millis(30);

/// A switch that ends a search from another thread. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicBool>);

impl StopSwitch {
    /// A switch that is not pressed.
    pub fn new() -> StopSwitch {
        StopSwitch::default()
    }

    /// Ends the search within milliseconds, and any begun later with it.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether both are the same switch.
    pub fn is_same(&self, other: &StopSwitch) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether it was pressed.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_never_overdraw() {
        for left in [0, 5, 31, 100, 1_000, 60_000] {
            for increment in [0, 100, 5_000] {
                let left = Duration::from_millis(left);
                let limits = Limits::clock(left, Duration::from_millis(increment));
                let hard = limits.time.unwrap();
                assert!(hard <= left || hard == Duration::from_millis(1));
                assert!(limits.soft_time.unwrap() <= left);
            }
        }
    }
}
