//! The positions after one action, each with what can be told of it at a glance.

use boombots_probe::Wdl;
use boombots_rules::Outcome;

use super::search::{Child, Prover};
use super::table::{NEVER, Numbers, Proved};
use crate::blasts::{BlastEnd, Blasts};
use crate::board::Board;
use crate::packed_action::PackedAction;

/// What is known without searching.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Glance {
    /// Proved, so many plies of search from an end or a table.
    Proved(u8),
    /// There is no win within the plies left.
    Disproved,
    /// The first guess at its numbers.
    Open(Numbers),
}

impl Prover<'_> {
    /// Appends the positions that the side to move can reach, `left` plies being left before the
    /// action. Stops at the first that settles the position.
    pub(crate) fn expand(&mut self, board: &Board, left: u8) {
        let is_winner = board.mover() == self.winner;
        self.each_child(board, left, |numbers| match is_winner {
            true => numbers.proof == 0,
            false => numbers.disproof == 0,
        });
    }

    /// Appends all the positions that the side to move can reach.
    pub(crate) fn list_children(&mut self, board: &Board, left: u8) {
        self.each_child(board, left.max(1), |_| false);
    }

    fn each_child(&mut self, board: &Board, left: u8, is_enough: impl Fn(Numbers) -> bool) {
        let mut actions = std::mem::take(&mut self.actions);
        let first = actions.len();
        self.for_each_action(board, |action| actions.push(action));
        for &action in &actions[first..] {
            let next = board.apply(action);
            let key = self.key(&next);
            let (numbers, plies) = self.look_at(&next, key, left - 1);
            self.children.push(Child { action, numbers, plies });
            if is_enough(numbers) {
                break;
            }
        }
        actions.truncate(first);
        self.actions = actions;
    }

    /// Calls `visit` with every action that differs from the others, booms of mixed groups first.
    pub(crate) fn for_each_action(&self, board: &Board, mut visit: impl FnMut(PackedAction)) {
        let blasts = Blasts::of(board);
        for blast in blasts.iter() {
            visit(PackedAction::boom(blast.source(board)));
        }
        board.for_each_move(&mut visit);
        board.for_each_lone_boom(&blasts, |action, _| visit(action));
    }

    /// The numbers of a position with so many plies left, and where it is proved the plies.
    pub(crate) fn look_at(&mut self, board: &Board, key: u64, left: u8) -> (Numbers, u8) {
        if let Some(proved) = self.memory.proved.get(key)
            && proved.plies <= left
        {
            return (Numbers::PROVED, proved.plies);
        }
        if let Some(numbers) = self.memory.open.get(key ^ mixed(left)) {
            return (numbers, 0);
        }
        self.nodes += 1;
        match self.glance(board, left) {
            Glance::Proved(plies) => (Numbers::PROVED, plies),
            Glance::Disproved => (Numbers::DISPROVED, 0),
            Glance::Open(numbers) => (numbers, 0),
        }
    }

    /// What can be told without searching and without remembering.
    pub(crate) fn glance(&mut self, board: &Board, left: u8) -> Glance {
        if let Some(is_won) = self.settled(board) {
            return if is_won { Glance::Proved(0) } else { Glance::Disproved };
        }
        if board.mover() == self.winner {
            if self.wins_at_once(board) {
                return if left >= 1 { Glance::Proved(1) } else { Glance::Disproved };
            }
            return match left {
                0..3 => Glance::Disproved,
                _ => Glance::Open(Numbers { proof: 1, disproof: 1 }),
            };
        }
        if left < 2 || Blasts::of(board).winning(board).is_some() {
            return Glance::Disproved;
        }
        // Without a threat the loser may do nearly anything.
        if !self.wins_at_once(&board.passed()) {
            if left < 4 {
                return Glance::Disproved;
            }
            let mut replies = 0;
            board.for_each_move(|_| replies += 1);
            return Glance::Open(Numbers { proof: 2 + replies / 2, disproof: 1 });
        }
        let escapes = self.escapes(board);
        match escapes {
            0 => Glance::Proved(2),
            _ if left < 4 => Glance::Disproved,
            _ => Glance::Open(Numbers { proof: escapes, disproof: 1 }),
        }
    }

    /// Whether the position is over or in a table, and then whether the winner wins it.
    pub(crate) fn settled(&mut self, board: &Board) -> Option<bool> {
        match board.outcome() {
            Some(Outcome::Win(color)) => return Some(color.index() == self.winner),
            Some(Outcome::Draw) => return Some(false),
            None => {}
        }
        let tables = self.tables.filter(|tables| tables.covers(board))?;
        self.table_hits += 1;
        let wdl = tables.wdl(board)?;
        let wanted = if board.mover() == self.winner { Wdl::Win } else { Wdl::Loss };
        Some(wdl == wanted)
    }

    /// Whether the winner, to move, has a boom that ends the game or leads to a won table.
    pub(crate) fn wins_at_once(&mut self, board: &Board) -> bool {
        self.boom_that_wins(board).is_some()
    }

    /// The boom of [`Prover::wins_at_once`], and the board after it.
    pub(crate) fn boom_that_wins(&mut self, board: &Board) -> Option<(PackedAction, Board)> {
        let blasts = Blasts::of(board);
        for blast in blasts.iter() {
            let wins = match blast.end(board) {
                Some(BlastEnd::Win) => true,
                Some(_) => false,
                None => {
                    let next = board.after_removal(blast.squares);
                    self.settled(&next) == Some(true)
                }
            };
            if wins {
                let action = PackedAction::boom(blast.source(board));
                return Some((action, board.after_removal(blast.squares)));
            }
        }
        None
    }

    /// How many replies of the loser do not lose at once; more than enough where one wins.
    fn escapes(&mut self, board: &Board) -> u32 {
        let mut actions = std::mem::take(&mut self.actions);
        let first = actions.len();
        self.for_each_action(board, |action| actions.push(action));
        let mut escapes = 0;
        for &action in &actions[first..] {
            let next = board.apply(action);
            self.nodes += 1;
            let lost = match self.settled(&next) {
                Some(is_won) => is_won,
                None => self.wins_at_once(&next),
            };
            escapes += u32::from(!lost);
        }
        actions.truncate(first);
        self.actions = actions;
        escapes.min(NEVER / 64)
    }

    /// Keeps that a position is proved.
    pub(crate) fn keep_proof(&mut self, key: u64, plies: u8, action: PackedAction) {
        self.memory.proved.put(key, Proved { plies, action });
    }
}

/// Tells positions with different plies left apart.
pub(crate) const fn mixed(left: u8) -> u64 {
    (left as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
