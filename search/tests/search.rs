//! The engine as a whole: it finds what must be found, always says the same,
//! keeps to the rules and to the tables.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use boombots_probe::{Tables, TablesOptions, Value};
use boombots_rules::{Outcome, Position, Start};
use boombots_search::{
    EndgameTables, Engine, EngineOptions, Limits, Report, Request, Score, StopSwitch,
};

use support::Random;

fn engine() -> Engine {
    Engine::new(&EngineOptions { hash_mebibytes: 8, threads: 1 })
}

fn search(engine: &mut Engine, request: &Request) -> Report {
    engine.search(request, &StopSwitch::new(), |_| {})
}

fn standard() -> Position {
    Position::start(Start::Standard)
}

/// Every line is legal, and one that promises an end keeps its promise.
fn check_lines(position: &Position, report: &Report) {
    check_lines_within(position, report, u64::MAX);
}

/// The same of a search that may have been cut off by a limit of nodes.
fn check_lines_within(position: &Position, report: &Report, most_nodes: u64) {
    for line in &report.lines {
        assert!(!line.actions.is_empty(), "{position}");
        let mut current = *position;
        for action in &line.actions {
            current = current
                .play(*action)
                .unwrap_or_else(|error| panic!("{position}: {:?}: {error}", line.actions));
        }
        let win = line.score.win_plies();
        if let Some(plies) = win.or(line.score.loss_plies()) {
            assert!(line.actions.len() <= plies as usize, "{position}: {:?}", line.actions);
            // A limit that falls between finding an end and finding the way to it
            // leaves the line short.
            if line.actions.len() < plies as usize && report.nodes > most_nodes {
                continue;
            }
            assert_eq!(line.actions.len(), plies as usize, "{position}: {:?}", line.actions);
            let winner = if win.is_some() { position.turn() } else { !position.turn() };
            assert_eq!(current.outcome(), Some(Outcome::Win(winner)), "{position}");
        }
    }
}

#[test]
fn equal_searches_are_equal() {
    let run = || {
        let mut engine = engine();
        let mut reports = Vec::new();
        for limits in [Limits::nodes(30_000), Limits::depth(7), Limits::nodes(12_345)] {
            let report = search(&mut engine, &Request::new(standard(), limits));
            reports.push((report.nodes, report.depth, report.lines));
        }
        reports
    };
    assert_eq!(run(), run());
}

#[test]
fn node_limits_are_kept() {
    for nodes in [1, 2, 100, 511, 512, 513, 10_000] {
        let report = search(&mut engine(), &Request::new(standard(), Limits::nodes(nodes)));
        assert!(report.nodes <= nodes + 1, "{} of {nodes}", report.nodes);
        check_lines(&standard(), &report);
    }
}

#[test]
fn depth_seven_takes_few_nodes() {
    let report = search(&mut engine(), &Request::new(standard(), Limits::depth(7)));
    assert_eq!(report.depth, 7);
    assert!(report.nodes <= 500_000, "{}", report.nodes);
}

#[test]
fn lines_are_legal_and_keep_their_promises() {
    let mut random = Random::new(1);
    let mut engine = engine();
    for _ in 0..150 {
        let position = random.placement(6);
        let request = Request { lines: 3, ..Request::new(position, Limits::nodes(6_000)) };
        let report = search(&mut engine, &request);
        check_lines_within(&position, &report, 6_000);
        let firsts: Vec<_> = report.lines.iter().map(|line| line.actions[0]).collect();
        assert!((1..firsts.len()).all(|i| !firsts[..i].contains(&firsts[i])), "{position}");
    }
}

