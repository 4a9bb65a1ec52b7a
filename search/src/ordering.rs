//! Which action to try first.

use crate::blasts::{Blast, BlastEnd, Blasts, end_of};
use crate::board::{Board, dilated, flooded};
use crate::history::History;
use crate::packed_action::PackedAction;

/// What kind of action this is, which decides how far it may be reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A boom of a group of both sides.
    Blast,
    /// A boom of nothing but own stacks.
    LoneBoom,
    /// A move that lands beside opposing stacks of more bots than go with it.
    Attack,
    /// A move of a stack out of a group the opponent would gain by.
    Escape,
    /// Any other move onto an own stack.
    Stacking,
    /// Any other move.
    Quiet,
}

/// An action with what ordering knows of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    pub(crate) action: PackedAction,
    pub(crate) kind: Kind,
    pub(crate) score: i32,
}

/// What ordering goes by besides the board.
pub(crate) struct Hints<'a> {
    pub(crate) best: PackedAction,
    pub(crate) killers: [PackedAction; 2],
    pub(crate) counter: PackedAction,
    pub(crate) history: &'a History,
    /// Whether the side to move stands worse than a draw.
    pub(crate) is_worse: bool,
}

const BEST: i32 = 1 << 24;
const GOOD_BLAST: i32 = 1 << 22;
const ATTACK: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
const COUNTER: i32 = 1 << 18;
const ESCAPE: i32 = 1 << 15;
const BAD_LANDING: i32 = -(1 << 16);
const BAD_BLAST: i32 = -(1 << 18);
const LONE_BOOM: i32 = -(1 << 20);

/// Appends every action of the board that differs from the others, scored.
pub(crate) fn push_all(board: &Board, blasts: &Blasts, hints: &Hints<'_>, list: &mut Vec<Scored>) {
    for blast in blasts.iter() {
        list.push(scored_blast(board, blast, hints));
    }
    push_moves(board, blasts, hints, list);
    board.for_each_lone_boom(blasts, |action, squares| {
        let best = if action == hints.best { BEST } else { 0 };
        let score = best + LONE_BOOM - squares.count_ones() as i32;
        list.push(Scored { action, kind: Kind::LoneBoom, score });
    });
}

/// A boom of a group of both sides, scored.
pub(crate) fn scored_blast(board: &Board, blast: &Blast, hints: &Hints<'_>) -> Scored {
    let action = PackedAction::boom(blast.source(board));
    let value = match end_of(board, blast.squares) {
        Some(BlastEnd::Win) => 2 * GOOD_BLAST,
        Some(BlastEnd::Draw) if hints.is_worse => GOOD_BLAST,
        Some(BlastEnd::Draw) => BAD_BLAST,
        Some(BlastEnd::Loss) => 2 * LONE_BOOM,
        None if blast.net() >= 0 => GOOD_BLAST + blast.net() * 256,
        None => BAD_BLAST + blast.net() * 256,
    };
    // The table may know the group by another of its stacks.
    let is_best = hints.best.is_boom()
        && !hints.best.is_none()
        && blast.squares >> hints.best.source() & 1 != 0;
    Scored { action, kind: Kind::Blast, score: value + if is_best { BEST } else { 0 } }
}

fn push_moves(board: &Board, blasts: &Blasts, hints: &Hints<'_>, list: &mut Vec<Scored>) {
    let color = board.mover();
    let own = board.own();
    let landing = dilated(board.other());
    let endangered = blasts
        .iter()
        .filter(|blast| blast.net() < 0)
        .fold(0, |squares, blast| squares | blast.squares);
    board.for_each_move(|action| {
        let mut kind = Kind::Quiet;
        let mut score = hints.history.score(color, action);
        let (from, to) = (1_u64 << action.source(), 1_u64 << action.target());
        if own & to != 0 {
            kind = Kind::Stacking;
        }
        if endangered & from != 0 {
            kind = Kind::Escape;
            score += ESCAPE;
        }
        if landing & to != 0 {
            let net = landing_net(board, action, from, to);
            if net > 0 {
                kind = Kind::Attack;
                score += ATTACK + net * 8_192;
            } else if net < 0 {
                score += BAD_LANDING;
            }
        }
        if action == hints.best {
            score += BEST;
        } else if action == hints.killers[0] {
            score += KILLER + 1;
        } else if action == hints.killers[1] {
            score += KILLER;
        } else if action == hints.counter {
            score += COUNTER;
        }
        list.push(Scored { action, kind, score });
    });
}

/// Bots netted by booming the group in which a move ends.
#[inline]
fn landing_net(board: &Board, action: PackedAction, from: u64, to: u64) -> i32 {
    let height = board.height(action.source());
    let empties = if height == action.count() { from } else { 0 };
    let occupied = (board.occupied() & !empties) | to;
    let group = flooded(to, occupied);
    let other = board.bots_on(group & board.other());
    let mut own = board.bots_on(group & board.own() & !empties);
    own += i32::from(action.count());
    if empties == 0 && group & from != 0 {
        own -= i32::from(action.count());
    }
    other - own
}

/// Brings the best of the actions from `next` on to `next`.
#[inline]
pub(crate) fn select(list: &mut [Scored], next: usize) -> Scored {
    let mut best = next;
    for index in next + 1..list.len() {
        if list[index].score > list[best].score {
            best = index;
        }
    }
    list.swap(next, best);
    list[next]
}

#[cfg(test)]
mod tests {
    use boombots_rules::{Action, Position};

    use super::*;

    fn net(text: &str, action: &str) -> i32 {
        let board = Board::from(&text.parse::<Position>().unwrap());
        let action = PackedAction::from(action.parse::<Action>().unwrap());
        landing_net(&board, action, 1 << action.source(), 1 << action.target())
    }

    #[test]
    fn landings_count_the_group_they_end_in() {
        let text = "8/8/8/2aaa3/8/8/3B4/2A5 w";
        assert_eq!(net(text, "1d2d3"), 2);
        assert_eq!(net(text, "2d2d3"), 1);
        // The rest of the stack stays in contact with the group.
        assert_eq!(net("8/8/8/2aaa3/8/3B4/8/8 w", "1d3d4"), 1);
        assert_eq!(net("8/8/8/2aaa3/8/3B4/8/8 w", "2d3d4"), 1);
        assert_eq!(net("8/8/8/2aaa3/8/3B4/3A4/8 w", "1d2d3"), 0);
    }
}
