//! The journal of a long build: what every ply decided, so that a build that was killed goes on at
//! the ply it had reached.
//!
//! A header names the class. Then come records, each with its own checksum: pieces of deltas, coded
//! as `delta_code.rs` does and packed by zstd, and at the end of a ply, once everything before is on
//! the disk, a mark. What follows the last mark counts for nothing. All numbers are little-endian.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use boombots_probe::{Class, SideLayout};
use rayon::prelude::*;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3Default;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

use crate::delta::Delta;

/// A journal that is read to its end and then written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    class: Class,
    layouts: Vec<SideLayout>,
    file: BufReader<File>,
    /// Where the last whole ply ends that was read or written.
    end: u64,
}

/// A journal cannot be read or written.
#[derive(Debug, Error)]
#[error("the journal {} of an unfinished build: {source}", file.display())]
pub struct JournalError {
    file: PathBuf,
    source: io::Error,
}

/// What a ply decided: for each side the deltas of runs of strips.
#[derive(Debug)]
pub struct RecordedPly {
    /// The ply.
    pub ply: u8,
    /// The deltas of each side, in the order of [`Class::sides`].
    pub sides: Vec<Vec<Delta>>,
}

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    version: U32,
    larger: u8,
    smaller: u8,
    unused: [u8; 2],
}

/// The head of a record; the packed bytes follow.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct RecordHeader {
    ply: u8,
    /// A side of the class, or [`END_OF_PLY`].
    side: u8,
    unused: [u8; 2],
    first_strip: U32,
    strips: U32,
    first_row: U32,
    rows: U32,
    /// Bytes before packing.
    raw_len: U32,
    packed_len: U32,
    /// XXH3 of the head with zeros here, and of the packed bytes.
    checksum: U64,
}

impl RecordHeader {
    fn checksum_with(&self, packed: &[u8]) -> U64 {
        let mut hash = Xxh3Default::new();
        hash.update(Self { checksum: U64::ZERO, ..*self }.as_bytes());
        hash.update(packed);
        U64::new(hash.digest())
    }
}

impl Journal {
    /// Opens the journal of a class, or starts one. A file that is no journal of this class, or one
    /// of another version, is started anew.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path, class: Class) -> Result<Self, JournalError> {
        let failed = |source| JournalError { file: path.to_owned(), source };
        let open = || {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
            let mut file = BufReader::with_capacity(1 << 20, file);
            let header = Header {
                magic: *b"BBJOURNL",
                version: U32::new(VERSION),
                larger: class.larger(),
                smaller: class.smaller(),
                unused: [0; 2],
            };
            let mut found = [0; size_of::<Header>()];
            if !read_whole(&mut file, &mut found)? || found != *header.as_bytes() {
                let file = file.get_mut();
                file.set_len(0)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(header.as_bytes())?;
            }
            Ok(file)
        };
        let file = open().map_err(failed)?;
        let layouts = class.sides().into_iter().map(SideLayout::new).collect();
        let end = size_of::<Header>() as u64;
        let mut journal = Self { path: path.to_owned(), class, layouts, file, end };
        journal.file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok(journal)
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The next ply on record; `None` after the last whole one. What follows that is cut off, and
    /// the journal is ready to be written.
    ///
    /// # Errors
    /// If the file cannot be read or cut.
    pub fn read(&mut self) -> Result<Option<RecordedPly>, JournalError> {
        let failed = |source| JournalError { file: self.path.clone(), source };
        let mut records = Vec::new();
        let mut ended = None;
        while let Some((header, packed)) = read_record(&mut self.file).map_err(failed)? {
            if header.side == END_OF_PLY {
                ended = Some(header.ply);
                break;
            }
            records.push((header, packed));
        }
        let unpacked = ended.and_then(|ply| self.unpack(ply, &records));
        let file = &mut self.file;
        if unpacked.is_some() {
            self.end = file.stream_position().map_err(failed)?;
        } else {
            file.get_mut().set_len(self.end).map_err(failed)?;
            file.seek(SeekFrom::Start(self.end)).map_err(failed)?;
        }
        Ok(unpacked)
    }

    fn unpack(&self, ply: u8, records: &[(RecordHeader, Vec<u8>)]) -> Option<RecordedPly> {
        let deltas: Option<Vec<(usize, Delta)>> = records
            .par_iter()
            .map(|(header, packed)| {
                let side = usize::from(header.side);
                let layout = self.layouts.get(side)?;
                let raw = zstd::bulk::decompress(packed, header.raw_len.get() as usize).ok()?;
                let range = |first: U32, len: U32| {
                    first.get() as usize..(first.get() as usize).saturating_add(len.get() as usize)
                };
                let strips = range(header.first_strip, header.strips);
                let rows = range(header.first_row, header.rows);
                let whole = header.ply == ply && strips.end <= layout.strips();
                let delta = whole.then(|| Delta::decode(&raw, layout, strips, rows));
                Some((side, delta?.ok()?))
            })
            .collect();
        let mut sides = vec![Vec::<Delta>::new(); self.layouts.len()];
        for (side, delta) in deltas? {
            match sides[side].last_mut() {
                Some(last) if last.first_strip == delta.first_strip => last.append(delta),
                _ => sides[side].push(delta),
            }
        }
        Some(RecordedPly { ply, sides })
    }

