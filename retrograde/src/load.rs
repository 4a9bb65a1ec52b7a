//! From table files back to solved planes.

use std::io;

use boombots_probe::{Material, Metric, OrbitTables, Part, SideLayout, Table, TableError};
use rayon::prelude::*;
use thiserror::Error;
use zerocopy::IntoBytes;

use crate::booms::{BoomStrip, WinsAtOnce};
use crate::kernels::Level;
use crate::mover::Blasts;
use crate::opponent::{Occupancy, StripGroups};
use crate::plane::{Plane, Storage};
use crate::shard::CHUNK;
use crate::solved::{SolvedSide, SolvedStrips};
use crate::tile::{Tile, TileBytes};

/// Reads one side of a class from its tables, which may be one file or two.
///
/// What a file leaves open is filled in: positions that cannot occur have no value, and those in
/// which a boom wins at once are wins in one ply.
///
/// # Errors
/// If a table is damaged, lacks the side, or there is no memory.
pub fn load_side(
    material: Material,
    values: &Table,
    distances: &Table,
    orbits: &OrbitTables,
    level: Level,
) -> Result<SolvedSide, LoadError> {
    let part = |table: &Table, metric| {
        let file = table.path().to_owned();
        let missing = || LoadError::Missing { file, material, metric: Metric::name(metric) };
        table.part(material, metric).is_some().then_some(()).ok_or_else(missing)
    };
    part(values, Metric::Wdl)?;
    part(distances, Metric::Dtm)?;
    let layout = SideLayout::new(material);
    let mut won = Plane::zeroed(layout.tiles(), &Storage::Heap)?;
    let mut lost = Plane::zeroed(layout.tiles(), &Storage::Heap)?;
    let mut bytes = Plane::zeroed(layout.tiles(), &Storage::Heap)?;
    read_values(values, material, &mut won, &mut lost)?;
    read_distances(distances, material, &mut bytes)?;
    complete(&layout, orbits, level, &mut won, &mut lost, &mut bytes);
    Ok(SolvedSide::new(layout, vec![SolvedStrips::new(0..layout.strips(), won, lost, bytes)]))
}

fn read_values(
    table: &Table,
    material: Material,
    won: &mut [Tile],
    lost: &mut [Tile],
) -> Result<(), TableError> {
    let Some(part) = table.part(material, Metric::Wdl) else { return Ok(()) };
    let group = part.layout().group_strips() * part.layout().rows;
    let groups = won.par_chunks_mut(group).zip(lost.par_chunks_mut(group)).enumerate();
    groups.try_for_each(|(group, (won, lost))| {
        let tiles = Metric::Wdl.block_tiles();
        let blocks = won.chunks_mut(tiles).zip(lost.chunks_mut(tiles));
        for ((won, lost), block) in blocks.zip(first_block(part, group)..) {
            let decoded = table.block(part, block)?;
            let (decoded_won, decoded_lost) = decoded.split_at(decoded.len() / 2);
            won.as_mut_bytes().copy_from_slice(decoded_won);
            lost.as_mut_bytes().copy_from_slice(decoded_lost);
        }
        Ok(())
    })
}

fn read_distances(
    table: &Table,
    material: Material,
    bytes: &mut [TileBytes],
) -> Result<(), TableError> {
    let Some(part) = table.part(material, Metric::Dtm) else { return Ok(()) };
    let group = part.layout().group_strips() * part.layout().rows;
    bytes.par_chunks_mut(group).enumerate().try_for_each(|(group, bytes)| {
        let blocks = bytes.chunks_mut(Metric::Dtm.block_tiles());
        for (bytes, block) in blocks.zip(first_block(part, group)..) {
            bytes.as_mut_bytes().copy_from_slice(&table.block(part, block)?);
        }
        Ok(())
    })
}

fn first_block(part: &Part, group: usize) -> usize {
    let layout = part.layout();
    group * (layout.group_strips() * layout.rows).div_ceil(part.metric().block_tiles())
}

fn complete(
    layout: &SideLayout,
    orbits: &OrbitTables,
    level: Level,
    won: &mut [Tile],
    lost: &mut [Tile],
    bytes: &mut [TileBytes],
) {
    let movers = orbits.get(usize::from(layout.material.mover));
    let blasts = Blasts::new(movers, orbits);
    let opponents = orbits.get(usize::from(layout.material.opponent));
    let strips = won.par_chunks_mut(layout.rows).zip(lost.par_chunks_mut(layout.rows));
    let strips = strips.zip(bytes.par_chunks_mut(layout.rows)).enumerate();
    strips.for_each(|(strip, ((won, lost), bytes))| {
        let boom_strip = BoomStrip {
            columns: layout.strip_columns(strip),
            mask: Tile::of_strip(layout, strip),
            occupancy: &Occupancy::new(layout, opponents, strip),
            groups: StripGroups::new(layout, orbits, strip, |_| 0),
        };
        let mut each = |row: usize, possible: Tile, at_once: Tile| {
            let stored = possible.without(at_once);
            lost[row] = lost[row].and(stored);
            won[row] = won[row].and(stored).without(lost[row]).or(at_once);
            for at in Tile::ALL.without(won[row].or(lost[row])).positions() {
                bytes[row].0[at] = 0;
            }
            for at in at_once.positions() {
                bytes[row].0[at] = 1;
            }
        };
        for first in (0..layout.rows).step_by(CHUNK) {
            let rows = first..(first + CHUNK).min(layout.rows);
            level.run(WinsAtOnce {
                movers,
                blasts: &blasts.rows(rows.clone(), movers, orbits),
                rows,
                strip: &boom_strip,
                each: &mut each,
            });
        }
    });
}

/// Why a side was not read.
#[derive(Debug, Error)]
pub enum LoadError {
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table lacks what was asked for.
    #[error("{}: it has no {metric} of {material}", file.display())]
    Missing {
        /// The file.
        file: std::path::PathBuf,
        /// The side.
        material: Material,
        /// The metric's name.
        metric: &'static str,
    },
    /// There is no memory for the planes.
    #[error("no memory for the planes: {0}")]
    Memory(#[from] io::Error),
}
