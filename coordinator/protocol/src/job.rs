//! Search jobs: a position for a worker to look at, and what it finds.
//!
//! Positions and actions are texts, as everywhere where programs meet. Enums only ever grow at
//! their end.

use serde::{Deserialize, Serialize};

use crate::message::{BlobRef, TableRef};

/// A job's number, never given twice in the life of a coordinator: the count of its starts in the
/// upper half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId(pub u64);

/// One of the two sides of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Party {
    /// The side to move.
    Mover,
    /// The other side.
    Opponent,
}

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum JobKind {
    /// The scores of so many actions.
    Evaluate {
        /// How many, at most.
        lines: u16,
    },
    /// Whether a side's win can be proved.
    Prove {
        /// The side.
        winner: Party,
    },
}

/// How urgent a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Urgency {
    /// Somebody is waiting: shards rest meanwhile.
    Interactive,
    /// It shares the machine with shards.
    Batch,
}

/// A job for a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchJob {
    /// The job.
    pub id: JobId,
    /// The lease.
    pub epoch: u32,
    /// The position.
    pub position: String,
    /// What is to be found out.
    pub kind: JobKind,
    /// The time to use.
    pub milliseconds: u32,
    /// The most nodes, where they are bounded too.
    pub nodes: Option<u64>,
    /// How urgent it is.
    pub urgency: Urgency,
    /// Every table that is published.
    pub tables: Vec<TableRef>,
}

/// What is known of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// Proved, in at most so many plies.
    Proved {
        /// The plies.
        plies: u16,
    },
    /// Neither proved nor refuted.
    Open {
        /// How much a proof still seems to take.
        proof: u32,
        /// How much a refutation still seems to take.
        disproof: u32,
    },
    /// There is no such win: a table says so, or the game is over.
    Refuted,
}

/// A table's value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExactValue {
    /// It wins in so many plies.
    Win(u16),
    /// Neither side wins.
    Draw,
    /// It loses in so many plies.
    Loss(u16),
}

/// A line of play with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobLine {
    /// For the side to move, in centibots; a win in p plies is 1 000 000 − p.
    pub score: i32,
    /// The actions, in order.
    pub actions: Vec<String>,
}

/// What is known after an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobChild {
    /// The action.
    pub action: String,
    /// What is known of the same side's win.
    pub standing: Standing,
}

/// What a job found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobOutcome {
    /// The position is in a table.
    Exact(ExactValue),
    /// Scores.
    Evaluated {
        /// Iterations finished.
        depth: u16,
        /// The lines, best first.
        lines: Vec<JobLine>,
    },
    /// How a win stands.
    Searched {
        /// Of the position itself.
        standing: Standing,
        /// After each action; none where the position itself is settled.
        children: Vec<JobChild>,
        /// The steps of the proofs of all that is proved, packed, in the store.
        proof: Option<BlobRef>,
    },
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobResult {
    /// The job.
    pub id: JobId,
    /// The lease.
    pub epoch: u32,
    /// What was found.
    pub outcome: JobOutcome,
    /// Positions looked at.
    pub nodes: u64,
    /// The time it took, in microseconds.
    pub micros: u64,
    /// The time the thread had waited for a job before, in microseconds.
    pub idle_micros: u64,
}

/// What a job has found so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobProgress {
    /// The job.
    pub id: JobId,
    /// The lease.
    pub epoch: u32,
    /// Iterations finished.
    pub depth: u16,
    /// The best line.
    pub line: Option<JobLine>,
    /// Positions looked at.
    pub nodes: u64,
}
