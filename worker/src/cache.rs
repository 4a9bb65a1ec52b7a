//! The worker's folder: its identity, the tables and segments it may need again, and spilled planes.
//! Everything but the identity can be deleted at any time.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use boombots_cluster_protocol::{BlobRef, Digest};
use bytes::Bytes;

use crate::bulk::{Bulk, BulkError};

/// Files by digest, and runs of deltas that are about to be used.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    slices: Mutex<HashMap<Digest, Bytes>>,
    segments: Mutex<HashMap<u32, Vec<Digest>>>,
    fetching: tokio::sync::Mutex<()>,
    /// Files whose digests were found right since the worker was started.
    checked: Mutex<HashSet<Digest>>,
}

/// Why a file is not there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CacheError {
    #[error(transparent)]
    Bulk(#[from] BulkError),
    #[error("cannot write to the cache {folder}: {source}")]
    Io { folder: String, source: std::io::Error },
}

impl Cache {
    pub(crate) fn new(folder: PathBuf) -> std::io::Result<Arc<Self>> {
        std::fs::create_dir_all(folder.join(FILES))?;
        for entry in folder.read_dir()? {
            let entry = entry?;
            // Left over by a killed worker.
            if entry.file_name().to_string_lossy().starts_with(CHECKING) {
                std::fs::remove_dir_all(entry.path())?;
            }
        }
        for entry in folder.join(FILES).read_dir()? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "tmp") {
                std::fs::remove_file(path)?;
            }
        }
        Ok(Arc::new(Self {
            folder,
            slices: Mutex::default(),
            segments: Mutex::default(),
            fetching: tokio::sync::Mutex::default(),
            checked: Mutex::default(),
        }))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn path(&self, digest: Digest) -> PathBuf {
        self.folder.join(FILES).join(digest.to_string())
    }

    /// The file of a blob, fetched where it is missing.
    pub(crate) async fn fetch(&self, bulk: &Bulk, blob: BlobRef) -> Result<PathBuf, CacheError> {
        let path = self.path(blob.digest);
        if self.is_checked(blob.digest) && path.exists() {
            return Ok(path);
        }
        // One at a time, so that nothing is fetched twice by tasks that want the same.
        let _fetching = self.fetching.lock().await;
        if path.metadata().is_ok_and(|metadata| metadata.len() == blob.len) {
            // It may be from a time before a power cut.
            let whole = self.is_checked(blob.digest)
                || self.digest_of(&path).is_ok_and(|digest| digest == blob.digest);
            if whole {
                self.note_checked(blob.digest);
                return Ok(path);
            }
        }
        for _ in 0..ATTEMPTS {
            let mut file = self.new_file()?;
            let mut hasher = blake3::Hasher::new();
            let mut at = 0;
            // Piece by piece, as some tables are larger than memory.
            while at < blob.len {
                let bytes = bulk.piece(blob.digest, at, PIECE.min(blob.len - at)).await?;
                hasher.update(&bytes);
                file.write_all(&bytes).map_err(|source| self.failed(source))?;
                at += bytes.len() as u64;
            }
            if Digest::from(hasher.finalize()) == blob.digest {
                file.persist(&path).map_err(|error| self.failed(error.error))?;
                self.note_checked(blob.digest);
                return Ok(path);
            }
        }
        Err(BulkError::Damaged(blob.digest).into())
    }

    /// Puts a blob's bytes in their place, whole or not at all.
    pub(crate) fn store(&self, digest: Digest, bytes: &[u8]) -> Result<PathBuf, CacheError> {
        let mut file = self.new_file()?;
        file.write_all(bytes).map_err(|source| self.failed(source))?;
        let path = self.path(digest);
        file.persist(&path).map_err(|error| self.failed(error.error))?;
        self.note_checked(digest);
        Ok(path)
    }

    fn is_checked(&self, digest: Digest) -> bool {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner).contains(&digest)
    }

    fn note_checked(&self, digest: Digest) {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner).insert(digest);
    }

    fn new_file(&self) -> Result<tempfile::NamedTempFile, CacheError> {
        let mut builder = tempfile::Builder::new();
        let file = builder.suffix(".tmp").tempfile_in(self.folder.join(FILES));
        file.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: std::io::Error) -> CacheError {
        CacheError::Io { folder: self.folder.display().to_string(), source }
    }

    /// The digest of a file.
    pub(crate) fn digest_of(&self, file: &Path) -> std::io::Result<Digest> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(std::fs::File::open(file)?)?;
        Ok(hasher.finalize().into())
    }

    /// A segment of an attempt is in the cache.
    pub(crate) fn note_segment(&self, attempt: u32, digest: Digest) {
        let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        segments.entry(attempt).or_default().push(digest);
    }

    /// Keeps a run that a shard of this worker will ask for next.
    pub(crate) fn keep_slice(&self, digest: Digest, bytes: Bytes) {
        let mut slices = self.slices.lock().unwrap_or_else(PoisonError::into_inner);
        if slices.values().map(Bytes::len).sum::<usize>() > KEPT_SLICES {
            slices.clear();
        }
        slices.insert(digest, bytes);
    }

    pub(crate) fn slice(&self, digest: Digest) -> Option<Bytes> {
        self.slices.lock().unwrap_or_else(PoisonError::into_inner).get(&digest).cloned()
    }

    /// Nothing of an attempt is needed any more.
    pub(crate) fn forget(&self, attempt: u32) {
        self.slices.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let segments = {
            let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
            segments.remove(&attempt)
        };
        for digest in segments.into_iter().flatten() {
            let _ = std::fs::remove_file(self.path(digest));
        }
    }

    /// A folder for checking a class, which goes away with the value.
    pub(crate) fn checking_folder(&self) -> std::io::Result<tempfile::TempDir> {
        tempfile::Builder::new().prefix(CHECKING).tempdir_in(&self.folder)
    }
}

/// Bytes of a file fetched at a time.
const PIECE: u64 = 8 << 20;

/// How often a file that comes damaged is fetched.
const ATTEMPTS: u32 = 3;

const FILES: &str = "files";
const CHECKING: &str = "checking-";
const KEPT_SLICES: usize = 256 << 20;
