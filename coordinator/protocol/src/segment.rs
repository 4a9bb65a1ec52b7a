//! Segments: the coded blocks of one shard, and the table files made of a class's segments.
//!
//! A segment starts with the length of its part of values as eight little-endian bytes. Then come
//! the blocks of values and those of distances, each as its length (four bytes), its filters (four)
//! and its checksum (eight), all little-endian, and its bytes.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use boombots_probe::{
    Class, EncodedBlock, Metric, Plies, SideLayout, SideStatistics, Symmetry, TableError,
    TableWriter, table_file_name,
};
use thiserror::Error;

use crate::message::{SideCounts, StripRange};

/// What table files are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To stay: they are on the disk before they have their names.
    Publishing,
    /// To be checked and thrown away.
    Checking,
}

/// Puts a segment together.
#[derive(Debug)]
pub struct SegmentWriter {
    bytes: Vec<u8>,
}

/// Why segments make no tables.
#[derive(Debug, Error)]
pub enum SegmentError {
    /// A segment cannot be read.
    #[error("cannot read a segment: {0}")]
    Io(#[from] io::Error),
    /// A segment is not what it should be.
    #[error("a segment is damaged: {0}")]
    Damaged(&'static str),
    /// The table cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Default for SegmentWriter {
    fn default() -> Self {
        Self { bytes: vec![0; 8] }
    }
}

impl SegmentWriter {
    /// Adds the next block; all values come before all distances.
    pub fn push(&mut self, block: &EncodedBlock) {
        self.bytes.extend_from_slice(&(block.bytes.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(&block.filters().to_le_bytes());
        self.bytes.extend_from_slice(&block.checksum().to_le_bytes());
        self.bytes.extend_from_slice(&block.bytes);
    }

    /// The values are complete.
    pub fn end_values(&mut self) {
        let len = self.bytes.len() as u64 - 8;
        self.bytes[..8].copy_from_slice(&len.to_le_bytes());
    }

    /// The segment.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Writes both table files of a class into a folder. `sides` gives, for each side of the class, its
/// shards in order: their strips, their segments and their counts. Returns the files.
///
/// # Errors
/// If a segment is damaged or a file cannot be written. Each file is there whole or not at all.
pub fn assemble(
    folder: &Path,
    class: Class,
    sides: &[Vec<(StripRange, PathBuf, SideCounts)>],
    purpose: Purpose,
) -> Result<Vec<(Metric, PathBuf)>, SegmentError> {
    let materials = class.sides();
    if materials.len() != sides.len() {
        return Err(SegmentError::Damaged("it is of another class"));
    }
    let statistics = |material| {
        let side = materials.iter().position(|side| *side == material).unwrap_or(0);
        side_statistics(sides[side].iter().map(|(_, _, counts)| counts))
    };
    let mut files = Vec::new();
    for metric in Metric::ALL {
        let path = folder.join(table_file_name(class, metric));
        let mut writer = TableWriter::create(&path, class, &[metric], statistics)?;
        for (material, shards) in materials.iter().zip(sides) {
            let layout = SideLayout::new(*material);
            let covered = shards.iter().flat_map(|(strips, _, _)| strips.start..strips.end);
            if !covered.eq(0..layout.strips() as u32) {
                return Err(SegmentError::Damaged("the shards are not the whole side"));
            }
            for (strips, segment, _) in shards {
                let strips = strips.start as usize..strips.end as usize;
                copy_blocks(segment, metric, layout.blocks(strips, metric).len(), &mut writer)?;
            }
        }
        match purpose {
            Purpose::Publishing => writer.finish()?,
            Purpose::Checking => writer.finish_scratch()?,
        }
        files.push((metric, path));
    }
    Ok(files)
}

fn copy_blocks(
    segment: &Path,
    metric: Metric,
    blocks: usize,
    writer: &mut TableWriter,
) -> Result<(), SegmentError> {
    let mut file = BufReader::with_capacity(1 << 18, File::open(segment)?);
    let mut values = [0; 8];
    file.read_exact(&mut values)?;
    if metric == Metric::Dtm {
        let values = i64::try_from(u64::from_le_bytes(values));
        file.seek(SeekFrom::Current(values.map_err(|_| SegmentError::Damaged("its length"))?))?;
    }
    for _ in 0..blocks {
        let mut header = [0; 16];
        file.read_exact(&mut header)?;
        let (len, rest) = header.split_at(4);
        let (filters, checksum) = rest.split_at(4);
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |sum, &b| sum << 8 | u64::from(b));
        let len = number(len) as usize;
        if len > MAX_BLOCK {
            return Err(SegmentError::Damaged("a block is too long"));
        }
        let mut bytes = vec![0; len];
        file.read_exact(&mut bytes)?;
        let block = EncodedBlock::checked(bytes, number(filters) as u32, number(checksum));
        writer.push(&block.map_err(SegmentError::Damaged)?)?;
    }
    Ok(())
}

/// Each placement was counted eight times over, so the sum is divided and not the shards' counts.
fn side_statistics<'a>(shards: impl Iterator<Item = &'a SideCounts>) -> SideStatistics {
    let mut sum = SideCounts::default();
    for counts in shards {
        sum.wins = sum.wins.wrapping_add(counts.wins);
        sum.losses = sum.losses.wrapping_add(counts.losses);
        sum.draws = sum.draws.wrapping_add(counts.draws);
        sum.longest_win = sum.longest_win.max(counts.longest_win);
        sum.longest_loss = sum.longest_loss.max(counts.longest_loss);
    }
    let eighth = |count: u64| count / Symmetry::COUNT as u64;
    let plies = |plies: u8| (plies != 0).then_some(Plies(plies));
    SideStatistics {
        wins: eighth(sum.wins),
        losses: eighth(sum.losses),
        draws: eighth(sum.draws),
        longest_win: plies(sum.longest_win),
        longest_loss: plies(sum.longest_loss),
    }
}

/// Blocks hold 64 KiB before they are compressed.
const MAX_BLOCK: usize = 128 << 10;
