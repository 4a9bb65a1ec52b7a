//! The store of deltas, segments and tables: objects named by their BLAKE3 digests, in a folder or
//! in a bucket.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use boombots_cluster_protocol::Digest;
use bytes::Bytes;
use object_store::aws::AmazonS3Builder;
use object_store::buffered::BufWriter;
use object_store::local::LocalFileSystem;
use object_store::signer::{Method, Signer};
use object_store::{ObjectStore, ObjectStoreExt, ObjectStoreScheme, PutPayload};
use thiserror::Error;
use tokio::io::AsyncWriteExt as _;

/// The store.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) objects: Arc<dyn ObjectStore>,
    prefix: object_store::path::Path,
    /// Gives workers leave to move bytes to and from the bucket by themselves, where it is one.
    signer: Option<Arc<dyn Signer>>,
    /// Published tables, which are read from their own files.
    tables: RwLock<HashMap<Digest, Published>>,
    problem: Mutex<Option<String>>,
    received: AtomicU64,
    sent: AtomicU64,
}

/// A published table.
#[derive(Clone, Debug)]
struct Published {
    path: PathBuf,
    /// It is in the bucket too.
    uploaded: bool,
}

/// Why an object was not stored or read.
#[derive(Debug, Error)]
pub(crate) enum StoreError {
    /// There is none of that name.
    #[error("there is no object {0}")]
    Missing(Digest),
    /// The store does not take or give it now.
    #[error("the store does not answer: {0}")]
    Unavailable(String),
}

impl Store {
    /// The store at a URL (`s3://bucket/prefix`, with the usual `AWS_` variables), or in a folder.
    ///
    /// # Errors
    /// If there can be no such store.
    pub(crate) fn open(url: Option<&url::Url>, folder: &Path) -> anyhow::Result<Arc<Self>> {
        let (objects, signer, prefix): (Arc<dyn ObjectStore>, Option<Arc<dyn Signer>>, _) =
            match url {
                Some(url) => {
                    let (scheme, prefix) = ObjectStoreScheme::parse(url)?;
                    anyhow::ensure!(
                        scheme == ObjectStoreScheme::AmazonS3,
                        "--store takes s3://BUCKET/PREFIX, not {url}"
                    );
                    let bucket = AmazonS3Builder::from_env().with_url(url.as_str()).build()?;
                    let bucket = Arc::new(bucket);
                    (Arc::clone(&bucket) as Arc<dyn ObjectStore>, Some(bucket), prefix)
                }
                None => {
                    std::fs::create_dir_all(folder)?;
                    remove_unfinished(&folder.join(BLOBS))?;
                    let local = LocalFileSystem::new_with_prefix(folder)?;
                    (Arc::new(local), None, object_store::path::Path::default())
                }
            };
        Ok(Arc::new(Self {
            objects,
            prefix,
            signer,
            tables: RwLock::default(),
            problem: Mutex::default(),
            received: AtomicU64::new(0),
            sent: AtomicU64::new(0),
        }))
    }

    /// Stores bytes under their digest.
    ///
    /// # Errors
    /// If the store does not take them.
    pub(crate) async fn put(&self, digest: Digest, bytes: Bytes) -> Result<(), StoreError> {
        self.count_received(bytes.len() as u64);
        let outcome = self.objects.put(&self.path(digest), PutPayload::from_bytes(bytes)).await;
        self.noted(outcome.map(drop), digest)
    }

    /// Reads a run of an object's bytes.
    ///
    /// # Errors
    /// If it is missing or the store does not answer.
    pub(crate) async fn get(
        &self,
        digest: Digest,
        offset: u64,
        len: u64,
    ) -> Result<Bytes, StoreError> {
        self.sent.fetch_add(len, Ordering::Relaxed);
        let table = {
            let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
            tables.get(&digest).map(|table| table.path.clone())
        };
        if let Some(path) = table {
            let read = tokio::task::spawn_blocking(move || read_run(&path, offset, len)).await;
            return match read {
                Ok(Ok(bytes)) => Ok(bytes),
                Ok(Err(error)) => Err(StoreError::Unavailable(error.to_string())),
                Err(error) => Err(StoreError::Unavailable(error.to_string())),
            };
        }
        let end = offset.saturating_add(len);
        let outcome = self.objects.get_range(&self.path(digest), offset..end).await;
        self.noted(outcome, digest)
    }

    /// Deletes objects; those that are not there do not matter.
    pub(crate) async fn delete(&self, digests: &[Digest]) {
        for digest in digests {
            let _ = self.objects.delete(&self.path(*digest)).await;
        }
    }

    /// From now on this object is read from a file.
    pub(crate) fn add_table(&self, digest: Digest, path: PathBuf) {
        let table = Published { path, uploaded: false };
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(digest, table);
    }

