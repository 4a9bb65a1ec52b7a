//! `manifest.json`: which files a folder of tables should hold, with their lengths and digests.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::error::TableError;
use crate::table::Table;
use crate::writer::NewFile;

/// The files of a folder of tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    files: BTreeMap<String, ManifestEntry>,
}

/// What a file should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestEntry {
    /// Its length, in bytes.
    pub bytes: u64,
    /// Its BLAKE3 digest, in hexadecimal.
    pub blake3: String,
}

impl Manifest {
    /// The name of the file in its folder.
    pub const FILE_NAME: &str = "manifest.json";

    /// Reads a folder's manifest; an empty one where there is none.
    ///
    /// # Errors
    /// If it cannot be read or is not, byte for byte, a manifest as this program writes it.
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let text = match std::fs::read(folder.join(Self::FILE_NAME)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error.into()),
        };
        let wire: WireManifest = serde_json::from_slice(&text)?;
        if wire.format > FORMAT {
            return Err(ManifestError::Version { found: wire.format, supported: FORMAT });
        }
        let manifest = Self {
            files: wire
                .files
                .into_iter()
                .map(|file| (file.name, ManifestEntry { bytes: file.bytes, blake3: file.blake3 }))
                .collect(),
        };
        if manifest.text() != text { Err(ManifestError::Altered) } else { Ok(manifest) }
    }

    /// Writes it to a folder, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = NewFile::create(&folder.join(Self::FILE_NAME))?;
        io::Write::write_all(&mut file, &self.text())?;
        file.finish()
    }

    /// The files, by name.
    pub fn files(&self) -> &BTreeMap<String, ManifestEntry> {
        &self.files
    }

    /// Whether it names a table of this length.
    pub fn names(&self, table: &Table) -> bool {
        let entry = self.files.get(&name_of(table));
        entry.is_some_and(|entry| entry.bytes == table.len())
    }

    /// Enters a table as it is now.
    ///
    /// # Errors
    /// If it was cut short meanwhile.
    pub fn enter(&mut self, table: &Table) -> Result<(), TableError> {
        let name = name_of(table);
        let entry = ManifestEntry { bytes: table.len(), blake3: table.digest()? };
        self.files.insert(name, entry);
        Ok(())
    }

    fn text(&self) -> Vec<u8> {
        let files = self.files.iter().map(|(name, entry)| WireFile {
            name: name.clone(),
            bytes: entry.bytes,
            blake3: entry.blake3.clone(),
        });
        let wire = WireManifest { format: FORMAT, files: files.collect() };
        let mut text = serde_json::to_vec_pretty(&wire).expect("plain values have a JSON form");
        text.push(b'\n');
        text
    }
}

fn name_of(table: &Table) -> String {
    table.path().file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Why a manifest was not read.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The system refused to read it.
    #[error("{name}: {0}", name = Manifest::FILE_NAME)]
    Io(#[from] io::Error),
    /// It is not JSON of the right form.
    #[error("{name} is damaged: {0}", name = Manifest::FILE_NAME)]
    Json(#[from] serde_json::Error),
    /// It was written by a later program.
    #[error(
        "{} has format {found}, and this program reads format {supported}; use a newer program",
        Manifest::FILE_NAME
    )]
    Version {
        /// The file's format.
        found: u32,
        /// The format this program reads.
        supported: u32,
    },
    /// It says something, but not in the form in which it was written.
    #[error("{} is damaged: it is not as it was written", Manifest::FILE_NAME)]
    Altered,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireManifest {
    format: u32,
    files: Vec<WireFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFile {
    name: String,
    bytes: u64,
    blake3: String,
}

const FORMAT: u32 = 1;
