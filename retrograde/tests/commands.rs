//! The commands, as scripts use them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{command, error, output, ran, run, tables_2v2};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn build_makes_what_is_beneath_and_then_nothing() {
    let folder = tables_2v2();
    for file in ["1v1", "2v1", "2v2"] {
        for metric in ["wdl", "dtm"] {
            assert!(folder.join(format!("{file}.{metric}.bbtb")).is_file());
        }
    }
    assert!(folder.join("manifest.json").is_file());
    let again = output(folder, &["build"]);
    assert_eq!(again, "1v1: already built\n2v1: already built\n2v2: already built\n");
}

#[test]
fn stats_are_the_known_ones() {
    let lines = json_lines(&output(tables_2v2(), &["stats", "--json", "2v1", "2v2"]));
    let expected = [
        json!({"class":"2v1","mover":2,"opponent":1,"positions":129_024,"wins":128_948,"losses":0,
               "draws":76,"maxWinPlies":25,"maxLossPlies":null}),
        json!({"class":"2v1","mover":1,"opponent":2,"positions":129_024,"wins":0,
               "losses":125_920,"draws":3_104,"maxWinPlies":null,"maxLossPlies":26}),
        json!({"class":"2v2","mover":2,"opponent":2,"positions":4_066_272,"wins":154_680,
               "losses":3_644,"draws":3_907_948,"maxWinPlies":7,"maxLossPlies":6}),
    ];
    assert_eq!(lines.len(), expected.len());
    for (line, expected) in lines.iter().zip(expected) {
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&line[key], value, "{key} of {line}");
        }
    }
    // The shares of the sides add up to the file.
    let of_2v1 = |key: &str| lines[..2].iter().map(|line| line[key].as_u64().unwrap()).sum::<u64>();
    let len = |name: &str| tables_2v2().join(name).metadata().unwrap().len();
    assert_eq!(of_2v1("wdlBytes"), len("2v1.wdl.bbtb"));
    assert_eq!(of_2v1("dtmBytes"), len("2v1.dtm.bbtb"));
    assert_eq!(lines[2]["wdlBytes"].as_u64().unwrap(), len("2v2.wdl.bbtb"));
}

#[test]
fn distances_add_up_to_the_statistics_and_reach_the_longest() {
    for class in ["2v1", "2v2"] {
        let stats = json_lines(&output(tables_2v2(), &["stats", "--json", class]));
        let sides = json_lines(&output(tables_2v2(), &["distances", "--json", class]));
        assert_eq!(stats.len(), sides.len());
        for (stats, side) in stats.iter().zip(&sides) {
            for (counts, all, longest, position) in [
                ("wins", "wins", "maxWinPlies", "longestWin"),
                ("losses", "losses", "maxLossPlies", "longestLoss"),
            ] {
                let counts: Vec<u64> = serde_json::from_value(side[counts].clone()).unwrap();
                assert_eq!(counts.iter().sum::<u64>(), stats[all], "{side}");
                let Some(plies) = stats[longest].as_u64() else {
                    assert!(side[position].is_null());
                    continue;
                };
                assert_eq!(counts.len() as u64, plies + 1);
                let probe = ["probe", "--json", side[position].as_str().unwrap()];
                let probe = json_lines(&output(tables_2v2(), &probe));
                assert_eq!(probe[0]["plies"], plies, "{}", probe[0]);
            }
        }
    }
    let text = output(tables_2v2(), &["distances", "2v1"]);
    assert!(text.contains("longest win: ") && text.contains("plies"), "{text}");
    assert!(error(tables_2v2(), &["distances", "3v3"]).contains("build 3v3"));
}

#[test]
fn stats_of_3v1_are_the_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), &["build", "3v1"]);
    let lines = json_lines(&output(folder.path(), &["stats", "--json", "1v1", "3v1"]));
    let counts: Vec<[u64; 4]> = lines
        .iter()
        .map(|line| ["positions", "wins", "losses", "draws"].map(|key| line[key].as_u64().unwrap()))
        .collect();
    assert_eq!(
        counts,
        [[4_032, 0, 0, 4_032], [2_795_520, 2_795_228, 0, 292], [2_795_520, 0, 2_773_976, 21_544],]
    );
    assert_eq!((&lines[1]["maxWinPlies"], &lines[2]["maxLossPlies"]), (&json!(21), &json!(22)));
}

