//! The plainest search there is, kept as an opponent to measure against: full
//! width alpha-beta with iterative deepening and the engine's evaluation at its
//! leaves, and nothing else.

use std::time::Instant;

use crate::blasts::Blasts;
use crate::board::Board;
use crate::engine::{Line, Report, Request};
use crate::evaluation::evaluate;
use crate::limits::StopSwitch;
use crate::packed_action::PackedAction;
use crate::score::{INFINITE, MAX_PLY, Score, WIN};

/// Searches as [`Engine::search`](crate::Engine::search) does, but plainly, with
/// one thread and one line.
pub fn plain_search(
    request: &Request,
    stop: &StopSwitch,
    mut on_report: impl FnMut(&Report),
) -> Report {
    let board = Board::from(&request.position);
    let mut search = Plain { request, stop, start: Instant::now(), nodes: 0, is_stopped: false };
    let mut report = search.report(0, Vec::new());
    let mut actions = actions_of(&board);
    if let Some(first) = actions.first().and_then(|packed| packed.action()) {
        report.lines = vec![Line { score: Score::DRAW, actions: vec![first] }];
    }
    let deepest = request.limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
    for depth in 1..=deepest {
        let mut best = -INFINITE;
        let mut best_index = 0;
        for (index, action) in actions.iter().enumerate() {
            let child = board.apply(*action);
            let score = -search.alpha_beta(&child, -INFINITE, -best, depth as i32 - 1, 1);
            if search.is_stopped {
                break;
            }
            if score > best {
                (best, best_index) = (score, index);
            }
        }
        let is_better = best > -INFINITE;
        if is_better {
            actions[..=best_index].rotate_right(1);
            let first = actions[0].action().into_iter().collect();
            let lines = vec![Line { score: Score::new(best), actions: first }];
            let finished = if search.is_stopped { depth - 1 } else { depth };
            report = search.report(finished, lines);
            on_report(&report);
        }
        if search.is_stopped || actions.is_empty() || best.abs() >= WIN - depth as i32 {
            break;
        }
    }
    report
}

struct Plain<'a> {
    request: &'a Request,
    stop: &'a StopSwitch,
    start: Instant,
    nodes: u64,
    is_stopped: bool,
}

impl Plain<'_> {
    fn alpha_beta(
        &mut self,
        board: &Board,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        ply: i32,
    ) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(512) {
            let limits = &self.request.limits;
            self.is_stopped |= self.stop.is_stopped()
                || limits.time.is_some_and(|time| self.start.elapsed() >= time)
                || limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        }
        if self.is_stopped {
            return 0;
        }
        if board.outcome().is_some() {
            return match (board.own() != 0, board.other() != 0) {
                (true, _) => WIN - ply,
                (false, true) => ply - WIN,
                (false, false) => 0,
            };
        }
        if depth == 0 {
            return evaluate(board, &Blasts::of(board));
        }
        let mut best = -INFINITE;
        for action in actions_of(board) {
            let score = -self.alpha_beta(&board.apply(action), -beta, -alpha, depth - 1, ply + 1);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn report(&self, depth: u32, lines: Vec<Line>) -> Report {
        Report {
            depth,
            selective_depth: depth,
            nodes: self.nodes,
            table_hits: 0,
            hash_permille: 0,
            time: self.start.elapsed(),
            lines,
        }
    }
}

/// Every action that differs, booms of both sides' groups first.
fn actions_of(board: &Board) -> Vec<PackedAction> {
    if board.outcome().is_some() {
        return Vec::new();
    }
    let blasts = Blasts::of(board);
    let mut actions: Vec<PackedAction> =
        blasts.iter().map(|blast| PackedAction::boom(blast.source(board))).collect();
    board.for_each_move(|action| actions.push(action));
    board.for_each_lone_boom(&blasts, |action, _| actions.push(action));
    actions
}