#[test]
fn scores_of_lines_descend() {
    let request = Request { lines: 4, ..Request::new(standard(), Limits::depth(6)) };
    let report = search(&mut engine(), &request);
    let scores: Vec<Score> = report.lines.iter().map(|line| line.score).collect();
    assert_eq!(scores.len(), 4);
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn finished_games_have_no_action() {
    let position: Position = "8/8/8/3A4/8/8/8/8 b".parse().unwrap();
    let report = search(&mut engine(), &Request::new(position, Limits::depth(5)));
    assert_eq!(report.best(), None);
    assert_eq!(report.score(), Score::DRAW);
}

#[test]
fn the_only_action_is_taken() {
    let position: Position = "8/8/8/3a4/2aAa3/3a4/8/8 w".parse().unwrap();
    let report = search(&mut engine(), &Request::new(position, Limits::depth(5)));
    assert_eq!(report.best().unwrap().to_string(), "xd4");
    assert_eq!(report.score(), Score::DRAW);
}

#[test]
fn a_stopped_search_still_answers() {
    let stop = StopSwitch::new();
    stop.stop();
    let request = Request::new(standard(), Limits::default());
    let report = engine().search(&request, &stop, |_| {});
    assert!(standard().legality(report.best().unwrap()).is_ok());
    assert!(report.nodes < 10_000);
}

#[test]
fn an_endless_search_ends_when_stopped() {
    let position: Position = "8/8/8/3Aa3/8/8/8/A7 w".parse().unwrap();
    for position in [standard(), position] {
        let stop = StopSwitch::new();
        let limits = Limits { infinite: true, ..Limits::default() };
        let request = Request::new(position, limits);
        let report = std::thread::scope(|scope| {
            let search = scope.spawn(|| engine().search(&request, &stop, |_| {}));
            stop.stop();
            search.join().unwrap()
        });
        assert!(position.legality(report.best().unwrap()).is_ok());
    }
}

#[test]
fn threads_agree_on_what_is_forced() {
    let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 8, threads: 3 });
    let position: Position = "8/8/8/8/1a6/8/1A6/B7 w".parse().unwrap();
    let alone = search(&mut self::engine(), &Request::new(position, Limits::depth(9)));
    let together = search(&mut engine, &Request::new(position, Limits::depth(9)));
    check_lines(&position, &together);
    assert_eq!(alone.score().mate_in().is_some(), together.score().mate_in().is_some());
    let report = search(&mut engine, &Request::new(standard(), Limits::depth(8)));
    assert_eq!(report.depth, 8);
    check_lines(&standard(), &report);
}

#[test]
fn a_short_time_is_kept_roughly() {
    let limits = Limits::time(Duration::from_millis(30));
    let report = search(&mut engine(), &Request::new(standard(), limits));
    assert!(report.depth >= 1);
    check_lines(&standard(), &report);
}

fn small_tables() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tables")
}

#[test]
fn table_positions_are_played_exactly() {
    let tables = Tables::open(&small_tables(), TablesOptions::default()).unwrap();
    let mut engine = engine();
    engine.set_tables(Some(Arc::new(EndgameTables::open(&small_tables()).unwrap())));
    let mut random = Random::new(9);
    let mut decided = 0;
    for _ in 0..400 {
        let position = random.placement(2);
        let report = search(&mut engine, &Request::new(position, Limits::nodes(500)));
        check_lines(&position, &report);
        let after = tables.rate_actions(&position).unwrap();
        let chosen = after.iter().find(|rated| Some(rated.action) == report.best()).unwrap();
        assert_eq!(chosen.value, after[0].value, "{position}");
        let score = match after[0].value {
            Value::Win(plies) => Score::win_in(plies.0.into()),
            Value::Loss(plies) => Score::loss_in(plies.0.into()),
            Value::Draw => continue,
        };
        assert_eq!(report.score(), score, "{position}");
        decided += 1;
    }
    assert!(decided > 50, "{decided}");
}

/// With tables below it, a search of a larger class is never contradicted by
/// them: a line that ends in a table goes on to the end of the game.
#[test]
fn lines_run_through_the_tables() {
    let mut engine = engine();
    engine.set_tables(Some(Arc::new(EndgameTables::open(&small_tables()).unwrap())));
    let mut random = Random::new(4);
    let mut hits = 0;
    for _ in 0..60 {
        let position = random.placement(4);
        let report = search(&mut engine, &Request::new(position, Limits::nodes(8_000)));
        check_lines_within(&position, &report, 8_000);
        hits += report.table_hits;
        let without = Request { use_tables: false, ..Request::new(position, Limits::nodes(2_000)) };
        assert_eq!(search(&mut engine, &without).table_hits, 0);
    }
    assert!(hits > 0);
}