#[test]
fn probe_answers_with_every_action_best_first() {
    let position = "8/8/8/8/8/1a6/8/A2A4 w";
    let lines = json_lines(&output(tables_2v2(), &["probe", position, "--json"]));
    let [answer] = lines.as_slice() else { panic!("one line") };
    assert_eq!(answer["position"], position);
    assert_eq!(answer["wdl"], "win");
    let actions = answer["actions"].as_array().unwrap();
    assert_eq!(actions.len(), 5 + 2);
    assert_eq!(actions[0]["wdl"], "win");
    assert_eq!(actions[0]["plies"], answer["plies"]);
    let rank = |action: &Value| {
        let plies = action["plies"].as_i64().unwrap_or(0);
        match action["wdl"].as_str().unwrap() {
            "win" => plies - 1000,
            "draw" => 0,
            _ => 1000 - plies,
        }
    };
    assert!(actions.is_sorted_by_key(rank), "{actions:?}");
    // Without JSON, and with the text as two words.
    let text = output(tables_2v2(), &["probe", "8/8/8/8/8/1a6/8/A2A4", "w"]);
    assert!(text.starts_with(&format!("{position}: win in ")), "{text}");
}

#[test]
fn probe_reads_lines_in_order_from_files_and_standard_input() {
    let lines = "8/8/8/8/8/1a6/8/A2A4 w\n8/8/8/8/8/8/8/Aa6 w\n\n8/8/8/8/8/1a6/8/A2A4 b\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions");
    std::fs::write(&file, lines).unwrap();
    let from_file = output(tables_2v2(), &["probe", "--json", "--file", file.to_str().unwrap()]);
    let answers = json_lines(&from_file);
    let values: Vec<&str> = answers.iter().map(|answer| answer["wdl"].as_str().unwrap()).collect();
    assert_eq!(values, ["win", "draw", "loss"]);
    assert!(answers.iter().all(|answer| answer.get("actions").is_none()));

    for arguments in [["probe", "--json", "--file", "-"].as_slice(), &["probe", "--json", "-"]] {
        let mut child = command(tables_2v2())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let text = if arguments.contains(&"--file") { lines } else { "8/8/8/8/8/1a6/8/A2A4 w\n" };
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let ran = ran(child.wait_with_output().unwrap());
        assert!(ran.success, "{}", ran.stderr);
        assert_eq!(json_lines(&ran.stdout)[0]["wdl"], "win");
    }
}

#[test]
fn a_line_ends_the_game_when_the_table_says() {
    let position = "8/8/8/8/8/1a6/8/A2A4 w";
    let answer = &json_lines(&output(tables_2v2(), &["line", position, "--json"]))[0];
    let line = answer["line"].as_array().unwrap();
    assert_eq!(line.len() as u64, answer["plies"].as_u64().unwrap());
    let mut current: boombots_rules::Position = position.parse().unwrap();
    for action in line {
        current = current.play(action.as_str().unwrap().parse().unwrap()).unwrap();
    }
    assert_eq!(current.outcome(), Some(boombots_rules::Outcome::Win(boombots_rules::Color::White)));
}

#[test]
fn raw_files_become_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    output(tables_2v2(), &["generate", "2v2", &path("raw")]);
    for metric in ["wdl", "dtm"] {
        let name = format!("2v2.{metric}.bbtb");
        output(tables_2v2(), &["compress", &path("raw"), &path(&name)]);
        let read = |path: std::path::PathBuf| std::fs::read(path).unwrap();
        assert!(read(folder.path().join(&name)) == read(tables_2v2().join(&name)), "{name}");
    }
    // Under another name both go into one file, which answers alone.
    let joint = tempfile::tempdir().unwrap();
    let file = joint.path().join("2v2.bbtb");
    output(tables_2v2(), &["compress", &path("raw"), file.to_str().unwrap()]);
    let position = "8/8/8/8/8/1aa5/8/A2A4 w";
    let file = path("position");
    std::fs::write(&file, position).unwrap();
    let arguments = ["probe", "--file", &file];
    assert_eq!(output(joint.path(), &arguments), output(tables_2v2(), &arguments));
    output(tables_2v2(), &["build", "2v2", &path("built.bbtb")]);
    let built = std::fs::read(folder.path().join("built.bbtb")).unwrap();
    assert!(built == std::fs::read(joint.path().join("2v2.bbtb")).unwrap());
}

