//! Analyses for people, as lines.

use boombots_cluster_protocol::{
    AnalysisLine, AnalysisState, AnalysisStatus, GameResult, ProvedResult,
};

/// How an analysis stands, in one line.
pub(crate) fn line(status: &AnalysisStatus) -> String {
    let state = match status.state {
        AnalysisState::Running => "",
        AnalysisState::Done => "done, ",
        AnalysisState::Cancelled => "cancelled, ",
    };
    let proof = match (status.proved, status.proof_numbers) {
        (Some(proved), _) => result(proved),
        (None, (Some(win), Some(loss))) => format!("unproved (win {win}, loss {loss})"),
        (None, (Some(win), None)) => format!("unproved (win {win}, no loss)"),
        (None, (None, Some(loss))) => format!("unproved (no win, loss {loss})"),
        (None, (None, None)) => "drawn".to_owned(),
    };
    let workers = match (&status.waiting, status.workers.len()) {
        (Some(waiting), _) => format!("waiting: {waiting}"),
        (None, 0) => "no worker".to_owned(),
        (None, _) => format!("workers {}", status.workers.join(" ")),
    };
    format!(
        "{:.1} s  {state}{}  {proof}  {} jobs  {} nodes  {} positions  {workers}",
        status.elapsed_seconds,
        status.score.map_or("no score".to_owned(), score),
        status.jobs,
        status.nodes,
        status.graph,
    )
}

/// The best lines of an analysis.
pub(crate) fn lines(status: &AnalysisStatus) -> Vec<String> {
    let shown = status.lines.iter().enumerate();
    shown.map(|(at, line)| format!("  {}. {}", at + 1, of_play(line))).collect()
}

fn of_play(line: &AnalysisLine) -> String {
    let value = match (line.proved, line.score) {
        (Some(proved), _) => result(proved),
        (None, Some(value)) => score(value),
        (None, None) => "no score".to_owned(),
    };
    format!("{value}  {}", line.actions.join(" "))
}

fn result(proved: ProvedResult) -> String {
    let word = match proved.result {
        GameResult::Win => "win",
        GameResult::Draw => "draw",
        GameResult::Loss => "loss",
    };
    match (proved.plies, proved.exact) {
        (Some(plies), true) => format!("{word} in {plies} plies"),
        (Some(plies), false) => format!("proved {word} in at most {plies} plies"),
        (None, true) => word.to_owned(),
        (None, false) => format!("proved {word}"),
    }
}

/// Bots, or the plies to a win that a search has seen but nothing proves.
fn score(centibots: i32) -> String {
    let plies = 1_000_000 - centibots.abs();
    match centibots {
        900_000.. => format!("win in {plies} plies (unproved)"),
        ..=-900_000 => format!("loss in {plies} plies (unproved)"),
        _ => format!("{:+.2}", f64::from(centibots) / 100.0),
    }
}
