//! The tables that jobs ask: fetched once, shared by all threads.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use boombots_cluster_protocol::TableRef;
use boombots_probe::{Class, Metric, Tables, TablesOptions, table_file_name};
use boombots_search::EndgameTables;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::bulk::Bulk;
use crate::cache::Cache;

/// The tables of the last jobs.
#[derive(Debug)]
pub(super) struct SharedTables {
    cache_bytes: u64,
    cache: Arc<Cache>,
    bulk: Bulk,
    latest: std::sync::Mutex<Latest>,
}

/// The tables that were asked for last.
#[derive(Debug, Default)]
struct Latest {
    refs: Vec<TableRef>,
    /// What of them is there; none before anything was asked for.
    fetched: Option<watch::Receiver<Fetched>>,
    fetching: Option<AbortHandle>,
}

/// What is there of some tables.
#[derive(Clone, Debug, Default)]
struct Fetched {
    tables: Option<Arc<EndgameTables>>,
    is_over: bool,
}

impl SharedTables {
    pub(super) fn new(memory: u64, cache: Arc<Cache>, bulk: Bulk) -> Self {
        let cache_bytes = (memory / 8).clamp(LEAST_CACHE, MOST_CACHE);
        Self { cache_bytes, cache, bulk, latest: std::sync::Mutex::default() }
    }

    /// The tables, fetched and opened where that was not done yet: those that are there after a
    /// moment, the others come for later jobs. `None` for none.
    pub(super) async fn get(&self, refs: &[TableRef]) -> Option<Arc<EndgameTables>> {
        if refs.is_empty() {
            return None;
        }
        let mut fetched = self.fetched(refs);
        let all = fetched.wait_for(|fetched| fetched.is_over);
        // A job is better off with some of the tables than waiting for gigabytes.
        let _ = tokio::time::timeout(PATIENCE, all).await;
        fetched.borrow().tables.clone()
    }

    /// What is there; the rest is on its way.
    fn fetched(&self, refs: &[TableRef]) -> watch::Receiver<Fetched> {
        let mut latest = self.latest.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(fetched) = latest.fetched.as_ref().filter(|_| latest.refs == refs)
            // Fetching that ended too early is begun again.
            && (fetched.has_changed().is_ok() || fetched.borrow().is_over)
        {
            return fetched.clone();
        }
        if let Some(before) = latest.fetching.take() {
            before.abort();
        }
        let old = latest.fetched.as_ref().and_then(|fetched| fetched.borrow().tables.clone());
        let (sender, fetched) = watch::channel(Fetched { tables: old, is_over: false });
        let (cache, bulk) = (Arc::clone(&self.cache), self.bulk.clone());
        let (wanted, cache_bytes) = (refs.to_vec(), self.cache_bytes);
        let fetching = tokio::spawn(async move {
            if let Err(error) = fetch(&wanted, &cache, &bulk, cache_bytes, &sender).await {
                tracing::warn!("tables for search jobs are missing: {error:#}");
                tokio::time::sleep(RETRY_AFTER).await;
            }
        });
        latest.fetching = Some(fetching.abort_handle());
        latest.refs = refs.to_vec();
        latest.fetched = Some(fetched.clone());
        fetched
    }
}

impl Drop for SharedTables {
    fn drop(&mut self) {
        let latest = self.latest.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(fetching) = latest.fetching.take() {
            fetching.abort();
        }
    }
}

/// Fetches class after class, the smallest first, and opens what is there.
async fn fetch(
    refs: &[TableRef],
    cache: &Cache,
    bulk: &Bulk,
    cache_bytes: u64,
    fetched: &watch::Sender<Fetched>,
) -> anyhow::Result<()> {
    let mut classes: BTreeMap<Class, Vec<&TableRef>> = BTreeMap::new();
    for table in refs {
        let class = Class::new(table.class.larger, table.class.smaller)?;
        classes.entry(class).or_default().push(table);
    }
    let mut classes: Vec<_> = classes.into_iter().collect();
    let bytes = |tables: &[&TableRef]| tables.iter().map(|table| table.file.len).sum::<u64>();
    classes.sort_by_key(|(class, tables)| (bytes(tables), *class));
    let folder = cache.checking_folder().context("cannot make a folder for tables")?;
    let mut waiting = 0;
    let last = classes.len();
    for (number, (class, tables)) in classes.into_iter().enumerate() {
        waiting += bytes(&tables);
        for table in tables {
            name(table, class, &folder, cache, bulk).await?;
        }
        // Small ones are opened together.
        let is_over = number + 1 == last;
        if is_over || waiting >= WORTH_OPENING {
            waiting = 0;
            let path = folder.path().to_owned();
            let opened = tokio::task::spawn_blocking(move || {
                Tables::open(&path, TablesOptions { cache_bytes })
            });
            let tables = Some(Arc::new(EndgameTables::from(opened.await??)));
            fetched.send_replace(Fetched { tables, is_over });
        }
    }
    Ok(())
}

/// Fetches a table, and gives it its own name in a folder. What is mapped stays when the folder goes.
async fn name(
    table: &TableRef,
    class: Class,
    folder: &TempDir,
    cache: &Cache,
    bulk: &Bulk,
) -> anyhow::Result<()> {
    let path = cache.fetch(bulk, table.file).await?;
    let metric = if table.distances { Metric::Dtm } else { Metric::Wdl };
    let named = folder.path().join(table_file_name(class, metric));
    std::fs::hard_link(&path, &named)
        .or_else(|_| std::fs::copy(&path, &named).map(drop))
        .context("cannot name a table in the cache")
}

const LEAST_CACHE: u64 = 64 << 20;
const MOST_CACHE: u64 = 1 << 30;

/// How long a job waits for all of its tables.
const PATIENCE: Duration = Duration::from_secs(2);

/// When fetching is begun again after it failed.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Bytes that are not opened by themselves.
const WORTH_OPENING: u64 = 16 << 20;
