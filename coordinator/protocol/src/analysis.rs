//! Analyses as the coordinator's HTTP interface shows them: JSON, in camel case.

use serde::{Deserialize, Serialize};

/// A request for an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The position, as text.
    pub position: String,
    /// When it ends.
    #[serde(default)]
    pub goal: AnalysisGoal,
    /// How many lines to show, best first.
    #[serde(default = "one")]
    pub lines: u16,
    /// How urgent it is.
    #[serde(default)]
    pub priority: AnalysisPriority,
    /// Milliseconds of a job.
    #[serde(default = "second")]
    pub job_milliseconds: u32,
}

/// When an analysis ends; in any case once its position is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "until")]
pub enum AnalysisGoal {
    /// After so many seconds.
    #[serde(rename_all = "camelCase")]
    Time {
        /// The seconds.
        seconds: f64,
    },
    /// After so many jobs.
    #[serde(rename_all = "camelCase")]
    Jobs {
        /// How many.
        jobs: u64,
    },
    /// Once it is proved who wins.
    #[default]
    Proved,
}

/// How urgent an analysis is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AnalysisPriority {
    /// Somebody is waiting: it goes before all others, and before builds.
    #[default]
    Interactive,
    /// It runs when no interactive one has work to give, and beside builds.
    Batch,
}

/// Whether an analysis goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AnalysisState {
    /// It goes on.
    Running,
    /// Its goal is reached.
    Done,
    /// Somebody ended it; it can be resumed.
    Cancelled,
}

/// A result that is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvedResult {
    /// For the side to move.
    pub result: GameResult,
    /// The plies to the end: exact by a table, else at most.
    pub plies: Option<u16>,
    /// Whether a table says so; otherwise a proof does.
    pub exact: bool,
}

/// How a game ends for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GameResult {
    /// It wins.
    Win,
    /// Nobody wins.
    Draw,
    /// It loses.
    Loss,
}

/// One line of an analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisLine {
    /// For the side to move, in centibots; a win in p plies is 1 000 000 − p. Missing where only
    /// the proof was worked on.
    pub score: Option<i32>,
    /// What is certain of its first action.
    pub proved: Option<ProvedResult>,
    /// The actions, in order.
    pub actions: Vec<String>,
}

/// How an analysis stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisStatus {
    /// Its number.
    pub id: u32,
    /// The position.
    pub position: String,
    /// When it ends.
    pub goal: AnalysisGoal,
    /// How urgent it is.
    pub priority: AnalysisPriority,
    /// Whether it goes on.
    pub state: AnalysisState,
    /// Grows with every change of what is shown here, until the coordinator is started again.
    pub revision: u64,
    /// For the side to move, in centibots; a win in p plies is 1 000 000 − p.
    pub score: Option<i32>,
    /// What is certain.
    pub proved: Option<ProvedResult>,
    /// Work that a proof still seems to take: of a win, and of a loss.
    pub proof_numbers: (Option<u32>, Option<u32>),
    /// The best lines.
    pub lines: Vec<AnalysisLine>,
    /// Jobs finished.
    pub jobs: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions in the graph of all analyses.
    pub graph: u64,
    /// Jobs at workers now.
    pub in_flight: u32,
    /// Workers that have a job of this analysis.
    pub workers: Vec<String>,
    /// Seconds it has run.
    pub elapsed_seconds: f64,
    /// Why nothing happens, where nothing does.
    pub waiting: Option<String>,
}

/// The tree of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisExport {
    /// The analysis.
    pub analysis: AnalysisStatus,
    /// The positions; the first is the analysis's own. Each occurs once, up to symmetry and the
    /// exchange of colours, with White to move.
    pub nodes: Vec<ExportNode>,
}

/// A position of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportNode {
    /// The position.
    pub position: String,
    /// For White, to move.
    pub score: Option<i32>,
    /// What is certain.
    pub proved: Option<ProvedResult>,
    /// Work that a proof still seems to take: of a win, and of a loss.
    pub proof_numbers: (Option<u32>, Option<u32>),
    /// Jobs finished here and below.
    pub visits: u32,
    /// Actions, each with the index of the position it leads to.
    pub children: Vec<ExportChild>,
}

/// An action of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportChild {
    /// The action.
    pub action: String,
    /// The index of the position it leads to; none where the game is over.
    pub node: Option<u32>,
}

fn one() -> u16 {
    1
}

fn second() -> u32 {
    1_000
}
