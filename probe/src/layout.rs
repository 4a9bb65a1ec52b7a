//! How the positions of one side of a class are laid out: rows, columns, strips, groups and blocks.

use std::ops::Range;

use crate::class::Material;
use crate::orbit::OrbitIndex;

/// Cells in a tile: orbits of the opponent that are stored side by side.
pub const TILE_CELLS: usize = 64;

/// What a table says of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// The distance to the end in plies ("depth to mate").
    Dtm,
}

/// The matrix of one side: a row per orbit of the mover, a cell per orbit of the opponent.
///
/// It is cut into *strips* of 64 columns, and a strip has one *tile* of 64 cells for each row, all
/// rows in a run: a sweep never leaves its columns, so what a strip needs fits a cache. Where there
/// are few rows several strips form a *group*. A shard is a run of groups, and the blocks of a file
/// are runs of tiles that never cross the border of a group, so that a shard's part of a file is a
/// run of whole blocks whatever the shards are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLayout {
    /// The bots of mover and opponent.
    pub material: Material,
    /// Orbits of the mover.
    pub rows: usize,
    /// Orbits of the opponent.
    pub columns: usize,
}

/// Where a cell is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// The block of the side's part of the file.
    pub block: usize,
    /// The tile within the block.
    pub tile: usize,
    /// The cell within the tile.
    pub cell: usize,
}

impl Metric {
    /// Both metrics, in the order that files hold them.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtm];

    /// The name: `wdl` or `dtm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wdl => "wdl",
            Self::Dtm => "dtm",
        }
    }

    /// Bytes of a decoded tile: two bits or one byte for each of its 512 positions.
    pub fn tile_bytes(self) -> usize {
        match self {
            Self::Wdl => 2 * TILE_CELLS,
            Self::Dtm => 8 * TILE_CELLS,
        }
    }

    /// Tiles in a full block: 64 KiB when decoded.
    pub fn block_tiles(self) -> usize {
        BLOCK_BYTES / self.tile_bytes()
    }
}

impl SideLayout {
    /// The layout of one side.
    pub fn new(material: Material) -> Self {
        Self { material, rows: material.rows() as usize, columns: material.columns() as usize }
    }

    /// How many strips the columns make; the last may be partly empty.
    pub fn strips(&self) -> usize {
        self.columns.div_ceil(TILE_CELLS)
    }

    /// The columns of a strip.
    pub fn strip_columns(&self, strip: usize) -> Range<usize> {
        strip * TILE_CELLS..((strip + 1) * TILE_CELLS).min(self.columns)
    }

    /// Tiles of the whole side.
    pub fn tiles(&self) -> usize {
        self.strips() * self.rows
    }

    /// Strips in a group: as many as fill a block of values.
    pub fn group_strips(&self) -> usize {
        Metric::Wdl.block_tiles().div_ceil(self.rows)
    }

    /// Cuts the strips into at most `shards` runs of whole groups of nearly equal length, none of
    /// them empty.
    pub fn shards(&self, shards: usize) -> Vec<Range<usize>> {
        let groups = self.strips().div_ceil(self.group_strips());
        let shards = shards.clamp(1, groups);
        let border = |i: usize| (i * groups / shards * self.group_strips()).min(self.strips());
        (0..shards).map(|i| border(i)..border(i + 1)).collect()
    }

    /// The blocks of a run of strips, as runs of tiles counted from the side's first.
    ///
    /// # Panics
    /// If the run does not start and end where groups do.
    pub fn blocks(&self, strips: Range<usize>, metric: Metric) -> Vec<Range<usize>> {
        let group = self.group_strips();
        let whole = |strip: usize| strip.is_multiple_of(group) || strip == self.strips();
        assert!(whole(strips.start) && whole(strips.end), "a run of whole groups");
        let mut blocks = Vec::new();
        for first in strips.clone().step_by(group) {
            let end = (first + group).min(strips.end) * self.rows;
            let starts = (first * self.rows..end).step_by(metric.block_tiles());
            blocks.extend(starts.map(|start| start..(start + metric.block_tiles()).min(end)));
        }
        blocks
    }

    /// How many blocks the side has.
    pub fn block_count(&self, metric: Metric) -> usize {
        let full = self.strips() / self.group_strips();
        let rest = self.strips() % self.group_strips();
        let blocks = |strips: usize| (strips * self.rows).div_ceil(metric.block_tiles());
        full * blocks(self.group_strips()) + blocks(rest)
    }

    /// How many tiles a block has.
    pub fn block_len(&self, metric: Metric, block: usize) -> usize {
        let per_group = (self.group_strips() * self.rows).div_ceil(metric.block_tiles());
        let (group, within) = (block / per_group, block % per_group);
        let first = group * self.group_strips();
        let strips = self.group_strips().min(self.strips() - first);
        (strips * self.rows - within * metric.block_tiles()).min(metric.block_tiles())
    }

    /// Where the cell of a row and a column is.
    #[inline]
    pub fn place(&self, metric: Metric, row: OrbitIndex, column: OrbitIndex) -> CellPlace {
        let strip = column.get() / TILE_CELLS;
        let group_strips = self.group_strips();
        let (group, within) = (strip / group_strips, strip % group_strips);
        let per_group = (group_strips * self.rows).div_ceil(metric.block_tiles());
        let tile = within * self.rows + row.get();
        CellPlace {
            block: group * per_group + tile / metric.block_tiles(),
            tile: tile % metric.block_tiles(),
            cell: column.get() % TILE_CELLS,
        }
    }
}

const BLOCK_BYTES: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn every_side() -> impl Iterator<Item = SideLayout> {
        (1..=4).flat_map(|mover| {
            (1..=3).map(move |opponent| SideLayout::new(Material { mover, opponent }))
        })
    }

    #[test]
    fn shards_cover_every_strip_once() {
        let layout = SideLayout::new(Material { mover: 3, opponent: 3 });
        assert_eq!(layout.strips(), 91);
        for count in [1, 3, 16, 91, 500] {
            let shards = layout.shards(count);
            assert_eq!(shards.len(), count.min(91));
            let strips: Vec<usize> = shards.into_iter().flatten().collect();
            assert_eq!(strips, (0..91).collect::<Vec<_>>());
        }
    }

    #[test]
    fn blocks_are_the_same_however_the_side_is_cut() {
        for layout in every_side() {
            for metric in Metric::ALL {
                let whole = layout.blocks(0..layout.strips(), metric);
                assert_eq!(whole.len(), layout.block_count(metric));
                for (block, tiles) in whole.iter().enumerate() {
                    assert_eq!(layout.block_len(metric, block), tiles.len());
                }
                for shards in [2, 3, 16] {
                    let parts = layout.shards(shards).into_iter();
                    let parts = parts.flat_map(|strips| layout.blocks(strips, metric));
                    assert!(parts.eq(whole.iter().cloned()));
                }
            }
        }
    }

    #[test]
    fn every_cell_has_a_place_of_its_own() {
        for layout in every_side().filter(|layout| layout.tiles() < 10_000) {
            for metric in Metric::ALL {
                let blocks = layout.blocks(0..layout.strips(), metric);
                for row in 0..layout.rows {
                    for column in 0..layout.columns {
                        let index = |at: usize| OrbitIndex::new(at as u32);
                        let place = layout.place(metric, index(row), index(column));
                        let tile = blocks[place.block].start + place.tile;
                        assert!(blocks[place.block].contains(&tile));
                        assert_eq!(tile, column / TILE_CELLS * layout.rows + row);
                        assert_eq!(place.cell, column % TILE_CELLS);
                    }
                }
            }
        }
    }
}
