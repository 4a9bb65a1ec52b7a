//! Iterative deepening from the root.

use crate::action_list::ActionList;
use crate::alpha_beta::Node;
use crate::blasts::{BlastEnd, Blasts, end_of};
use crate::board::Board;
use crate::busy::{self, Busy, PutOff};
use crate::ordering::{Hints, Picker};
use crate::packed_action::PackedAction;
use crate::score::{DECIDED, INFINITE, SHORTEST_UNKNOWN_WIN, WIN, to_table};
use crate::transposition::{Bound, Entry};
use crate::worker::Worker;

/// An action of the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootAction {
    pub(crate) action: PackedAction,
    /// Of this iteration; `-INFINITE` when it has not searched the action with
    /// an open window.
    score: i32,
    /// The last score of the iterations before, `-INFINITE` when there is none.
    previous: i32,
    /// The line of best play, this action first.
    pub(crate) line: Vec<PackedAction>,
}

impl RootAction {
    /// The score of this iteration or an earlier one; `None` when none searched
    /// the action with an open window.
    pub(crate) fn known_score(&self) -> Option<i32> {
        [self.score, self.previous].into_iter().find(|score| *score > -INFINITE)
    }
}

/// Nodes that may be spent on a line at any rate.
const LEAST_ALLOWANCE: u64 = 20_000;

/// The root's actions, the best first.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    board: Board,
    pub(crate) actions: Vec<RootAction>,
}

impl Root {
    /// The root of a board, its actions ordered without search; only those that
    /// `keep` accepts.
    pub(crate) fn new(board: Board, worker: &mut Worker<'_>, allowed: &[PackedAction]) -> Root {
        let mut list = Vec::new();
        let mut listed = ActionList::new();
        if board.outcome().is_none() {
            let blasts = Blasts::of(&board);
            let mut picker = Picker::new(Hints::NONE, &mut listed);
            let history = &worker.memory.history;
            while let Some(scored) = picker.next(&board, &blasts, history, true, &mut listed) {
                list.push(scored);
            }
        }
        let known = worker.shared.table.get(worker.shared.key(&board));
        let known = known.map_or(PackedAction::NONE, |entry| entry.action);
        list.sort_by_key(|scored| scored.action != known);
        let actions = list
            .into_iter()
            .filter(|scored| allowed.is_empty() || allowed.contains(&scored.action))
            .map(|scored| RootAction {
                action: scored.action,
                score: -INFINITE,
                previous: -INFINITE,
                line: vec![scored.action],
            })
            .collect();
        Root { board, actions }
    }

    /// Searches to a depth, the `lines` best actions with scores of their own,
    /// and brings these to the front. When the worker is stopped on the way,
    /// what was found until then counts.
    pub(crate) fn iterate(&mut self, worker: &mut Worker<'_>, depth: i32, lines: usize) {
        worker.root_depth = depth;
        worker.deepest_ply = 0;
        for action in &mut self.actions {
            action.previous = action.known_score().unwrap_or(-INFINITE);
            action.score = -INFINITE;
        }
        for first in 0..lines.min(self.actions.len()) {
            self.aspire(worker, depth, first);
            // Within the finished part the order is by score; the sort is stable.
            self.actions[..=first].sort_by_key(|action| -action.score);
            if worker.is_stopped {
                return;
            }
        }
    }

