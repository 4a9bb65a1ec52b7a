//! The connected groups of a board, of one side or both.

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
    /// Bots the side to move nets when it goes.
    net: i32,
}

impl Groups {
    /// Squares no two of which are adjacent: one in each block of four.
    const CAPACITY: usize = 16;

    pub(crate) fn of(board: &Board, blasts: &Blasts) -> Groups {
        let mut found = Groups { groups: [Group::default(); Groups::CAPACITY], len: 0 };
        let mut seeds = board.occupied();
        for blast in blasts.iter() {
            seeds &= !blast.squares;
            found.push(Group { squares: blast.squares, net: blast.net() });
        }
        // What is left are groups of one side.
        while seeds != 0 {
            let squares = flooded(seeds & seeds.wrapping_neg(), seeds);
            seeds &= !squares;
            let bots = board.bots_on(squares);
            let net = if squares & board.own() != 0 { -bots } else { bots };
            found.push(Group { squares, net });
        }
        found
    }

    fn push(&mut self, group: Group) {
        self.groups[self.len] = group;
        self.len += 1;
    }

    /// Bots the mover nets when all groups beside a square go.
    #[inline]
    pub(crate) fn net_beside(&self, target: usize) -> i32 {
        let beside = dilated(1 << target);
        let groups = self.groups[..self.len].iter().filter(|group| group.squares & beside != 0);
        groups.map(|group| group.net).sum()
    }

    /// The group that holds a stack.
    #[inline]
    pub(crate) fn holding(&self, source: usize) -> u64 {
        let groups = &self.groups[..self.len];
        groups
            .iter()
            .find(|group| group.squares >> source & 1 != 0)
            .map_or(0, |group| group.squares)
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
        let is_from_there = groups.holding(action.source()) & dilated(1 << action.target()) != 0;
        groups.net_beside(action.target())
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