    /// Copies the published tables into the bucket, where there is one and they are not there yet.
    /// Until that is done workers have them from this machine.
    pub(crate) async fn upload_tables(&self) {
        if self.signer.is_none() {
            return;
        }
        let waiting: Vec<(Digest, PathBuf)> = {
            let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
            let waiting = tables.iter().filter(|(_, table)| !table.uploaded);
            waiting.map(|(digest, table)| (*digest, table.path.clone())).collect()
        };
        for (digest, path) in waiting {
            match self.upload(digest, &path).await {
                Ok(()) => {
                    let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
                    if let Some(table) = tables.get_mut(&digest) {
                        table.uploaded = true;
                    }
                }
                Err(error) => tracing::warn!(
                    "{} is not in the bucket yet and goes to workers from here: {error:#}",
                    path.display()
                ),
            }
        }
    }

    async fn upload(&self, digest: Digest, path: &Path) -> anyhow::Result<()> {
        let target = self.path(digest);
        let mut file = tokio::fs::File::open(path).await?;
        let len = file.metadata().await?.len();
        if self.objects.head(&target).await.is_ok_and(|object| object.size == len) {
            return Ok(());
        }
        // In parts, so that no table need fit into memory; the object appears when all are there.
        let mut writer = BufWriter::new(Arc::clone(&self.objects), target);
        tokio::io::copy(&mut file, &mut writer).await?;
        writer.shutdown().await?;
        Ok(())
    }

    /// Where a worker can put an object or get it without passing it through this machine, if it
    /// can.
    ///
    /// # Errors
    /// If no address can be made.
    pub(crate) async fn elsewhere(
        &self,
        method: Method,
        digest: Digest,
    ) -> Result<Option<String>, StoreError> {
        let Some(signer) = &self.signer else { return Ok(None) };
        {
            let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
            if tables.get(&digest).is_some_and(|table| !table.uploaded) {
                return Ok(None);
            }
        }
        let url = signer.signed_url(method, &self.path(digest), SIGNED_FOR).await;
        self.noted(url, digest).map(|url| Some(url.into()))
    }

    /// Whether an object of this length is there.
    ///
    /// # Errors
    /// If the store does not answer.
    pub(crate) async fn holds(&self, digest: Digest, len: u64) -> Result<bool, StoreError> {
        let head = self.objects.head(&self.path(digest)).await;
        match self.noted(head, digest) {
            Ok(object) => Ok(object.size == len),
            Err(StoreError::Missing(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// What is wrong at the moment, if anything is.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says what is wrong, or that nothing is.
    pub(crate) fn set_problem(&self, problem: Option<String>) {
        let mut known = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*known, &problem) {
            (None, Some(problem)) => tracing::warn!("the store has a problem: {problem}"),
            (Some(_), None) => tracing::info!("the store works again"),
            _ => {}
        }
        *known = problem;
    }

    pub(crate) fn count_received(&self, bytes: u64) {
        self.received.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes received and sent.
    pub(crate) fn traffic(&self) -> (u64, u64) {
        (self.received.load(Ordering::Relaxed), self.sent.load(Ordering::Relaxed))
    }

    pub(crate) fn path(&self, digest: Digest) -> object_store::path::Path {
        let name = digest.to_string();
        let prefix = self.prefix.clone();
        prefix.join(BLOBS).join(&name[..2]).join(name.as_str())
    }

    pub(crate) fn noted<T>(
        &self,
        outcome: Result<T, object_store::Error>,
        digest: Digest,
    ) -> Result<T, StoreError> {
        match outcome {
            Ok(value) => {
                self.set_problem(None);
                Ok(value)
            }
            Err(object_store::Error::NotFound { .. }) => Err(StoreError::Missing(digest)),
            Err(error) => {
                let mut text = error.to_string();
                let mut source = std::error::Error::source(&error);
                while let Some(cause) = source {
                    text = cause.to_string();
                    source = cause.source();
                }
                self.set_problem(Some(text.clone()));
                Err(StoreError::Unavailable(text))
            }
        }
    }
}

/// Takes away what a killed coordinator had half stored: files whose names are not just digests.
fn remove_unfinished(blobs: &Path) -> std::io::Result<()> {
    let entries = match blobs.read_dir() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for group in entries {
        for object in group?.path().read_dir()? {
            let path = object?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.split_once('#').is_some_and(|(digest, _)| digest.parse::<Digest>().is_ok()) {
                std::fs::remove_file(path)?;
            }
        }
    }
    Ok(())
}

const BLOBS: &str = "blobs";

/// Long enough for a slow worker's largest piece.
const SIGNED_FOR: Duration = Duration::from_secs(900);

fn read_run(path: &Path, offset: u64, len: u64) -> std::io::Result<Bytes> {
    use std::io::{Read as _, Seek as _};
    let mut file = std::fs::File::open(path)?;
    let available = file.metadata()?.len().saturating_sub(offset);
    if available < len {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    file.seek(std::io::SeekFrom::Start(offset))?;
    let mut bytes = vec![0; len as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes.into())
}
