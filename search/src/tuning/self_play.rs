//! Games of the engine against itself, a little shaken up.

use boombots_rules::{Color, Outcome, Position, Start};
use boombots_search::Engine;

use super::sample::Sample;
use crate::matches::random::{Random, opening, placement};
use crate::matches::self_game::play_out;

/// Plays a game and appends its positions.
pub(crate) fn play(
    engine: &mut Engine,
    nodes: u64,
    random: &mut Random,
    samples: &mut Vec<Sample>,
) {
    let Some(start) = beginning(random) else {
        return;
    };
    let first = samples.len();
    let outcome = play_out(engine, start, nodes, |position, report| {
        let score = report.score().value();
        let white = if position.turn() == Color::White { score } else { -score };
        samples.push(Sample { position: *position, score: white, result: 0.0 });
        // Now and then a random action shows what the engine would never do.
        if random.below(24) == 0 {
            let actions = position.legal_actions();
            return Some(actions[random.below(actions.len())]);
        }
        report.best()
    });
    let result = match outcome {
        Outcome::Win(Color::White) => 1.0,
        Outcome::Win(Color::Black) => 0.0,
        Outcome::Draw => 0.5,
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
