//! What analyses keep on disk: the graph is made of it again after any restart.

use boombots_cluster_protocol::{
    AnalysisGoal, AnalysisPriority, AnalysisState, JobKind, JobOutcome,
};
use serde::{Deserialize, Serialize};

/// An analysis that somebody asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysisRecord {
    /// Its number.
    pub id: u32,
    /// The position.
    pub position: String,
    /// When it ends.
    pub goal: Goal,
    /// Lines to show.
    pub lines: u16,
    /// How urgent it is.
    pub priority: AnalysisPriority,
    /// Milliseconds of a job.
    pub job_milliseconds: u32,
    /// Whether it goes on.
    pub state: AnalysisState,
    /// Jobs finished.
    pub jobs: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// Milliseconds it has run.
    pub spent_milliseconds: u64,
}

/// [`AnalysisGoal`] in a form that is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// After so many milliseconds.
    Time(u64),
    /// After so many jobs.
    Jobs(u64),
    /// Once it is proved who wins.
    Proved,
}

impl From<AnalysisGoal> for Goal {
    fn from(goal: AnalysisGoal) -> Self {
        match goal {
            AnalysisGoal::Time { seconds } => Self::Time((seconds * 1_000.0) as u64),
            AnalysisGoal::Jobs { jobs } => Self::Jobs(jobs),
            AnalysisGoal::Proved => Self::Proved,
        }
    }
}

impl From<Goal> for AnalysisGoal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Time(milliseconds) => Self::Time { seconds: milliseconds as f64 / 1_000.0 },
            Goal::Jobs(jobs) => Self::Jobs { jobs },
            Goal::Proved => Self::Proved,
        }
    }
}

/// The result of a job, of whichever analysis: it holds of its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// The position, in its canonical form.
    pub position: String,
    /// What was to be found out.
    pub kind: JobKind,
    /// What was found.
    pub outcome: JobOutcome,
}

/// A change of what is on disk.
#[derive(Clone, Debug, PartialEq)]
pub enum AnalysisChange {
    /// An analysis is new or changed.
    Analysis(AnalysisRecord),
    /// The result of a job, under the next number.
    Result(u64, ResultRecord),
}

/// Everything on disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnalysisRecords {
    /// Analyses.
    pub analyses: Vec<AnalysisRecord>,
    /// Results, in the order in which they came.
    pub results: Vec<ResultRecord>,
    /// The number of the next result.
    pub next_result: u64,
    /// How often the coordinator was started, this time included.
    pub starts: u32,
}
