//! The start of a table file, byte for byte. `probe/README.md` describes the same.

use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::block::KNOWN_FILTERS;
use crate::class::{Class, Material};
use crate::error::TableProblem;
use crate::layout::{Metric, SideLayout};
use crate::statistics::SideStatistics;
use crate::value::Plies;

/// The first 32 bytes.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct FileHeader {
    /// Bytes 0–7: [`MAGIC`].
    pub(crate) magic: [u8; 8],
    /// Bytes 8–11: [`VERSION`].
    pub(crate) version: U32,
    /// Byte 12: the class's larger bot count.
    pub(crate) larger: u8,
    /// Byte 13: the class's smaller bot count.
    pub(crate) smaller: u8,
    /// Bytes 14–15: how many parts there are.
    pub(crate) parts: U16,
    /// Bytes 16–23: the length of the whole file.
    pub(crate) file_len: U64,
    /// Bytes 24–31: XXH3-64 of header, part headers and index, with these eight bytes zero.
    pub(crate) checksum: U64,
}

/// 64 bytes for each part, after the file header.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct PartHeader {
    /// Byte 0: bots of the mover.
    mover: u8,
    /// Byte 1: bots of the opponent.
    opponent: u8,
    /// Byte 2: the metric, 0 for values and 1 for distances.
    metric: u8,
    /// Byte 3: the codec of the blocks, 1 for zstd.
    codec: u8,
    /// Bytes 4–7: orbits of the mover.
    rows: U32,
    /// Bytes 8–11: orbits of the opponent.
    columns: U32,
    /// Bytes 12–15: tiles in a full block.
    block_tiles: U32,
    /// Bytes 16–23: how many blocks there are.
    pub(crate) blocks: U64,
    /// Bytes 24–31: where in the file the first block starts; the others follow without gaps.
    pub(crate) data: U64,
    /// Bytes 32–39: placements won for the mover.
    wins: U64,
    /// Bytes 40–47: placements lost for the mover.
    losses: U64,
    /// Bytes 48–55: placements drawn.
    draws: U64,
    /// Byte 56: plies of the longest win, 0 for none.
    longest_win: u8,
    /// Byte 57: plies of the longest loss, 0 for none.
    longest_loss: u8,
    /// Bytes 58–63: zero.
    reserved: [u8; 6],
}

/// 16 bytes for each block, in the order of the parts, after the part headers.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct IndexEntry {
    /// Bytes 0–3: the length of the compressed block.
    pub(crate) len: U32,
    /// Bytes 4–7: bit 0 set where the plane of wins is stored as differences, bit 1 for losses,
    /// bit 2 where wins are read first.
    pub(crate) filters: U32,
    /// Bytes 8–15: XXH3-64 of the compressed block.
    pub(crate) checksum: U64,
}

/// What a table file starts with. The last bytes are spoiled by a transfer as text.
pub(crate) const MAGIC: [u8; 8] = *b"BBTB\r\n\x1a\n";

/// The version of the format that this program writes and reads.
pub(crate) const VERSION: u32 = 1;

/// The most parts a file has: two sides by two metrics.
const MAX_PARTS: usize = 4;

/// Blocks compressed as independent zstd frames.
const CODEC_ZSTD: u8 = 1;

impl PartHeader {
    pub(crate) fn new(
        layout: &SideLayout,
        metric: Metric,
        data: u64,
        statistics: &SideStatistics,
    ) -> Self {
        let plies = |plies: Option<Plies>| plies.map_or(0, |plies| plies.0);
        Self {
            mover: layout.material.mover,
            opponent: layout.material.opponent,
            metric: metric as u8,
            codec: CODEC_ZSTD,
            rows: U32::new(layout.rows as u32),
            columns: U32::new(layout.columns as u32),
            block_tiles: U32::new(metric.block_tiles() as u32),
            blocks: U64::new(layout.block_count(metric) as u64),
            data: U64::new(data),
            wins: U64::new(statistics.wins),
            losses: U64::new(statistics.losses),
            draws: U64::new(statistics.draws),
            longest_win: plies(statistics.longest_win),
            longest_loss: plies(statistics.longest_loss),
            reserved: [0; 6],
        }
    }

    /// The layout and metric, if the header is one that this program writes.
    pub(crate) fn read(&self, class: Class) -> Result<(SideLayout, Metric), TableProblem> {
        let damaged = |detail| Err(TableProblem::Header { detail });
        let material = Material { mover: self.mover, opponent: self.opponent };
        if !class.sides().contains(&material) {
            return damaged("a part belongs to another class");
        }
        let Some(metric) = Metric::ALL.into_iter().find(|&metric| metric as u8 == self.metric)
        else {
            return damaged("a part has an unknown metric");
        };
        let layout = SideLayout::new(material);
        let expected = Self::new(&layout, metric, self.data.get(), &self.statistics());
        if expected.as_bytes() != self.as_bytes() {
            return damaged("a part is laid out in an unknown way");
        }
        Ok((layout, metric))
    }

