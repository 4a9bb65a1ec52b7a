//! The connected groups of a board, of one side or both.

use boombots_rules::Square;

use crate::blasts::Blasts;
use crate::board::{Board, dilated, flooded};

/// The connected groups of a board, to tell what a move would land beside.
pub(crate) struct Groups {
    groups: [Group; Groups::CAPACITY],
    len: usize,
}

#[derive(Clone, Copy, Default)]
struct Group {
    squares: u64,
    /// Those and all adjacent ones.
    beside: u64,
    /// Bots the side to move nets when it goes.
    net: i32,
}

impl Groups {
    /// Squares no two of which are adjacent: one in each block of four.
    const CAPACITY: usize = 16;

    pub(crate) fn of(board: &Board, blasts: &Blasts) -> Groups {
        let mut found = Groups { groups: [Group::default(); Groups::CAPACITY], len: 0 };
        let mut seeds = board.occupied() & !blasts.squares();
        for blast in blasts.iter() {
            found.push(blast.squares, blast.net(board.mover()));
        }
        // What is left are groups of one side.
        while seeds != 0 {
            let squares = flooded(seeds & seeds.wrapping_neg(), seeds);
            seeds &= !squares;
            let bots = board.bots_of_each_on(squares);
            found.push(squares, bots[board.mover() ^ 1] - bots[board.mover()]);
        }
        found
    }

    fn push(&mut self, squares: u64, net: i32) {
        self.groups[self.len] = Group { squares, beside: dilated(squares), net };
        self.len += 1;
    }

    /// Bots the mover nets when all groups beside a square go, by square, for the
    /// squares of `targets`; 0 elsewhere. And the squares where it nets any.
    #[inline]
    pub(crate) fn nets_beside(&self, targets: u64) -> ([i8; Square::COUNT], u64) {
        let mut nets = [0; Square::COUNT];
        for group in &self.groups[..self.len] {
            let mut left = group.beside & targets;
            while left != 0 {
                nets[left.trailing_zeros() as usize & 63] += group.net as i8;
                left &= left - 1;
            }
        }
        let mut profitable = 0;
        let mut left = targets;
        while left != 0 {
            let target = left.trailing_zeros() as usize & 63;
            left &= left - 1;
            profitable |= u64::from(nets[target] > 0) << target;
        }
        (nets, profitable)
    }

    /// The squares of the group that holds a stack, and all beside them.
    #[inline]
    pub(crate) fn beside(&self, source: usize) -> u64 {
        let groups = &self.groups[..self.len];
        let holding = groups.iter().find(|group| group.squares >> source & 1 != 0);
        holding.map_or(0, |group| group.beside)
    }
}

#[cfg(test)]
mod tests {
    use boombots_rules::{Action, Position};

    use super::*;
    use crate::packed_action::PackedAction;

    fn net(text: &str, action: &str) -> i32 {
        let board = Board::from(&text.parse::<Position>().unwrap());
        let action = PackedAction::from(action.parse::<Action>().unwrap());
        let groups = Groups::of(&board, &Blasts::of(&board));
        let is_from_there = groups.beside(action.source()) >> action.target() & 1 != 0;
        i32::from(groups.nets_beside(!0).0[action.target()])
            - if is_from_there { 0 } else { i32::from(action.count()) }
    }

    #[test]
    fn landings_count_the_group_they_end_in() {
        let text = "8/8/8/2aaa3/8/8/3B4/2A5 w";
        assert_eq!(net(text, "1d2d4"), 2);
        assert_eq!(net(text, "2d2d4"), 1);
        // The rest of the stack stays in contact with the group.
        assert_eq!(net("8/8/8/2aaa3/8/3B4/8/8 w", "1d3d4"), 1);
        assert_eq!(net("8/8/8/2aaa3/8/3B4/8/8 w", "2d3d4"), 1);
        assert_eq!(net("8/8/8/2aaa3/3B4/3A4/8/8 w", "1d3d4"), 0);
    }
}
