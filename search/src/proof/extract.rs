//! What a proof search has to say: its verdicts, and the steps of its proofs.

use std::collections::HashMap;

use boombots_probe::{Plies, ProofStep, Value};
use boombots_rules::Outcome;

use super::search::Prover;
use super::table::Numbers;
use super::{ProofChild, ProofReport, Verdict};
use crate::board::Board;
use crate::packed_action::PackedAction;

/// Proved positions with their plies, and the steps that prove them.
#[derive(Default)]
struct Proofs {
    known: HashMap<u64, Option<u16>>,
    steps: Vec<ProofStep>,
}

impl Prover<'_> {
    /// The report on a position whose numbers are these.
    pub(crate) fn report(
        &mut self,
        board: &Board,
        numbers: Numbers,
        within: u8,
        is_settled: bool,
    ) -> ProofReport {
        let mut proofs = Proofs::default();
        let verdict = self.verdict(board, numbers, is_settled, &mut proofs);
        let mut children = Vec::new();
        if matches!(verdict, Verdict::Open { .. }) {
            self.children.clear();
            self.list_children(board, within);
            for child in std::mem::take(&mut self.children) {
                let next = board.apply(child.action);
                let is_settled = self.settled(&next).is_some();
                let verdict = self.verdict(&next, child.numbers, is_settled, &mut proofs);
                let Some(action) = child.action.action() else { continue };
                children.push(ProofChild { action, verdict });
            }
        }
        ProofReport {
            verdict,
            children,
            steps: proofs.steps,
            nodes: self.nodes,
            table_hits: self.table_hits,
            within,
        }
    }

    fn verdict(
        &mut self,
        board: &Board,
        numbers: Numbers,
        is_settled: bool,
        proofs: &mut Proofs,
    ) -> Verdict {
        if numbers.proof == 0 {
            let plies = match board.mover() == self.winner {
                true => self.won(board, proofs),
                false => self.lost(board, proofs),
            };
            return match plies {
                Some(plies) => Verdict::Proved { plies },
                // A table without distances, or a key that two positions share.
                None => Verdict::Open { proof: HARD, disproof: 1 },
            };
        }
        match numbers.disproof {
            0 if is_settled => Verdict::Refuted,
            0 => Verdict::Open { proof: HARD, disproof: 1 },
            disproof => Verdict::Open { proof: numbers.proof.min(HARD), disproof },
        }
    }

    /// The plies in which the winner, to move, wins a proved position.
    fn won(&mut self, board: &Board, proofs: &mut Proofs) -> Option<u16> {
        match board.outcome() {
            Some(Outcome::Win(color)) => return (color.index() == self.winner).then_some(0),
            Some(Outcome::Draw) => return None,
            None => {}
        }
        if let Some(tables) = self.tables.filter(|tables| tables.covers(board)) {
            return match tables.value(board)? {
                Value::Win(Plies(plies)) => Some(plies.into()),
                _ => None,
            };
        }
        let key = self.key(board);
        if let Some(plies) = proofs.known.get(&key) {
            return *plies;
        }
        // Whatever leads back here proves nothing, nor does a walk that is broken off.
        proofs.known.insert(key, None);
        if self.stop.is_stopped() {
            return None;
        }
        let proved = self.memory.proved.get(key).map(|proved| proved.action);
        let action = match proved.filter(|action| board.is_legal(*action)) {
            Some(action) => action,
            None => self.boom_that_wins(board)?.0,
        };
        let plies = self.lost(&board.apply(action), proofs)?.checked_add(1)?;
        proofs.known.insert(key, Some(plies));
        proofs.steps.push(ProofStep::new(&board.position(), plies, action.action()?));
        Some(plies)
    }

    /// The plies in which the loser, to move, loses a proved position.
    fn lost(&mut self, board: &Board, proofs: &mut Proofs) -> Option<u16> {
        match board.outcome() {
            Some(Outcome::Win(color)) => return (color.index() == self.winner).then_some(0),
            Some(Outcome::Draw) => return None,
            None => {}
        }
        if let Some(tables) = self.tables.filter(|tables| tables.covers(board)) {
            return match tables.value(board)? {
                Value::Loss(Plies(plies)) => Some(plies.into()),
                _ => None,
            };
        }
        let key = self.key(board);
        if let Some(plies) = proofs.known.get(&key) {
            return *plies;
        }
        proofs.known.insert(key, None);
        let mut longest = 0;
        for action in self.replies(board) {
            longest = longest.max(self.won(&board.apply(action), proofs)?);
        }
        let plies = longest.checked_add(1)?;
        proofs.known.insert(key, Some(plies));
        Some(plies)
    }

    fn replies(&mut self, board: &Board) -> Vec<PackedAction> {
        let mut replies = Vec::new();
        self.for_each_action(board, |action| replies.push(action));
        replies
    }
}

/// What is said of a position without a win within the plies looked at.
const HARD: u32 = 1_000;
