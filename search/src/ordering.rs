//! Which action to try first.

use boombots_rules::Square;

use crate::action_list::{ActionList, SCORE_BOUND};
use crate::blasts::{Blast, BlastEnd, Blasts};
use crate::board::{Board, dilated};
use crate::groups::Groups;
use crate::history::History;
use crate::packed_action::PackedAction;
use crate::pair::Pair;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

const GOOD_BLAST: i32 = 1 << 21;
const ATTACK: i32 = 1 << 20;
const FAVOURITE: i32 = 1 << 18;
const ESCAPE: i32 = 1 << 15;
const BAD_LANDING: i32 = -(1 << 16);
const BAD_BLAST: i32 = -(1 << 18);
const LONE_BOOM: i32 = -(1 << 20);

/// What a centibot of better places counts for beside what was learnt of a move.
const GAIN: i32 = 8;

/// Scores from here up come before any quiet move.
const PROMISING: i32 = ESCAPE / 2;

/// Hands out the actions of a node one after the other, and lists them no
/// sooner than needed: the best one, booms and attacks, favourites, the rest.
///
/// The list is the caller's, so that it need not be made anew for every node.
pub(crate) struct Picker {
    hints: Hints,
    stage: Stage,
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
    /// A picker that fills the list.
    #[inline]
    pub(crate) fn new(hints: Hints, list: &mut ActionList) -> Picker {
        list.clear();
        Picker {
            hints,
            stage: Stage::Best,
            landing: 0,
            attackable: 0,
            endangered: 0,
            nets: [0; Square::COUNT],
        }
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
        list: &mut ActionList,
    ) -> Option<Scored> {
        loop {
            let floor = if self.stage == Stage::Done { i32::MIN } else { PROMISING };
            if let Some(scored) = list.take_best(floor) {
                return Some(scored);
            }
            match self.stage {
                Stage::Best => {
                    self.stage = Stage::Tactical;
                    let best = self.hints.best;
                    if !best.is_none() {
                        let kind = if best.is_boom() { Kind::Blast } else { Kind::Quiet };
                        list.push(Scored { action: best, kind, score: SCORE_BOUND - 1 });
                    }
                }
                Stage::Tactical => {
                    self.landing = dilated(board.other());
                    self.endangered = endangered(blasts, board.mover());
                    self.push_blasts(board, blasts, list);
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
                    // None of the favourites was listed.
                    self.hints.favourites = [PackedAction::NONE; 3];
                    self.push_rest(board, blasts, history, self.landing, list);
                }
                Stage::Rest => {
                    self.stage = Stage::Done;
                    self.push_rest(board, blasts, history, !0, list);
                    self.push_lone_booms(board, blasts, list);
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
        list: &mut ActionList,
    ) {
        let color = board.mover();
        let own = board.own();
        let stacks = Pair::of([board.stacks(0), board.stacks(1)]);
        let reached = stacks.reach(&board.taller()).squares()[color];
        let in_reach = reached & self.landing & !board.other();
        let groups = (in_reach != 0).then(|| Groups::of(board, blasts));
        if let Some(groups) = &groups {
            (self.nets, self.attackable) = groups.nets_beside(in_reach);
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
            // That a group may fall apart without the stack that leaves it is
            // overlooked: only the order of trying depends on it.
            let beside = groups.as_ref().map_or(0, |groups| groups.beside(source));
            // What lies between the least and the most that can go matters little.
            let step = if is_escape { 1 } else { (height - 1).max(1) };
            while targets != 0 {
                let target = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let mut count = 1;
                while count <= height {
                    let action = PackedAction::moving(source, target, count);
                    let staying = if beside >> target & 1 != 0 { 0 } else { i32::from(count) };
                    let net = i32::from(self.nets[target]) - staying;
                    let learnt = history.score(color, action);
                    let (kind, score) = if self.attackable >> target & 1 != 0 && net > 0 {
                        (Kind::Attack, learnt + ATTACK + net * 8_192)
                    } else {
                        let kind = if is_escape { Kind::Escape } else { quiet_kind(own, target) };
                        let is_bad = self.landing >> target & 1 != 0 && net < 0;
                        (kind, learnt + if is_bad { BAD_LANDING } else { 0 })
                    };
                    if action != self.hints.best {
                        let score = score + if is_escape { ESCAPE } else { 0 };
                        list.push(Scored { action, kind, score });
                    }
                    count += step;
                }
            }
        }
    }

    /// Appends the favourites that are legal, quiet and distinct.
    fn push_favourites(&mut self, board: &Board, list: &mut ActionList) {
        for index in 0..self.hints.favourites.len() {
            let action = self.hints.favourites[index];
            let is_wanted = !action.is_boom()
                && action != self.hints.best
                && !self.hints.favourites[..index].contains(&action)
                && self.is_quiet(action)
                && board.is_legal(action);
            if is_wanted {
                let kind = quiet_kind(board.own(), action.target());
                let score = FAVOURITE - index as i32;
                list.push(Scored { action, kind, score });
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
        list: &mut ActionList,
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
                let kind = quiet_kind(own, target);
                let is_attack = self.attackable >> target & 1 != 0;
                let is_landing = self.landing >> target & 1 != 0 && !is_attack;
                let net = i32::from(self.nets[target]);
                let is_bad = is_landing
                    && (net < 0 || {
                        let groups = groups.get_or_insert_with(|| Groups::of(board, blasts));
                        groups.beside(source) >> target & 1 == 0
                    });
                let base = if is_bad { BAD_LANDING } else { 0 };
                let counts = if is_attack { 2..=height - 1 } else { 1..=height };
                for count in counts {
                    let action = PackedAction::moving(source, target, count);
                    if is_special && listed.contains(&action) {
                        continue;
                    }
                    let gain = board.placement_gain(source, target, height, count);
                    let score = base + history.score(color, action) + GAIN * gain;
                    list.push(Scored { action, kind, score });
                }
            }
        }
    }

    fn push_blasts(&self, board: &Board, blasts: &Blasts, list: &mut ActionList) {
        for blast in blasts.iter().filter(|blast| !self.hints.is_best_boom_of(blast.squares)) {
            list.push(scored_blast(board, blast, &self.hints));
        }
    }

    fn push_lone_booms(&self, board: &Board, blasts: &Blasts, list: &mut ActionList) {
        board.for_each_lone_boom(blasts, |action, squares| {
            if !self.hints.is_best_boom_of(squares) {
                let score = LONE_BOOM - squares.count_ones() as i32;
                list.push(Scored { action, kind: Kind::LoneBoom, score });
            }
        });
    }
}

#[inline]
fn quiet_kind(own: u64, target: usize) -> Kind {
    if own >> target & 1 != 0 { Kind::Stacking } else { Kind::Quiet }
}

/// The groups that the opponent would gain by booming.
#[inline]
fn endangered(blasts: &Blasts, color: usize) -> u64 {
    blasts.iter().filter(|blast| blast.net(color) < 0).fold(0, |all, blast| all | blast.squares)
}

/// A boom of a group of both sides, scored.
fn scored_blast(board: &Board, blast: &Blast, hints: &Hints) -> Scored {
    let action = PackedAction::boom(blast.source(board));
    let net = blast.net(board.mover());
    let value = match blast.end(board) {
        Some(BlastEnd::Win) => 2 * GOOD_BLAST,
        Some(BlastEnd::Draw) if hints.is_worse => GOOD_BLAST,
        Some(BlastEnd::Draw) => BAD_BLAST,
        Some(BlastEnd::Loss) => 2 * LONE_BOOM,
        None if net >= 0 => GOOD_BLAST + net * 256,
        None => BAD_BLAST + net * 256,
    };
    Scored { action, kind: Kind::Blast, score: value }
}
