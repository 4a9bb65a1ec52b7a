//! Booms to their end, so that no position is judged amid an exchange.

use crate::blasts::{BlastEnd, Blasts};
use crate::board::Board;
use crate::packed_action::PackedAction;
use crate::score::{MAX_PLY, WIN};
use crate::worker::Worker;

impl Worker<'_> {
    /// The score of a position from which only booms are played that win, draw
    /// or net bots; the side to move may always leave it at the static value.
    ///
    /// Each boom removes bots, so this ends by itself.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if PV {
            self.variations.clear(ply);
        }
        self.deepest_ply = self.deepest_ply.max(ply);
        let mut best = self.judge(board, blasts);
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        alpha = alpha.max(best);

        let color = board.mover();
        let mut untried = [None; Blasts::CAPACITY];
        let mut count = 0;
        for blast in blasts.iter() {
            if blast.net(color) > 0 || blast.end(board) == Some(BlastEnd::Draw) {
                untried[count] = Some(*blast);
                count += 1;
            }
        }
        let untried = &mut untried[..count];
        untried.sort_by_key(|blast| blast.map(|blast| -blast.net(color)));
        for blast in untried.iter().flatten() {
            let action = PackedAction::boom(blast.source(board));
            self.count_node();
            if self.is_stopped {
                return 0;
            }
            let score = match blast.end(board) {
                Some(BlastEnd::Draw) => {
                    if PV {
                        self.variations.clear(ply + 1);
                    }
                    self.shared.draw(board)
                }
                Some(_) => continue,
                None => {
                    let child = board.after_removal(blast.squares);
                    let blasts = blasts.after_removal(&child, blast.squares);
                    -self.settle::<PV>(&child, &blasts, -beta, -alpha, ply + 1)
                }
            };
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if PV {
                        self.variations.raise(ply, action);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// The quiescent score of a position reached by a boom, in which the side to
    /// move may be about to lose everything.
    fn settle<const PV: bool>(
        &mut self,
        board: &Board,
        blasts: &Blasts,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if let Some(blast) = blasts.winning(board) {
            if PV {
                self.variations.end(ply, PackedAction::boom(blast.source(board)));
            }
            return WIN - ply as i32 - 1;
        }
        if let Some(score) = self.probe(board, alpha, beta, ply, 0) {
            if PV {
                self.variations.clear(ply);
            }
            return score;
        }
        if blasts.is_losing(board) && (ply as i32) < 2 * self.root_depth + 8 {
            // Standing still loses: every action is looked at.
            self.frames[ply].quiet_plies = 0;
            let node = crate::alpha_beta::Node { ply, depth: 0, is_cut: false, may_pass: false };
            return self.search::<PV>(board, blasts, alpha, beta, node);
        }
        self.quiescence::<PV>(board, blasts, alpha, beta, ply)
    }
}
