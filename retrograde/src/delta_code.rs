//! Deltas as bytes, for shards that are not in the same process.
//!
//! For each strip and each of won and lost: the number of rows as a LEB128 number. Then, over all
//! strips in that order, the rows, each as its distance from the one before; then for each tile a
//! byte that marks its nonzero words; then for each of those words a byte that marks its nonzero
//! bytes; and at last those bytes. Like goes with like, so the result compresses well.

use std::ops::Range;

use boombots_probe::SideLayout;
use thiserror::Error;

use crate::delta::{Delta, SparseTiles, StripDelta};
use crate::tile::Tile;

/// Why bytes are no delta of the shard and rows they should be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DeltaCodeError {
    /// The bytes end too early.
    #[error("a delta is cut short")]
    Short,
    /// Bytes are left over.
    #[error("a delta has bytes left over")]
    Long,
    /// A row is out of place.
    #[error("a delta has a row that is not of its destination")]
    Row,
    /// A tile has a zero where it says that it has none.
    #[error("a delta is not in its shortest form")]
    Form,
}

impl Delta {
    /// What of it lies in a range of rows, as bytes; nothing at all where nothing does.
    pub fn encode(&self, rows: Range<usize>) -> Vec<u8> {
        Self::encode_strips(&self.strips, rows)
    }

    /// The same for some strips of a delta.
    pub(crate) fn encode_strips(strips: &[StripDelta], rows: Range<usize>) -> Vec<u8> {
        let mut out = Streams::default();
        let mut any = false;
        for strip in strips {
            for sparse in [&strip.won, &strip.lost] {
                let at = |row: usize| sparse.rows.partition_point(|&other| (other as usize) < row);
                let run = at(rows.start)..at(rows.end);
                any |= !run.is_empty();
                push_number(&mut out.counts, run.len() as u32);
                let mut last = rows.start as u32;
                for (&row, tile) in sparse.rows[run.clone()].iter().zip(&sparse.tiles[run]) {
                    push_number(&mut out.rows, row - last);
                    last = row;
                    out.push_tile(tile);
                }
            }
        }
        if any { out.joined() } else { Vec::new() }
    }

    /// Reads what [`Delta::encode`] wrote for strips of a side and a range of rows.
    ///
    /// # Errors
    /// If the bytes are anything else. Nothing is allocated that the bytes do not account for.
    pub fn decode(
        bytes: &[u8],
        layout: &SideLayout,
        strips: Range<usize>,
        rows: Range<usize>,
    ) -> Result<Self, DeltaCodeError> {
        let rows = rows.start..rows.end.min(layout.rows);
        let mut delta =
            Self { first_strip: strips.start, strips: vec![StripDelta::default(); strips.len()] };
        if bytes.is_empty() {
            return Ok(delta);
        }
        let mut reader = Reader(bytes);
        let mut counts = Vec::with_capacity(2 * strips.len());
        for _ in 0..2 * strips.len() {
            let count = reader.number()? as usize;
            if count > rows.len() {
                return Err(DeltaCodeError::Row);
            }
            counts.push(count);
        }
        let total: usize = counts.iter().sum();
        if total > reader.0.len() {
            return Err(DeltaCodeError::Short);
        }
        let parts = delta.strips.iter_mut().flat_map(|strip| [&mut strip.won, &mut strip.lost]);
        for (sparse, count) in parts.zip(counts) {
            read_rows(&mut reader, sparse, count, &rows)?;
        }
        let words: Vec<u8> = reader.take(total)?.to_vec();
        let marked: usize = words.iter().map(|mask| mask.count_ones() as usize).sum();
        let mut marks = Reader(reader.take(marked)?);
        let mut words = words.into_iter();
        for strip in &mut delta.strips {
            for sparse in [&mut strip.won, &mut strip.lost] {
                for _ in 0..sparse.rows.len() {
                    let mask = words.next().ok_or(DeltaCodeError::Short)?;
                    sparse.tiles.push(read_tile(mask, &mut marks, &mut reader)?);
                }
            }
        }
        if reader.0.is_empty() { Ok(delta) } else { Err(DeltaCodeError::Long) }
    }

    /// The most bytes that [`Delta::encode`] writes for so many strips and rows.
    pub fn encoded_limit(strips: usize, rows: usize) -> usize {
        2 * strips * (5 + rows * (5 + 1 + 8 + 64))
    }
}

#[derive(Default)]
struct Streams {
    counts: Vec<u8>,
    rows: Vec<u8>,
    words: Vec<u8>,
    marks: Vec<u8>,
    bytes: Vec<u8>,
}

