//! How the positions of one side of a class are laid out: rows, columns and strips.

use std::ops::Range;

use boombots_probe::Material;

use crate::tile::{TILE_CELLS, Tile};

/// The matrix of one side: a row per orbit of the mover, a cell per orbit of the opponent.
///
/// It is cut into *strips* of 64 columns. A strip is stored as one tile a row, all rows in a run,
/// because a sweep never leaves its columns: what a strip needs fits a cache, strips are worked
/// on in parallel, and a shard is a run of strips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLayout {
    /// The bots of mover and opponent.
    pub material: Material,
    /// Orbits of the mover.
    pub rows: usize,
    /// Orbits of the opponent.
    pub columns: usize,
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

    /// The positions of a strip's tile that belong to a column at all.
    pub fn strip_mask(&self, strip: usize) -> Tile {
        Tile::first_cells(self.strip_columns(strip).len())
    }

    /// Cuts the strips into at most `shards` runs of nearly equal length, none of them empty.
    pub fn shards(&self, shards: usize) -> Vec<Range<usize>> {
        let strips = self.strips();
        let shards = shards.clamp(1, strips);
        (0..shards).map(|i| i * strips / shards..(i + 1) * strips / shards).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_last_strip_is_partly_empty() {
        let layout = SideLayout::new(Material { mover: 2, opponent: 1 });
        assert_eq!((layout.rows, layout.columns, layout.strips()), (288, 10, 1));
        assert_eq!(layout.strip_mask(0).count(), 80);
    }
}
