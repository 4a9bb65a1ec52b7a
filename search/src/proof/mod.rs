//! Proofs: a search whose wins are sound, by the rules and tables alone.

mod expand;
mod extract;
mod search;
mod table;

use std::time::{Duration, Instant};

use boombots_probe::ProofStep;
use boombots_rules::{Action, Color, Position};

use self::search::Prover;
use self::table::{NEVER, Numbers, OpenTable, ProvedPositions};
use crate::board::Board;
use crate::limits::StopSwitch;
use crate::tables::EndgameTables;

/// When a proof search gives up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofLimits {
    /// The most positions looked at.
    pub nodes: Option<u64>,
    /// The time to use.
    pub time: Option<Duration>,
}

/// What a proof search says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side wins, in at most so many plies.
    Proved {
        /// The plies.
        plies: u16,
    },
    /// Neither proved nor refuted.
    Open {
        /// How much a proof still seems to take.
        proof: u32,
        /// How much showing that there is none within the plies looked at seems to take.
        disproof: u32,
    },
    /// The side does not win: the game is over, or a table says so.
    Refuted,
}

/// What is known of the position after an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofChild {
    /// The action.
    pub action: Action,
    /// What is known of the position after it.
    pub verdict: Verdict,
}

/// What a proof search found.
#[derive(Clone, Debug)]
pub struct ProofReport {
    /// What it says of the position.
    pub verdict: Verdict,
    /// What it says of the positions after each action that differs from the others; empty where
    /// the position itself is settled.
    pub children: Vec<ProofChild>,
    /// The proofs of everything said to be proved, up to the tables.
    pub steps: Vec<ProofStep>,
    /// Positions looked at.
    pub nodes: u64,
    /// Answers of the tables.
    pub table_hits: u64,
    /// The plies of search within which a win was looked for last.
    pub within: u8,
}

/// What a proof search remembers from one position to the next.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) open: OpenTable,
    pub(crate) proved: ProvedPositions,
    most_proved: usize,
}

/// Searches for proofs of wins, and remembers what it found for related positions.
///
/// A proof rests on the rules and on the tables, never on a score, a repetition or a pass.
#[derive(Debug)]
pub struct ProofSearch {
    memory: Memory,
}

impl ProofSearch {
    /// A search that knows nothing yet, with so many mebibytes to remember by.
    pub fn new(mebibytes: usize) -> Self {
        let open = OpenTable::new(mebibytes / 2);
        let most_proved = ((mebibytes / 2) << 20) / 32;
        Self { memory: Memory { open, proved: ProvedPositions::default(), most_proved } }
    }

    /// Looks for a proof that `winner` wins a position.
    pub fn prove(
        &mut self,
        position: &Position,
        winner: Color,
        tables: Option<&EndgameTables>,
        limits: &ProofLimits,
        stop: &StopSwitch,
    ) -> ProofReport {
        self.memory.open.grow_older();
        self.memory.proved.bound(self.memory.most_proved);
        let mut prover = Prover {
            memory: &mut self.memory,
            tables,
            winner: winner.index(),
            children: Vec::new(),
            actions: Vec::new(),
            nodes: 0,
            table_hits: 0,
            limits,
            stop,
            start: Instant::now(),
            next_look: 0,
            is_stopped: false,
        };
        let board = Board::from(position);
        let parity = u8::from(board.mover() == winner.index());
        let mut within = 0;
        let settled = prover.settled(&board);
        let mut numbers = match settled {
            Some(true) => Numbers::PROVED,
            Some(false) => Numbers::DISPROVED,
            None => Numbers { proof: 1, disproof: 1 },
        };
        if settled.is_none() {
            for plies in DEEPENING {
                within = plies + parity;
                let everything = Numbers { proof: NEVER, disproof: NEVER };
                (numbers, _) = prover.work(&board, within, everything);
                if numbers.proof == 0 || prover.is_stopped {
                    break;
                }
            }
        }
        prover.report(&board, numbers, within, settled.is_some())
    }
}

/// The even numbers of plies within which wins are looked for, one after another.
const DEEPENING: [u8; 7] = [4, 8, 12, 18, 26, 36, 48];
