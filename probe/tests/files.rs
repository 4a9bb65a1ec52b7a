//! Table files: written, read, damaged, cut while open, and old ones.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use boombots_probe::{
    BlockEncoder, Class, Configuration, Metric, Plies, ProbeError, SideStatistics, Table,
    TableProblem, TableWriter, Tables, TablesOptions, TileBits, TileDistances, Value, Wdl,
    configurations, table_file_name, wins_at_once,
};
use boombots_rules::{Color, Position, Square};

fn class() -> Class {
    "2v1".parse().unwrap()
}

/// A table of made-up values, in two files.
fn write_made_up(folder: &Path) {
    for metric in Metric::ALL {
        write_table(&folder.join(table_file_name(class(), metric)), &[metric]);
    }
}

fn write_table(path: &Path, metrics: &[Metric]) {
    let statistics =
        |_| SideStatistics { wins: 5, longest_win: Some(Plies(3)), ..Default::default() };
    let mut writer = TableWriter::create(path, class(), metrics, statistics).unwrap();
    let parts: Vec<_> = writer.parts().map(|(layout, metric)| (*layout, metric)).collect();
    let mut encoder = BlockEncoder::new(3);
    for (layout, metric) in parts {
        for tiles in layout.blocks(0..layout.strips(), metric) {
            let block = match metric {
                Metric::Wdl => {
                    let won: Vec<TileBits> = tiles.clone().map(|tile| [tile as u8; 64]).collect();
                    let lost: Vec<TileBits> = tiles.map(|tile| [!tile as u8; 64]).collect();
                    let free = vec![[0; 64]; won.len()];
                    encoder.encode_wdl(&won, &lost, &free)
                }
                Metric::Dtm => {
                    let mut distances: Vec<TileDistances> =
                        tiles.map(|tile| std::array::from_fn(|i| (tile * 7 + i) as u8)).collect();
                    let free = vec![[0; 64]; distances.len()];
                    encoder.encode_dtm(&mut distances, &free)
                }
            };
            writer.push(&block).unwrap();
        }
    }
    writer.finish().unwrap();
}

fn open_all_blocks(path: &Path) -> Result<(), boombots_probe::TableError> {
    let table = Table::open(path)?;
    for part in table.parts() {
        for block in 0..part.blocks() {
            table.block(part, block)?;
        }
    }
    Ok(())
}

#[test]
fn every_changed_byte_of_a_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2v1.bbtb");
    write_table(&path, &Metric::ALL);
    open_all_blocks(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&path, &bytes).unwrap();
        let error = open_all_blocks(&path).expect_err("a changed byte");
        assert!(error.to_string().contains("2v1.bbtb"), "{error}");
    }
}

#[test]
fn every_truncation_of_a_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2v1.bbtb");
    write_table(&path, &Metric::ALL);
    let whole = std::fs::read(&path).unwrap();
    for len in 0..whole.len() {
        std::fs::write(&path, &whole[..len]).unwrap();
        Table::open(&path).expect_err("a cut file");
    }
}

#[test]
fn a_file_cut_while_it_is_open_is_an_error_and_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    write_made_up(folder.path());
    let tables = Tables::open(folder.path(), TablesOptions::default()).unwrap();
    let position: Position = "8/8/8/8/8/1a6/8/A2A4 w".parse().unwrap();
    let path = folder.path().join("2v1.wdl.bbtb");
    OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    for _ in 0..2 {
        let error = tables.wdl(&position).expect_err("a cut file");
        assert!(matches!(error, ProbeError::Table(_)), "{error}");
        assert!(error.to_string().contains("2v1.wdl.bbtb"), "{error}");
    }
    assert_eq!(tables.problems().len(), 1, "reported once");
}

#[test]
fn what_is_wrong_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2v1.bbtb");
    write_table(&path, &Metric::ALL);
    let whole = std::fs::read(&path).unwrap();
    let problem = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Table::open(&path).expect_err("a damaged file").problem
    };
    assert!(matches!(problem(b""), TableProblem::TooShort { found: 0 }));
    assert!(matches!(problem(&whole[..20]), TableProblem::TooShort { found: 20 }));
    assert!(matches!(problem(&whole[..300]), TableProblem::Length { found: 300, .. }));
    assert!(matches!(problem(b"<!doctype html>"), TableProblem::Foreign));
    let mut newer = whole.clone();
    newer[8] = 2;
    assert!(matches!(problem(&newer), TableProblem::Version { found: 2, supported: 1 }));
    let mut longer = whole.clone();
    longer.push(0);
    assert!(matches!(problem(&longer), TableProblem::Length { .. }));
    assert!(matches!(
        Table::open(folder.path()).expect_err("a folder").problem,
        TableProblem::Io(_)
    ));
    // A table under another class's name is not used as that class's.
    std::fs::write(folder.path().join("3v1.bbtb"), &whole).unwrap();
    std::fs::write(&path, &whole).unwrap();
    let tables = Tables::open(folder.path(), TablesOptions::default()).unwrap();
    assert_eq!(tables.classes(), [class()]);
    assert!(tables.problems()[0].to_string().contains("2v1"));
}

