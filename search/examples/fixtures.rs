//! Makes the fixtures under `data/fixtures`: forced wins and losses out of the
//! endgame tables, rushes and quiet positions out of deep searches.
//!
//! ```text
//! cargo run --release -p boombots-search --example fixtures -- forced TABLES
//! cargo run --release -p boombots-search --example fixtures -- hasty TABLES
//! cargo run --release -p boombots-search --example fixtures -- rushes POSITIONS
//! cargo run --release -p boombots-search --example fixtures -- quiet
//! ```

use std::path::Path;

use boombots_probe::{Plies, Tables, TablesOptions, Value};
use boombots_rules::{Action, Color, Position, Setup, Square, Start};
use boombots_search::{Engine, EngineOptions, Limits, Report, Request, StopSwitch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["forced", folder] => {
            let tables = Tables::open(Path::new(folder), TablesOptions::default())?;
            for plies in [1, 3, 5, 7, 9] {
                forced(&tables, Value::Win(Plies(plies)));
            }
            for plies in 1..=10 {
                forced(&tables, Value::Loss(Plies(plies)));
            }
        }
        ["hasty", folder] => {
            hasty(&Tables::open(Path::new(folder), TablesOptions::default())?);
        }
        ["rushes", file] => rushes(&std::fs::read_to_string(file)?)?,
        ["quiet"] => quiet(),
        _ => eprintln!("usage: fixtures forced TABLES | hasty TABLES | rushes POSITIONS | quiet"),
    }
    Ok(())
}

const CASES: usize = 6;

/// Prints positions of a value, each with the depth at which a search without
/// tables finds the value and keeps it.
fn forced(tables: &Tables, value: Value) {
    let mut random = Random(7);
    let mut found = 0;
    for _ in 0..400_000 {
        if found == CASES {
            return;
        }
        let position = random.placement(3);
        let Ok(rated) = tables.rate_actions(&position) else { continue };
        let best: Vec<Action> =
            rated.iter().filter(|rated| rated.value == value).map(|rated| rated.action).collect();
        // Positions in which nearly anything will do show nothing.
        let few = if matches!(value, Value::Win(_)) { 2 } else { 6 };
        if rated[0].value != value || best.is_empty() || best.len() > few {
            continue;
        }
        let score = match value {
            Value::Win(Plies(plies)) => 1_000_000 - i32::from(plies),
            Value::Loss(Plies(plies)) => i32::from(plies) - 1_000_000,
            Value::Draw => 0,
        };
        let mut depths = (1..=14).filter(|depth| {
            let report = search(position, *depth);
            report.score().value() == score && report.best().is_some_and(|a| best.contains(&a))
        });
        let Some(depth) = depths.next() else { continue };
        if depths.next() != Some(depth + 1) {
            continue;
        }
        let texts: Vec<String> = best.iter().map(ToString::to_string).collect();
        println!("{position}; depth {depth}; best {}; score {score}", texts.join(" "));
        found += 1;
    }
}

/// Prints positions in which the advance that a search of two plies plays loses
/// nine plies later or still later, by the tables, and the depth by which one of
/// the actions that do not lose is played without them.
fn hasty(tables: &Tables) {
    let mut random = Random(21);
    let mut found = 0;
    for _ in 0..2_000_000 {
        if found == 2 * CASES {
            return;
        }
        let position = random.placement(3);
        let Ok(rated) = tables.rate_actions(&position) else { continue };
        let is_late = |value| matches!(value, Value::Loss(Plies(10..)));
        let is_lost = matches!(rated[0].value, Value::Loss(_));
        if is_lost || rated.iter().all(|rated| !is_late(rated.value)) {
            continue;
        }
        let Some(advance) = search(position, 2).best() else { continue };
        let value = rated.iter().find(|rated| rated.action == advance).map(|rated| rated.value);
        let Some(value) = value.filter(|value| is_advance(&position, advance) && is_late(*value))
        else {
            continue;
        };
        let saving: Vec<Action> = rated
            .iter()
            .filter(|rated| rated.value == Value::Draw || matches!(rated.value, Value::Win(_)))
            .map(|rated| rated.action)
            .collect();
        let saves = |depth| search(position, depth).best().is_some_and(|a| saving.contains(&a));
        let Some(depth) = (3..=12).find(|depth| saves(*depth) && saves(depth + 1)) else {
            continue;
        };
        println!(
            "{position}; depth {}; avoid {advance}; # loses in {} plies",
            depth + 1,
            value.plies().map_or(0, |plies| plies.0)
        );
        found += 1;
    }
}

/// Prints positions, out of one a line, in which the advance that a search of
/// three plies chooses loses bots nine plies later, while another action holds.
fn rushes(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    for line in text.lines() {
        let position: Position = line.parse()?;
        let tempting = search(position, 3);
        let Some(advance) = tempting.best().filter(|action| is_advance(&position, *action)) else {
            continue;
        };
        let next = position.apply_unchecked(advance);
        let after = |depth| -search(next, depth).score().value();
        if next.is_over() || after(4) < -120 || after(8) > after(4).min(0) - 130 {
            continue;
        }
        let deep = search(position, 10);
        if deep.score().value() < after(8) + 100 || deep.best() == Some(advance) {
            continue;
        }
        let depths: Vec<u32> =
            (1..=12).filter(|depth| search(position, *depth).best() == Some(advance)).collect();
        println!(
            "{position}; depth {}; avoid {advance}; # chosen at depths {depths:?}, {} after it, {} best",
            depths.last().map_or(0, |last| last + 1).max(9),
            after(8),
            deep.score().value(),
        );
    }
    Ok(())
}

/// Prints openings without any tension, which are worth about nothing.
fn quiet() {
    let mut random = Random(5);
    let mut found = 0;
    while found < CASES {
        let Some(position) = random.opening(6) else { continue };
        let scores: Vec<i32> = [6, 8, 10].map(|d| search(position, d).score().value()).to_vec();
        if scores.iter().all(|score| score.abs() < 60) {
            println!("{position}; depth 8; within 150; # {scores:?}");
            found += 1;
        }
    }
}

fn is_advance(position: &Position, action: Action) -> bool {
    let rows = i16::from(action.target().y()) - i16::from(action.source().y());
    !action.is_boom() && if position.turn() == Color::White { rows > 0 } else { rows < 0 }
}

fn search(position: Position, depth: u32) -> Report {
    let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 16, threads: 1 });
    let request = Request::new(position, Limits::depth(depth));
    engine.search(&request, &StopSwitch::new(), |_| {})
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) as usize) % bound
    }

    fn placement(&mut self, most: usize) -> Position {
        let turn = Color::ALL[self.below(2)];
        let mut setup = Setup::empty(turn);
        for color in Color::ALL {
            for _ in 0..1 + self.below(most) {
                let square = Square::ALL[self.below(64)];
                if setup.height(!color, square) == 0 {
                    let height = setup.height(color, square) + 1;
                    setup = setup.put(color, square, height);
                }
            }
        }
        Position::from_setup(&setup).expect("few bots on squares of their own")
    }

    fn opening(&mut self, plies: usize) -> Option<Position> {
        let mut position = Position::start(Start::Standard);
        for _ in 0..plies {
            let actions = position.legal_actions();
            let moves: Vec<&Action> = actions.iter().filter(|action| !action.is_boom()).collect();
            let action = moves[self.below(moves.len().max(1))];
            position = position.apply_unchecked(*action);
        }
        (!position.is_over()).then_some(position)
    }
}
