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
#[derive(Clone, Copy)]
pub(crate) struct Hints {
    /// The best action so far, tried before any is listed.
    pub(crate) best: PackedAction,
    /// Quiet moves that were good nearby, the best first; some may be
    /// [`PackedAction::NONE`] or illegal here.
    pub(crate) favourites: [PackedAction; 3],
    /// Whether the side to move stands worse than a draw.
    pub(crate) is_worse: bool,
}

impl Hints {
    /// Nothing to go by.
    pub(crate) const NONE: Hints =
        Hints { best: PackedAction::NONE, favourites: [PackedAction::NONE; 3], is_worse: false };

    /// Whether the best action is a boom that takes the squares of a group,
    /// whichever of its stacks it names.
    #[inline]
    fn is_best_boom_of(&self, squares: u64) -> bool {
        self.best.is_boom() && !self.best.is_none() && squares >> self.best.source() & 1 != 0
    }
}

const GOOD_BLAST: i32 = 1 << 22;
const ATTACK: i32 = 1 << 20;
const FAVOURITE: i32 = 1 << 18;
const ESCAPE: i32 = 1 << 15;
const BAD_LANDING: i32 = -(1 << 16);
const BAD_BLAST: i32 = -(1 << 18);
const LONE_BOOM: i32 = -(1 << 20);

/// Scores from here up come before any quiet move.
const PROMISING: i32 = ESCAPE / 2;

/// Hands out the actions of a node one after the other, and lists them no
/// sooner than needed: the best one, booms and attacks, favourites, the rest.
///
/// The list is shared by the plies of a path; the picker's part of it begins at
/// `start` and holds the actions it has handed out, in their order, before those
/// it has not.
pub(crate) struct Picker {
    hints: Hints,
    stage: Stage,
    start: usize,
    /// How many actions were handed out.
    picked: usize,
    landing: u64,
    endangered: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Best,
    Tactical,
    Favourites,
    Rest,
    Done,
}

impl Picker {
    /// A picker that appends to the list.
    #[inline]
    pub(crate) fn new(hints: Hints, list: &[Scored]) -> Picker {
        Picker {
            hints,
            stage: Stage::Best,
            start: list.len(),
            picked: 0,
            landing: 0,
            endangered: 0,
        }
    }

    /// What was handed out so far.
    pub(crate) fn picked<'a>(&self, list: &'a [Scored]) -> &'a [Scored] {
        &list[self.start..self.start + self.picked]
    }

    /// Where the picker's part of the list begins.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The next action. Without `with_quiet` the favourites and the rest, once
    /// their turn comes, are not listed.
    #[inline]
    pub(crate) fn next(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        history: &History,
        with_quiet: bool,
        list: &mut Vec<Scored>,
    ) -> Option<Scored> {
        loop {
            let floor = if self.stage == Stage::Done { i32::MIN } else { PROMISING };
            if let Some(scored) = select(&mut list[self.start..], self.picked, floor) {
                self.picked += 1;
                return Some(scored);
            }
            match self.stage {
                Stage::Best => {
                    self.stage = Stage::Tactical;
                    let best = self.hints.best;
                    if !best.is_none() {
                        let kind = if best.is_boom() { Kind::Blast } else { Kind::Quiet };
                        list.push(Scored { action: best, kind, score: i32::MAX });
                    }
                }
                Stage::Tactical => {
                    self.stage = if with_quiet { Stage::Favourites } else { Stage::Done };
                    self.landing = dilated(board.other());
                    self.endangered = endangered(blasts);
                    push_blasts(board, blasts, &self.hints, list);
                    self.push_tactical(board, blasts, history, list);
                }
                Stage::Favourites => {
                    self.stage = Stage::Rest;
                    self.push_favourites(board, list);
                }
                Stage::Rest => {
                    self.stage = Stage::Done;
                    self.push_rest(board, history, list);
                    push_lone_booms(board, blasts, &self.hints, list);
                }
                Stage::Done => return None,
            }
        }
    }

    /// Appends the moves that land beside the opponent or leave a group he would
    /// gain by.
    fn push_tactical(
        &self,
        board: &Board,
        blasts: &Blasts,
        history: &History,
        list: &mut Vec<Scored>,
    ) {
        let color = board.mover();
        let own = board.own();
        let mut groups = None;
        let mut sources = own;
        while sources != 0 {
            let source = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let is_escape = self.endangered >> source & 1 != 0;
            let height = board.height(source);
            let wanted = if is_escape { !0 } else { self.landing };
            let mut targets = board.targets(source, height) & wanted;
            while targets != 0 {
                let target = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let (kind, base) = match (is_escape, own >> target & 1 != 0) {
                    (true, _) => (Kind::Escape, ESCAPE),
                    (false, true) => (Kind::Stacking, 0),
                    (false, false) => (Kind::Quiet, 0),
                };
                let landing = (self.landing >> target & 1 != 0).then(|| {
                    let groups = groups.get_or_insert_with(|| Groups::of(board, blasts));
                    groups.landing(source, target)
                });
                for count in 1..=height {
                    let action = PackedAction::moving(source, target, count);
                    if action == self.hints.best {
                        continue;
                    }
                    let score = base + history.score(color, action);
                    let mut scored = Scored { action, kind, score };
                    if let Some(landing) = landing {
                        let net = landing.net(count);
                        if net > 0 {
                            scored.kind = Kind::Attack;
                            scored.score += ATTACK + net * 8_192;
                        } else if net < 0 {
                            scored.score += BAD_LANDING;
                        }
                    }
                    list.push(scored);
                }
            }
        }
    }

    /// Appends the favourites that are legal, quiet and distinct.
    fn push_favourites(&mut self, board: &Board, list: &mut Vec<Scored>) {
        for index in 0..self.hints.favourites.len() {
            let action = self.hints.favourites[index];
            let is_wanted = !action.is_boom()
                && action != self.hints.best
                && !self.hints.favourites[..index].contains(&action)
                && self.is_quiet(action)
                && board.is_legal(action);
            if is_wanted {
                let kind = quiet_kind(board, action);
                list.push(Scored { action, kind, score: FAVOURITE - index as i32 });
            } else {
                self.hints.favourites[index] = PackedAction::NONE;
            }
        }
    }

    #[inline]
    fn is_quiet(&self, action: PackedAction) -> bool {
        (self.landing >> action.target() | self.endangered >> action.source()) & 1 == 0
    }

    /// Appends the moves not listed yet.
    fn push_rest(&self, board: &Board, history: &History, list: &mut Vec<Scored>) {
        let color = board.mover();
        let own = board.own();
        let [first, second, third] = self.hints.favourites;
        let listed = [self.hints.best, first, second, third];
        let special = listed.iter().fold(0_u64, |all, action| all | 1 << action.source());
        let mut sources = own & !self.endangered;
        while sources != 0 {
            let source = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let is_special = special >> source & 1 != 0;
            let height = board.height(source);
            let mut targets = board.targets(source, height) & !self.landing;
            while targets != 0 {
                let target = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let kind = if own >> target & 1 != 0 { Kind::Stacking } else { Kind::Quiet };
                for count in 1..=height {
                    let action = PackedAction::moving(source, target, count);
                    if is_special && listed.contains(&action) {
                        continue;
                    }
                    list.push(Scored { action, kind, score: history.score(color, action) });
                }
            }
        }
    }
}