    /// Adds what a ply decided, for each side the deltas of its shards; on the disk when it returns.
    ///
    /// # Errors
    /// If it cannot be written, as when the disk is full. The plies before stay on record.
    pub fn write(&mut self, ply: u8, sides: &[Vec<Delta>]) -> Result<(), JournalError> {
        let failed = |source| JournalError { file: self.path.clone(), source };
        let file = self.file.get_mut();
        let mut write = || {
            file.seek(SeekFrom::Start(self.end))?;
            let mut written = 0;
            for (side, deltas) in sides.iter().enumerate() {
                for delta in deltas {
                    let pieces = pieces(delta, self.layouts[side].rows);
                    for some in pieces.chunks(AT_A_TIME) {
                        let packed = some.par_iter().map(|piece| piece.pack(ply, side, delta));
                        for record in packed.collect::<io::Result<Vec<Vec<u8>>>>()? {
                            file.write_all(&record)?;
                            written += record.len() as u64;
                        }
                    }
                }
            }
            // The mark may be on the disk only after what it stands for.
            file.sync_data()?;
            let mark =
                record(RecordHeader { ply, side: END_OF_PLY, ..RecordHeader::new_zeroed() }, &[]);
            file.write_all(&mark)?;
            file.sync_data()?;
            Ok(written + mark.len() as u64)
        };
        match write() {
            Ok(written) => self.end += written,
            Err(source) => {
                // What was written of the ply does not count without its mark.
                let _ = self.file.get_mut().set_len(self.end);
                return Err(failed(source));
            }
        }
        Ok(())
    }

    /// Deletes the journal: the class is built.
    ///
    /// # Errors
    /// If the file cannot be deleted.
    pub fn remove(self) -> Result<(), JournalError> {
        std::fs::remove_file(&self.path)
            .map_err(|source| JournalError { file: self.path.clone(), source })
    }
}

/// A part of a delta that becomes one record.
struct Piece {
    first_strip: usize,
    strips: usize,
    first_row: usize,
    rows: usize,
}

/// Cuts a delta of a side with so many rows. Pieces of the same strips follow one another.
fn pieces(delta: &Delta, rows: usize) -> Vec<Piece> {
    let strips = (PIECE_TILES / rows).max(1);
    let starts = (0..delta.strips.len()).step_by(strips);
    let cut = |first_strip: usize| {
        let strips = strips.min(delta.strips.len() - first_strip);
        let starts = (0..rows).step_by(PIECE_TILES);
        starts.map(move |first_row| {
            let rows = PIECE_TILES.min(rows - first_row);
            Piece { first_strip, strips, first_row, rows }
        })
    };
    starts.flat_map(cut).collect()
}

impl Piece {
    fn pack(&self, ply: u8, side: usize, delta: &Delta) -> io::Result<Vec<u8>> {
        let strips = &delta.strips[self.first_strip..self.first_strip + self.strips];
        let raw = Delta::encode_strips(strips, self.first_row..self.first_row + self.rows);
        if raw.is_empty() {
            return Ok(Vec::new());
        }
        let packed = zstd::bulk::compress(&raw, LEVEL)?;
        let number = |n: usize| U32::new(n as u32);
        let header = RecordHeader {
            ply,
            side: side as u8,
            first_strip: number(delta.first_strip + self.first_strip),
            strips: number(self.strips),
            first_row: number(self.first_row),
            rows: number(self.rows),
            raw_len: number(raw.len()),
            ..RecordHeader::new_zeroed()
        };
        Ok(record(header, &packed))
    }
}

fn record(mut header: RecordHeader, packed: &[u8]) -> Vec<u8> {
    header.packed_len = U32::new(packed.len() as u32);
    header.checksum = header.checksum_with(packed);
    [header.as_bytes(), packed].concat()
}

/// The next record, or `None` where no whole and undamaged one follows.
fn read_record(file: &mut impl Read) -> io::Result<Option<(RecordHeader, Vec<u8>)>> {
    let mut bytes = [0; size_of::<RecordHeader>()];
    if !read_whole(file, &mut bytes)? {
        return Ok(None);
    }
    let header: RecordHeader = zerocopy::transmute!(bytes);
    let mut packed = Vec::new();
    // Allocates what is there, whatever the head says.
    file.take(header.packed_len.get().into()).read_to_end(&mut packed)?;
    let raw_limit = Delta::encoded_limit(1, PIECE_TILES).saturating_mul(2);
    let sound = packed.len() as u64 == u64::from(header.packed_len.get())
        && header.raw_len.get() as usize <= raw_limit
        && header.checksum == header.checksum_with(&packed);
    Ok(sound.then_some((header, packed)))
}

/// Fills a buffer; false where the file ends before.
fn read_whole(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

const VERSION: u32 = 1;

/// In the place of a side: everything of this ply is there.
const END_OF_PLY: u8 = u8::MAX;

/// Tiles a record is about, at most: a few megabytes before packing.
const PIECE_TILES: usize = 1 << 16;

/// Records packed before any is written.
const AT_A_TIME: usize = 64;

/// A quick zstd level: a journal is written once and read after a kill only.
const LEVEL: i32 = 1;
