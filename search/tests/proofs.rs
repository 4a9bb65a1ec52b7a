//! Proofs agree with the tables of their class, which they do not use, and certificates of them hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::time::Duration;

use boombots_probe::{Certificate, Claim, Tables, TablesOptions, Value};
use boombots_rules::{Color, Position, Square};
use boombots_search::{EndgameTables, ProofLimits, ProofReport, ProofSearch, StopSwitch, Verdict};

const NODES: ProofLimits = ProofLimits { nodes: Some(20_000), time: None };

fn prove(search: &mut ProofSearch, position: &Position, winner: Color) -> ProofReport {
    search.prove(position, winner, None, &NODES, &StopSwitch::new())
}

fn tables() -> Tables {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/tables"));
    Tables::open(folder, TablesOptions::default()).unwrap()
}

fn no_tables() -> (tempfile::TempDir, Tables) {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tables::open(folder.path(), TablesOptions::default()).unwrap();
    (folder, tables)
}

/// A position of so many bots on random squares.
fn placed(random: &mut u64, white: u8, black: u8) -> Position {
    let mut next = |below: u64| {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*random >> 33) % below
    };
    let turn = if next(2) == 0 { Color::White } else { Color::Black };
    let mut position = Position::empty(turn);
    for (color, bots) in [(Color::White, white), (Color::Black, black)] {
        while position.bots(color) < bots {
            // A square of the other side takes none.
            let square = Square::from_index(next(64) as u8).unwrap();
            let _ = position.add_bots(color, square, 1);
        }
    }
    position
}

#[test]
fn proofs_without_tables_agree_with_them() {
    let tables = tables();
    let (_folder, nothing) = no_tables();
    let mut search = ProofSearch::new(32);
    let (mut random, mut proofs) = (1, 0);
    for _ in 0..300 {
        let position = placed(&mut random, 2, 1);
        for winner in Color::ALL {
            let report = prove(&mut search, &position, winner);
            let value = tables.value(&position).unwrap();
            let is_mover = winner == position.turn();
            match report.verdict {
                Verdict::Proved { plies } => {
                    let (exact, claim) = match value {
                        Value::Win(exact) if is_mover => (exact, Claim::Win(plies)),
                        Value::Loss(exact) if !is_mover => (exact, Claim::Loss(plies)),
                        value => panic!("{position}: {winner} was proved to win a {value}"),
                    };
                    assert!(plies >= u16::from(exact.0), "{position}: {plies} plies of {exact}");
                    Certificate::build(&position, claim, report.steps, &nothing).unwrap();
                    proofs += 1;
                }
                Verdict::Open { .. } => assert!(!report.children.is_empty()),
                Verdict::Refuted => panic!("{position}: without tables nothing is refuted"),
            }
        }
    }
    assert!(proofs > 20, "{proofs} proofs");
}

#[test]
fn children_are_proved_too() {
    let (_folder, nothing) = no_tables();
    let tables = tables();
    let mut search = ProofSearch::new(32);
    let (mut random, mut proofs) = (7, 0);
    for _ in 0..60 {
        let position = placed(&mut random, 2, 2);
        let report = prove(&mut search, &position, position.turn());
        for child in &report.children {
            let next = position.play(child.action).unwrap();
            let Verdict::Proved { plies } = child.verdict else { continue };
            if next.is_over() {
                continue;
            }
            assert!(
                matches!(tables.value(&next).unwrap(), Value::Loss(exact) if u16::from(exact.0) <= plies)
            );
            let claim = Claim::Loss(plies);
            Certificate::build(&next, claim, report.steps.clone(), &nothing).unwrap();
            proofs += 1;
        }
        let report = prove(&mut search, &position, !position.turn());
        for child in &report.children {
            let next = position.play(child.action).unwrap();
            if let (Verdict::Proved { plies }, false) = (child.verdict, next.is_over()) {
                let claim = Claim::Win(plies);
                Certificate::build(&next, claim, report.steps.clone(), &nothing).unwrap();
                proofs += 1;
            }
        }
    }
    assert!(proofs > 10, "{proofs} proofs");
}

#[test]
fn tables_settle_and_refute() {
    let tables = EndgameTables::from(tables());
    let mut search = ProofSearch::new(1);
    let mut ask = |text: &str, winner: Color| {
        let position: Position = text.parse().unwrap();
        let stop = StopSwitch::new();
        search.prove(&position, winner, Some(&tables), &ProofLimits::default(), &stop).verdict
    };
    let won = "8/8/8/8/8/1a6/8/A2A4 w";
    assert_eq!(ask(won, Color::White), Verdict::Proved { plies: 17 });
    assert_eq!(ask(won, Color::Black), Verdict::Refuted);
    assert_eq!(ask("8/8/8/8/8/8/8/A7 w", Color::White), Verdict::Proved { plies: 0 });
    assert_eq!(ask("8/8/8/8/8/8/8/A7 w", Color::Black), Verdict::Refuted);
}

#[test]
fn a_search_that_is_stopped_says_what_it_knows() {
    let mut search = ProofSearch::new(1);
    let position: Position = "aaaa4/8/8/8/8/8/8/AAAA4 w".parse().unwrap();
    let stop = StopSwitch::new();
    stop.stop();
    let limits = ProofLimits { nodes: None, time: Some(Duration::from_secs(3600)) };
    let report = search.prove(&position, Color::White, None, &limits, &stop);
    assert!(matches!(report.verdict, Verdict::Open { .. }));
    assert!(!report.children.is_empty());
    assert!(report.steps.is_empty());
}
