//! A build that was killed goes on at the ply its journal has, and ends with the same bytes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use boombots_probe::{Class, OrbitTables};
use boombots_retrograde::{
    Journal, Level, SolveEvent, SolveOptions, SolvedSide, Storage, TableFolder, solve,
    solve_journaled,
};
use common::{command, output, tables_2v2};
use proptest::prelude::*;

struct Setting {
    class: Class,
    orbits: OrbitTables,
    beneath: TableFolder,
}

/// A solve from a journal: its sides, and the plies it replayed and swept.
struct Resumed {
    sides: Vec<SolvedSide>,
    replayed: Vec<u8>,
    swept: Vec<u8>,
}

impl Setting {
    fn new(class: &str) -> Self {
        let class = class.parse().unwrap();
        let beneath = TableFolder::new(tables_2v2());
        Self { class, orbits: OrbitTables::new(), beneath }
    }

    fn options(shards: usize) -> SolveOptions {
        SolveOptions { level: Level::best(), shards, storage: Storage::Heap }
    }

    fn solve(&self) -> Vec<SolvedSide> {
        let load = |side| Ok(Arc::new(self.beneath.load(side, &self.orbits, Level::best())?));
        solve(self.class, &self.orbits, &load, &Self::options(1), &|_| {}).unwrap()
    }

    fn resume(&self, journal: &Path, shards: usize) -> Resumed {
        let load = |side| Ok(Arc::new(self.beneath.load(side, &self.orbits, Level::best())?));
        let plies = std::sync::Mutex::new((Vec::new(), Vec::new()));
        let observe = |event| match event {
            SolveEvent::PlyReplayed { ply, .. } => plies.lock().unwrap().0.push(ply),
            SolveEvent::PlySwept { ply, .. } => plies.lock().unwrap().1.push(ply),
            _ => {}
        };
        let mut journal = Journal::open(journal, self.class).unwrap();
        let sides = solve_journaled(
            self.class,
            &self.orbits,
            &load,
            &Self::options(shards),
            &mut journal,
            &observe,
        );
        let (replayed, swept) = plies.into_inner().unwrap();
        Resumed { sides: sides.unwrap(), replayed, swept }
    }
}

fn assert_same(ones: &[SolvedSide], others: &[SolvedSide], what: &str) {
    for (one, other) in ones.iter().zip(others) {
        for strip in 0..one.layout().strips() {
            let (one, other) = (one.strip(strip), other.strip(strip));
            assert!(one.won == other.won && one.lost == other.lost, "{what}");
            assert!(one.distances == other.distances, "{what}");
        }
    }
}

#[test]
fn a_journal_cut_or_damaged_anywhere_leads_to_the_same_planes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    for class in ["3v1", "2v2"] {
        let setting = Setting::new(class);
        let whole = setting.solve();
        let _ = std::fs::remove_file(&path);
        let first = setting.resume(&path, 1);
        assert_same(&first.sides, &whole, class);
        assert!(first.replayed.is_empty());
        let record = std::fs::read(&path).unwrap();

        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 48,
            failure_persistence: None,
            ..Default::default()
        });
        let damages = (any::<prop::sample::Index>(), 0..3_u8, 1..=255_u8, 1..=3_usize);
        let run = |(at, kind, change, shards): (prop::sample::Index, u8, u8, usize)| {
            let at = at.index(record.len());
            let mut bytes = record.clone();
            match kind {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= change,
                _ => bytes.insert(at, change),
            }
            std::fs::write(&path, &bytes).unwrap();
            let resumed = setting.resume(&path, shards);
            assert_same(&resumed.sides, &whole, &format!("{class} {kind} {at} {change}"));
            // Every ply once: those on record, and the others.
            assert!(first.swept.starts_with(&resumed.replayed), "{:?}", resumed.replayed);
            let next = resumed.replayed.last().map_or(1, |last| last + 1);
            assert_eq!(resumed.swept[0], next);
            Ok(())
        };
        runner.run(&damages, run).unwrap();
        // A journal that is whole is replayed to its end.
        std::fs::write(&path, &record).unwrap();
        let resumed = setting.resume(&path, 2);
        assert_same(&resumed.sides, &whole, class);
        assert_eq!(resumed.replayed, first.swept);
        assert_eq!(resumed.swept, [first.swept.last().unwrap() + 1]);
    }
}

#[test]
fn the_journal_of_another_class_is_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    Setting::new("2v2").resume(&path, 1);
    let setting = Setting::new("2v1");
    let resumed = setting.resume(&path, 1);
    assert!(resumed.replayed.is_empty());
    assert_same(&resumed.sides, &setting.solve(), "2v1");
}

#[test]
fn a_build_killed_five_times_at_random_ends_with_the_same_bytes() {
    let (folder, reference) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    output(reference.path(), &["build", "3v2"]);
    let mut moments = proptest::test_runner::TestRng::deterministic_rng(
        proptest::test_runner::RngAlgorithm::ChaCha,
    );
    for _ in 0..5 {
        let mut child = command(folder.path())
            .args(["build", "3v2", "--journal", "always"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(moments.random_range(20..1500)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    output(folder.path(), &["build", "3v2", "--journal", "always"]);
    let names = |folder: &Path| {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.collect();
        names.sort();
        names
    };
    assert_eq!(names(folder.path()), names(reference.path()));
    for name in names(folder.path()) {
        let read = |folder: &Path| std::fs::read(folder.join(&name)).unwrap();
        assert!(read(folder.path()) == read(reference.path()), "{} differs", name.display());
    }
}

/// A limit on the size of files is met as a full disk is.
#[test]
fn a_journal_that_cannot_grow_is_an_error_and_its_plies_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    output(folder.path(), &["build", "3v1"]);
    let build = ["build", "3v2", "--journal", "always"];
    let script = format!(
        "trap '' XFSZ; ulimit -f 4000; exec '{}' --dir '{}' {}",
        env!("CARGO_BIN_EXE_boombots-tablebase"),
        folder.path().display(),
        build.join(" "),
    );
    let limited = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert!(!limited.status.success());
    let said = String::from_utf8(limited.stderr).unwrap();
    assert!(said.contains("3v2.journal"), "{said}");
    assert!(folder.path().join("3v2.journal").metadata().unwrap().len() > 16);
    output(folder.path(), &build);
    assert!(!folder.path().join("3v2.journal").exists());
    output(folder.path(), &["verify", "3v2", "--sample", "50"]);
}
