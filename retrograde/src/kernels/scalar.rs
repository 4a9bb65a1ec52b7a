//! The reference level: plain 64-bit words. Compiled for AVX2 it is also the AVX2 level, since the
//! compiler turns its loops over eight words into two 256-bit operations.

use boombots_probe::{Symmetry, TILE_CELLS};

use super::{INVERTED_FROM, Kernel, PERMUTED_FROM, RIGHT_FROM, Simd};
use crate::tile::{Tile, TileBytes};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

/// Runs a kernel compiled for AVX2.
///
/// # Panics
/// If the processor has no AVX2.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "calling a function compiled for detected instructions")]
pub(crate) fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Scalar)
    }
    assert!(has_avx2(), "the processor was found to have AVX2");
    // SAFETY: the assertion above has just found every feature that the function is compiled for.
    unsafe { with_avx2(kernel) }
}

/// Whether the processor has AVX2 and the bit instructions that came with it.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx2() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("popcnt")
}

impl Simd for Scalar {
    type Mask = Tile;

    #[inline(always)]
    fn load(self, tile: &Tile) -> Tile {
        *tile
    }

    #[inline(always)]
    fn store(self, mask: Tile) -> Tile {
        mask
    }

    #[inline(always)]
    fn or(self, a: Tile, b: Tile) -> Tile {
        a.or(b)
    }

    #[inline(always)]
    fn and(self, a: Tile, b: Tile) -> Tile {
        a.and(b)
    }

    #[inline(always)]
    fn without(self, a: Tile, b: Tile) -> Tile {
        a.without(b)
    }

    #[inline(always)]
    fn is_none(self, a: Tile) -> bool {
        a.is_none()
    }

    #[inline(always)]
    fn permute(self, a: Tile, symmetry: Symmetry) -> Tile {
        let swaps = SWAPS[symmetry.index()];
        let mut words = a.0;
        for word in &mut words {
            *word = delta_swap(*word, 4, swaps[2]);
            *word = delta_swap(*word, 1, swaps[0]);
            *word = delta_swap(*word, 2, swaps[1]);
        }
        Tile(words)
    }

    #[inline(always)]
    fn invert(self, a: Tile) -> Tile {
        let mut words = a.0;
        for word in &mut words {
            *word = delta_swap(*word, 1, INVERSE_SWAP);
        }
        Tile(words)
    }

    #[inline(always)]
    fn set(self, bytes: &mut TileBytes, mask: Tile, value: u8) {
        for at in mask.positions() {
            bytes.0[at] = value;
        }
    }

    #[inline(always)]
    fn equal(self, bytes: &TileBytes, value: u8) -> Tile {
        gather_bits(bytes, |byte| byte == value)
    }

    #[inline(always)]
    fn at_most(self, bytes: &TileBytes, value: u8) -> Tile {
        gather_bits(bytes, |byte| byte <= value)
    }

    #[inline(always)]
    fn least(self, bytes: &TileBytes, mask: Tile) -> u8 {
        mask.positions().map(|at| bytes.0[at]).min().unwrap_or(u8::MAX)
    }

    #[inline(always)]
    fn raise(self, bytes: &mut TileBytes, mask: Tile, value: u8) {
        for at in mask.positions() {
            bytes.0[at] = bytes.0[at].max(value);
        }
    }

    #[inline(always)]
    fn raise_to_row(self, bytes: &mut TileBytes, mask: Tile, cells: &[u64], symmetry: Symmetry) {
        let from = &PERMUTED_FROM[symmetry.index()];
        for at in mask.positions() {
            let byte = (cells[at / 8] >> (8 * from[at % 8])) as u8;
            bytes.0[at] = bytes.0[at].max(byte);
        }
    }

