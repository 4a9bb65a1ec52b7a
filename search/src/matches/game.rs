//! One game between two engines.

use std::time::Duration;

use anyhow::{Context, Result};
use boombots_rules::{Boombots, Color, Conclusion, Game, GameRecord, Outcome, Position};

use super::engine_process::EngineProcess;

/// What an engine may spend on an action.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    /// The words after `go`.
    pub(crate) limits: String,
    /// How long to wait for the answer.
    pub(crate) patience: Duration,
}

/// Plays a game between engines that are ready for one, the first with White, and gives its record with
/// `White` and `Black` tags. An engine that fails loses.
pub(crate) fn play(
    start: Position,
    engines: [&mut EngineProcess; 2],
    effort: &Effort,
) -> Result<GameRecord> {
    let [white, black] = engines;
    let mut record = GameRecord::<Boombots>::new(start);
    record.set_tag("White", &white.name).context("an engine's name")?;
    record.set_tag("Black", &black.name).context("an engine's name")?;
    let mut command = format!("position fen {start}");
    while record.outcome().is_none() {
        let turn = record.position().turn();
        if record.actions().len() >= Boombots::BOT_MATCH_ACTIONS as usize {
            conclude(&mut record, Conclusion::ActionLimit);
            break;
        }
        let engine = if turn == Color::White { &mut *white } else { &mut *black };
        let played = engine
            .choose(&command, &effort.limits, effort.patience)
            .and_then(|action| Ok(record.play(action).map(|()| action)?));
        match played {
            Ok(action) => {
                if record.actions().len() == 1 {
                    command.push_str(" moves");
                }
                command.push(' ');
                command.push_str(&action.to_string());
            }
            Err(error) => {
                eprintln!("{} loses: {error:#}", engine.name);
                conclude(&mut record, Conclusion::Abandonment(turn));
            }
        }
    }
    Ok(record)
}

fn conclude(record: &mut GameRecord, conclusion: Conclusion) {
    record.conclude(conclusion).expect("the game was going on");
}

/// Half points of White: 2 for a win, 1 for a draw, 0 for a loss.
pub(crate) fn half_points_of_white(record: &GameRecord) -> usize {
    match record.outcome() {
        Some(Outcome::Win(Color::White)) => 2,
        Some(Outcome::Win(Color::Black)) => 0,
        Some(Outcome::Draw) | None => 1,
    }
}
