//! What a ply decides: the rows of tiles in which positions became won or lost.

use crate::tile::Tile;

/// The tiles of one strip in which something was decided, by ascending row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseTiles {
    pub(crate) rows: Vec<u32>,
    pub(crate) tiles: Vec<Tile>,
}

impl SparseTiles {
    #[inline(always)]
    pub(crate) fn push(&mut self, row: usize, tile: Tile) {
        self.rows.push(row as u32);
        self.tiles.push(tile);
    }

    pub(crate) fn append(&mut self, mut later: Self) {
        if self.rows.is_empty() {
            *self = later;
        } else {
            self.rows.append(&mut later.rows);
            self.tiles.append(&mut later.tiles);
        }
    }

    /// The tiles of rows `first` to `first + 63`, with their rows.
    pub(crate) fn block(&self, first: usize) -> impl Iterator<Item = (usize, &Tile)> {
        let start = self.rows.partition_point(|&row| (row as usize) < first);
        let end = start + self.rows[start..].partition_point(|&row| (row as usize) < first + 64);
        let rows = self.rows[start..end].iter().map(|&row| row as usize);
        rows.zip(&self.tiles[start..end])
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// What a ply decided in one strip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StripDelta {
    /// Positions newly won.
    pub won: SparseTiles,
    /// Positions newly lost.
    pub lost: SparseTiles,
}

impl StripDelta {
    pub(crate) fn append(&mut self, later: Self) {
        self.won.append(later.won);
        self.lost.append(later.lost);
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}

/// What a ply decided in a shard: one [`StripDelta`] for each of its strips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta {
    /// The shard's first strip.
    pub first_strip: usize,
    /// A delta for each strip.
    pub strips: Vec<StripDelta>,
}

impl Delta {
    /// Adds what the same shard decided in later rows.
    pub fn append(&mut self, later: Self) {
        for (strip, later) in self.strips.iter_mut().zip(later.strips) {
            strip.append(later);
        }
    }

    /// How many positions were decided, counted up to symmetry.
    pub fn positions(&self) -> u64 {
        let tiles = self.strips.iter().flat_map(|strip| [&strip.won.tiles, &strip.lost.tiles]);
        tiles.flatten().map(|tile| u64::from(tile.count())).sum()
    }
}
