//! What the search remembers of moves: how well they did, and what refuted them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, AtomicU32, Ordering};

use crate::packed_action::PackedAction;

/// How well moves did where they were tried, by colour, source and target.
///
/// Clones share what they know: threads of a search teach one another. Two that write a score at once
/// may lose one of the two changes, which does no harm.
#[derive(Clone, Debug)]
pub(crate) struct History {
    scores: Arc<[AtomicI16]>,
    /// The bits of the move that last refuted a move, by colour, source and target.
    counters: Arc<[AtomicU32]>,
}

/// Scores stay within this of zero.
const BOUND: i32 = 8_192;

impl History {
    /// Nothing remembered.
    pub(crate) fn new() -> History {
        let none = PackedAction::NONE.bits();
        History {
            scores: (0..2 * COUNTS * 64 * 64).map(|_| AtomicI16::new(0)).collect(),
            counters: (0..2 * 64 * 64).map(|_| AtomicU32::new(none)).collect(),
        }
    }

    /// The score of a move of the colour index.
    #[inline]
    pub(crate) fn score(&self, color: usize, action: PackedAction) -> i32 {
        i32::from(self.scores[index(color, action)].load(Ordering::Relaxed))
    }

    /// Moves the score towards the bound of the bonus's sign.
    #[inline]
    pub(crate) fn add(&self, color: usize, action: PackedAction, bonus: i32) {
        let score = &self.scores[index(color, action)];
        let old = i32::from(score.load(Ordering::Relaxed));
        let new = old + bonus - old * bonus.abs() / BOUND;
        score.store(new as i16, Ordering::Relaxed);
    }

    /// The move that last refuted one of the colour index.
    #[inline]
    pub(crate) fn counter(&self, color: usize, refuted: PackedAction) -> PackedAction {
        let bits = self.counters[move_index(color, refuted)].load(Ordering::Relaxed);
        PackedAction::from_bits(bits)
    }

    /// Keeps a move that refuted one of the colour index.
    #[inline]
    pub(crate) fn set_counter(&self, color: usize, refuted: PackedAction, counter: PackedAction) {
        self.counters[move_index(color, refuted)].store(counter.bits(), Ordering::Relaxed);
    }

    /// Makes what was learnt count for less in the next search.
    pub(crate) fn fade(&self) {
        for score in &self.scores[..] {
            score.store(score.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
        }
    }
}

/// Counts 1, 2, 3 and 4 or more have scores of their own.
const COUNTS: usize = 4;

#[inline]
fn index(color: usize, action: PackedAction) -> usize {
    let count = (action.count() as usize).clamp(1, COUNTS) - 1;
    move_index(color, action) * COUNTS + count
}

#[inline]
fn move_index(color: usize, action: PackedAction) -> usize {
    (color & 1) << 12 | action.source() << 6 | action.target()
}

/// The bonus of a cut-off at a depth.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (depth * depth * 12 + 20 * depth).min(1_200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_bounded() {
        let history = History::new();
        let action = PackedAction::moving(63, 62, 16);
        for _ in 0..100 {
            history.add(1, action, bonus(50));
        }
        assert!(history.score(1, action) > BOUND / 2 && history.score(1, action) <= BOUND);
        for _ in 0..200 {
            history.add(1, action, -bonus(50));
        }
        assert!(history.score(1, action) < -BOUND / 2 && history.score(1, action) >= -BOUND);
        assert_eq!(history.score(0, action), 0);
    }
}
