//! The coding of blocks: 64 KiB of values, filtered, compressed and checksummed.

use std::cell::RefCell;

use xxhash_rust::xxh3::xxh3_64;

use crate::layout::{Metric, TILE_CELLS};

/// One orbit byte for each cell of a tile: bit g is the position whose opponents are turned by g.
pub type TileBits = [u8; TILE_CELLS];

/// One byte for each position of a tile, cell-major.
pub type TileDistances = [u8; 8 * TILE_CELLS];

/// A block as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedBlock {
    /// The compressed bytes.
    pub bytes: Vec<u8>,
    /// How the planes were filtered.
    pub(crate) filters: u32,
    /// XXH3 of the compressed bytes.
    pub(crate) checksum: u64,
}

impl EncodedBlock {
    /// A block that came from elsewhere.
    ///
    /// # Errors
    /// If its checksum does not match or its filters are unknown.
    pub fn checked(bytes: Vec<u8>, filters: u32, checksum: u64) -> Result<Self, &'static str> {
        if filters & !KNOWN_FILTERS != 0 {
            return Err("it has an unknown filter");
        }
        if xxh3_64(&bytes) != checksum {
            return Err("its checksum does not match");
        }
        Ok(Self { bytes, filters, checksum })
    }

    /// How the planes were filtered, as the file's index has it.
    pub fn filters(&self) -> u32 {
        self.filters
    }

    /// XXH3 of the compressed bytes.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }
}

/// Compresses blocks. Keeps a compressor, so one is made for each thread.
pub struct BlockEncoder {
    compressor: zstd::bulk::Compressor<'static>,
}

impl BlockEncoder {
    /// An encoder at a zstd level.
    ///
    /// # Panics
    /// If there is no memory for the compressor.
    pub fn new(level: i32) -> Self {
        let compressor = zstd::bulk::Compressor::new(level).expect("memory for a compressor");
        Self { compressor }
    }

    /// Codes a block of values: the plane of wins and then that of losses. Bits in `free` may come
    /// out as anything.
    ///
    /// # Panics
    /// If the planes differ in length.
    pub fn encode_wdl(
        &mut self,
        won: &[TileBits],
        lost: &[TileBits],
        free: &[TileBits],
    ) -> EncodedBlock {
        assert!(won.len() == lost.len() && won.len() == free.len(), "planes of one block");
        // Where the fuller plane has a bit the other may have anything: it is not looked at.
        let wins_first = ones(won) >= ones(lost);
        let (first, second) = if wins_first { (won, lost) } else { (lost, won) };
        let second_free: Vec<TileBits> = free
            .iter()
            .zip(first)
            .map(|(free, first)| std::array::from_fn(|i| free[i] | first[i]))
            .collect();
        let (first, first_filtered) = filtered(first, free);
        let (second, second_filtered) = filtered(second, &second_free);
        let (planes, filters) = if wins_first {
            ([first, second], [first_filtered, second_filtered])
        } else {
            ([second, first], [second_filtered, first_filtered])
        };
        let mut flags = if wins_first { WINS_FIRST } else { 0 };
        for (is_filtered, flag) in filters.into_iter().zip([WON_FROM_ABOVE, LOST_FROM_ABOVE]) {
            flags |= if is_filtered { flag } else { 0 };
        }
        self.compress(planes.concat().as_flattened(), flags)
    }

    /// Codes a block of distances. Bytes marked in `free` may come out as anything.
    ///
    /// # Panics
    /// If the planes differ in length.
    pub fn encode_dtm(
        &mut self,
        distances: &mut [TileDistances],
        free: &[TileBits],
    ) -> EncodedBlock {
        assert_eq!(distances.len(), free.len(), "planes of one block");
        // Free bytes repeat the last one of the same symmetry, which makes long matches.
        let mut last = [0; 8];
        for (tile, free) in distances.iter_mut().zip(free) {
            for (cell, &free) in tile.chunks_exact_mut(8).zip(free) {
                for (g, byte) in cell.iter_mut().enumerate() {
                    if free >> g & 1 != 0 {
                        *byte = last[g];
                    }
                    last[g] = *byte;
                }
            }
        }
        self.compress(distances.as_flattened(), 0)
    }

    fn compress(&mut self, bytes: &[u8], filters: u32) -> EncodedBlock {
        let bytes = self.compressor.compress(bytes).expect("memory for a compressed block");
        let checksum = xxh3_64(&bytes);
        EncodedBlock { bytes, filters, checksum }
    }
}

thread_local! {
    // Making one takes about as long as decoding a small block.
    static DECOMPRESSOR: RefCell<std::io::Result<zstd::bulk::Decompressor<'static>>> =
        RefCell::new(zstd::bulk::Decompressor::new());
}

