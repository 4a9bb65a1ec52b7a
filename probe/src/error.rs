//! What can be wrong with a table file, a folder of tables, or a question put to it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::class::Class;
use crate::layout::Metric;

/// Something is wrong with a table file.
#[derive(Debug, Error)]
#[error("{}: {problem}", file.display())]
pub struct TableError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub problem: TableProblem,
}

/// What is wrong with a table file.
#[derive(Debug, Error)]
pub enum TableProblem {
    /// The system refused to read or write it.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is too short to hold even a header.
    #[error("it has {found} bytes, too few for a table; it was cut off or never written")]
    TooShort {
        /// Its length, in bytes.
        found: u64,
    },
    /// It does not start as a table does.
    #[error("it is not a Boombots table")]
    Foreign,
    /// It was written by a later program.
    #[error(
        "it has format version {found}, and this program reads version {supported}; use a newer \
         program"
    )]
    Version {
        /// The file's version.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// Header or index are damaged.
    #[error("its header is damaged ({detail})")]
    Header {
        /// What does not fit.
        detail: &'static str,
    },
    /// The length is not what the header says.
    #[error("it has {found} bytes where its header says {expected}; it was cut off or added to")]
    Length {
        /// The length, in bytes.
        found: u64,
        /// The length the header gives, in bytes.
        expected: u64,
    },
    /// A block is damaged.
    #[error("block {block} of {side} {} is damaged ({detail})", metric.name())]
    Block {
        /// The side, as bots of mover and opponent.
        side: crate::class::Material,
        /// The metric.
        metric: Metric,
        /// The block's number within the side and metric.
        block: usize,
        /// What does not fit.
        detail: &'static str,
    },
    /// It belongs to another class than its name says.
    #[error("it holds {found}, not what its name says")]
    Misnamed {
        /// The class it holds.
        found: Class,
    },
    /// It was found damaged before and is no longer used.
    #[error("it was found damaged and set aside")]
    SetAside,
}

/// Why a position was not answered.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The game is over.
    #[error("the game is over in this position")]
    Finished,
    /// No class has as many bots.
    #[error("{white} white and {black} black bots are more than any table covers")]
    TooManyBots {
        /// White bots.
        white: u8,
        /// Black bots.
        black: u8,
    },
    /// The class has no table here.
    #[error("there is no {} table of {class}", metric.name())]
    NoTable {
        /// The class.
        class: Class,
        /// The metric.
        metric: Metric,
    },
    /// The table is damaged.
    #[error(transparent)]
    Table(#[from] std::sync::Arc<TableError>),
    /// The tables contradict one another.
    #[error("the tables of {class} and those beneath it contradict each other; build them again")]
    Inconsistent {
        /// The class.
        class: Class,
    },
}
