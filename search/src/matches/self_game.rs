//! The engine's games against itself.

use std::collections::HashSet;

use boombots_rules::{Action, Boombots, Game, Outcome, Position};
use boombots_search::{Engine, Limits, Report, Request, StopSwitch};

/// Scores from here up count as won.
const DECIDED: i32 = 800_000;

/// Plays a game from a position by so many nodes an action until it is decided, and says how.
///
/// A position that comes again and a limit of actions make it a draw, and so does `choose`,
/// which picks the action to play, with `None`.
pub(crate) fn play_out(
    engine: &mut Engine,
    start: Position,
    nodes: u64,
    mut choose: impl FnMut(&Position, &Report) -> Option<Action>,
) -> Outcome {
    engine.clear();
    let mut position = start;
    let mut history: Vec<Position> = Vec::new();
    let mut seen = HashSet::new();
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        if history.len() >= Boombots::BOT_MATCH_ACTIONS as usize || !seen.insert(position) {
            return Outcome::Draw;
        }
        let request =
            Request { history: history.clone(), ..Request::new(position, Limits::nodes(nodes)) };
        let report = engine.search(&request, &StopSwitch::new(), |_| {});
        match report.score().value() {
            DECIDED.. => return Outcome::Win(position.turn()),
            ..=LOST => return Outcome::Win(!position.turn()),
            _ => {}
        }
        let Some(action) = choose(&position, &report) else {
            return Outcome::Draw;
        };
        history.push(position);
        position = position.apply_unchecked(action);
    }
}

const LOST: i32 = -DECIDED;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use boombots_rules::Color;
    use boombots_search::EngineOptions;

    use super::*;

    fn outcome(text: &str, choose: impl FnMut(&Position, &Report) -> Option<Action>) -> Outcome {
        let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 1, threads: 1 });
        play_out(&mut engine, text.parse().unwrap(), 2_000, choose)
    }

    #[test]
    fn games_end_as_they_must() {
        let best = |_: &Position, report: &Report| report.best();
        for turn in ["w", "b"] {
            let four_to_one = format!("A6A/8/8/3Aa3/8/8/8/A7 {turn}");
            assert_eq!(outcome(&four_to_one, best), Outcome::Win(Color::White));
        }
        assert_eq!(outcome("A7/8/8/8/8/8/8/7a w", best), Outcome::Draw);
        assert_eq!(outcome("AA6/A7/8/8/8/8/8/6aa w", |_, _| None), Outcome::Draw);
    }
}