    /// Searches with a window about the last score, widened until it holds.
    fn aspire(&mut self, worker: &mut Worker<'_>, depth: i32, first: usize) {
        let guess = self.actions[first].previous;
        let mut width = 24;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && guess.abs() < DECIDED {
            (alpha, beta) = (guess - width, guess + width);
        }
        let mut failed_high = 0;
        loop {
            let reduced = (depth - failed_high).max(1);
            let score = self.search(worker, alpha, beta, reduced, first);
            if worker.is_stopped {
                return;
            }
            width *= 3;
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                failed_high = 0;
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                failed_high = (failed_high + 1).min(2);
            } else {
                return;
            }
            if width > 1_000 || score.abs() >= DECIDED {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Searches the actions from `first` on and moves the best to `first`.
    fn search(
        &mut self,
        worker: &mut Worker<'_>,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        first: usize,
    ) -> i32 {
        let board = self.board;
        let original_alpha = alpha;
        worker.frames[0].value = worker.judge(&board, &Blasts::of(&board));
        worker.enter(&board);
        let mut best = -INFINITE;
        let mut best_action = PackedAction::NONE;
        let is_alone = worker.shared.is_alone || depth < busy::LEAST_DEPTH;
        let mut put_off = PutOff::new();
        let mut next = first;
        loop {
            let is_listed = next < self.actions.len();
            let index = if is_listed {
                next
            } else {
                let waiting: Option<PackedAction> = put_off.pop();
                let place = |action| self.actions.iter().position(|found| found.action == action);
                match waiting.and_then(place) {
                    Some(index) => index,
                    None => break,
                }
            };
            next += usize::from(is_listed);
            let action = self.actions[index].action;
            let is_first = is_listed && index == first;
            let key = Busy::key(&board, action, depth);
            if !is_alone
                && is_listed
                && !is_first
                && worker.shared.busy.contains(key)
                && put_off.push(action)
            {
                continue;
            }
            worker.shared.busy.enter(key);
            let score = self.score(worker, action, alpha, beta, depth, is_first, index - first);
            worker.shared.busy.leave(key);
            if worker.is_stopped {
                break;
            }
            if is_first || score > alpha {
                let line = worker.variations.line(1);
                let root_action = &mut self.actions[index];
                root_action.score = score;
                root_action.line.truncate(1);
                root_action.line.extend_from_slice(line);
            } else {
                self.actions[index].score = -INFINITE;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_action = action;
                    // The others keep their order.
                    self.actions[first..=index].rotate_right(1);
                }
            }
            if score >= beta {
                break;
            }
        }
        worker.leave();
        if !worker.is_stopped && first == 0 {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let score = to_table(best, 0);
            let entry = Entry { action: best_action, score, depth, bound };
            worker.shared.table.put(worker.shared.key(&board), entry);
        }
        best
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is the root's state")]
    fn score(
        &self,
        worker: &mut Worker<'_>,
        action: PackedAction,
        alpha: i32,
        beta: i32,
        depth: i32,
        is_first: bool,
        number: usize,
    ) -> i32 {
        let board = &self.board;
        worker.count_node();
        worker.variations.clear(1);
        let child = if action.is_boom() {
            let squares = board.explosion(action.source());
            match end_of(board, squares) {
                Some(BlastEnd::Win) => return WIN - 1,
                Some(BlastEnd::Draw) => return worker.shared.draw(board),
                Some(BlastEnd::Loss) => return 1 - WIN,
                None => board.after_removal(squares),
            }
        } else {
            board.apply(action)
        };
        let blasts = Blasts::of(&child);
        worker.frames[0].action = action;
        worker.frames[1].quiet_plies =
            if action.is_boom() { 0 } else { worker.frames[0].quiet_plies + 1 };
        let node = |depth: i32, is_cut: bool| Node { ply: 1, depth, is_cut, may_pass: true };
        let full = depth - 1;
        if is_first {
            return -worker.search::<true>(&child, &blasts, -beta, -alpha, node(full, false));
        }
        let mut reduced = full;
        if depth >= 3 && number > 3 {
            let mut plies = worker.shared.reductions.plies(depth, number) - 1;
            plies -= worker.memory.history.score(board.mover(), action) / 4_000;
            reduced = (full - plies.max(0)).clamp(1, full);
        }
        let mut score =
            -worker.search::<false>(&child, &blasts, -alpha - 1, -alpha, node(reduced, true));
        if score > alpha && reduced < full && !worker.is_stopped {
            score = -worker.search::<false>(&child, &blasts, -alpha - 1, -alpha, node(full, true));
        }
        if score > alpha && !worker.is_stopped {
            worker.variations.clear(1);
            score = -worker.search::<true>(&child, &blasts, -beta, -alpha, node(full, false));
        }
        score
    }

    /// Carries the lines on that promise an end and stop short of it.
    pub(crate) fn complete(&mut self, worker: &mut Worker<'_>, lines: usize) {
        let allowance = worker.nodes() / 2 + LEAST_ALLOWANCE;
        for action in self.actions.iter_mut().take(lines) {
            if worker.is_stopped {
                return;
            }
            let score = action.known_score().unwrap_or(0);
            worker.complete(&self.board, &mut action.line, score, allowance);
        }
    }

    /// Whether deeper iterations can hardly change anything any more: the end of
    /// the best lines is known in far fewer plies than were searched.
    pub(crate) fn is_settled(&self, depth: i32, lines: usize) -> bool {
        self.actions.iter().take(lines).all(|action| {
            let score = action.score.abs();
            // An action without a score has minus infinity.
            (SHORTEST_UNKNOWN_WIN..=WIN).contains(&score) && WIN - score <= depth / 2
        })
    }
}