impl Streams {
    fn push_tile(&mut self, tile: &Tile) {
        let mut words = 0;
        for (i, word) in tile.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            words |= 1 << i;
            let mut marks = 0;
            for (i, byte) in word.to_le_bytes().into_iter().enumerate() {
                if byte != 0 {
                    marks |= 1 << i;
                    self.bytes.push(byte);
                }
            }
            self.marks.push(marks);
        }
        self.words.push(words);
    }

    fn joined(self) -> Vec<u8> {
        [self.counts, self.rows, self.words, self.marks, self.bytes].concat()
    }
}

fn read_rows(
    reader: &mut Reader<'_>,
    sparse: &mut SparseTiles,
    count: usize,
    rows: &Range<usize>,
) -> Result<(), DeltaCodeError> {
    let mut last = rows.start;
    for i in 0..count {
        let gap = reader.number()? as usize;
        if gap == 0 && i > 0 {
            return Err(DeltaCodeError::Row);
        }
        last += gap;
        if last >= rows.end {
            return Err(DeltaCodeError::Row);
        }
        sparse.rows.push(last as u32);
    }
    Ok(())
}

fn read_tile(
    words: u8,
    marks: &mut Reader<'_>,
    bytes: &mut Reader<'_>,
) -> Result<Tile, DeltaCodeError> {
    if words == 0 {
        return Err(DeltaCodeError::Form);
    }
    let mut tile = Tile::NONE;
    for i in (0..8).filter(|i| words >> i & 1 != 0) {
        let marks = marks.byte()?;
        if marks == 0 {
            return Err(DeltaCodeError::Form);
        }
        let mut word = [0; 8];
        for i in (0..8).filter(|i| marks >> i & 1 != 0) {
            word[i] = bytes.byte()?;
            if word[i] == 0 {
                return Err(DeltaCodeError::Form);
            }
        }
        tile.0[i] = u64::from_le_bytes(word);
    }
    Ok(tile)
}

fn push_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8, DeltaCodeError> {
        let (&byte, rest) = self.0.split_first().ok_or(DeltaCodeError::Short)?;
        self.0 = rest;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u32, DeltaCodeError> {
        let mut number = 0_u32;
        for shift in (0..28).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(DeltaCodeError::Row)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], DeltaCodeError> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(DeltaCodeError::Short)?;
        self.0 = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use boombots_probe::Material;
    use proptest::prelude::*;

    use super::*;

    fn layout() -> SideLayout {
        SideLayout::new(Material { mover: 2, opponent: 2 })
    }

    fn sparse() -> impl Strategy<Value = SparseTiles> {
        let tile = proptest::array::uniform8(prop_oneof![Just(0_u64), any::<u64>(), Just(1 << 40)]);
        proptest::collection::btree_map(0..288_u32, tile, 0..40).prop_map(|rows| {
            let rows = rows.into_iter().filter(|(_, tile)| *tile != [0; 8]);
            let (rows, tiles) = rows.map(|(row, tile)| (row, Tile(tile))).unzip();
            SparseTiles { rows, tiles }
        })
    }

    fn delta() -> impl Strategy<Value = Delta> {
        let strip = (sparse(), sparse()).prop_map(|(won, lost)| StripDelta { won, lost });
        let strips = proptest::collection::vec(strip, 3);
        strips.prop_map(|strips| Delta { first_strip: 2, strips })
    }

    proptest! {
        #[test]
        fn a_delta_survives(delta in delta()) {
            let bytes = delta.encode(0..288);
            prop_assert!(bytes.len() <= Delta::encoded_limit(3, 288));
            prop_assert_eq!(Delta::decode(&bytes, &layout(), 2..5, 0..288), Ok(delta));
        }

        #[test]
        fn slices_hold_what_is_in_their_rows(delta in delta()) {
            for rows in [0..64, 64..192, 192..288] {
                let bytes = delta.encode(rows.clone());
                let slice = Delta::decode(&bytes, &layout(), 2..5, rows.clone()).unwrap();
                for (slice, whole) in slice.strips.iter().zip(&delta.strips) {
                    for first in rows.clone().step_by(64) {
                        prop_assert!(slice.won.block(first).eq(whole.won.block(first)));
                        prop_assert!(slice.lost.block(first).eq(whole.lost.block(first)));
                    }
                }
            }
        }

        #[test]
        fn other_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(delta) = Delta::decode(&bytes, &layout(), 2..5, 64..192) {
                prop_assert!(delta.encode(64..192).len() <= bytes.len());
            }
        }

        #[test]
        fn a_cut_delta_is_refused(delta in delta(), cut in any::<prop::sample::Index>()) {
            let bytes = delta.encode(0..288);
            prop_assume!(!bytes.is_empty());
            let cut = cut.index(bytes.len()).max(1);
            if cut < bytes.len() {
                prop_assert!(Delta::decode(&bytes[..cut], &layout(), 2..5, 0..288).is_err());
            }
        }
    }
}
