//! Who searches what: threads keep out of each other's way.
//!
//! Threads that search the same tree with the same table would mostly do the
//! same work at the same time. Before a thread searches an action that is not
//! the first of its node it looks whether another one is at that very action,
//! and if so puts it off until the others are done: by then its result is most
//! likely in the table (simplified ABDADA, Kerrigan 2017).
//!
//! Everything here is a hint: entries are overwritten without further ado, and
//! one that is lost costs a little work done twice.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::Board;
use crate::packed_action::PackedAction;

/// The actions that threads are at, by hash.
#[derive(Debug)]
pub(crate) struct Busy {
    entries: Vec<AtomicU64>,
}

/// Many more than threads times plies, so that few share one.
const ENTRIES: usize = 1 << 12;

/// Actions of less depth than this are searched again faster than put off.
pub(crate) const LEAST_DEPTH: i32 = 2;

impl Busy {
    /// Nobody searches anything.
    pub(crate) fn new() -> Busy {
        Busy { entries: std::iter::repeat_with(AtomicU64::default).take(ENTRIES).collect() }
    }

    /// The key of an action of a board at a depth; never 0.
    #[inline]
    pub(crate) fn key(board: &Board, action: PackedAction, depth: i32) -> u64 {
        let word = u64::from(action.bits()) << 8 | (depth & 0xFF) as u64;
        (board.hash() ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1
    }

    /// Whether a thread is at it.
    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.entry(key).load(Ordering::Relaxed) == key
    }

    /// A thread begins with it.
    #[inline]
    pub(crate) fn enter(&self, key: u64) {
        self.entry(key).store(key, Ordering::Relaxed);
    }

    /// A thread is done with it.
    #[inline]
    pub(crate) fn leave(&self, key: u64) {
        let entry = self.entry(key);
        if entry.load(Ordering::Relaxed) == key {
            entry.store(0, Ordering::Relaxed);
        }
    }

    #[inline]
    fn entry(&self, key: u64) -> &AtomicU64 {
        &self.entries[(key >> 52) as usize]
    }
}

/// Actions put off at a node, in their order.
#[derive(Debug)]
pub(crate) struct PutOff<T> {
    waiting: [Option<T>; PUT_OFF],
    len: usize,
    next: usize,
}

/// A thread puts off so many actions of a node; more are searched at once.
const PUT_OFF: usize = 8;

impl<T: Copy> PutOff<T> {
    /// None.
    #[inline]
    pub(crate) fn new() -> PutOff<T> {
        PutOff { waiting: [None; PUT_OFF], len: 0, next: 0 }
    }

    /// Puts one off if there is room.
    #[inline]
    pub(crate) fn push(&mut self, action: T) -> bool {
        let has_room = self.len < PUT_OFF;
        if has_room {
            self.waiting[self.len] = Some(action);
            self.len += 1;
        }
        has_room
    }

    /// The next that was put off.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let action = self.waiting[..self.len].get(self.next).copied().flatten();
        self.next += usize::from(action.is_some());
        action
    }
}

#[cfg(test)]
mod tests {
    use boombots_rules::{Position, Start};

    use super::*;

    #[test]
    fn actions_are_busy_between_enter_and_leave() {
        let board = Board::from(&Position::start(Start::Standard));
        let [first, second] = [PackedAction::moving(8, 16, 1), PackedAction::moving(9, 17, 1)];
        let busy = Busy::new();
        let key = Busy::key(&board, first, 5);
        busy.enter(key);
        assert!(busy.contains(key));
        assert!(!busy.contains(Busy::key(&board, second, 5)));
        assert!(!busy.contains(Busy::key(&board, first, 6)));
        busy.leave(key);
        assert!(!busy.contains(key));
    }

    #[test]
    fn what_is_put_off_comes_back_in_order() {
        let mut put_off = PutOff::new();
        let taken = (0..20).filter(|number| put_off.push(*number)).count();
        assert_eq!(taken, PUT_OFF);
        let back: Vec<i32> = std::iter::from_fn(|| put_off.pop()).collect();
        assert_eq!(back, (0..PUT_OFF as i32).collect::<Vec<_>>());
    }
}
