//! The command line.

use std::num::{NonZeroU16, NonZeroU32};
use std::path::PathBuf;

use boombots_probe::Class;
use boombots_retrograde::Compression;
use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Builds, checks and asks the endgame tables of Boombots.
///
/// A class is named by its bots, larger side first: 3v2. The variable BOOMBOTS_SIMD (scalar, avx2
/// or avx512) forces the vector instructions; the tables are the same.
#[derive(Debug, Parser)]
#[command(name = "boombots-tablebase", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// The folder of tables.
    #[arg(long, global = true, value_name = "DIR", default_value = ".data/tablebase")]
    pub(crate) dir: PathBuf,

    /// How many threads work; all cores by default.
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<NonZeroU16>,

    /// Answer in JSON, one object a line.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a class, and before it every missing class beneath it.
    Build {
        /// The class.
        #[arg(default_value = "2v2")]
        class: Class,
        /// A file or folder for the class's tables instead of the folder of tables. A file holds
        /// values and distances together, or only one where it is named *.wdl.bbtb or *.dtm.bbtb.
        #[arg(value_name = "OUTPUT")]
        target: Option<PathBuf>,
        #[command(flatten)]
        options: BuildOptions,
    },
    /// Build 3v2 and what it needs.
    #[command(name = "build-3v2")]
    Build3v2 {
        /// As for `build`.
        #[arg(value_name = "OUTPUT")]
        target: Option<PathBuf>,
        #[command(flatten)]
        options: BuildOptions,
    },
    /// Build 3v3 and what it needs.
    #[command(name = "build-3v3")]
    Build3v3 {
        /// As for `build`.
        #[arg(value_name = "OUTPUT")]
        target: Option<PathBuf>,
        #[command(flatten)]
        options: BuildOptions,
    },
    /// Solve a class and write its planes as they are, for `compress`.
    Generate {
        /// The class.
        #[arg(default_value = "2v2")]
        class: Class,
        /// The raw file; CLASS.raw in the folder of tables by default.
        #[arg(value_name = "RAW")]
        raw: Option<PathBuf>,
        #[command(flatten)]
        options: BuildOptions,
    },
    /// Compress a raw file into a table file.
    Compress {
        /// The raw file.
        raw: PathBuf,
        /// The table file; it holds values and distances together, or only one where it is named
        /// *.wdl.bbtb or *.dtm.bbtb.
        #[arg(value_name = "BBTB")]
        table: PathBuf,
        /// How hard to compress.
        #[arg(long, value_enum, default_value_t)]
        compression: CompressionName,
    },
    /// Print what building a class will take, from costs measured here in a few seconds.
    Plan {
        /// The class.
        class: Class,
        /// How many machines like this one work; more than one need a coordinator.
        #[arg(long, value_name = "N", default_value = "1")]
        workers: NonZeroU16,
        /// The memory each may take, as 12G; what is free here by default.
        #[arg(long, value_name = "SIZE")]
        memory: Option<ByteSize>,
        /// What the coordinator's link carries, in Mbit/s.
        #[arg(long, value_name = "MBIT", default_value = "1000")]
        link: NonZeroU32,
    },
    /// Print how many placements are won, lost and drawn.
    Stats {
        /// The classes; all by default.
        #[arg(value_name = "CLASS")]
        classes: Vec<Class>,
    },
    /// Print how many placements are won and lost at each distance, and a position of the longest.
    Distances {
        /// The class.
        class: Class,
    },
    /// Check digests, and every position by looking one ply ahead with the plain rules.
    Verify {
        /// The classes; all by default.
        #[arg(value_name = "CLASS")]
        classes: Vec<Class>,
        /// Check the positions of only so many rows (orbits of the mover), evenly spread.
        #[arg(long, value_name = "ROWS")]
        sample: Option<usize>,
    },
    /// Ask for the value of a position and of every action.
    Probe {
        /// The position's text, or - to read positions from standard input.
        #[arg(num_args = 0..=2, required_unless_present = "file", conflicts_with = "file")]
        position: Vec<String>,
        /// A file of positions, one a line, whose values are printed in order; - for standard
        /// input.
        #[arg(long, value_name = "LINES")]
        file: Option<PathBuf>,
    },
    /// Check that a certificate's claim follows from the rules and the tables.
    CheckCertificate {
        /// The certificate, or - for standard input.
        file: PathBuf,
    },
    /// Print best play from a position to the end.
    Line {
        /// The position's text, or - to read it from standard input.
        #[arg(num_args = 1..=2, required = true)]
        position: Vec<String>,
        /// Print it as a game record.
        #[arg(long, conflicts_with = "json")]
        record: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct BuildOptions {
    /// The memory a build may take, as 12G or 800M; 75 % of what is free by default. A build that
    /// needs more keeps its planes in files of the folder of tables while it runs.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory_limit: Option<ByteSize>,

    /// Into how many shards each side is cut. The tables are the same.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) shards: NonZeroU16,

    /// Which classes keep a journal, CLASS.journal in the folder of tables, while they are built. A
    /// build that was killed goes on at the ply its journal has.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    pub(crate) journal: JournalChoice,

    /// How hard to compress.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) compression: CompressionName,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum JournalChoice {
    /// Those that take minutes: planes of a gibibyte or more.
    #[default]
    Large,
    /// All.
    Always,
    /// None.
    Never,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum CompressionName {
    /// Least time.
    Fast,
    /// About twice as long as solving takes.
    #[default]
    Default,
    /// Least space, at many times the time.
    Small,
}

impl CompressionName {
    pub(crate) fn compression(self) -> Compression {
        match self {
            Self::Fast => Compression::FAST,
            Self::Default => Compression::DEFAULT,
            Self::Small => Compression::SMALL,
        }
    }
}
