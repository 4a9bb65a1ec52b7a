//! The booms that matter: connected groups that hold stacks of both sides.
//!
//! Whoever booms such a group, the same stacks go, so one boom stands for all
//! of them, and each group is worth doing to one side at most.

use crate::board::{Board, dilated, flooded};

/// A connected group with stacks of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blast {
    /// The stacks that go.
    pub(crate) squares: u64,
    /// Bots the side to move loses.
    pub(crate) own: i32,
    /// Bots the other side loses.
    pub(crate) other: i32,
}

impl Blast {
    /// Bots the side to move nets.
    #[inline]
    pub(crate) const fn net(&self) -> i32 {
        self.other - self.own
    }

    /// A mover's stack to boom.
    #[inline]
    pub(crate) const fn source(&self, board: &Board) -> usize {
        (self.squares & board.own()).trailing_zeros() as usize
    }
}

/// How a boom ends the game for the side to move, if it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlastEnd {
    /// Only the mover has bots left.
    Win,
    /// Nobody has.
    Draw,
    /// Only the other side has.
    Loss,
}

/// All groups of a board that hold stacks of both sides, and what they offer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blasts {
    blasts: [Blast; Blasts::CAPACITY],
    len: usize,
    /// Bots the mover nets by its two most profitable groups; 0 for none.
    pub(crate) gains_of_mover: [i32; 2],
    /// The same for the side that waits.
    pub(crate) gains_of_waiting: [i32; 2],
}

impl Blasts {
    /// The most such groups a board has: each needs two stacks in contact and a
    /// ring of empty squares around it, so that the board fits at most 12
    /// blocks of 2 by 1 squares in their own 3 by 2.
    const CAPACITY: usize = 12;

    /// The groups of a board.
    #[inline]
    pub(crate) fn of(board: &Board) -> Blasts {
        let mut found = Blasts::default();
        let mut seeds = board.own() & dilated(board.other());
        if seeds != 0 {
            found.collect(board, &mut seeds);
        }
        found
    }

    fn collect(&mut self, board: &Board, seeds: &mut u64) {
        while *seeds != 0 {
            let squares = flooded(*seeds & seeds.wrapping_neg(), board.occupied());
            *seeds &= !squares;
            let blast = Blast {
                squares,
                own: board.bots_on(squares & board.own()),
                other: board.bots_on(squares & board.other()),
            };
            self.blasts[self.len] = blast;
            self.len += 1;
            rank(&mut self.gains_of_mover, blast.net());
            rank(&mut self.gains_of_waiting, -blast.net());
        }
    }

    /// Whether the sides touch nowhere.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The groups, in no particular order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Blast> {
        self.blasts[..self.len].iter()
    }

    /// The group that wins the game for the side to move, if any.
    #[inline]
    pub(crate) fn winning(&self, board: &Board) -> Option<&Blast> {
        self.iter().find(|blast| end_of(board, blast.squares) == Some(BlastEnd::Win))
    }

    /// Whether the side that waits has a boom that wins the game.
    #[inline]
    pub(crate) fn is_losing(&self, board: &Board) -> bool {
        self.iter().any(|blast| end_of(board, blast.squares) == Some(BlastEnd::Loss))
    }
}

/// How the game ends for the side to move when the given stacks go.
#[inline]
pub(crate) const fn end_of(board: &Board, squares: u64) -> Option<BlastEnd> {
    match (board.own() & !squares == 0, board.other() & !squares == 0) {
        (false, true) => Some(BlastEnd::Win),
        (true, true) => Some(BlastEnd::Draw),
        (true, false) => Some(BlastEnd::Loss),
        (false, false) => None,
    }
}

/// Keeps the two largest positive gains.
#[inline]
fn rank(gains: &mut [i32; 2], gain: i32) {
    if gain > gains[0] {
        *gains = [gain, gains[0]];
    } else if gain > gains[1] {
        gains[1] = gain;
    }
}

#[cfg(test)]
mod tests {
    use boombots_rules::Position;

    use super::*;

    fn board(text: &str) -> Board {
        Board::from(&text.parse::<Position>().unwrap())
    }

    #[test]
    fn each_group_is_found_once() {
        let board = board("Aa6/a6A/7a/2B5/3c4/8/8/A5aA w");
        let blasts = Blasts::of(&board);
        let mut nets: Vec<i32> = blasts.iter().map(Blast::net).collect();
        nets.sort_unstable();
        assert_eq!(nets, [0, 0, 1, 1]);
        assert_eq!(blasts.gains_of_mover, [1, 1]);
        assert_eq!(blasts.gains_of_waiting, [0, 0]);
    }

    #[test]
    fn ends_are_seen_from_the_mover() {
        let end = |text: &str| {
            let board = board(text);
            let blasts = Blasts::of(&board);
            let blast = blasts.iter().next().unwrap();
            assert!(board.own() >> blast.source(&board) & 1 == 1);
            end_of(&board, blast.squares)
        };
        assert_eq!(end("8/8/8/3Aa3/8/8/8/A7 w"), Some(BlastEnd::Win));
        assert_eq!(end("8/8/8/3Aa3/8/8/8/A7 b"), Some(BlastEnd::Loss));
        assert_eq!(end("8/8/8/3Aa3/8/8/8/8 b"), Some(BlastEnd::Draw));
        assert_eq!(end("a7/8/8/3Aa3/8/8/8/A7 b"), None);
    }
}
