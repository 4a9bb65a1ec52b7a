//! A file mapped into memory for reading.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use memmap2::{Advice, Mmap};

/// A whole file, mapped.
#[derive(Debug)]
pub(crate) struct Mapped {
    file: File,
    map: Mmap,
}

impl Mapped {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let map = map(&file)?;
        // Blocks are read here and there; reading ahead would fetch what nobody asked for, see
        // [`Mapped::expect`]. A system that cannot take the advice serves the reads all the same.
        let _ = map.advise(Advice::Random);
        Ok(Self { file, map })
    }

    /// Says that these bytes are read next, so that the disk is asked for them at once and not page
    /// by page.
    pub(crate) fn expect(&self, bytes: &Range<usize>) {
        let _ = self.map.advise_range(Advice::WillNeed, bytes.start, bytes.len());
    }

    /// The bytes, if the file is still as long as when it was mapped.
    ///
    /// Reading past the end of a file that was cut short meanwhile would end the process, so this
    /// is asked for before every read of a block.
    pub(crate) fn bytes(&self) -> io::Result<&[u8]> {
        let len = self.file.metadata()?.len();
        if len < self.map.len() as u64 {
            let message = format!("it was cut to {len} bytes while in use");
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        Ok(&self.map)
    }
}

#[allow(unsafe_code, reason = "mapping a file")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: tables are written under another name and renamed, so their bytes never change in
    // place; whoever overwrites one in place anyway changes bytes that are only ever compared with
    // checksums and decompressed from a private copy. Shortening is checked for before each read.
    unsafe { Mmap::map(file) }
}
