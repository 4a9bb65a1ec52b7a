//! Raw files: the planes of a solved class as they are, for compressing later.
//!
//! A header of 32 bytes — magic, version, the class's bot counts and the length of the file — and
//! then, for each side to move, the plane of wins, the plane of losses and the distances, each
//! followed by its XXH3-64. Everything is little-endian.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use boombots_probe::{Class, NewFile, SideLayout};
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::plane::{Plane, Storage};
use crate::solved::{SolvedClass, SolvedSide, SolvedStrips, StripView};
use crate::tile::{Tile, TileBytes};

#[derive(
    Clone, Copy, Debug, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
struct RawHeader {
    magic: [u8; 8],
    version: U32,
    larger: u8,
    smaller: u8,
    reserved: [u8; 2],
    file_len: U64,
    checksum: U64,
}

const MAGIC: [u8; 8] = *b"BBRAW\r\n\x1a";
const VERSION: u32 = 1;

impl RawHeader {
    fn new(class: Class) -> Self {
        let tiles: u64 =
            class.sides().iter().map(|side| SideLayout::new(*side).tiles() as u64).sum();
        let planes = class.sides().len() as u64 * 3;
        let body = tiles * (2 * size_of::<Tile>() + size_of::<TileBytes>()) as u64 + planes * 8;
        let mut header = Self {
            magic: MAGIC,
            version: U32::new(VERSION),
            larger: class.larger(),
            smaller: class.smaller(),
            reserved: [0; 2],
            file_len: U64::new(size_of::<Self>() as u64 + body),
            checksum: U64::ZERO,
        };
        header.checksum = U64::new(xxhash_rust::xxh3::xxh3_64(header.as_bytes()));
        header
    }
}

/// The length of a class's raw file, in bytes.
pub fn raw_len(class: Class) -> u64 {
    RawHeader::new(class).file_len.get()
}

/// Writes a solved class as a raw file, whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write_raw(path: &Path, solved: &SolvedClass) -> Result<(), RawError> {
    let failed = |error: io::Error| RawError { file: path.into(), problem: error.into() };
    let write = || -> io::Result<()> {
        let mut file = NewFile::create(path)?;
        file.write_all(RawHeader::new(solved.class()).as_bytes())?;
        for side in solved.sides() {
            write_plane(&mut file, side, |view| view.won.as_bytes())?;
            write_plane(&mut file, side, |view| view.lost.as_bytes())?;
            write_plane(&mut file, side, |view| view.distances.as_bytes())?;
        }
        file.finish()
    };
    write().map_err(failed)
}

fn write_plane<'a>(
    out: &mut impl Write,
    side: &'a SolvedSide,
    bytes_of: impl Fn(StripView<'a>) -> &'a [u8],
) -> io::Result<()> {
    let mut hasher = Xxh3::new();
    for strip in 0..side.layout().strips() {
        let bytes = bytes_of(side.strip(strip));
        hasher.update(bytes);
        out.write_all(bytes)?;
    }
    out.write_all(&hasher.digest().to_le_bytes())
}

/// Reads a raw file.
///
/// # Errors
/// If it cannot be read or is not a whole raw file of a version this program knows.
pub fn read_raw(path: &Path) -> Result<(Class, Vec<SolvedSide>), RawError> {
    let failed = |problem| RawError { file: path.into(), problem };
    read(path).map_err(failed)
}

fn read(path: &Path) -> Result<(Class, Vec<SolvedSide>), RawProblem> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    let found = metadata.len();
    let mut input = BufReader::with_capacity(1 << 20, file);
    let mut start = Vec::new();
    input.by_ref().take(size_of::<RawHeader>() as u64).read_to_end(&mut start)?;
    if !start.starts_with(&MAGIC[..start.len().min(MAGIC.len())]) {
        return Err(RawProblem::Foreign);
    }
    let header = RawHeader::read_from_bytes(&start).map_err(|_| RawProblem::TooShort { found })?;
    if header.version.get() != VERSION {
        return Err(RawProblem::Version { found: header.version.get() });
    }
    let class = Class::new(header.larger, header.smaller).map_err(|_| RawProblem::Header)?;
    if header != RawHeader::new(class) {
        return Err(RawProblem::Header);
    }
    let expected = header.file_len.get();
    if found != expected {
        return Err(RawProblem::Length { found, expected });
    }
    let mut sides = Vec::new();
    for material in class.sides() {
        let layout = SideLayout::new(material);
        let won = read_plane(&mut input, layout.tiles())?;
        let lost = read_plane(&mut input, layout.tiles())?;
        let distances = read_plane(&mut input, layout.tiles())?;
        let strips = SolvedStrips::new(0..layout.strips(), won, lost, distances);
        sides.push(SolvedSide::new(layout, vec![strips]));
    }
    Ok((class, sides))
}

fn read_plane<T: FromZeros + FromBytes + IntoBytes + Immutable + KnownLayout>(
    input: &mut impl Read,
    len: usize,
) -> Result<Plane<T>, RawProblem> {
    let mut plane = Plane::<T>::zeroed(len, &Storage::Heap)?;
    let bytes = plane.as_mut_bytes();
    input.read_exact(bytes)?;
    let digest = xxhash_rust::xxh3::xxh3_64(bytes);
    let mut stored = [0; 8];
    input.read_exact(&mut stored)?;
    if u64::from_le_bytes(stored) == digest { Ok(plane) } else { Err(RawProblem::Checksum) }
}

/// Something is wrong with a raw file.
#[derive(Debug, Error)]
#[error("{}: {problem}", file.display())]
pub struct RawError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub problem: RawProblem,
}

/// What is wrong with a raw file.
#[derive(Debug, Error)]
pub enum RawProblem {
    /// The system refused to read or write it.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not start as a raw file does.
    #[error("it is not a raw file, as `generate` writes them")]
    Foreign,
    /// It is too short to hold even a header.
    #[error("it has {found} bytes, too few for a raw file; it was cut off or never written")]
    TooShort {
        /// Its length, in bytes.
        found: u64,
    },
    /// It was written by another program version.
    #[error("it has raw format version {found}, and this program reads version {VERSION}")]
    Version {
        /// The file's version.
        found: u32,
    },
    /// Its header is damaged.
    #[error("its header is damaged")]
    Header,
    /// The length is not what the class asks for.
    #[error("it has {found} bytes where its class asks for {expected}; it was cut off or added to")]
    Length {
        /// The length, in bytes.
        found: u64,
        /// The right length, in bytes.
        expected: u64,
    },
    /// A plane is damaged.
    #[error("a plane is damaged: its checksum does not match")]
    Checksum,
}