fn quiet_kind(board: &Board, action: PackedAction) -> Kind {
    if board.own() >> action.target() & 1 != 0 { Kind::Stacking } else { Kind::Quiet }
}

fn push_blasts(board: &Board, blasts: &Blasts, hints: &Hints, list: &mut Vec<Scored>) {
    for blast in blasts.iter().filter(|blast| !hints.is_best_boom_of(blast.squares)) {
        list.push(scored_blast(board, blast, hints));
    }
}

fn push_lone_booms(board: &Board, blasts: &Blasts, hints: &Hints, list: &mut Vec<Scored>) {
    board.for_each_lone_boom(blasts, |action, squares| {
        if !hints.is_best_boom_of(squares) {
            let score = LONE_BOOM - squares.count_ones() as i32;
            list.push(Scored { action, kind: Kind::LoneBoom, score });
        }
    });
}

/// The groups that the opponent would gain by booming.
#[inline]
fn endangered(blasts: &Blasts) -> u64 {
    blasts.iter().filter(|blast| blast.net() < 0).fold(0, |all, blast| all | blast.squares)
}

/// A boom of a group of both sides, scored.
fn scored_blast(board: &Board, blast: &Blast, hints: &Hints) -> Scored {
    let action = PackedAction::boom(blast.source(board));
    let value = match end_of(board, blast.squares) {
        Some(BlastEnd::Win) => 2 * GOOD_BLAST,
        Some(BlastEnd::Draw) if hints.is_worse => GOOD_BLAST,
        Some(BlastEnd::Draw) => BAD_BLAST,
        Some(BlastEnd::Loss) => 2 * LONE_BOOM,
        None if blast.net() >= 0 => GOOD_BLAST + blast.net() * 256,
        None => BAD_BLAST + blast.net() * 256,
    };
    Scored { action, kind: Kind::Blast, score: value }
}

/// The connected groups of a board, to tell what a move would land beside.
struct Groups {
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

    fn of(board: &Board, blasts: &Blasts) -> Groups {
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

    /// What moves from one square to another end in. That a group may fall apart
    /// without the stack that leaves it is overlooked: only the order of trying
    /// depends on it.
    #[inline]
    fn landing(&self, source: usize, target: usize) -> Landing {
        let from = 1_u64 << source;
        let beside = dilated(1 << target);
        let mut landing = Landing { there: 0, is_from_there: false };
        for group in &self.groups[..self.len] {
            if group.squares & beside != 0 {
                landing.there += group.net;
                landing.is_from_there |= group.squares & from != 0;
            }
        }
        landing
    }
}

/// What moves from one square to another end in, in bots the mover nets by
/// booming there.
#[derive(Clone, Copy)]
struct Landing {
    /// Of the groups beside the target.
    there: i32,
    /// Whether the stack that moves is in one of them.
    is_from_there: bool,
}

impl Landing {
    /// Bots netted after a move of `count` bots.
    #[inline]
    const fn net(self, count: u8) -> i32 {
        if self.is_from_there { self.there } else { self.there - count as i32 }
    }
}

/// Brings the best of the actions from `next` on to `next`, unless it scores
/// below `floor`.
#[inline]
fn select(list: &mut [Scored], next: usize, floor: i32) -> Option<Scored> {
    let (mut best, mut best_score) = (next, list.get(next)?.score);
    for (index, scored) in list.iter().enumerate().skip(next + 1) {
        if scored.score > best_score {
            (best, best_score) = (index, scored.score);
        }
    }
    if best_score < floor {
        return None;
    }
    list.swap(next, best);
    Some(list[next])
}

#[cfg(test)]
mod tests {
    use boombots_rules::{Action, Position};

    use super::*;

    fn net(text: &str, action: &str) -> i32 {
        let board = Board::from(&text.parse::<Position>().unwrap());
        let action = PackedAction::from(action.parse::<Action>().unwrap());
        let groups = Groups::of(&board, &Blasts::of(&board));
        groups.landing(action.source(), action.target()).net(action.count())
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
