//! The same bytes come out whatever the build runs on.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use boombots_probe::{Class, Metric, OrbitTables, table_file_name};
use boombots_retrograde::{
    Compression, Level, SolveOptions, SolvedClass, Storage, TableCoding, TableFolder, read_raw,
    solve, write_raw,
};

/// One way of building.
#[derive(Clone, Debug)]
struct Way {
    threads: usize,
    level: Level,
    shards: usize,
    spill: bool,
}

fn plain() -> Way {
    Way { threads: 2, level: Level::best(), shards: 1, spill: false }
}

/// Builds a class and all beneath it into a folder.
fn build(class: &str, folder: &Path, way: &Way) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(way.threads).build().unwrap();
    pool.install(|| {
        let class: Class = class.parse().unwrap();
        for class in class.foundation().into_iter().chain([class]) {
            build_one(class, folder, way);
        }
    });
}

fn build_one(class: Class, path: &Path, way: &Way) {
    let folder = TableFolder::new(path);
    let orbits = OrbitTables::new();
    let storage = if way.spill { Storage::Spill(path.to_owned()) } else { Storage::Heap };
    let options = SolveOptions { level: way.level, shards: way.shards, storage };
    let load = |side| Ok(Arc::new(folder.load(side, &orbits, way.level)?));
    let sides = solve(class, &orbits, &load, &options, &|_| {}).unwrap();
    let solved = SolvedClass::new(class, sides, &orbits);
    let coding = TableCoding { orbits: &orbits, level: way.level, compression: Compression::FAST };
    folder.write(&solved, &coding, &mut || {}).unwrap();
}

fn assert_same(class: &str, one: &Path, other: &Path, what: &Way) {
    let class: Class = class.parse().unwrap();
    for class in class.foundation().into_iter().chain([class]) {
        for metric in Metric::ALL {
            let name = table_file_name(class, metric);
            let read = |folder: &Path| std::fs::read(folder.join(&name)).unwrap();
            assert!(read(one) == read(other), "{name} differs: {what:?}");
        }
    }
    let manifest = |folder: &Path| std::fs::read(folder.join("manifest.json")).unwrap();
    assert!(manifest(one) == manifest(other), "the manifest differs: {what:?}");
}

fn supported() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_supported())
}

#[test]
fn ways_of_building_3v2_give_the_same_bytes() {
    let reference = tempfile::tempdir().unwrap();
    build("3v2", reference.path(), &plain());
    let mut ways: Vec<Way> = supported().map(|level| Way { level, ..plain() }).collect();
    ways.extend([1, 3, 16].map(|shards| Way { shards, spill: shards == 3, ..plain() }));
    ways.push(Way { threads: 1, ..plain() });
    ways.push(Way { threads: 1, spill: true, ..plain() });
    for way in ways {
        let folder = tempfile::tempdir().unwrap();
        build("3v2", folder.path(), &way);
        assert_same("3v2", reference.path(), folder.path(), &way);
    }
}

#[test]
fn ways_of_building_3v3_give_the_same_bytes() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build("3v3", one.path(), &plain());
    let way = Way { threads: 1, level: Level::Scalar, shards: 16, spill: true };
    build("3v3", other.path(), &way);
    assert_same("3v3", one.path(), other.path(), &way);
}

#[test]
fn what_is_read_back_is_what_was_solved() {
    let folder = tempfile::tempdir().unwrap();
    build("2v2", folder.path(), &plain());
    let tables = TableFolder::new(folder.path());
    let orbits = OrbitTables::new();
    for class in ["2v1", "2v2"] {
        let class: Class = class.parse().unwrap();
        let load = |side| Ok(Arc::new(tables.load(side, &orbits, Level::best())?));
        let options = SolveOptions { level: Level::best(), shards: 1, storage: Storage::Heap };
        let sides = solve(class, &orbits, &load, &options, &|_| {}).unwrap();
        let solved = SolvedClass::new(class, sides, &orbits);
        let raw = folder.path().join("class.raw");
        write_raw(&raw, &solved).unwrap();
        let (raw_class, raw_sides) = read_raw(&raw).unwrap();
        assert_eq!(raw_class, class);
        for (side, from_raw) in solved.sides().zip(&raw_sides) {
            let loaded = tables.load(side.layout().material, &orbits, Level::best()).unwrap();
            for strip in 0..side.layout().strips() {
                for read in [&loaded, from_raw] {
                    assert!(read.strip(strip).won == side.strip(strip).won);
                    assert!(read.strip(strip).lost == side.strip(strip).lost);
                    assert!(read.strip(strip).distances == side.strip(strip).distances);
                }
            }
        }
    }
}
