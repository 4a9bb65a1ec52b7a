//! The principal-variation search of one position to a depth.

use crate::blasts::{BlastEnd, Blasts, end_of};
use crate::board::Board;
use crate::busy::{self, Busy, PutOff};
use crate::history;
use crate::ordering::{Hints, Kind, Picker, Scored};
use crate::packed_action::PackedAction;
use crate::score::{DECIDED, INFINITE, MAX_PLY, WIN, from_table, to_table};
use crate::transposition::{Bound, Entry};
use crate::worker::{Memory, UNKNOWN, Worker};

/// With so many bots or fewer no quiet move is left out for coming late or for
/// having done badly: there are not many, and what is decided by who runs out of
/// harmless ones hangs on the last.
const FEW_BOTS: i32 = 8;

/// A node's place in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    /// Whether a cut-off is expected.
    pub(crate) is_cut: bool,
    /// Whether the side to move may pass to see if it needs to move at all.
    pub(crate) may_pass: bool,
}

impl Node {
    fn child(self, depth: i32, is_cut: bool) -> Node {
        Node { ply: self.ply + 1, depth, is_cut, may_pass: true }
    }
}

impl Worker<'_> {
    /// The score of a position for its side to move. At least `beta` or at most
    /// `alpha` it is a bound; meaningless once the worker is stopped.
    ///
    /// `PV` is whether the window is open and the line of best play is wanted;
    /// `blasts` are the board's.
    pub(crate) fn search<const PV: bool>(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        mut alpha: i32,
        mut beta: i32,
        mut node: Node,
    ) -> i32 {
        let ply = node.ply;
        if PV {
            self.variations.clear(ply);
            self.deepest_ply = self.deepest_ply.max(ply);
        }
        if self.is_stopped {
            return 0;
        }
        if self.has_occurred(board, self.frames[ply].quiet_plies) {
            return self.shared.draw(board);
        }
        if let Some(blast) = blasts.winning(board) {
            if PV {
                self.variations.end(ply, PackedAction::boom(blast.source(board)));
            }
            return WIN - ply as i32 - 1;
        }
        // Nothing is better than winning in three plies from here on, and
        // nothing worse than losing at once.
        alpha = alpha.max(ply as i32 + 1 - WIN);
        beta = beta.min(WIN - ply as i32 - 2);
        if alpha >= beta {
            return alpha;
        }
        if let Some(score) = self.probe(board, alpha, beta, ply, node.depth) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.judge(board, blasts);
        }

        let in_danger = blasts.is_losing(board);
        if in_danger && (ply as i32) < 2 * self.root_depth + 8 {
            node.depth = node.depth.max(0) + 1;
        }
        if node.depth <= 0 {
            return self.quiescence::<PV>(board, blasts, alpha, beta, ply);
        }
        self.search_actions::<PV>(board, blasts, alpha, beta, node, in_danger)
    }

    fn search_actions<const PV: bool>(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        mut alpha: i32,
        beta: i32,
        node: Node,
        in_danger: bool,
    ) -> i32 {
        let Node { ply, mut depth, .. } = node;
        let table = self.shared.table;
        let known = table.get(self.shared.key(board));
        let mut table_action = PackedAction::NONE;
        if let Some(entry) = known {
            let score = from_table(entry.score, ply as i32);
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if !PV && entry.depth >= depth && is_enough {
                return score;
            }
            if !entry.action.is_none() && board.is_legal(entry.action) {
                table_action = entry.action;
            }
        }

        let value = if in_danger { UNKNOWN } else { self.judge(board, blasts) };
        self.frames[ply].value = value;
        let mut expected = value;
        if let (Some(entry), false) = (known, in_danger) {
            let score = from_table(entry.score, ply as i32);
            let is_better = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score > value,
                Bound::Upper => score < value,
            };
            if is_better && score.abs() < DECIDED {
                expected = score;
            }
        }
        let is_improving = !in_danger && ply >= 2 && value > self.frames[ply - 2].value;

        if !PV && !in_danger && beta.abs() < DECIDED {
            if let Some(score) = self.prune_node(board, blasts, beta, node, expected, is_improving)
            {
                return score;
            }
            if self.is_stopped {
                return 0;
            }
        }
        if table_action.is_none() && depth >= 4 && (PV || node.is_cut) {
            depth -= 1;
        }

        let color = board.mover();
        let previous = if ply > 0 { self.frames[ply - 1].action } else { PackedAction::NONE };
        let refuted = Some(previous).filter(|action| !action.is_none() && !action.is_boom());
        self.frames[ply + 1].killers = [PackedAction::NONE; 2];
        self.enter(board);

        let [first, second] = self.frames[ply].killers;
        let counter =
            refuted.map_or(PackedAction::NONE, |action| self.memory.history.counter(color, action));
        let hints = Hints {
            best: table_action,
            favourites: [first, second, counter],
            is_worse: !in_danger && value < self.shared.draw(board),
        };
        // Near the leaves quiet actions that would have to gain too much are not
        // worth a look.
        let futile = value.saturating_add(60 + 70 * depth);
        let with_quiet = PV || in_danger || depth > 5 || futile > alpha || alpha.abs() >= DECIDED;

        let mut picker = Picker::new(hints, &mut self.memory.actions[ply]);
        let mut best = if with_quiet { -INFINITE } else { futile };
        let mut best_action = PackedAction::NONE;
        let original_alpha = alpha;
        let mut number = 0;
        let mut quiets = 0;
        let mut is_listing = true;
        let may_put_off = !self.shared.is_alone && depth >= busy::LEAST_DEPTH;
        let mut put_off = may_put_off.then(PutOff::new);
        loop {
            let Memory { history, actions, .. } = &mut *self.memory;
            let listed = if is_listing {
                picker.next(board, blasts, history, with_quiet, &mut actions[ply])
            } else {
                None
            };
            is_listing = listed.is_some();
            number += usize::from(is_listing);
            let next = listed.map(|scored| (scored, number));
            let Some((scored, number)) = next.or_else(|| put_off.as_mut()?.pop()) else {
                break;
            };
            let Scored { action, kind, .. } = scored;
            let is_quiet = matches!(kind, Kind::Quiet | Kind::Stacking | Kind::Escape);

            if is_listing && !PV && number > 1 && best > -DECIDED && !in_danger {
                if matches!(kind, Kind::Quiet | Kind::Stacking) && board.all_bots() > FEW_BOTS {
                    // Late quiet actions near the leaves are not worth a look, and
                    // what follows them is worse.
                    let most = (4 + 3 * depth * depth) / if is_improving { 1 } else { 2 };
                    if depth <= 6 && quiets >= most {
                        is_listing = false;
                        continue;
                    }
                    if depth <= 3 && self.memory.history.score(color, action) < -1_500 * depth {
                        continue;
                    }
                }
                let loses_bots =
                    kind == Kind::LoneBoom || (kind == Kind::Blast && scored.score < 0);
                if loses_bots && depth <= 6 {
                    continue;
                }
            }
            let key = may_put_off.then(|| Busy::key(board, action, depth));
            if let (Some(key), Some(put_off)) = (key, &mut put_off)
                && is_listing
                && number > 1
                && self.shared.busy.contains(key)
                && put_off.push((scored, number))
            {
                continue;
            }
            if is_quiet {
                quiets += 1;
            }

            if let Some(key) = key {
                self.shared.busy.enter(key);
            }
            let tried = self.try_action::<PV>(
                board,
                blasts,
                alpha,
                beta,
                node,
                depth,
                scored,
                Try {
                    number,
                    is_improving,
                    in_danger,
                    is_killer: self.frames[ply].killers.contains(&action),
                    is_first: number == 1,
                },
            );
            if let Some(key) = key {
                self.shared.busy.leave(key);
            }
            let Some(score) = tried else {
                break;
            };

            if score > best {
                best = score;
                if score > alpha {
                    best_action = action;
                    alpha = score;
                    if PV {
                        self.variations.raise(ply, action);
                    }
                    if score >= beta {
                        if is_quiet || kind == Kind::Attack {
                            self.reward(color, action, depth, ply, refuted);
                        }
                        break;
                    }
                }
            }
        }
        self.leave();
        if self.is_stopped {
            return 0;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = to_table(best, ply as i32);
        table.put(self.shared.key(board), Entry { action: best_action, score, depth, bound });
        best
    }

    /// The score of an action, `None` when the worker was stopped.
    #[allow(clippy::too_many_arguments, reason = "all of it is the node's state")]
    fn try_action<const PV: bool>(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        alpha: i32,
        beta: i32,
        node: Node,
        depth: i32,
        scored: Scored,
        attempt: Try,
    ) -> Option<i32> {
        let action = scored.action;
        let ply = node.ply;
        let mut fresh = Blasts::default();
        let child_blasts;
        let child = if action.is_boom() {
            let squares = board.explosion(action.source());
            self.count_node();
            match end_of(board, squares) {
                Some(end) => {
                    if PV {
                        self.variations.clear(ply + 1);
                    }
                    let ply = ply as i32 + 1;
                    return (!self.is_stopped).then_some(match end {
                        BlastEnd::Win => WIN - ply,
                        BlastEnd::Draw => self.shared.draw(board),
                        BlastEnd::Loss => ply - WIN,
                    });
                }
                None => {
                    let child = board.after_removal(squares);
                    fresh.fill_after_removal(&child, blasts, squares);
                    child_blasts = &fresh;
                    child
                }
            }
        } else {
            self.count_node();
            let child = board.apply(action);
            if blasts.outlast(board, action.source(), action.target()) {
                child_blasts = blasts;
            } else {
                fresh.fill(&child);
                child_blasts = &fresh;
            }
            child
        };
        let blasts = child_blasts;
        if depth > 1 {
            self.shared.table.prefetch(self.shared.key(&child));
        }
        self.frames[ply].action = action;
        self.frames[ply + 1].quiet_plies =
            if action.is_boom() { 0 } else { self.frames[ply].quiet_plies + 1 };

        let full = depth - 1;
        let score = if attempt.is_first {
            -self.search::<PV>(&child, blasts, -beta, -alpha, node.child(full, !PV && !node.is_cut))
        } else {
            let mut reduced = full;
            if depth >= 2 && attempt.number > if PV { 3 } else { 1 } {
                let plies = self.reduction::<PV>(board.mover(), node, depth, scored, &attempt);
                reduced = (full - plies).clamp(1.min(full), full);
            }
            let window = -alpha - 1;
            let mut score =
                -self.search::<false>(&child, blasts, window, -alpha, node.child(reduced, true));
            if score > alpha && reduced < full && !self.is_stopped {
                score = -self.search::<false>(
                    &child,
                    blasts,
                    window,
                    -alpha,
                    node.child(full, !node.is_cut),
                );
            }
            if PV && score > alpha && score < beta && !self.is_stopped {
                score = -self.search::<PV>(&child, blasts, -beta, -alpha, node.child(full, false));
            }
            score
        };
        (!self.is_stopped).then_some(score)
    }

    fn reward(
        &mut self,
        color: usize,
        action: PackedAction,
        depth: i32,
        ply: usize,
        refuted: Option<PackedAction>,
    ) {
        let bonus = history::bonus(depth);
        let memory = &mut *self.memory;
        memory.history.add(color, action, bonus);
        for other in memory.actions[ply].taken() {
            if !other.is_boom() && other != action {
                memory.history.add(color, other, -bonus);
            }
        }
        let killers = &mut self.frames[ply].killers;
        if killers[0] != action {
            *killers = [action, killers[0]];
        }
        if let Some(refuted) = refuted {
            memory.history.set_counter(color, refuted, action);
        }
    }
}

/// How an action comes to be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Try {
    /// From 1 in the order of trying, skipped ones included.
    pub(crate) number: usize,
    pub(crate) is_improving: bool,
    pub(crate) in_danger: bool,
    pub(crate) is_killer: bool,
    pub(crate) is_first: bool,
}
