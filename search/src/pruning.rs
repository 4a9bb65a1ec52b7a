//! What is searched less deeply, and what not at all.

use crate::alpha_beta::{Node, Try};
use crate::blasts::Blasts;
use crate::board::Board;
use crate::ordering::{Kind, Scored};
use crate::packed_action::PackedAction;
use crate::score::DECIDED;
use crate::worker::Worker;

impl Worker<'_> {
    /// How many plies less than the rest an action is searched at first.
    pub(crate) fn reduction<const PV: bool>(
        &self,
        color: usize,
        node: Node,
        depth: i32,
        scored: Scored,
        attempt: &Try,
    ) -> i32 {
        let mut plies = self.shared.reductions.plies(depth, attempt.number);
        match scored.kind {
            Kind::Blast if scored.score > 0 => return 0,
            Kind::Blast | Kind::LoneBoom => plies += 1,
            Kind::Attack => plies -= 2,
            Kind::Escape => plies -= 1,
            Kind::Stacking | Kind::Quiet => {
                plies -= self.memory.history.score(color, scored.action) / 3_000;
            }
        }
        if !PV {
            plies += i32::from(node.is_cut) + i32::from(!attempt.is_improving);
        } else {
            plies -= 1;
        }
        plies -= i32::from(attempt.is_killer) + 2 * i32::from(attempt.in_danger);
        plies.max(0)
    }

    /// A score that makes looking at the node's actions needless, if there is one.
    pub(crate) fn prune_node(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        beta: i32,
        node: Node,
        expected: i32,
        is_improving: bool,
    ) -> Option<i32> {
        let Node { ply, depth, .. } = node;
        // So far above the window that a quiet turn loses nothing.
        let margin = 80 * (depth - i32::from(is_improving));
        let threat = blasts.gains(board.mover() ^ 1)[0];
        if depth <= 6 && threat == 0 && expected - margin >= beta && expected < DECIDED {
            return Some(expected - margin / 2);
        }
        // Even a pass would do. In a small ending having to move can hurt.
        if node.may_pass
            && depth >= 3
            && expected >= beta
            && self.frames[ply].value >= beta
            && board.all_bots() > 6
        {
            let plies = 3 + depth / 4 + ((expected - beta) / 150).min(2);
            self.enter(board);
            self.count_node();
            self.frames[ply].action = PackedAction::NONE;
            self.frames[ply + 1].quiet_plies = 0;
            let child =
                Node { ply: ply + 1, depth: depth - plies, is_cut: !node.is_cut, may_pass: false };
            let score = -self.search::<false>(&board.passed(), blasts, -beta, 1 - beta, child);
            self.leave();
            if self.is_stopped {
                return None;
            }
            if score >= beta {
                return Some(if score >= DECIDED { beta } else { score });
            }
        }
        None
    }
}
