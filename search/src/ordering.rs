//! Which action to try first.

use boombots_rules::Square;

use crate::blasts::{Blast, BlastEnd, Blasts, end_of};
use crate::board::{Board, dilated, reach};
use crate::groups::Groups;
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
    /// Squares beside opposing stacks.
    landing: u64,
    /// Those of them where a boom would net bots.
    attackable: u64,
    /// Groups the opponent would gain by.
    endangered: u64,
    /// Bots the mover nets when all groups beside a square in reach go, where
    /// opposing stacks are beside it.
    nets: [i8; Square::COUNT],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Best,
    Tactical,
    Favourites,
    Landings,
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
            attackable: 0,
            endangered: 0,
            nets: [0; Square::COUNT],
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
                    self.landing = dilated(board.other());
                    self.endangered = endangered(blasts);
                    push_blasts(board, blasts, &self.hints, list);
                    self.push_tactical(board, blasts, history, list);
                    // Where quiet moves are not looked at, those that land beside
                    // the opponent still are.
                    self.stage = if with_quiet { Stage::Favourites } else { Stage::Landings };
                }
                Stage::Favourites => {
                    self.stage = Stage::Rest;
                    self.push_favourites(board, list);
                }
                Stage::Landings => {
                    self.stage = Stage::Done;
                    self.push_rest(board, blasts, history, self.landing, list);
                }
                Stage::Rest => {
                    self.stage = Stage::Done;
                    self.push_rest(board, blasts, history, !0, list);
                    push_lone_booms(board, blasts, &self.hints, list);
                }
                Stage::Done => return None,
            }
        }
    }

    /// Appends the moves that land where a boom would net bots, and those out of
    /// a group the opponent would gain by.
    fn push_tactical(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        history: &History,
        list: &mut Vec<Scored>,
    ) {
        let color = board.mover();
        let own = board.own();
        let in_reach = reach(&board.at_least(own)) & self.landing & !board.other();
        let groups = (in_reach != 0).then(|| Groups::of(board, blasts));
        if let Some(groups) = &groups {
            let mut targets = in_reach;
            while targets != 0 {
                let target = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let net = groups.net_beside(target);
                self.nets[target] = net as i8;
                if net > 0 {
                    self.attackable |= 1 << target;
                }
            }
        }
        if (self.attackable | self.endangered) == 0 {
            return;
        }
        let mut sources = own;
        while sources != 0 {
            let source = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let is_escape = self.endangered >> source & 1 != 0;
            let height = board.height(source);
            let wanted = if is_escape { !0 } else { self.attackable };
            let mut targets = board.targets(source, height) & wanted;
            if targets == 0 {
                continue;
            }
            let group = groups.as_ref().map_or(0, |groups| groups.holding(source));
            while targets != 0 {
                let target = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let kind = match (is_escape, own >> target & 1 != 0) {
                    (true, _) => Kind::Escape,
                    (false, true) => Kind::Stacking,
                    (false, false) => Kind::Quiet,
                };
                // That a group may fall apart without the stack that leaves it is
                // overlooked: only the order of trying depends on it.
                let is_from_there = group & dilated(1 << target) != 0;
                // What lies between the least and the most that can go matters little.
                let step = if is_escape { 1 } else { (height - 1).max(1) };
                let mut next_count = 1;
                while next_count <= height {
                    let count = next_count;
                    next_count += step;
                    let action = PackedAction::moving(source, target, count);
                    if action == self.hints.best {
                        continue;
                    }
                    let net = i32::from(self.nets[target])
                        - if is_from_there { 0 } else { i32::from(count) };
                    let mut scored = Scored { action, kind, score: history.score(color, action) };
                    if is_escape {
                        scored.score += ESCAPE;
                    }
                    if self.attackable >> target & 1 != 0 && net > 0 {
                        scored.kind = Kind::Attack;
                        scored.score += ATTACK + net * 8_192;
                    } else if self.landing >> target & 1 != 0 && net < 0 {
                        scored.score += BAD_LANDING;
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

    /// Appends the moves to squares of `wanted` not listed yet.
    fn push_rest(
        &self,
        board: &Board,
        blasts: &Blasts,
        history: &History,
        wanted: u64,
        list: &mut Vec<Scored>,
    ) {
        let mut groups = None;
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
            // Of an attack the smallest and the largest are listed.
            let listed_targets = if height < 3 { self.attackable } else { 0 };
            let mut targets = board.targets(source, height) & wanted & !listed_targets;
            while targets != 0 {
                let target = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let kind = if own >> target & 1 != 0 { Kind::Stacking } else { Kind::Quiet };
                let is_attack = self.attackable >> target & 1 != 0;
                let is_landing = self.landing >> target & 1 != 0 && !is_attack;
                let net = i32::from(self.nets[target]);
                let is_bad = is_landing
                    && (net < 0 || {
                        let groups = groups.get_or_insert_with(|| Groups::of(board, blasts));
                        groups.holding(source) & dilated(1 << target) == 0
                    });
                let base = if is_bad { BAD_LANDING } else { 0 };
                let counts = if is_attack { 2..=height - 1 } else { 1..=height };
                for count in counts {
                    let action = PackedAction::moving(source, target, count);
                    if is_special && listed.contains(&action) {
                        continue;
                    }
                    list.push(Scored { action, kind, score: base + history.score(color, action) });
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
