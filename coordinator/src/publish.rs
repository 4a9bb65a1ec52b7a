//! From segments to published tables, and back from a folder of tables to what is published.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use boombots_cluster_protocol::{BlobRef, Digest, Purpose, SegmentError, TableRef, assemble};
use boombots_probe::{
    Class, MAX_CLASS_BOTS, Manifest, Metric, Table, remove_leftovers, table_file_name,
};

use crate::scheduler::{ClassRecord, PublishedRecord, class_of, name_of};
use crate::store::{Store, StoreError};

/// The right to publish in a folder of tables; the same as that to build there.
#[derive(Debug)]
pub(crate) struct TablesFolder {
    path: PathBuf,
    _lock: File,
}

impl TablesFolder {
    /// Takes the right, and clears away what a killed coordinator left half-written.
    ///
    /// # Errors
    /// If the folder cannot be written, or another process is building there.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let unwritable = || format!("cannot write to the table folder {}", path.display());
        std::fs::create_dir_all(path).with_context(unwritable)?;
        let lock = File::create(path.join(".lock")).with_context(unwritable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "another process is building in {}; wait for it, or use another folder",
                path.display()
            ),
            Err(TryLockError::Error(error)) => return Err(error).with_context(unwritable),
        }
        remove_leftovers(path).with_context(unwritable)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The classes that are there, whole and as the manifest says; their files are given to the
    /// store.
    pub(crate) fn published(&self, store: &Store) -> Vec<PublishedRecord> {
        let manifest = Manifest::read(&self.path).unwrap_or_else(|error| {
            let folder = self.path.display();
            tracing::warn!("none of the tables in {folder} can be trusted: {error}");
            Manifest::default()
        });
        let mut published = Vec::new();
        for larger in 1..MAX_CLASS_BOTS as u8 {
            for smaller in 1..=larger {
                let Ok(class) = Class::new(larger, smaller) else { continue };
                match published_class(&self.path, class, &manifest, store) {
                    Ok(Some(record)) => published.push(record),
                    Ok(None) => {}
                    Err(error) => tracing::warn!("{class} will be built again: {error:#}"),
                }
            }
        }
        published
    }
}

fn published_class(
    folder: &Path,
    class: Class,
    manifest: &Manifest,
    store: &Store,
) -> anyhow::Result<Option<PublishedRecord>> {
    let paths = Metric::ALL.map(|metric| (metric, folder.join(table_file_name(class, metric))));
    if paths.iter().any(|(_, path)| !path.exists()) {
        return Ok(None);
    }
    let mut record = PublishedRecord { class: name_of(class), tables: Vec::new(), deepest: 0 };
    for (metric, path) in paths {
        let table = Table::open(&path)?;
        let digest = table.digest()?;
        let name = table_file_name(class, metric);
        if manifest.files().get(&name).is_none_or(|entry| entry.blake3 != digest) {
            bail!("{name} is not the file that the manifest names");
        }
        for part in table.parts() {
            let statistics = part.statistics();
            let longest = statistics.longest_win.max(statistics.longest_loss);
            record.deepest = record.deepest.max(longest.map_or(0, |plies| plies.0));
        }
        let file = BlobRef { digest: digest.parse()?, len: table.len() };
        record.tables.push(TableRef {
            class: record.class,
            distances: metric == Metric::Dtm,
            file,
        });
        store.add_table(file.digest, path);
    }
    Ok(Some(record))
}

/// Puts a class's tables together and in their place. Waits for as long as there is no room.
pub(crate) async fn publish(
    folder: PathBuf,
    scratch: PathBuf,
    store: &Store,
    class: &ClassRecord,
) -> Result<(Vec<TableRef>, u8), String> {
    loop {
        match try_publish(&folder, &scratch, store, class).await {
            Ok(published) => {
                store.set_problem(None);
                return Ok(published);
            }
            Err(Trouble::Damaged(reason)) => return Err(reason),
            Err(Trouble::Passing(reason)) => {
                store.set_problem(Some(reason));
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}

enum Trouble {
    Damaged(String),
    Passing(String),
}

async fn try_publish(
    folder: &Path,
    scratch: &Path,
    store: &Store,
    record: &ClassRecord,
) -> Result<(Vec<TableRef>, u8), Trouble> {
    let passing = |error: &dyn std::fmt::Display| Trouble::Passing(error.to_string());
    let class = class_of(record.class).ok_or_else(|| Trouble::Damaged("no such class".into()))?;
    std::fs::create_dir_all(scratch).map_err(|error| passing(&error))?;
    let scratch = tempfile::tempdir_in(scratch).map_err(|error| passing(&error))?;
    let mut sides = Vec::new();
    let mut segments = record.segments.iter().flatten();
    for side in &record.sides {
        let mut shards = Vec::new();
        for &strips in &side.shards {
            let (segment, _) =
                segments.next().ok_or_else(|| Trouble::Damaged("a segment is missing".into()))?;
            let BlobRef { digest, len } = segment.blob;
            let bytes = match store.get(digest, 0, len).await {
                Ok(bytes) => bytes,
                Err(error @ StoreError::Missing(_)) => {
                    return Err(Trouble::Damaged(error.to_string()));
                }
                Err(error) => return Err(passing(&error)),
            };
            if Digest::of(&bytes) != digest {
                return Err(Trouble::Damaged(format!("segment {digest} is damaged")));
            }
            let path = scratch.path().join(digest.to_string());
            std::fs::write(&path, &bytes).map_err(|error| passing(&error))?;
            shards.push((strips, path, segment.counts));
        }
        sides.push(shards);
    }
    let target = folder.to_owned();
    let assembled = tokio::task::spawn_blocking(move || {
        let files = assemble(&target, class, &sides, Purpose::Publishing)?;
        drop(scratch);
        Ok::<_, SegmentError>(files)
    });
    let files = match assembled.await.map_err(|error| passing(&error))? {
        Ok(files) => files,
        Err(SegmentError::Damaged(what)) => return Err(Trouble::Damaged(what.to_owned())),
        Err(error) => return Err(passing(&error)),
    };
    let mut manifest = Manifest::read(folder).unwrap_or_default();
    for (_, path) in &files {
        let table = Table::open(path).map_err(|error| Trouble::Damaged(error.to_string()))?;
        manifest.enter(&table).map_err(|error| passing(&error))?;
    }
    manifest.write(folder).map_err(|error| passing(&error))?;
    match published_class(folder, class, &manifest, store) {
        Ok(Some(record)) => Ok((record.tables, record.deepest)),
        Ok(None) => Err(Trouble::Passing("the files went away".into())),
        Err(error) => Err(passing(&error)),
    }
}

const RETRY: Duration = Duration::from_secs(1);
