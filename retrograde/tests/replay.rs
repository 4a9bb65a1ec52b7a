//! A shard that is lost at any ply and made again from what is on record goes on as the lost one
//! would have.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use boombots_probe::{Class, OrbitTables, SideLayout, TILE_CELLS};
use boombots_retrograde::{
    BoomSources, Compression, Delta, Level, Shard, SideTables, SolveOptions, SolvedClass,
    SolvedSide, Storage, TableCoding, TableFolder, solve,
};

/// A side of a class and all that its shards need.
struct Side {
    tables: SideTables,
    sources: BoomSources,
    layout: SideLayout,
    strips: Vec<std::ops::Range<usize>>,
}

impl Side {
    fn shard(&self, shard: usize, orbits: &OrbitTables) -> Shard {
        let strips = self.strips[shard].clone();
        let tables = self.tables.clone();
        let mut shard = Shard::new(tables, strips, Level::best(), &Storage::Heap).unwrap();
        shard.boom_pass(&self.sources, orbits, &|_| {});
        shard
    }

    /// The delta as it comes back from its parts for each shard of the other side.
    fn put_together(&self, delta: &Delta, shard: usize, other: &Side) -> Delta {
        let strips = self.strips[shard].clone();
        let parts = other.strips.iter().map(|destination| {
            let rows = destination.start * TILE_CELLS..destination.end * TILE_CELLS;
            let bytes = delta.encode(rows.clone());
            Delta::decode(&bytes, &self.layout, strips.clone(), rows).unwrap()
        });
        parts
            .reduce(|mut all, part| {
                all.append(part);
                all
            })
            .unwrap()
    }
}

/// Solves with one shard lost after so many plies, and returns the planes of all shards.
fn solve_losing(
    sides: &[Side],
    orbits: &OrbitTables,
    lost: Option<(usize, usize, usize)>,
) -> Vec<SolvedSide> {
    let mut shards: Vec<Vec<Shard>> = sides
        .iter()
        .map(|side| (0..side.strips.len()).map(|shard| side.shard(shard, orbits)).collect())
        .collect();
    let mut record: Vec<(u8, Vec<Vec<Delta>>)> = Vec::new();
    let mut ply = 1;
    loop {
        let step = record.len();
        if let Some((at, side, shard)) = lost
            && at == step
        {
            let mut again = sides[side].shard(shard, orbits);
            for (ply, deltas) in &record {
                let own = &deltas[side][shard];
                let own = sides[side].put_together(own, shard, &sides[sides.len() - 1 - side]);
                assert_eq!(&own, &deltas[side][shard]);
                again.replay(*ply, &own);
                again.apply(&deltas[sides.len() - 1 - side]);
            }
            again.resume(ply);
            shards[side][shard] = again;
        }
        let deltas: Vec<Vec<Delta>> = shards
            .iter_mut()
            .map(|side| side.iter_mut().map(|shard| shard.sweep(ply)).collect())
            .collect();
        for (side, deltas) in shards.iter_mut().zip(deltas.iter().rev()) {
            side.iter_mut().for_each(|shard| shard.apply(deltas));
        }
        let decided: u64 = deltas.iter().flatten().map(Delta::positions).sum();
        let wakes = shards.iter().flatten().filter_map(|shard| shard.next_wake(ply)).min();
        record.push((ply, deltas));
        ply = match (decided, wakes) {
            (1.., _) => ply + 1,
            (0, Some(wake)) => wake,
            (0, None) => break,
        };
    }
    let finished = |(side, shards): (&Side, Vec<Shard>)| {
        SolvedSide::new(side.layout, shards.into_iter().map(Shard::finish).collect())
    };
    sides.iter().zip(shards).map(finished).collect()
}

fn assert_same(ones: &[SolvedSide], others: &[SolvedSide], what: &str) {
    for (one, other) in ones.iter().zip(others) {
        for strip in 0..one.layout().strips() {
            let (one, other) = (one.strip(strip), other.strip(strip));
            assert!(one.won == other.won, "{what}");
            assert!(one.lost == other.lost, "{what}");
            assert!(one.distances == other.distances, "{what}");
        }
    }
}

#[test]
fn a_shard_made_again_at_any_ply_goes_on_as_the_lost_one_would() {
    let folder = tempfile::tempdir().unwrap();
    let tables = TableFolder::new(folder.path());
    let orbits = OrbitTables::new();
    let level = Level::best();
    for name in ["1v1", "2v1", "2v2", "3v1", "3v2"] {
        let class: Class = name.parse().unwrap();
        let load = |side| Ok(Arc::new(tables.load(side, &orbits, level)?));
        let options = SolveOptions { level, shards: 1, storage: Storage::Heap };
        let solved = solve(class, &orbits, &load, &options, &|_| {}).unwrap();
        let solved = SolvedClass::new(class, solved, &orbits);
        let coding = TableCoding { orbits: &orbits, level, compression: Compression::FAST };
        tables.write(&solved, &coding, &mut || {}).unwrap();
        let sides: Vec<Side> = class
            .sides()
            .into_iter()
            .map(|material| {
                let layout = SideLayout::new(material);
                Side {
                    tables: SideTables::new(material, &orbits),
                    sources: BoomSources::new(material, &load).unwrap(),
                    layout,
                    strips: layout.shards(3),
                }
            })
            .collect();
        let undisturbed = solve_losing(&sides, &orbits, None);
        // In 3v2 some tiles have winning booms that come due at several plies.
        let steps: Vec<usize> = match name {
            "1v1" => vec![0],
            "3v2" => vec![4, 9],
            _ => (0..22).collect(),
        };
        for step in steps {
            for (side, tables) in sides.iter().enumerate() {
                let shard = step % tables.strips.len();
                let again = solve_losing(&sides, &orbits, Some((step, side, shard)));
                assert_same(&again, &undisturbed, &format!("{name}: side {side}, step {step}"));
            }
        }
    }
}
