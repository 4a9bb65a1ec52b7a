//! Depth-first proof-number search (Nagai 2002) for a win within a number of plies.
//!
//! Plies are counted down along a line, so no line ever returns to where it was with the same
//! number left: repetitions prove nothing and need no care. A position is proved by what was proved
//! before it, with fewer plies. Numbers of alternatives are joined as by Ueda et al. (2008), the
//! largest and one more for each other: transpositions are not counted many times over.

use std::time::Instant;

use super::expand::mixed;
use super::table::{NEVER, Numbers};
use super::{Memory, ProofLimits};
use crate::board::Board;
use crate::limits::StopSwitch;
use crate::packed_action::PackedAction;
use crate::tables::EndgameTables;

/// A position after an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) action: PackedAction,
    pub(crate) numbers: Numbers,
    /// Where it is proved, its plies of search.
    pub(crate) plies: u8,
}

/// A proof search under way.
pub(crate) struct Prover<'a> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) tables: Option<&'a EndgameTables>,
    /// The colour index of the side that is to win.
    pub(crate) winner: usize,
    pub(crate) children: Vec<Child>,
    pub(crate) actions: Vec<PackedAction>,
    pub(crate) nodes: u64,
    pub(crate) table_hits: u64,
    pub(crate) limits: &'a ProofLimits,
    pub(crate) stop: &'a StopSwitch,
    pub(crate) start: Instant,
    pub(crate) next_look: u64,
    pub(crate) is_stopped: bool,
}

impl Prover<'_> {
    /// The key of a position as far as this winner is concerned.
    pub(crate) fn key(&self, board: &Board) -> u64 {
        board.hash() ^ WINNERS[self.winner]
    }

    /// Works on a position until its numbers reach a limit or it is settled.
    pub(crate) fn work(&mut self, board: &Board, left: u8, limit: Numbers) -> (Numbers, u8) {
        let key = self.key(board);
        let before = self.nodes;
        let first = self.children.len();
        self.expand(board, left);
        let is_winner = board.mover() == self.winner;
        let (numbers, plies) = loop {
            let joined = join(&self.children[first..], is_winner);
            let numbers = joined.numbers;
            self.look_at_limits();
            if numbers.is_settled()
                || numbers.proof >= limit.proof
                || numbers.disproof >= limit.disproof
                || self.is_stopped
            {
                break (numbers, joined.plies);
            }
            let at = first + joined.best;
            let child = self.children[at];
            let rest = |whole: u32, own: u32| limit_of(whole, own);
            let limit = if is_winner {
                Numbers {
                    proof: limit.proof.min(past(joined.second)),
                    disproof: rest(limit.disproof, numbers.disproof)
                        .saturating_add(child.numbers.disproof)
                        .min(NEVER),
                }
            } else {
                Numbers {
                    proof: rest(limit.proof, numbers.proof)
                        .saturating_add(child.numbers.proof)
                        .min(NEVER),
                    disproof: limit.disproof.min(past(joined.second)),
                }
            };
            let next = board.apply(child.action);
            let (numbers, plies) = self.work(&next, left - 1, limit);
            let child = &mut self.children[at];
            (child.numbers, child.plies) = (numbers, plies);
        };
        if numbers.proof == 0 {
            let action = match is_winner {
                true => self.children[first..]
                    .iter()
                    .find(|child| child.numbers.proof == 0 && child.plies + 1 == plies)
                    .map_or(PackedAction::NONE, |child| child.action),
                false => PackedAction::NONE,
            };
            self.keep_proof(key, plies, action);
        } else if !self.is_stopped || numbers.disproof != 0 {
            self.memory.open.put(key ^ mixed(left), numbers, self.nodes - before);
        }
        self.children.truncate(first);
        (numbers, plies)
    }

    fn look_at_limits(&mut self) {
        if self.nodes < self.next_look {
            return;
        }
        self.next_look = self.nodes + LOOK_EVERY;
        let ProofLimits { nodes, time } = *self.limits;
        self.is_stopped |= nodes.is_some_and(|nodes| self.nodes >= nodes)
            || time.is_some_and(|time| self.start.elapsed() >= time)
            || self.stop.is_stopped();
    }
}

/// The numbers of a position by those of the positions after it.
struct Joined {
    numbers: Numbers,
    plies: u8,
    best: usize,
    /// The number of the best but one, by which the best was chosen.
    second: u32,
}

fn join(children: &[Child], is_winner: bool) -> Joined {
    // For the winner one proof is enough; for the loser all must be proved.
    let one = |numbers: Numbers| if is_winner { numbers.proof } else { numbers.disproof };
    let all = |numbers: Numbers| if is_winner { numbers.disproof } else { numbers.proof };
    let (mut least, mut second, mut best) = (NEVER, NEVER, 0);
    let (mut most, mut open) = (0, 0_u32);
    let (mut shortest, mut longest) = (u8::MAX, 0);
    for (at, child) in children.iter().enumerate() {
        let (own, others) = (one(child.numbers), all(child.numbers));
        if own < least {
            (second, least, best) = (least, own, at);
        } else if own < second {
            second = own;
        }
        if child.numbers.proof == 0 {
            shortest = shortest.min(child.plies);
            longest = longest.max(child.plies);
        }
        if others > 0 {
            open += 1;
            most = most.max(others);
        }
    }
    let all = if most == 0 { 0 } else { (most + open - 1).min(NEVER) };
    let plies = if is_winner { shortest } else { longest };
    let numbers = match is_winner {
        _ if least == 0 && is_winner => Numbers::PROVED,
        _ if least == 0 => Numbers::DISPROVED,
        true if all == 0 => Numbers::DISPROVED,
        false if all == 0 => Numbers::PROVED,
        true => Numbers { proof: least, disproof: all },
        false => Numbers { proof: all, disproof: least },
    };
    Joined { numbers, plies: plies.saturating_add(1), best, second }
}

/// What a child may add before the whole reaches its limit.
fn limit_of(whole: u32, own: u32) -> u32 {
    whole.saturating_sub(own)
}

/// A little past the best but one: not every small change is worth going back for (Pawlewicz and
/// Lew 2007).
fn past(second: u32) -> u32 {
    (second + second / 4 + 1).min(NEVER)
}

const WINNERS: [u64; 2] = [0x57A1_E5C0_0B5D_91E3, 0xB1AC_4B07_5EED_7F2D];

/// Nodes between looks at the clock and the stop switch.
const LOOK_EVERY: u64 = 512;
