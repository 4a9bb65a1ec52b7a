//! One table file, open for reading.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::block;
use crate::class::{Class, Material};
use crate::error::{TableError, TableProblem};
use crate::header::{self, IndexEntry};
use crate::layout::{Metric, SideLayout};
use crate::mapped::Mapped;
use crate::statistics::SideStatistics;

/// An open table file. Its header and index were checked when it was opened; each block is checked
/// when it is decoded.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    mapped: Mapped,
    class: Class,
    parts: Vec<Part>,
    set_aside: AtomicBool,
}

/// One side and metric of a table.
#[derive(Debug)]
pub struct Part {
    layout: SideLayout,
    metric: Metric,
    statistics: SideStatistics,
    index: Vec<IndexEntry>,
    /// Where each block starts, and at the end where the last one ends.
    offsets: Vec<u64>,
}

impl Table {
    /// Opens a table and checks its header, index and length.
    ///
    /// # Errors
    /// If it cannot be read or is not a whole table of a version this program knows.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let failed = |problem| TableError { file: path.to_owned(), problem };
        let mapped = match Mapped::open(path) {
            Ok(mapped) => mapped,
            Err(error) => return Err(failed(problem_of(path, error))),
        };
        let bytes = mapped.bytes().map_err(|error| failed(error.into()))?;
        let (class, headers, index) = header::read(bytes).map_err(failed)?;
        let mut index = index.into_iter();
        let mut parts = Vec::with_capacity(headers.len());
        for header in headers {
            let (layout, metric) = header.read(class).map_err(failed)?;
            let index: Vec<_> = index.by_ref().take(header.blocks.get() as usize).collect();
            let mut offsets = vec![header.data.get()];
            offsets.extend(index.iter().scan(header.data.get(), |offset, entry| {
                *offset += u64::from(entry.len.get());
                Some(*offset)
            }));
            parts.push(Part { layout, metric, statistics: header.statistics(), index, offsets });
        }
        let set_aside = AtomicBool::new(false);
        Ok(Self { path: path.to_owned(), mapped, class, parts, set_aside })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The class it is for.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The sides and metrics it holds.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The part for one side and metric.
    pub fn part(&self, side: Material, metric: Metric) -> Option<&Part> {
        let mut parts = self.parts.iter();
        parts.find(|part| part.layout.material == side && part.metric == metric)
    }

    /// A block, decoded: for values the plane of wins and then that of losses, 64 bytes a tile; for
    /// distances 512 bytes a tile.
    ///
    /// # Errors
    /// If the block is damaged. The table is then set aside, and every later block is refused.
    pub fn block(&self, part: &Part, block: usize) -> Result<Box<[u8]>, TableError> {
        if self.set_aside.load(Ordering::Relaxed) {
            return Err(TableError { file: self.path.clone(), problem: TableProblem::SetAside });
        }
        self.decode(part, block).map_err(|problem| {
            self.set_aside.store(true, Ordering::Relaxed);
            TableError { file: self.path.clone(), problem }
        })
    }

    fn decode(&self, part: &Part, block: usize) -> Result<Box<[u8]>, TableProblem> {
        let damaged = |detail| TableProblem::Block {
            side: part.layout.material,
            metric: part.metric,
            block,
            detail,
        };
        let bytes = self.mapped.bytes()?;
        let range = part.offsets[block] as usize..part.offsets[block + 1] as usize;
        let bytes =
            bytes.get(range.clone()).ok_or_else(|| damaged("it is past the end of the file"))?;
        self.mapped.expect(&range);
        let entry = &part.index[block];
        let tiles = part.layout.block_len(part.metric, block);
        block::decode(part.metric, tiles, bytes, entry.filters.get(), entry.checksum.get())
            .map_err(damaged)
    }

    /// The BLAKE3 digest of the whole file, in hexadecimal.
    ///
    /// # Errors
    /// If the file was cut short meanwhile.
    pub fn digest(&self) -> Result<String, TableError> {
        match self.mapped.bytes() {
            Ok(bytes) => Ok(blake3::hash(bytes).to_hex().to_string()),
            Err(error) => Err(TableError { file: self.path.clone(), problem: error.into() }),
        }
    }

    /// The length of the file, in bytes.
    pub fn len(&self) -> u64 {
        self.parts.last().and_then(|part| part.offsets.last()).copied().unwrap_or(0)
    }

    /// Never: a table has a header.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Part {
    /// How its positions are laid out.
    pub fn layout(&self) -> &SideLayout {
        &self.layout
    }

    /// What it says of them.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many of them are won, lost and drawn.
    pub fn statistics(&self) -> &SideStatistics {
        &self.statistics
    }

    /// How many blocks it has.
    pub fn blocks(&self) -> usize {
        self.index.len()
    }

    /// Bytes of the file that are this part's: its blocks, their index entries and its header. The
    /// first part's include the file's header, so that the shares add up to the file.
    pub fn file_share(&self, table: &Table) -> u64 {
        let blocks = self.offsets[self.index.len()] - self.offsets[0];
        let is_first = table.parts.first().is_some_and(|first| std::ptr::eq(first, self));
        blocks + header::part_len(self.index.len(), is_first)
    }
}

/// An empty file cannot be mapped, which is better said in other words.
fn problem_of(path: &Path, error: io::Error) -> TableProblem {
    match path.metadata() {
        Ok(metadata) if metadata.is_file() && metadata.len() == 0 => {
            TableProblem::TooShort { found: 0 }
        }
        _ => error.into(),
    }
}
