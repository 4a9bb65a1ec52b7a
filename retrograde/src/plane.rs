//! Where planes live: on the heap, or in memory-mapped files for classes larger than memory.

use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use memmap2::MmapMut;
use rustix::fs::FallocateFlags;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Where new planes are put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In memory.
    Heap,
    /// In unnamed files of this folder, mapped into memory; they vanish with the process.
    Spill(PathBuf),
}

/// A zero-initialised array of plain values.
#[derive(Debug)]
pub struct Plane<T>(Backing<T>);

#[derive(Debug)]
enum Backing<T> {
    Heap(Vec<T>),
    Mapped(MmapMut),
}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout> Plane<T> {
    /// `len` zeros.
    ///
    /// # Errors
    /// If the memory or the disk space is not to be had. Space in a file is reserved here, so that a
    /// disk that fills up later cannot stop a build.
    pub fn zeroed(len: usize, storage: &Storage) -> io::Result<Self> {
        match storage {
            Storage::Spill(folder) if len > 0 => {
                let bytes = len.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
                let file = tempfile::tempfile_in(folder)?;
                rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, bytes as u64)?;
                Ok(Self(Backing::Mapped(map(&file)?)))
            }
            _ => {
                let values = T::new_vec_zeroed(len)
                    .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
                Ok(Self(Backing::Heap(values)))
            }
        }
    }
}

/// Maps a whole file that nobody else can open.
#[allow(unsafe_code, reason = "mapping a file")]
fn map(file: &File) -> io::Result<MmapMut> {
    // SAFETY: the file was made without a name, so no other process can change or shorten it while
    // it is mapped, and its blocks are reserved, so no access can fail for want of disk space.
    unsafe { MmapMut::map_mut(file) }
}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout> Deref for Plane<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Backing::Heap(values) => values,
            Backing::Mapped(bytes) => <[T]>::ref_from_bytes(bytes).expect(WHOLE),
        }
    }
}

impl<T: FromBytes + IntoBytes + Immutable + KnownLayout> DerefMut for Plane<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Backing::Heap(values) => values,
            Backing::Mapped(bytes) => <[T]>::mut_from_bytes(bytes).expect(WHOLE),
        }
    }
}

const WHOLE: &str = "a mapping starts on a page and was made for whole values";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Tile;

    #[test]
    fn both_storages_start_as_zeros_and_keep_what_is_written() {
        let folder = tempfile::tempdir().unwrap();
        for storage in [Storage::Heap, Storage::Spill(folder.path().into())] {
            let mut plane: Plane<Tile> = Plane::zeroed(1000, &storage).unwrap();
            assert!(plane.iter().all(|tile| tile.is_none()));
            plane[999] = Tile::ALL;
            assert_eq!(plane[999], Tile::ALL);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_empty_plane_needs_no_file() {
        let plane: Plane<Tile> = Plane::zeroed(0, &Storage::Spill("/nowhere".into())).unwrap();
        assert!(plane.is_empty());
    }

    #[test]
    fn a_folder_that_is_missing_is_an_error() {
        assert!(Plane::<Tile>::zeroed(1, &Storage::Spill("/nowhere".into())).is_err());
    }
}
