//! Actions for the search, and the full count that checks the board.

use boombots_rules::{Square, SquareSet};

use crate::blasts::Blasts;
use crate::board::{Board, flooded};
use crate::packed_action::PackedAction;

impl Board {
    /// The squares to which the mover's stack of a height on `source` may move.
    #[inline]
    pub(crate) fn targets(&self, source: usize, height: u8) -> u64 {
        Square::ALL[source & 63].reach(height).bits() & !self.other()
    }

    /// Calls `visit` with every legal move.
    #[inline]
    pub(crate) fn for_each_move(&self, mut visit: impl FnMut(PackedAction)) {
        let mut sources = self.own();
        while sources != 0 {
            let source = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let height = self.height(source);
            let mut targets = self.targets(source, height);
            while targets != 0 {
                let target = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                for count in 1..=height {
                    visit(PackedAction::moving(source, target, count));
                }
            }
        }
    }

    /// Calls `visit` with one boom for each connected group of own stacks that
    /// touches no opposing stack, and the squares that go. Together with the
    /// [`Blasts`] these are all booms that differ.
    #[inline]
    pub(crate) fn for_each_lone_boom(
        &self,
        blasts: &Blasts,
        mut visit: impl FnMut(PackedAction, u64),
    ) {
        let mut seeds = self.own() & !blasts.squares();
        while seeds != 0 {
            let source = seeds.trailing_zeros() as usize;
            let squares = flooded(1 << source, self.own());
            seeds &= !squares;
            visit(PackedAction::boom(source), squares);
        }
    }

    /// Whether the side to move may take the action. An action of another
    /// position with an equal hash need not be legal here.
    #[inline]
    pub(crate) fn is_legal(&self, action: PackedAction) -> bool {
        let (source, target) = (action.source(), action.target());
        if self.own() >> source & 1 == 0 || self.other() == 0 {
            return false;
        }
        if action.is_boom() {
            return source == target;
        }
        let height = self.height(source);
        action.count() <= height && self.targets(source, height) >> target & 1 != 0
    }

    /// How many sequences of exactly `depth` actions there are, as
    /// [`boombots_rules::perft`] counts them.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome().is_some() {
            return 0;
        }
        if depth == 1 {
            let mut count = self.own().count_ones() as u64;
            self.for_each_move(|_| count += 1);
            return count;
        }
        let mut count = 0;
        self.for_each_move(|action| count += self.apply(action).perft(depth - 1));
        for source in SquareSet::from_bits(self.own()) {
            count += self.apply(PackedAction::boom(source.index())).perft(depth - 1);
        }
        count
    }
}
