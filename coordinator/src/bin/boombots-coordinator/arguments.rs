//! The command line.

use std::net::SocketAddr;
use std::num::NonZeroU16;
use std::path::PathBuf;

use boombots_cluster_protocol::{AnalysisGoal, AnalysisPriority, AnalysisRequest};
use boombots_coordinator::scheduler::{BuildOptions, Check};
use boombots_probe::{Class, Compression};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Builds the endgame tables of Boombots and analyses positions on many machines.
///
/// `serve` runs a coordinator and prints the token with which workers join it; the other commands
/// ask the coordinator of the same --data folder.
#[derive(Debug, Parser)]
#[command(name = "boombots-coordinator", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// The coordinator's folder: its key, database and store.
    #[arg(long, global = true, value_name = "DIR", default_value = ".data/cluster")]
    pub(crate) data: PathBuf,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a coordinator until it is stopped.
    Serve(ServeOptions),
    /// Print the join token.
    Token,
    /// Ask for a class, and every missing class beneath it.
    Build {
        /// The class.
        class: Class,
        #[command(flatten)]
        options: BuildArguments,
        /// Wait until it is done.
        #[arg(long)]
        wait: bool,
    },
    /// Say how everything stands.
    Status {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show everything as it goes on.
    Watch {
        /// As JSON, a line each second.
        #[arg(long)]
        json: bool,
    },
    /// List the workers.
    Workers {
        #[command(subcommand)]
        command: Option<WorkersCommand>,
    },
    /// Give a build or an analysis up.
    Cancel {
        /// The build's number.
        #[arg(required_unless_present = "analysis", conflicts_with = "analysis")]
        build: Option<u32>,
        /// The analysis's number.
        #[arg(long, value_name = "ID")]
        analysis: Option<u32>,
    },
    /// Analyse a position on all workers, and prove what can be proved.
    Analyze(AnalyzeOptions),
    /// List the analyses.
    Analyses {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Let an analysis go on that was cancelled or is done.
    Resume {
        /// The analysis's number.
        id: u32,
        #[command(flatten)]
        goal: GoalArguments,
    },
    /// Print the tree of an analysis as JSON.
    Export {
        /// The analysis's number.
        id: u32,
    },
    /// Print the certificate of a proved result; `boombots-tablebase check-certificate` checks it.
    Certificate {
        /// The analysis's number.
        id: u32,
    },
    /// Copy the tables of a class to a folder, and check their digests.
    Fetch {
        /// The class.
        class: Class,
        /// The folder.
        dir: PathBuf,
    },
    /// Run a coordinator and workers on this machine, build a class, and exit.
    Run(RunOptions),
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkersCommand {
    /// Let a worker do nothing any more, and use nothing of what it did.
    Revoke {
        /// The worker's id, or its first digits.
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ServeOptions {
    /// Where workers connect (UDP).
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:9008")]
    pub(crate) listen: SocketAddr,
    /// Where status and metrics are (TCP).
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9009")]
    pub(crate) http: SocketAddr,
    /// The address in the join token, where it is not this machine's own.
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) advertise: Option<String>,
    /// Where deltas, shards and tables are kept: s3://BUCKET/PREFIX, with the AWS_ variables; a
    /// folder in --data by default.
    #[arg(long, value_name = "URL")]
    pub(crate) store: Option<url::Url>,
    /// The folder of finished tables; `tables` in --data by default.
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) patience: Patience,
}

/// How patient the coordinator is with workers.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Patience {
    /// Seconds of silence after which a worker is dead.
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    pub(crate) silence: f64,
    /// Seconds without progress after which a shard is given to another worker.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(crate) no_progress: f64,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// The class.
    pub(crate) class: Class,
    /// How many workers.
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) workers: NonZeroU16,
    /// Threads of each worker; the cores shared out evenly by default.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroU16>,
    /// The folder of tables.
    #[arg(long, value_name = "DIR", default_value = ".data/tablebase")]
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) options: BuildArguments,
    /// As JSON, a line each second.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to analyse and how.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeOptions {
    /// The position.
    pub(crate) position: String,
    #[command(flatten)]
    pub(crate) goal: GoalArguments,
    /// How many lines to show.
    #[arg(long, value_name = "K", default_value = "1")]
    pub(crate) multipv: NonZeroU16,
    /// Let analyses that somebody waits for go before, and builds beside.
    #[arg(long)]
    pub(crate) batch: bool,
    /// Milliseconds of a job.
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub(crate) job: u32,
    /// As JSON, a line for each change.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the analysis's number and return; it goes on.
    #[arg(long, conflicts_with = "workers")]
    pub(crate) detach: bool,
    /// Run a coordinator and so many workers on this machine for it; otherwise the coordinator of
    /// --data is asked.
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<NonZeroU16>,
    /// Threads of each worker; the cores shared out evenly by default.
    #[arg(long, value_name = "N", requires = "workers")]
    pub(crate) threads: Option<NonZeroU16>,
    /// The folder of tables.
    #[arg(long, value_name = "DIR", default_value = ".data/tablebase", requires = "workers")]
    pub(crate) dir: PathBuf,
}

