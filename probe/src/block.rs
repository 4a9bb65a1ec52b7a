//! The coding of blocks: 64 KiB of values, filtered, compressed and checksummed.

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
    /// out as anything, and so may those of wins where there is a loss; the planes are left as
    /// they will be decoded.
    ///
    /// # Panics
    /// If the planes differ in length.
    pub fn encode_wdl(
        &mut self,
        won: &mut [TileBits],
        lost: &mut [TileBits],
        free: &[TileBits],
    ) -> EncodedBlock {
        assert!(won.len() == lost.len() && won.len() == free.len(), "planes of one block");
        // A loss is read first, so wins are free there.
        let mut filters = 0;
        let mut bytes = Vec::with_capacity(2 * TILE_CELLS * won.len());
        let won_free: Vec<TileBits> = free
            .iter()
            .zip(&*lost)
            .map(|(free, lost)| std::array::from_fn(|i| free[i] | lost[i]))
            .collect();
        for (plane, free, bit) in
            [(won, &won_free[..], WON_FROM_ABOVE), (lost, free, LOST_FROM_ABOVE)]
        {
            let (as_is, from_above) = (fill_zero(plane, free), fill_from_above(plane, free));
            let residuals = residuals(&from_above);
            let chosen = if nonzero(&residuals) < nonzero(&as_is) {
                filters |= bit;
                plane.copy_from_slice(&from_above);
                residuals
            } else {
                plane.copy_from_slice(&as_is);
                as_is
            };
            bytes.extend_from_slice(chosen.as_flattened());
        }
        self.compress(&bytes, filters)
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
    let mut decoded = zstd::bulk::decompress(bytes, len).map_err(|_| "it does not decompress")?;
    if decoded.len() != len {
        return Err("it has another length than its place asks for");
    }
    if metric == Metric::Wdl {
        let (won, lost) = decoded.split_at_mut(len / 2);
        for (plane, bit) in [(won, WON_FROM_ABOVE), (lost, LOST_FROM_ABOVE)] {
            if filters & bit != 0 {
                for at in TILE_CELLS..plane.len() {
                    plane[at] ^= plane[at - TILE_CELLS];
                }
            }
        }
    }
    Ok(decoded.into_boxed_slice())
}

/// The filters that exist.
pub(crate) const KNOWN_FILTERS: u32 = WON_FROM_ABOVE | LOST_FROM_ABOVE;

/// Each tile of wins is stored as its difference from the one before.
const WON_FROM_ABOVE: u32 = 1;

/// The same for losses.
const LOST_FROM_ABOVE: u32 = 2;

fn fill_zero(plane: &[TileBits], free: &[TileBits]) -> Vec<TileBits> {
    let tiles = plane.iter().zip(free);
    tiles.map(|(bits, free)| std::array::from_fn(|i| bits[i] & !free[i])).collect()
}

fn fill_from_above(plane: &[TileBits], free: &[TileBits]) -> Vec<TileBits> {
    let mut above = [0; TILE_CELLS];
    let tiles = plane.iter().zip(free);
    tiles
        .map(|(bits, free)| {
            above = std::array::from_fn(|i| bits[i] & !free[i] | above[i] & free[i]);
            above
        })
        .collect()
}

fn residuals(plane: &[TileBits]) -> Vec<TileBits> {
    let mut above = [0; TILE_CELLS];
    let tiles = plane.iter();
    tiles
        .map(|bits| {
            let residual = std::array::from_fn(|i| bits[i] ^ above[i]);
            above = *bits;
            residual
        })
        .collect()
}

fn nonzero(plane: &[TileBits]) -> usize {
    plane.as_flattened().iter().filter(|&&byte| byte != 0).count()
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
            let (mut coded_won, mut coded_lost) = (won.clone(), lost.clone());
            let block = BlockEncoder::new(3).encode_wdl(&mut coded_won, &mut coded_lost, &free);
            let decoded = decode_block(Metric::Wdl, won.len(), &block);
            let half = decoded.len() / 2;
            prop_assert_eq!(&decoded[..half], coded_won.as_flattened());
            prop_assert_eq!(&decoded[half..], coded_lost.as_flattened());
            for at in 0..half {
                let (free, lost) = (free.as_flattened()[at], lost.as_flattened()[at]);
                prop_assert_eq!(decoded[half + at] & !free, lost & !free);
                let kept = !free & !lost;
                prop_assert_eq!(decoded[at] & kept, won.as_flattened()[at] & kept);
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
            let (mut won, mut lost) = (seed.clone(), seed.clone());
            let mut block = BlockEncoder::new(3).encode_wdl(&mut won, &mut lost, &[[0; TILE_CELLS]; 3]);
            let at = at.index(block.bytes.len());
            block.bytes[at] ^= change;
            let decoded = decode(Metric::Wdl, 3, &block.bytes, block.filters, block.checksum);
            prop_assert!(decoded.is_err());
        }
    }
}
