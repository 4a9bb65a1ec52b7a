//! What is asked of analyses: to begin, to end, to go on.

use std::time::Duration;

use boombots_cluster_protocol::{AnalysisGoal, AnalysisRequest, AnalysisState};
use boombots_rules::Position;
use thiserror::Error;

use super::{Analyses, Analysis, AnalysisChange, AnalysisRecord};
use crate::scheduler::Severity;

/// Why an analysis is not begun.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// The position is none.
    #[error("{0}")]
    Position(String),
    /// The game is over.
    #[error("the game is over in this position")]
    Over,
    /// The limits are none.
    #[error("{0}")]
    Limits(&'static str),
    /// There are too many.
    #[error("{MOST_RUNNING} analyses are running already; cancel one, or wait")]
    TooMany,
    /// There is no such analysis.
    #[error("there is no analysis {0}")]
    Unknown(u32),
}

impl Analyses {
    /// Begins an analysis. Returns its number.
    ///
    /// # Errors
    /// If it makes no sense, or there are too many.
    pub fn submit(
        &mut self,
        request: &AnalysisRequest,
        now: Duration,
    ) -> Result<u32, AnalysisError> {
        self.now = now;
        let position: Position =
            request.position.parse().map_err(|error: boombots_rules::ParsePositionError| {
                AnalysisError::Position(error.to_string())
            })?;
        if position.is_over() {
            return Err(AnalysisError::Over);
        }
        let is_wrong = match request.goal {
            AnalysisGoal::Time { seconds } => !(seconds > 0.0 && seconds <= MOST_SECONDS),
            AnalysisGoal::Jobs { jobs } => jobs == 0,
            AnalysisGoal::Proved => false,
        };
        if is_wrong {
            return Err(AnalysisError::Limits("an analysis lasts more than 0 seconds or jobs"));
        }
        if !(1..=MOST_LINES).contains(&request.lines) {
            return Err(AnalysisError::Limits("an analysis shows 1 to 64 lines"));
        }
        if !(10..=60_000).contains(&request.job_milliseconds) {
            return Err(AnalysisError::Limits("a job lasts 10 to 60000 milliseconds"));
        }
        if self.running().count() >= MOST_RUNNING {
            return Err(AnalysisError::TooMany);
        }
        let id = self.analyses.keys().next_back().map_or(1, |last| last + 1);
        let record = AnalysisRecord {
            id,
            position: position.to_string(),
            goal: request.goal.into(),
            lines: request.lines,
            priority: request.priority,
            job_milliseconds: request.job_milliseconds,
            state: AnalysisState::Running,
            jobs: 0,
            nodes: 0,
            spent_milliseconds: 0,
        };
        self.save(AnalysisChange::Analysis(record.clone()));
        self.log(Severity::Info, format!("analysis {id} of {position} was asked for"));
        let root = self.graph.enter(&position);
        let turns = self.least_turns();
        let analysis = Analysis {
            record,
            position,
            root,
            revision: 1,
            since: now,
            partial: None,
            given: 0,
            turns,
            proof_effort: (0, 0),
        };
        self.analyses.insert(id, analysis);
        self.schedule(now);
        Ok(id)
    }

    /// Ends an analysis; what it has found stays. Returns whether it was running.
    ///
    /// # Errors
    /// If there is none of that number.
    pub fn cancel(&mut self, id: u32, now: Duration) -> Result<bool, AnalysisError> {
        self.now = now;
        let analysis = self.analyses.get(&id).ok_or(AnalysisError::Unknown(id))?;
        let was_running = analysis.record.state == AnalysisState::Running;
        if was_running {
            self.end(id, AnalysisState::Cancelled);
            self.schedule(now);
        }
        Ok(was_running)
    }

    /// Lets an analysis go on that was cancelled, or further than its goal was.
    ///
    /// # Errors
    /// If there is none of that number.
    pub fn resume(
        &mut self,
        id: u32,
        goal: Option<AnalysisGoal>,
        now: Duration,
    ) -> Result<(), AnalysisError> {
        self.now = now;
        if self.running().count() >= MOST_RUNNING {
            return Err(AnalysisError::TooMany);
        }
        let turns = self.least_turns();
        let analysis = self.analyses.get_mut(&id).ok_or(AnalysisError::Unknown(id))?;
        if analysis.record.state != AnalysisState::Running {
            analysis.since = now;
            analysis.turns = turns;
        }
        analysis.record.state = AnalysisState::Running;
        if let Some(goal) = goal {
            analysis.record.goal = goal.into();
        }
        analysis.revision += 1;
        let record = analysis.record.clone();
        self.save(AnalysisChange::Analysis(record));
        self.log(Severity::Info, format!("analysis {id} goes on"));
        self.schedule(now);
        Ok(())
    }
}

/// Analyses that run at a time.
const MOST_RUNNING: usize = 256;

const MOST_LINES: u16 = 64;

/// A month.
const MOST_SECONDS: f64 = 2_592_000.0;