/// Tables that are shared may have been read by others.
#[test]
fn what_was_read_before_changes_no_search_by_nodes() {
    let mut random = Random::new(6);
    let warm = Arc::new(EndgameTables::open(&small_tables()).unwrap());
    for _ in 0..12 {
        let position = random.placement(4);
        for limits in [Limits::nodes(3_000), Limits::depth(4)] {
            let request = Request::new(position, limits);
            let cold = Arc::new(EndgameTables::open(&small_tables()).unwrap());
            let [first, second] = [&cold, &warm].map(|tables| {
                let mut engine = engine();
                engine.set_tables(Some(Arc::clone(tables)));
                Report { time: Duration::ZERO, ..search(&mut engine, &request) }
            });
            assert_eq!(first, second, "{position}");
        }
    }
}

/// A search by the clock reads tables only where it has depth left, and asks those
/// it has read everywhere.
#[test]
fn the_clock_keeps_tables_from_being_read_at_the_leaves() {
    let mut random = Random::new(8);
    let [mut by_clock, mut without_end] = [0, 0];
    for _ in 0..12 {
        let position = random.placement(4);
        let hits_to_depth_7 = |limits: Limits| {
            let mut engine = engine();
            engine.set_tables(Some(Arc::new(EndgameTables::open(&small_tables()).unwrap())));
            let stop = StopSwitch::new();
            let report = engine.search(&Request::new(position, limits), &stop, |report| {
                // Without nodes the tables know the root.
                if report.depth >= 7 || report.nodes == 0 {
                    stop.stop();
                }
            });
            check_lines_within(&position, &report, 0);
            report.table_hits
        };
        by_clock += hits_to_depth_7(Limits::time(Duration::from_secs(3_600)));
        without_end += hits_to_depth_7(Limits { infinite: true, ..Limits::default() });
    }
    assert!(by_clock > 0 && by_clock < without_end, "{by_clock} and {without_end}");
}

/// Fixtures: position; `depth N` or `nodes N`; then any of `best A B …` (one of
/// these is played), `avoid A B …` (none of these is), `score N` (exactly) and
/// `within N` (centibots of a draw). A field that begins with `#` is a comment.
#[test]
fn fixtures_are_solved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/fixtures");
    let mut cases = 0;
    let mut problems = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let file = entry.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            problems.extend(check_fixture(line));
            cases += 1;
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(cases >= 60, "{cases}");
}

/// What is wrong with the search of a fixture.
fn check_fixture(line: &str) -> Vec<String> {
    let mut fields = line.split(';').map(str::trim);
    let position: Position = fields.next().unwrap().parse().unwrap();
    let mut limits = Limits::default();
    let mut checks = Vec::new();
    for field in fields.filter(|field| !field.starts_with('#')) {
        let (word, rest) = field.split_once(' ').unwrap();
        match word {
            "depth" => limits.depth = Some(rest.parse().unwrap()),
            "nodes" => limits.nodes = Some(rest.parse().unwrap()),
            _ => checks.push((word, rest)),
        }
    }
    assert!(limits != Limits::default() && !checks.is_empty(), "{line}");
    let report = search(&mut engine(), &Request::new(position, limits));
    check_lines(&position, &report);
    let best = report.best().unwrap().to_string();
    let score = report.score().value();
    let mut problems = Vec::new();
    for (word, rest) in checks {
        let holds = match word {
            "best" => rest.split(' ').any(|action| action == best),
            "avoid" => rest.split(' ').all(|action| action != best),
            "score" => score == rest.parse::<i32>().unwrap(),
            "within" => score.abs() <= rest.parse::<i32>().unwrap(),
            _ => panic!("{line}: unknown check {word}"),
        };
        if !holds {
            problems.push(format!("{line}: played {best} for {score}"));
        }
    }
    problems
}