#[test]
fn a_writer_that_is_dropped_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2v1.bbtb");
    let writer = TableWriter::create(&path, class(), &[Metric::Wdl], |_| Default::default());
    drop(writer.unwrap());
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

fn old_tables() -> Tables {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/v1"));
    Tables::open(&folder, TablesOptions::default()).unwrap()
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

/// Files of format version 1 answer for as long as the version is read.
#[test]
fn tables_of_version_1_answer() {
    let tables = old_tables();
    assert!(tables.problems().is_empty());
    let classes: Vec<String> = tables.classes().iter().map(Class::to_string).collect();
    assert_eq!(classes, ["1v1", "2v1"]);
    let win = position("8/8/8/8/8/1a6/8/A2A4 w");
    assert_eq!(tables.wdl(&win).unwrap(), Wdl::Win);
    let Value::Win(plies) = tables.value(&win).unwrap() else { panic!("a win") };
    let line = tables.line(&win).unwrap();
    assert_eq!(line.len(), usize::from(plies.0));
    assert_eq!(tables.value(&win.with_turn(!win.turn())).unwrap().wdl(), Wdl::Loss);
    assert_eq!(tables.value(&position("8/8/8/8/8/8/8/Aa6 w")).unwrap(), Value::Draw);
}

#[test]
fn best_play_walks_down_the_distances() {
    let tables = old_tables();
    let mut current = position("a7/8/8/8/8/8/8/6AA w");
    let mut value = tables.value(&current).unwrap();
    while !current.is_over() {
        let best = tables.best_action(&current).unwrap();
        assert_eq!(best.value, value);
        current = current.play(best.action).unwrap();
        if !current.is_over() {
            let next = tables.value(&current).unwrap();
            assert_eq!(next.before(), Some(value));
            value = next;
        }
    }
}

/// White has a stack of two, Black a bot on a square after it; White is to move.
fn twos_against_ones() -> Vec<Position> {
    let at = |index| Square::from_index(index).unwrap();
    let mut positions = Vec::new();
    for square in 0..64_u8 {
        for other in (square + 1)..64 {
            let mut made = Position::empty(Color::White);
            made.add_bots(Color::White, at(square), 2).unwrap();
            made.add_bots(Color::Black, at(other), 1).unwrap();
            positions.push(made);
        }
    }
    positions
}

#[test]
fn many_positions_are_answered_in_their_order() {
    let tables = old_tables();
    let positions = twos_against_ones();
    let together = tables.values(&positions);
    for (position, value) in positions.iter().zip(together) {
        assert_eq!(value.unwrap(), tables.value(position).unwrap(), "{position}");
    }
}

#[test]
fn blocks_are_at_hand_once_they_were_read() {
    let tables = old_tables();
    let mut seen = HashSet::new();
    for white_to_move in twos_against_ones() {
        for position in [white_to_move, white_to_move.with_turn(Color::Black)] {
            if wins_at_once(&position) {
                continue;
            }
            let (mover, opponent) = configurations(&position).unwrap();
            let at_hand = tables.wdl_at_hand(&mover, &opponent).unwrap();
            let wdl = tables.wdl(&position).unwrap();
            assert!(at_hand.is_none_or(|found| found == wdl), "{position}");
            assert_eq!(tables.wdl_at_hand(&mover, &opponent).unwrap(), Some(wdl), "{position}");
            seen.insert((at_hand.is_some(), wdl));
        }
    }
    assert!(seen.contains(&(false, Wdl::Win)), "{seen:?}");
    for wdl in [Wdl::Win, Wdl::Draw, Wdl::Loss] {
        assert!(seen.contains(&(true, wdl)), "{seen:?}");
    }
    let (three, one) = (Configuration::new(&[1, 2, 3]), Configuration::new(&[9]));
    assert!(matches!(tables.wdl_at_hand(&three, &one), Err(ProbeError::NoTable { .. })));
}

#[test]
fn questions_without_an_answer_say_why() {
    let tables = old_tables();
    assert!(matches!(tables.value(&position("8/8/8/8/8/8/8/A7 w")), Err(ProbeError::Finished)));
    assert!(matches!(
        tables.value(&position("8/8/8/8/8/8/8/HA4aa w")),
        Err(ProbeError::TooManyBots { white: 9, black: 2 })
    ));
    assert!(matches!(
        tables.value(&position("8/8/8/8/8/8/8/C4c2 w")),
        Err(ProbeError::NoTable { .. })
    ));
}

#[test]
fn threads_share_tables() {
    let tables = old_tables();
    let win = position("8/8/8/8/8/1a6/8/A2A4 w");
    let value = tables.value(&win).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1000 {
                    assert_eq!(tables.value(&win).unwrap(), value);
                }
            });
        }
    });
}
