//! Deep analyses as the protocol shows them.

use boombots_cluster_protocol as cluster;
use boombots_cluster_protocol::{AnalysisState, AnalysisStatus, GameResult};
use boombots_protocol::{
    DeepAnalysis, DeepAnalysisSource, DeepAnalysisState, DeepLine, ProvedValue, TableResult,
};
use boombots_rules::{Action, Color, Position};
use boombots_search::Score;

use crate::bots::white_view;

/// An analysis that has just begun.
pub(super) fn nothing_yet(position: &Position) -> DeepAnalysis {
    DeepAnalysis {
        position: position.to_string(),
        by: DeepAnalysisSource::Server,
        state: DeepAnalysisState::Running,
        white_score: None,
        mate_in: None,
        proved: None,
        lines: Vec::new(),
        jobs: 0,
        nodes: 0,
        workers: Vec::new(),
        time_ms: 0,
        waiting: None,
        problem: None,
    }
}

/// An analysis of a cluster.
pub(super) fn of_cluster(position: &Position, status: AnalysisStatus) -> DeepAnalysis {
    let turn = position.turn();
    let (white_score, mate_in) = score(status.score.map(Score::new), turn);
    let lines = status.lines.into_iter();
    DeepAnalysis {
        position: position.to_string(),
        by: DeepAnalysisSource::Cluster,
        state: match status.state {
            AnalysisState::Running => DeepAnalysisState::Running,
            AnalysisState::Done => DeepAnalysisState::Done,
            AnalysisState::Cancelled => DeepAnalysisState::Cancelled,
        },
        white_score,
        mate_in,
        proved: status.proved.map(proved),
        lines: lines
            .filter_map(|given| {
                let action = given.actions.first()?.parse().ok()?;
                let score = given.score.map(Score::new);
                Some(line(turn, score, given.proved.map(proved), action, given.actions))
            })
            .collect(),
        jobs: status.jobs,
        nodes: status.nodes,
        workers: status.workers,
        time_ms: (status.elapsed_seconds.max(0.0) * 1_000.0) as u64,
        waiting: status.waiting,
        problem: None,
    }
}

/// A line, given the side to move.
pub(super) fn line(
    turn: Color,
    given: Option<Score>,
    proved: Option<ProvedValue>,
    action: Action,
    line: Vec<String>,
) -> DeepLine {
    let (white_score, mate_in) = score(given, turn);
    DeepLine { white_score, mate_in, proved, action: action.into(), line }
}

/// A score of the side to move as White's, and how many moves it is to an end.
pub(super) fn score(given: Option<Score>, turn: Color) -> (Option<i32>, Option<i32>) {
    let white = given.map(|score| white_view(score, turn));
    (white.map(|white| white.white_score), white.and_then(|white| white.mate_in))
}

fn proved(given: cluster::ProvedResult) -> ProvedValue {
    let value = match given.result {
        GameResult::Win => TableResult::Win,
        GameResult::Draw => TableResult::Draw,
        GameResult::Loss => TableResult::Loss,
    };
    ProvedValue { value, plies: given.plies, exact: given.exact }
}
