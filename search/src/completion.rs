//! Lines that promise an end, carried on to it.
//!
//! The line of best play that a search hands up may stop short of the end that
//! its score knows of: the rest was found in another iteration, by a search with
//! a closed window, or below an extension. What is missing is searched again,
//! from the end of the line with a window about the score alone.

use crate::alpha_beta::Node;
use crate::blasts::Blasts;
use crate::board::Board;
use crate::packed_action::PackedAction;
use crate::score::{MAX_PLY, SHORTEST_UNKNOWN_WIN, WIN};
use crate::worker::Worker;

/// How many plies deeper than the end is away the search for it goes at most:
/// late actions are searched less deeply.
const MORE_PLIES: i32 = 8;

impl Worker<'_> {
    /// Carries a line from the root on to the end its score promises, with at
    /// most so many nodes; as far as it gets.
    pub(crate) fn complete(
        &mut self,
        root: &Board,
        line: &mut Vec<PackedAction>,
        score: i32,
        allowance: u64,
    ) {
        let plies = WIN - score.abs();
        let is_decided = score.abs() >= SHORTEST_UNKNOWN_WIN && plies + 2 < MAX_PLY as i32;
        if !is_decided || line.len() as i32 >= plies {
            return;
        }
        let mut board = *root;
        let mut entered = 0;
        let mut ply = 0;
        let root_depth = self.root_depth;
        self.root_depth = root_depth.max(plies);
        self.allow(allowance);
        loop {
            // To the end of what is known so far.
            while let Some(&action) = line.get(ply) {
                if board.outcome().is_some() || !board.is_legal(action) {
                    break;
                }
                self.enter(&board);
                entered += 1;
                self.frames[ply].action = action;
                self.frames[ply + 1].quiet_plies =
                    if action.is_boom() { 0 } else { self.frames[ply].quiet_plies + 1 };
                board = board.apply(action);
                ply += 1;
            }
            let left = plies - ply as i32;
            if ply < line.len() || left <= 0 || board.outcome().is_some() {
                break;
            }
            let expected = if ply % 2 == 0 { score } else { -score };
            let Some(rest) = self.rest(&board, ply, left, expected) else {
                break;
            };
            line.extend_from_slice(&rest);
        }
        for _ in 0..entered {
            self.leave();
        }
        self.root_depth = root_depth;
        self.allow_all();
    }

    /// Play from a board at a ply that comes to the expected score.
    fn rest(
        &mut self,
        board: &Board,
        ply: usize,
        left: i32,
        expected: i32,
    ) -> Option<Vec<PackedAction>> {
        let blasts = Blasts::of(board);
        for depth in left..=left + MORE_PLIES {
            let node = Node { ply, depth, is_cut: false, may_pass: false };
            let (alpha, beta) = (expected - 1, expected + 1);
            let score = self.search::<true>(board, &blasts, alpha, beta, node);
            if self.is_stopped {
                return None;
            }
            let found = self.variations.line(ply);
            if score == expected && !found.is_empty() {
                return Some(found.to_vec());
            }
        }
        None
    }
}
