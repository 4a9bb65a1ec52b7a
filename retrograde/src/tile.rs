//! The unit all planes are made of: 64 cells of eight positions, and their distance bytes.

use boombots_probe::{SideLayout, Symmetry, TILE_CELLS};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Positions in a tile: a cell has one for each symmetry.
pub const TILE_POSITIONS: usize = TILE_CELLS * Symmetry::COUNT;

/// 64 orbit bytes, eight to the word: bit g of byte c is the position whose opponents are
/// `g · representative(first column + c)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub struct Tile(pub [u64; 8]);

/// The byte of each position of a tile: cell-major, symmetry inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub struct TileBytes(pub [u8; TILE_POSITIONS]);

impl Tile {
    /// No position.
    pub const NONE: Self = Self([0; 8]);

    /// Every position.
    pub const ALL: Self = Self([u64::MAX; 8]);

    /// The positions of the first `cells` cells.
    pub fn first_cells(cells: usize) -> Self {
        let mut tile = Self::NONE;
        tile.as_mut_bytes()[..cells.min(TILE_CELLS)].fill(u8::MAX);
        tile
    }

    /// The positions of a strip's tiles that belong to a column at all.
    pub fn of_strip(layout: &SideLayout, strip: usize) -> Self {
        Self::first_cells(layout.strip_columns(strip).len())
    }

    /// Whether no position is in it.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Positions in either.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Positions in both.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// Positions in this one only.
    #[inline(always)]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let mut joined = self.0;
        for (word, other) in joined.iter_mut().zip(other.0) {
            *word = join(*word, other);
        }
        Self(joined)
    }

    /// How many positions are in it.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Adds the position of a cell and a symmetry.
    pub fn insert(&mut self, cell: usize, symmetry: Symmetry) {
        self.0[cell / 8] |= 1 << (cell % 8 * 8 + symmetry.index());
    }

    /// The indices of its positions in a [`TileBytes`], ascending.
    pub fn positions(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(word * 64 + bit as usize)
            })
        })
    }
}

impl TileBytes {
    /// All zero.
    pub const ZERO: Self = Self([0; TILE_POSITIONS]);
}

#[cfg(target_endian = "big")]
compile_error!("planes and tables are little-endian in memory and on disk");
