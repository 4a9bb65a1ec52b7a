//! Writing a table file, block by block.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use zerocopy::little_endian::{U32, U64};

use crate::block::EncodedBlock;
use crate::class::{Class, Material};
use crate::error::{TableError, TableProblem};
use crate::header::{self, IndexEntry, PartHeader};
use crate::layout::{Metric, SideLayout};
use crate::statistics::SideStatistics;

/// Writes one table file. It appears under its name only when it is whole and on the disk.
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    class: Class,
    parts: Vec<(SideLayout, Metric, SideStatistics)>,
    blocks: usize,
    index: Vec<IndexEntry>,
    end: u64,
    file: NewFile,
}

impl TableWriter {
    /// Starts a file with these metrics of both sides; `statistics` gives those of each side.
    ///
    /// # Errors
    /// If no file can be made in the folder.
    pub fn create(
        path: &Path,
        class: Class,
        metrics: &[Metric],
        statistics: impl Fn(Material) -> SideStatistics,
    ) -> Result<Self, TableError> {
        let parts: Vec<_> = metrics
            .iter()
            .flat_map(|&metric| class.sides().into_iter().map(move |side| (side, metric)))
            .map(|(side, metric)| (SideLayout::new(side), metric, statistics(side)))
            .collect();
        let blocks = parts.iter().map(|(layout, metric, _)| layout.block_count(*metric)).sum();
        let end = header::data_start(parts.len(), blocks) as u64;
        let failed = |error: io::Error| TableError {
            file: path.to_owned(),
            problem: TableProblem::Io(error),
        };
        let mut file = NewFile::create(path).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok(Self { path: path.to_owned(), class, parts, blocks, index: Vec::new(), end, file })
    }

    /// The sides and metrics, in the order in which their blocks must come.
    pub fn parts(&self) -> impl Iterator<Item = (&SideLayout, Metric)> {
        self.parts.iter().map(|(layout, metric, _)| (layout, *metric))
    }

    /// Writes the next block.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If all blocks were written already.
    pub fn push(&mut self, block: &EncodedBlock) -> Result<(), TableError> {
        assert!(self.index.len() < self.blocks, "a file has as many blocks as its parts");
        self.index.push(IndexEntry {
            len: U32::new(block.bytes.len() as u32),
            filters: U32::new(block.filters),
            checksum: U64::new(block.checksum),
        });
        self.end += block.bytes.len() as u64;
        let written = self.file.write_all(&block.bytes);
        written.map_err(|error| self.failed(error))
    }

    /// Writes the header and puts the file in its place.
    ///
    /// # Errors
    /// If it cannot be written. Nothing is left behind then.
    ///
    /// # Panics
    /// If blocks are missing.
    pub fn finish(self) -> Result<(), TableError> {
        self.finish_with(NewFile::finish)
    }

    /// As [`TableWriter::finish`], but does not wait for the disk: for a file that is read once and
    /// thrown away.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If blocks are missing.
    pub fn finish_scratch(self) -> Result<(), TableError> {
        self.finish_with(NewFile::finish_scratch)
    }

    fn finish_with(self, finish: fn(NewFile) -> io::Result<()>) -> Result<(), TableError> {
        assert_eq!(self.index.len(), self.blocks, "every block was written");
        let header = self.header();
        let failed = |error| TableError { file: self.path, problem: TableProblem::Io(error) };
        let write = |mut file: NewFile| {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            finish(file)
        };
        write(self.file).map_err(failed)
    }

    fn header(&self) -> Vec<u8> {
        let mut data = header::data_start(self.parts.len(), self.blocks) as u64;
        let mut entries = self.index.iter();
        let parts: Vec<PartHeader> = self
            .parts
            .iter()
            .map(|(layout, metric, statistics)| {
                let part = PartHeader::new(layout, *metric, data, statistics);
                let entries = entries.by_ref().take(layout.block_count(*metric));
                data += entries.map(|entry| u64::from(entry.len.get())).sum::<u64>();
                part
            })
            .collect();
        header::write(self.class, self.end, &parts, &self.index)
    }

    fn failed(&self, error: io::Error) -> TableError {
        TableError { file: self.path.clone(), problem: TableProblem::Io(error) }
    }
}

/// A file that appears under its name only when it is whole and on the disk. Until then it has
/// another name in the same folder, and goes away when it is dropped.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    temporary: NamedTempFile,
    buffer: BufWriter<File>,
}

impl NewFile {
    /// Starts a file that will be at `path`.
    ///
    /// # Errors
    /// If no file can be made in its folder.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let temporary = builder.tempfile_in(folder_of(path))?;
        let buffer = BufWriter::with_capacity(1 << 20, temporary.as_file().try_clone()?);
        Ok(Self { path: path.to_owned(), temporary, buffer })
    }

    /// Puts the file in its place, once it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written or moved there.
    pub fn finish(mut self) -> io::Result<()> {
        self.buffer.flush()?;
        self.temporary.as_file().sync_all()?;
        self.temporary.persist(&self.path).map_err(|error| error.error)?;
        File::open(folder_of(&self.path))?.sync_all()
    }

    fn finish_scratch(mut self) -> io::Result<()> {
        self.buffer.flush()?;
        self.temporary.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.buffer.seek(to)
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Removes what a killed process left half-written in a folder. Only for whoever holds the lock on
/// building there.
///
/// # Errors
/// If the folder cannot be read or a file not removed.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

const TEMPORARY_PREFIX: &str = ".boombots-";
const TEMPORARY_SUFFIX: &str = ".tmp";
