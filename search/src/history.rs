//! What the search remembers of quiet actions: killers and history.

use crate::packed_action::PackedAction;

/// How well moves did where they were tried, by colour, source and target.
#[derive(Clone, Debug)]
pub(crate) struct History {
    scores: Vec<i16>,
}

/// Scores stay within this of zero.
const BOUND: i32 = 8_192;

impl History {
    /// Nothing remembered.
    pub(crate) fn new() -> History {
        History { scores: vec![0; 2 * COUNTS * 64 * 64] }
    }

    /// The score of a move of the colour index.
    #[inline]
    pub(crate) fn score(&self, color: usize, action: PackedAction) -> i32 {
        i32::from(self.scores[index(color, action)])
    }

    /// Moves the score towards the bound of the bonus's sign.
    #[inline]
    pub(crate) fn add(&mut self, color: usize, action: PackedAction, bonus: i32) {
        let score = &mut self.scores[index(color, action)];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / BOUND) as i16;
    }

    /// Makes what was learnt count for less in the next search.
    pub(crate) fn fade(&mut self) {
        for score in &mut self.scores {
            *score /= 2;
        }
    }
}

/// Counts 1, 2, 3 and 4 or more have scores of their own.
const COUNTS: usize = 4;

#[inline]
fn index(color: usize, action: PackedAction) -> usize {
    let count = (action.count() as usize).clamp(1, COUNTS) - 1;
    ((color & 1) << 12 | action.source() << 6 | action.target()) * COUNTS + count
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
        let mut history = History::new();
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
