//! The commands of `boombots-engine`, run as they are.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

use boombots_rules::{GameRecord, Start};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boombots-engine")).args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a run that fails, on one line.
fn failure(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: "), "{error}");
    error
}

/// The signature changes with every change of what the search does, and with
/// nothing else; such a change writes the new one here.
#[test]
fn bench_prints_the_signature() {
    let expected = include_str!("../data/signature.txt").trim();
    let output = stdout(&["bench"]);
    assert_eq!(output.lines().last().unwrap(), format!("Bench: {expected}"));
    let json: serde_json::Value = serde_json::from_str(&stdout(&["bench", "--json"])).unwrap();
    assert_eq!(json["nodes"].to_string(), expected);
}

#[test]
fn perft_counts_both_starts() {
    assert_eq!(stdout(&["perft", "4"]), "10880448\n");
    assert_eq!(stdout(&["perft", "4", "expendibots"]), "5702544\n");
    assert!(failure(&["perft", "2", "nowhere"]).contains("nowhere"));
}

#[test]
fn search_answers_in_json() {
    let position = "8/8/8/4aA2/2A5/8/8/8 b";
    let text = stdout(&["search", position, "--depth", "6", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    // White booms whatever Black does: one move of the winner.
    assert_eq!(json["mateIn"], 1);
    assert_eq!(json["score"], 2 - 1_000_000);
    assert_eq!(json["lines"][0]["pv"].as_array().unwrap().len(), 2);
    assert!(failure(&["search", "8/8/8/8/8/8/8/A7 w"]).contains("over"));
    assert!(failure(&["search", "standard", "--tables", "/nowhere/at/all"]).contains("nowhere"));
}

#[test]
fn matches_between_processes_leave_readable_records() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    let text = stdout(&[
        "match",
        "self option.Hash=1",
        "self ugi option.Hash=1 option.Plain=true",
        "--games",
        "4",
        "--nodes",
        "400",
        "--concurrency",
        "2",
        "--records",
        records.to_str().unwrap(),
        "--sprt",
        "0",
        "500",
        "--json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let played = json["games"].as_u64().unwrap();
    assert!(played == 2 || played == 4, "{json}");
    let mut starts = Vec::new();
    for number in 1..=played {
        let file = records.join(format!("game-{number:05}.txt"));
        let text = std::fs::read_to_string(file).unwrap();
        let record: GameRecord = text.parse().unwrap();
        assert_eq!(record.to_string(), text);
        assert!(record.outcome().is_some());
        let (white, black) = (record.tag("White").unwrap(), record.tag("Black").unwrap());
        assert!(white != black && white.starts_with("Boombots"), "{white} {black}");
        starts.push((record.start().to_string(), white.to_owned()));
    }
    for pair in starts.chunks(2) {
        assert_eq!(pair[0].0, pair[1].0);
        assert_ne!(pair[0].1, pair[1].1);
    }
}

#[test]
fn an_engine_that_fails_loses_or_is_refused() {
    assert!(failure(&["match", "/nowhere/engine", "self", "--games", "2"]).contains("nowhere"));
    assert!(failure(&["match", "self option.Hash=0", "self", "--games", "2"]).contains("Hash"));
    assert!(failure(&["match", "self", "self", "--games", "3"]).contains("even"));
    assert!(failure(&["match", "self", "self", "--openings", "/nowhere"]).contains("nowhere"));
}

#[test]
fn positions_can_open_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let openings = folder.path().join("openings.txt");
    let text = stdout(&["positions", "--count", "3", "--bots", "4-6", "--nodes", "500"]);
    assert_eq!(text.lines().count(), 3);
    std::fs::write(&openings, format!("# strewn about\n{text}")).unwrap();
    let output = stdout(&[
        "match",
        "self option.Hash=1",
        "self option.Hash=1",
        "--games",
        "2",
        "--depth",
        "2",
        "--openings",
        openings.to_str().unwrap(),
    ]);
    assert!(output.starts_with("2 games: "), "{output}");
}

#[test]
fn contested_positions_are_a_few_of_all() {
    let positions = |more: &[&str]| -> Vec<String> {
        let all = ["positions", "--bots", "2-4", "--nodes", "0", "--seed", "5"];
        stdout(&[&all, more].concat()).lines().map(str::to_owned).collect()
    };
    let contested = positions(&["--count", "3", "--contested", "100"]);
    assert_eq!(contested.len(), 3);
    let all = positions(&["--count", "1000"]);
    let places: Vec<usize> =
        contested.iter().filter_map(|kept| all.iter().position(|made| made == kept)).collect();
    assert!(places.len() == 3 && places.is_sorted() && places != [0, 1, 2], "{places:?}");
}

#[test]
fn tuning_keeps_its_samples() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("samples.txt");
    let file = file.to_str().unwrap();
    let played =
        stdout(&["tune", "--games", "4", "--nodes", "100", "--steps", "3", "--save", file]);
    let loaded = stdout(&["tune", "--load", file, "--steps", "3"]);
    assert_eq!(played, loaded);
    assert!(played.contains("weight(\"tempo\", "));
}

#[test]
fn starts_are_known_by_name() {
    for start in Start::ALL {
        assert_eq!(stdout(&["perft", "1", start.name()]).lines().count(), 1);
    }
}
