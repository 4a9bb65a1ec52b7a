//! Deep analyses: a position searched and proved for as long as somebody looks.

use serde::{Deserialize, Serialize};

use crate::{Action, TableResult};

/// How the analysis of a position stands, asked for by `deepAnalyze`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeepAnalysis {
    /// The position.
    pub position: String,
    /// Who works on it.
    pub by: DeepAnalysisSource,
    /// Whether it goes on.
    pub state: DeepAnalysisState,
    /// The score, from White's point of view, on the scale of `botEvaluations`; `null` before
    /// anything is known.
    pub white_score: Option<i32>,
    /// The moves the winning side still makes, signed for White.
    pub mate_in: Option<i32>,
    /// What is certain, for the side to move.
    pub proved: Option<ProvedValue>,
    /// The best lines, best first.
    pub lines: Vec<DeepLine>,
    /// Pieces of work that are finished.
    #[cfg_attr(test, ts(type = "number"))]
    pub jobs: u64,
    /// Positions looked at.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// The cluster's workers that are at it; none where the server does it by itself.
    pub workers: Vec<String>,
    /// Milliseconds it has run.
    #[cfg_attr(test, ts(type = "number"))]
    pub time_ms: u64,
    /// Why nothing happens, where nothing does.
    pub waiting: Option<String>,
    /// What went wrong, if it goes on all the same.
    pub problem: Option<String>,
}

/// A line of a deep analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeepLine {
    /// The score, from White's point of view; `null` where only a proof was looked for.
    pub white_score: Option<i32>,
    /// The moves the winning side still makes, signed for White.
    pub mate_in: Option<i32>,
    /// What is certain of the action, for whoever takes it.
    pub proved: Option<ProvedValue>,
    /// The action.
    pub action: Action,
    /// Best play, the action first.
    pub line: Vec<String>,
}

/// A value that is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProvedValue {
    /// Who wins.
    pub value: TableResult,
    /// Plies to the end: exact by a table, else at most; `null` for a draw.
    pub plies: Option<u16>,
    /// Whether a table says so; otherwise a proof does.
    pub exact: bool,
}

/// Who works on a deep analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DeepAnalysisSource {
    /// The workers of a cluster.
    Cluster,
    /// The server itself, when its bots leave it time.
    Server,
}

/// Whether a deep analysis goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DeepAnalysisState {
    /// It goes on.
    Running,
    /// It is decided who wins, or its time is over.
    Done,
    /// Somebody else ended it.
    Cancelled,
}