    pub(crate) fn statistics(&self) -> SideStatistics {
        let plies = |plies: u8| (plies != 0).then_some(Plies(plies));
        SideStatistics {
            wins: self.wins.get(),
            losses: self.losses.get(),
            draws: self.draws.get(),
            longest_win: plies(self.longest_win),
            longest_loss: plies(self.longest_loss),
        }
    }
}

/// Where in a file the blocks start.
pub(crate) fn data_start(parts: usize, blocks: usize) -> usize {
    size_of::<FileHeader>() + parts * size_of::<PartHeader>() + blocks * size_of::<IndexEntry>()
}

/// Bytes before the blocks that belong to one part of so many blocks.
pub(crate) fn part_len(blocks: usize, is_first: bool) -> u64 {
    let file_header = if is_first { size_of::<FileHeader>() } else { 0 };
    (file_header + data_start(1, blocks) - size_of::<FileHeader>()) as u64
}

/// The bytes before the blocks.
pub(crate) fn write(
    class: Class,
    file_len: u64,
    parts: &[PartHeader],
    index: &[IndexEntry],
) -> Vec<u8> {
    let mut header = FileHeader {
        magic: MAGIC,
        version: U32::new(VERSION),
        larger: class.larger(),
        smaller: class.smaller(),
        parts: U16::new(parts.len() as u16),
        file_len: U64::new(file_len),
        checksum: U64::ZERO,
    };
    let mut bytes = [header.as_bytes(), parts.as_bytes(), index.as_bytes()].concat();
    header.checksum = U64::new(xxhash_rust::xxh3::xxh3_64(&bytes));
    bytes[..size_of::<FileHeader>()].copy_from_slice(header.as_bytes());
    bytes
}

/// Header, part headers and index of a file, checked.
pub(crate) fn read(file: &[u8]) -> Result<(Class, Vec<PartHeader>, Vec<IndexEntry>), TableProblem> {
    let found = file.len() as u64;
    let damaged = |detail| TableProblem::Header { detail };
    let Ok((header, rest)) = FileHeader::read_from_prefix(file) else {
        // Even a short file may be recognised as something else.
        let start = &file[..file.len().min(MAGIC.len())];
        let foreign = !MAGIC.starts_with(start);
        return Err(if foreign { TableProblem::Foreign } else { TableProblem::TooShort { found } });
    };
    if header.magic != MAGIC {
        return Err(TableProblem::Foreign);
    }
    if header.version.get() > VERSION {
        let found = header.version.get();
        return Err(TableProblem::Version { found, supported: VERSION });
    }
    if header.version.get() != VERSION {
        return Err(damaged("no such version was ever written"));
    }
    let expected = header.file_len.get();
    let class = Class::new(header.larger, header.smaller)
        .ok()
        .filter(|class| class.larger() == header.larger)
        .ok_or(damaged("it names no class"))?;
    let part_count = usize::from(header.parts.get());
    if part_count == 0 || part_count > MAX_PARTS {
        return Err(damaged("it has too few or too many parts"));
    }
    let (parts, rest) = <[PartHeader]>::ref_from_prefix_with_elems(rest, part_count)
        .map_err(|_| TableProblem::Length { found, expected })?;
    let mut blocks = 0;
    for part in parts {
        let (layout, metric) = part.read(class)?;
        blocks += layout.block_count(metric);
    }
    let (index, _) = <[IndexEntry]>::ref_from_prefix_with_elems(rest, blocks)
        .map_err(|_| TableProblem::Length { found, expected })?;
    let mut unsigned = header;
    unsigned.checksum.zero();
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hasher.update(unsigned.as_bytes());
    hasher.update(parts.as_bytes());
    hasher.update(index.as_bytes());
    if hasher.digest() != header.checksum.get() {
        return Err(damaged("its checksum does not match"));
    }
    if found != expected {
        return Err(TableProblem::Length { found, expected });
    }
    let mut offset = data_start(part_count, blocks) as u64;
    let mut entries = index.iter();
    for part in parts {
        if part.data.get() != offset {
            return Err(damaged("a part does not start where the one before ends"));
        }
        for entry in entries.by_ref().take(part.blocks.get() as usize) {
            offset += u64::from(entry.len.get());
            if entry.filters.get() & !KNOWN_FILTERS != 0 {
                return Err(damaged("a block has an unknown filter"));
            }
        }
    }
    if offset != expected {
        return Err(damaged("the blocks do not fill the file"));
    }
    Ok((class, parts.to_vec(), index.to_vec()))
}
