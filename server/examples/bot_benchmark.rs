//! What the live bots do with their settings: tactics, speed and evaluation.
//!
//! ```text
//! cargo run -p boombots-server --release --example bot_benchmark
//! ```
//!
//! Tactics and evaluations are searched to fixed depths by one thread, so they are the same each time; speeds
//! are not.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use boombots_rules::{Action, Position, Start};
use boombots_search::{Engine, EngineOptions, Limits, Report, Request, StopSwitch, static_value};
use boombots_server::ServerOptions;

fn main() -> ExitCode {
    let options = ServerOptions::default();
    let engine = EngineOptions { hash_mebibytes: options.bot_hash_mebibytes, threads: 1 };
    println!(
        "live bots: {} MiB, one thread, {} ms an action; tables for White {}, for Black {}",
        engine.hash_mebibytes,
        options.bot_budget.as_millis(),
        options.white_bot_tables,
        options.black_bot_tables,
    );
    let tactics = [
        ("immediate wins", "immediate-wins.txt"),
        ("forced wins", "forced-wins.txt"),
        ("forced losses", "forced-losses.txt"),
        ("nine-ply rush", "rushes.txt"),
        ("evaluation", "quiet.txt"),
    ];
    let mut all_solved = true;
    for (name, file) in tactics {
        match run_fixtures(&engine, file) {
            Ok((solved, all, nodes)) => {
                println!("{name}: {solved} of {all} ({nodes} nodes)");
                all_solved &= solved == all;
            }
            Err(error) => {
                eprintln!("error: {file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    speeds(&engine, options.bot_budget);
    if all_solved { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Searches the positions of a file; how many came out as they must, of how many, and the nodes.
fn run_fixtures(options: &EngineOptions, file: &str) -> Result<(usize, usize, u64), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../search/data/fixtures");
    let text = std::fs::read_to_string(folder.join(file)).map_err(|error| error.to_string())?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut solved, mut all, mut nodes) = (0, 0, 0);
    for line in lines {
        let fixture = Fixture::parse(line).ok_or_else(|| format!("no fixture: {line}"))?;
        let report = search(options, fixture.position, Limits::depth(fixture.depth));
        let failure = fixture.failure(&report);
        let best = report.best().map_or_else(|| "nothing".to_owned(), |action| action.to_string());
        println!(
            "  {} {}: {best}, {} at depth {}, static {}",
            if failure.is_none() { "ok  " } else { "FAIL" },
            fixture.position,
            report.score(),
            report.depth,
            static_value(&fixture.position),
        );
        solved += usize::from(failure.is_none());
        all += 1;
        nodes += report.nodes;
    }
    Ok((solved, all, nodes))
}

/// A position with what a search of a depth must find.
struct Fixture {
    position: Position,
    depth: u32,
    best: Vec<Action>,
    avoid: Vec<Action>,
    score: Option<i32>,
    within: Option<i32>,
}

impl Fixture {
    fn parse(line: &str) -> Option<Fixture> {
        let mut parts = line.split(';').map(str::trim);
        let mut fixture = Fixture {
            position: parts.next()?.parse().ok()?,
            depth: 1,
            best: Vec::new(),
            avoid: Vec::new(),
            score: None,
            within: None,
        };
        for part in parts.filter(|part| !part.is_empty() && !part.starts_with('#')) {
            let (key, value) = part.split_once(' ')?;
            let actions = || -> Option<Vec<Action>> {
                value.split(' ').map(|text| text.parse().ok()).collect()
            };
            match key {
                "depth" => fixture.depth = value.parse().ok()?,
                "best" => fixture.best = actions()?,
                "avoid" => fixture.avoid = actions()?,
                "score" => fixture.score = Some(value.parse().ok()?),
                "within" => fixture.within = Some(value.parse().ok()?),
                _ => return None,
            }
        }
        Some(fixture)
    }

    /// What is wrong with a report.
    fn failure(&self, report: &Report) -> Option<&'static str> {
        let Some(best) = report.best() else { return Some("no action") };
        let score = report.score().value();
        if !self.best.is_empty() && !self.best.contains(&best) {
            return Some("another action");
        }
        if self.avoid.contains(&best) {
            return Some("the action to avoid");
        }
        if self.score.is_some_and(|expected| expected != score) {
            return Some("another score");
        }
        self.within.filter(|bound| score.abs() > *bound).map(|_| "too large a score")
    }
}

/// Positions a second to a fixed depth, and what the live budget reaches.
fn speeds(options: &EngineOptions, budget: Duration) {
    for start in Start::ALL {
        let position = Position::start(start);
        for limits in [Limits::depth(10), Limits::time(budget)] {
            let name = match limits.time {
                Some(time) => format!("{} ms", time.as_millis()),
                None => "depth 10".to_owned(),
            };
            let report = search(options, position, limits);
            println!(
                "{start}, {name}: {} nodes in {} ms, {} a second, completed depth {}",
                report.nodes,
                report.time.as_millis(),
                report.speed(),
                report.depth,
            );
        }
    }
}

fn search(options: &EngineOptions, position: Position, limits: Limits) -> Report {
    let mut engine = Engine::new(options);
    engine.search(&Request::new(position, limits), &StopSwitch::new(), |_| {})
}