#[test]
fn malformed_positions_say_where() {
    for (text, part) in [
        ("", "no position"),
        ("8/8/8/8/8/8/8 w", "rank"),
        ("8/8/8/8/8/8/8/A2A4 x", "w"),
        ("8/8/8/44/8/8/8/A2A4 w", "4"),
        ("8/8/8/9/8/8/8/A2A4 w", "9"),
    ] {
        let error = error(tables_2v2(), &["probe", text]);
        assert!(error.contains(part), "{text:?}: {error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions");
    std::fs::write(&file, "8/8/8/8/8/8/8/Aa6 w\nnonsense\n").unwrap();
    let error = error(tables_2v2(), &["probe", "--file", file.to_str().unwrap()]);
    assert!(error.contains("line 2"), "{error}");
}

#[test]
fn what_cannot_be_answered_says_why() {
    let finished = error(tables_2v2(), &["probe", "8/8/8/8/8/8/8/A7 w"]);
    assert!(finished.contains("over"), "{finished}");
    let missing = error(tables_2v2(), &["probe", "8/8/8/8/8/8/8/ABCaaa2 w"]);
    assert!(missing.contains("8 bots") || missing.contains("more than"), "{missing}");
    let missing = error(tables_2v2(), &["line", "8/8/8/8/8/8/8/AB3aaa w"]);
    assert!(missing.contains("build 3v3"), "{missing}");
    let missing = error(tables_2v2(), &["stats", "4v3"]);
    assert!(missing.contains("build 4v3"), "{missing}");
    let missing = error(tables_2v2(), &["verify", "3v1"]);
    assert!(missing.contains("build 3v1"), "{missing}");
    let nowhere = tempfile::tempdir().unwrap();
    let empty = error(&nowhere.path().join("none"), &["probe", "8/8/8/8/8/8/8/Aa6 w"]);
    assert!(empty.contains("build"), "{empty}");
}

#[test]
fn bad_arguments_are_refused() {
    for (arguments, part) in [
        (["build", "9v9"].as_slice(), "9v9"),
        (&["build", "3x3"], "3x3"),
        (&["build", "2v2", "--threads", "0"], "0"),
        (&["build", "2v2", "--memory-limit", "lots"], "lots"),
        (&["probe"], "POSITION"),
    ] {
        let ran = run(tables_2v2(), arguments);
        assert!(!ran.success && ran.stderr.contains(part), "{arguments:?}: {}", ran.stderr);
    }
    let output = command(tables_2v2()).arg("stats").env("BOOMBOTS_SIMD", "mmx").output().unwrap();
    let ran = ran(output);
    assert!(!ran.success && ran.stderr.contains("scalar, avx2 or avx512"), "{}", ran.stderr);
}

#[test]
fn a_class_beyond_memory_and_disk_is_refused_with_both_figures() {
    let folder = tempfile::tempdir().unwrap();
    let error = error(folder.path(), &["build", "7v1"]);
    assert!(error.contains("of memory") && error.contains("of disk"), "{error}");
    let files: Vec<_> = folder.path().read_dir().unwrap().collect();
    assert_eq!(files.len(), 1, "only the lock: {files:?}");
}

#[test]
fn a_low_memory_limit_spills_and_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), &["build", "2v2", "--memory-limit", "1M"]);
    for name in ["2v2.wdl.bbtb", "2v2.dtm.bbtb", "manifest.json"] {
        let read = |folder: &std::path::Path| std::fs::read(folder.join(name)).unwrap();
        assert!(read(folder.path()) == read(tables_2v2()), "{name}");
    }
}

#[test]
fn every_class_of_2v2_verifies() {
    let verified = output(tables_2v2(), &["verify"]);
    assert_eq!(verified.lines().count(), 3, "{verified}");
}

#[test]
fn a_plan_says_what_a_build_takes() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |arguments: &[&str]| {
        let text = output(folder.path(), &[&["plan", "--json"], arguments].concat());
        json_lines(&text).remove(0)
    };
    let large = plan(&["6v2", "--workers", "8", "--memory", "1G", "--link", "100"]);
    assert_eq!(large["fitsMemory"], json!(false));
    let number = |key: &str| large[key].as_f64().unwrap();
    for key in ["memoryBytes", "diskBytes", "tableBytes", "solveSeconds", "writeSeconds"] {
        assert!(number(key) > 0.0, "{key}");
    }
    // 100 Mbit a second are 12.5 MB.
    let sending = number("wireBytes") / 12.5e6;
    assert!((number("wireSeconds") / sending - 1.0).abs() < 1e-6, "{large}");
    let text = output(folder.path(), &["plan", "4v4", "--workers", "64", "--memory", "16G"]);
    for part in ["4v4 on 64 workers", "positions", "memory", "disk", "wire", "time"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Nothing is left in the folder of tables.
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_line_is_printed_as_a_record_that_reads_back() {
    let position = "a6a/8/8/8/8/8/8/A7 w";
    let text = output(tables_2v2(), &["line", "--record", position]);
    let record: boombots_rules::GameRecord = text.parse().unwrap();
    assert_eq!(record.start().to_string(), position);
    assert_eq!(record.actions().len(), 26);
    assert_eq!(record.outcome(), Some(boombots_rules::Outcome::Win(boombots_rules::Color::Black)));
}