/// Decodes a block of `tiles` tiles.
///
/// # Errors
/// A few words on what does not fit.
pub(crate) fn decode(
    metric: Metric,
    tiles: usize,
    bytes: &[u8],
    filters: u32,
    checksum: u64,
) -> Result<Box<[u8]>, &'static str> {
    if xxh3_64(bytes) != checksum {
        return Err("its checksum does not match");
    }
    let len = tiles * metric.tile_bytes();
    let mut decoded = DECOMPRESSOR
        .with_borrow_mut(|decompressor| decompressor.as_mut().ok()?.decompress(bytes, len).ok())
        .ok_or("it does not decompress")?;
    if decoded.len() != len {
        return Err("it has another length than its place asks for");
    }
    if metric == Metric::Wdl {
        let (won, lost) = decoded.split_at_mut(len / 2);
        for (plane, flag) in [(&mut *won, WON_FROM_ABOVE), (&mut *lost, LOST_FROM_ABOVE)] {
            if filters & flag != 0 {
                for at in TILE_CELLS..plane.len() {
                    plane[at] ^= plane[at - TILE_CELLS];
                }
            }
        }
        let (first, second) = if filters & WINS_FIRST != 0 { (won, lost) } else { (lost, won) };
        for (second, first) in second.iter_mut().zip(first) {
            *second &= !*first;
        }
    }
    Ok(decoded.into_boxed_slice())
}

/// The flags that exist.
pub(crate) const KNOWN_FILTERS: u32 = WON_FROM_ABOVE | LOST_FROM_ABOVE | WINS_FIRST;

/// Each tile of wins is stored as its difference from the one before.
const WON_FROM_ABOVE: u32 = 1;

/// The same for losses.
const LOST_FROM_ABOVE: u32 = 2;

/// Bits of losses mean nothing where there is a win; otherwise the reverse.
const WINS_FIRST: u32 = 4;

/// A plane as it is, or as differences from the tile before where fewer bytes then differ from
/// zero. Free bits are what makes the most zeros.
fn filtered(plane: &[TileBits], free: &[TileBits]) -> (Vec<TileBits>, bool) {
    let mut above = [0; TILE_CELLS];
    let tiles = plane.iter().zip(free);
    let (as_is, differences): (Vec<TileBits>, Vec<TileBits>) = tiles
        .map(|(bits, free)| {
            let as_is: TileBits = std::array::from_fn(|i| bits[i] & !free[i]);
            let filled: TileBits = std::array::from_fn(|i| as_is[i] | above[i] & free[i]);
            let difference = std::array::from_fn(|i| filled[i] ^ above[i]);
            above = filled;
            (as_is, difference)
        })
        .unzip();
    if nonzero(&differences) < nonzero(&as_is) { (differences, true) } else { (as_is, false) }
}

fn nonzero(plane: &[TileBits]) -> usize {
    plane.as_flattened().iter().filter(|&&byte| byte != 0).count()
}

fn ones(plane: &[TileBits]) -> u32 {
    plane.as_flattened().iter().map(|byte| byte.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bits() -> impl Strategy<Value = TileBits> {
        prop_oneof![
            3 => any::<[u8; 32]>().prop_map(|half| std::array::from_fn(|i| half[i / 2])),
            1 => Just([0; TILE_CELLS]),
            1 => Just([u8::MAX; TILE_CELLS]),
        ]
    }

    fn plane(len: usize) -> impl Strategy<Value = Vec<TileBits>> {
        proptest::collection::vec(bits(), len)
    }

    fn decode_block(metric: Metric, tiles: usize, block: &EncodedBlock) -> Box<[u8]> {
        decode(metric, tiles, &block.bytes, block.filters, block.checksum).unwrap()
    }

    proptest! {
        #[test]
        fn values_survive_where_they_are_not_free(
            (won, lost, free) in (1..20_usize).prop_flat_map(|n| (plane(n), plane(n), plane(n)))
        ) {
            let lost: Vec<TileBits> = lost
                .iter()
                .zip(&won)
                .map(|(lost, won)| std::array::from_fn(|i| lost[i] & !won[i]))
                .collect();
            let block = BlockEncoder::new(3).encode_wdl(&won, &lost, &free);
            let decoded = decode_block(Metric::Wdl, won.len(), &block);
            let half = decoded.len() / 2;
            for at in 0..half {
                let kept = !free.as_flattened()[at];
                prop_assert_eq!(decoded[at] & kept, won.as_flattened()[at] & kept);
                prop_assert_eq!(decoded[half + at] & kept, lost.as_flattened()[at] & kept);
                prop_assert_eq!(decoded[at] & decoded[half + at], 0);
            }
        }

        #[test]
        fn distances_survive_where_they_are_not_free(
            (seed, free) in (1..10_usize).prop_flat_map(|n| (plane(n * 8), plane(n)))
        ) {
            let distances: Vec<TileDistances> = seed
                .as_flattened()
                .chunks_exact(512)
                .map(|tile| tile.try_into().expect("chunks of that length"))
                .collect();
            let mut coded = distances.clone();
            let block = BlockEncoder::new(3).encode_dtm(&mut coded, &free);
            let decoded = decode_block(Metric::Dtm, free.len(), &block);
            for (at, &byte) in distances.as_flattened().iter().enumerate() {
                if free.as_flattened()[at / 8] >> (at % 8) & 1 == 0 {
                    prop_assert_eq!(decoded[at], byte);
                }
            }
        }

        #[test]
        fn a_changed_byte_is_found(seed in plane(3), at in any::<prop::sample::Index>(), change in 1..=255_u8) {
            let mut block = BlockEncoder::new(3).encode_wdl(&seed, &seed, &[[0; TILE_CELLS]; 3]);
            let at = at.index(block.bytes.len());
            block.bytes[at] ^= change;
            let decoded = decode(Metric::Wdl, 3, &block.bytes, block.filters, block.checksum);
            prop_assert!(decoded.is_err());
        }
    }
}
