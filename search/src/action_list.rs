//! The listed actions of a position, and the best of them next.

use crate::ordering::{Kind, Scored};
use crate::packed_action::PackedAction;

/// Actions with what ordering knows of them.
///
/// What decides the order lies apart and in one word each, so that the next
/// action is found by a plain maximum, which compilers turn into vector
/// instructions.
#[derive(Debug)]
pub(crate) struct ActionList {
    /// The score shifted by eight, and in the low bits how soon the action was
    /// listed; [`TAKEN`] once it was handed out.
    keys: [i32; ActionList::CAPACITY],
    actions: [(PackedAction, Kind); ActionList::CAPACITY],
    len: usize,
}

/// Lower than any key.
const TAKEN: i32 = i32::MIN;

/// Scores lie strictly between this and its negative.
pub(crate) const SCORE_BOUND: i32 = 1 << 23;

impl ActionList {
    /// A position has 240 actions at most: a stack of n bots has a boom and no more
    /// than 14 n moves, and a side has 16 bots.
    const CAPACITY: usize = 256;

    /// Without actions.
    pub(crate) fn new() -> ActionList {
        ActionList {
            keys: [TAKEN; ActionList::CAPACITY],
            actions: [(PackedAction::NONE, Kind::Quiet); ActionList::CAPACITY],
            len: 0,
        }
    }

    /// Takes all actions off.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends an action.
    #[inline]
    pub(crate) fn push(&mut self, scored: Scored) {
        debug_assert!(self.len < ActionList::CAPACITY && scored.score.abs() < SCORE_BOUND);
        // The mask changes nothing and drops the bounds checks.
        let place = self.len % ActionList::CAPACITY;
        self.keys[place] = scored.score << 8 | (ActionList::CAPACITY - 1 - place) as i32;
        self.actions[place] = (scored.action, scored.kind);
        self.len = place + 1;
    }

    /// Hands out the best action, the first listed of equals, unless it scores
    /// below `floor`.
    #[inline]
    pub(crate) fn take_best(&mut self, floor: i32) -> Option<Scored> {
        let best = self.keys[..self.len].iter().copied().fold(TAKEN, i32::max);
        let score = best >> 8;
        if best == TAKEN || score < floor {
            return None;
        }
        let place = ActionList::CAPACITY - 1 - (best & 255) as usize;
        self.keys[place] = TAKEN;
        let (action, kind) = self.actions[place];
        Some(Scored { action, kind, score })
    }

    /// The actions handed out, in the order of listing.
    pub(crate) fn taken(&self) -> impl Iterator<Item = PackedAction> {
        let listed = self.keys[..self.len].iter().zip(&self.actions);
        listed.filter(|(key, _)| **key == TAKEN).map(|(_, (action, _))| *action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_comes_first_and_equals_in_their_order() {
        let mut list = ActionList::new();
        let scored = |target: usize, score: i32| Scored {
            action: PackedAction::moving(0, target, 1),
            kind: Kind::Quiet,
            score,
        };
        let scores = [5, -7, SCORE_BOUND - 1, 5, 1 - SCORE_BOUND];
        for (target, score) in (1..).zip(scores) {
            list.push(scored(target, score));
        }
        let mut take = |floor| list.take_best(floor).map(|scored| scored.action.target());
        assert_eq!([take(0), take(5), take(5), take(5)], [Some(3), Some(1), Some(4), None]);
        assert_eq!([take(-7), take(i32::MIN), take(i32::MIN)], [Some(2), Some(5), None]);
        assert_eq!(list.taken().map(PackedAction::target).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        list.clear();
        assert_eq!((list.taken().count(), list.take_best(i32::MIN)), (0, None));
    }
}