    #[inline(always)]
    fn raise_to_picks(
        self,
        bytes: &mut TileBytes,
        mask: Tile,
        source: &[u64],
        picks: &[u32; TILE_CELLS],
        symmetry: Symmetry,
    ) {
        let left = &PERMUTED_FROM[symmetry.index()];
        for at in mask.positions() {
            let pick = picks[at / 8];
            let from = RIGHT_FROM[(pick & 7) as usize][left[at % 8] as usize];
            let byte = (source[(pick >> 3) as usize] >> (8 * from)) as u8;
            bytes.0[at] = bytes.0[at].max(byte);
        }
    }

    #[inline(always)]
    fn transpose(self, block: &mut [Tile; 64]) {
        // Eight by eight blocks of eight by eight bytes: transpose each, and swap across.
        for row in 0..8 {
            for column in 0..=row {
                let mut one: [u64; 8] = std::array::from_fn(|i| block[row * 8 + i].0[column]);
                let mut other: [u64; 8] = std::array::from_fn(|i| block[column * 8 + i].0[row]);
                transpose_8(&mut one);
                transpose_8(&mut other);
                for i in 0..8 {
                    block[column * 8 + i].0[row] = one[i];
                    block[row * 8 + i].0[column] = other[i];
                }
            }
        }
    }
}

/// Swaps the bits of `mask` with those `shift` higher.
#[inline(always)]
fn delta_swap(word: u64, shift: u32, mask: u64) -> u64 {
    let differing = ((word >> shift) ^ word) & mask;
    word ^ differing ^ (differing << shift)
}

#[inline(always)]
fn gather_bits(bytes: &TileBytes, is_in: impl Fn(u8) -> bool) -> Tile {
    let mut tile = Tile::NONE;
    for (word, bytes) in tile.0.iter_mut().zip(bytes.0.chunks_exact(64)) {
        for (bit, &byte) in bytes.iter().enumerate() {
            *word |= u64::from(is_in(byte)) << bit;
        }
    }
    tile
}

/// Transposes 8 × 8 bytes, a row to the word, by exchanging ever larger corners.
#[inline(always)]
fn transpose_8(rows: &mut [u64; 8]) {
    for (distance, shift, mask) in
        [(1, 8, 0x00ff_00ff_00ff_00ff), (2, 16, 0x0000_ffff_0000_ffff), (4, 32, 0xffff_ffff)]
    {
        for i in 0..8 {
            if i & distance == 0 {
                let differing = ((rows[i] >> shift) ^ rows[i + distance]) & mask;
                rows[i + distance] ^= differing;
                rows[i] ^= differing << shift;
            }
        }
    }
}

/// For each symmetry the delta swaps by 1, by 2 and by 4 bits, applied in the order 4, 1, 2, that
/// permute the bits of every byte as [`PERMUTED_FROM`] says.
///
/// With the inverse written as mirrors of x and y and then an optional swap of the axes, the swap
/// exchanges the halves of a byte, and a mirror exchanges neighbours: those of x within the half
/// that keeps its axes and those of y within the half that has them swapped, and the reverse.
const SWAPS: [[u64; 3]; 8] = {
    let mut table = [[0; 3]; 8];
    let mut h = 0;
    while h < 8 {
        let inverse = Symmetry::from_index(h).inverse().index();
        let (x, y, axes) = (inverse & 1 != 0, inverse & 2 != 0, inverse & 4 != 0);
        let by_one = (if x { 0x05 } else { 0 }) | (if y { 0x50 } else { 0 });
        let by_two = (if y { 0x03 } else { 0 }) | (if x { 0x30 } else { 0 });
        let by_four = if axes { 0x0f } else { 0 };
        table[h] = [by_one * EVERY_BYTE, by_two * EVERY_BYTE, by_four * EVERY_BYTE];
        h += 1;
    }
    table
};

/// Only the two quarter turns are not their own inverses, and they are neighbours.
const INVERSE_SWAP: u64 = {
    let mut mask = 0;
    let mut g = 0;
    while g < 8 {
        if INVERTED_FROM[g] as usize > g {
            assert!(INVERTED_FROM[g] as usize == g + 1);
            mask |= 1 << g;
        }
        g += 1;
    }
    mask * EVERY_BYTE
};

const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;