/// When an analysis ends; once it is proved who wins where nothing is said.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct GoalArguments {
    /// After so many seconds.
    #[arg(long, value_name = "S")]
    pub(crate) time: Option<f64>,
    /// After so many jobs.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<u64>,
    /// Once it is proved who wins.
    #[arg(long)]
    pub(crate) until_proved: bool,
}

impl GoalArguments {
    /// The goal, where one was given.
    pub(crate) fn given(self) -> Option<AnalysisGoal> {
        let time = self.time.map(|seconds| AnalysisGoal::Time { seconds });
        let jobs = self.jobs.map(|jobs| AnalysisGoal::Jobs { jobs });
        time.or(jobs).or(self.until_proved.then_some(AnalysisGoal::Proved))
    }
}

impl AnalyzeOptions {
    /// What is asked of the coordinator.
    pub(crate) fn request(&self) -> AnalysisRequest {
        AnalysisRequest {
            position: self.position.clone(),
            goal: self.goal.given().unwrap_or_default(),
            lines: self.multipv.get(),
            priority: match self.batch {
                true => AnalysisPriority::Batch,
                false => AnalysisPriority::Interactive,
            },
            job_milliseconds: self.job,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct BuildArguments {
    /// Shards each side is cut into; chosen by size and workers by default. The tables are the same.
    #[arg(long, value_name = "N")]
    pub(crate) shards: Option<NonZeroU16>,
    /// How hard the files are compressed.
    #[arg(long, value_enum, default_value_t = CompressionName::Default)]
    pub(crate) compression: CompressionName,
    /// How thoroughly each shard is checked by another worker: `full`, or so many positions a class.
    /// `build` checks all, as other machines are not to be trusted; `run` 20000.
    #[arg(long, value_name = "POSITIONS", value_parser = check)]
    pub(crate) check: Option<Check>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompressionName {
    /// Least time.
    Fast,
    /// About twice as long as solving takes.
    Default,
    /// Least space.
    Small,
}

impl CompressionName {
    /// The zstd levels for values and for distances.
    fn levels(self) -> (i32, i32) {
        let levels = match self {
            Self::Fast => Compression::FAST,
            Self::Default => Compression::DEFAULT,
            Self::Small => Compression::SMALL,
        };
        (levels.values, levels.distances)
    }
}

impl BuildArguments {
    /// With what is checked where nothing was said.
    pub(crate) fn options(&self, check: Check) -> BuildOptions {
        BuildOptions {
            shards: self.shards.map(NonZeroU16::get),
            compression: self.compression.levels(),
            check: self.check.unwrap_or(check),
        }
    }
}

fn check(text: &str) -> Result<Check, String> {
    if text == "full" {
        return Ok(Check::Full);
    }
    text.parse().map(Check::Sample).map_err(|_| "write full or a number of positions".into())
}
