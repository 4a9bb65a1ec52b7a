//! Games of the engine against itself, a little shaken up.

use std::collections::HashSet;

use boombots_rules::{Boombots, Color, Game, Outcome, Position, Start};
use boombots_search::{Engine, Limits, Request, StopSwitch};

use super::sample::Sample;
use crate::matches::random::{Random, opening, placement};

/// Scores from here up count as won, and their positions teach nothing.
const DECIDED: i32 = 800_000;

/// Plays a game and appends its positions.
pub(crate) fn play(
    engine: &mut Engine,
    nodes: u64,
    random: &mut Random,
    samples: &mut Vec<Sample>,
) {
    let Some(mut position) = beginning(random) else {
        return;
    };
    engine.clear();
    let first = samples.len();
    let mut history: Vec<Position> = Vec::new();
    let mut seen = HashSet::new();
    let result = loop {
        if let Some(outcome) = position.outcome() {
            break match outcome {
                Outcome::Win(Color::White) => 1.0,
                Outcome::Win(Color::Black) => 0.0,
                Outcome::Draw => 0.5,
            };
        }
        if history.len() >= Boombots::BOT_MATCH_ACTIONS as usize || !seen.insert(position) {
            break 0.5;
        }
        let request =
            Request { history: history.clone(), ..Request::new(position, Limits::nodes(nodes)) };
        let report = engine.search(&request, &StopSwitch::new(), |_| {});
        let score = report.score().value();
        let white = if position.turn() == Color::White { score } else { -score };
        if white.abs() >= DECIDED {
            break if white > 0 { 1.0 } else { 0.0 };
        }
        samples.push(Sample { position, score: white, result: 0.0 });
        // Now and then a random action shows what the engine would never do.
        let action = if random.below(24) == 0 {
            let actions = position.legal_actions();
            actions[random.below(actions.len())]
        } else {
            match report.best() {
                Some(action) => action,
                None => break 0.5,
            }
        };
        history.push(position);
        position = position.apply_unchecked(action);
    };
    for sample in &mut samples[first..] {
        sample.result = result;
    }
}

/// Mostly openings, else bots strewn about.
fn beginning(random: &mut Random) -> Option<Position> {
    if random.below(4) > 0 {
        let start = Start::ALL[random.below(2)];
        let plies = 2 + random.below(12);
        return opening(start, plies, random);
    }
    let bots = 3 + random.below(8) as u8;
    let other = bots + random.below(2) as u8;
    let turn = Color::ALL[random.below(2)];
    Some(placement([bots, other], turn, random))
}
