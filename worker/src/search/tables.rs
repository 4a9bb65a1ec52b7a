//! The tables that jobs ask: fetched once, shared by all threads.

use std::sync::Arc;

use anyhow::Context as _;
use boombots_cluster_protocol::TableRef;
use boombots_probe::{Class, Metric, Tables, TablesOptions, table_file_name};
use boombots_search::EndgameTables;
use tempfile::TempDir;

use crate::bulk::Bulk;
use crate::cache::Cache;

/// The tables of the last jobs.
#[derive(Debug)]
pub(super) struct SharedTables {
    cache_bytes: u64,
    open: tokio::sync::Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    refs: Vec<TableRef>,
    tables: Arc<EndgameTables>,
    /// Holds the files under their own names.
    _folder: TempDir,
}

impl SharedTables {
    pub(super) fn new(memory: u64) -> Self {
        let cache_bytes = (memory / 8).clamp(LEAST_CACHE, MOST_CACHE);
        Self { cache_bytes, open: tokio::sync::Mutex::default() }
    }

    /// The tables, fetched and opened where that was not done yet; `None` for none.
    pub(super) async fn get(
        &self,
        refs: &[TableRef],
        cache: &Cache,
        bulk: &Bulk,
    ) -> anyhow::Result<Option<Arc<EndgameTables>>> {
        if refs.is_empty() {
            return Ok(None);
        }
        let mut open = self.open.lock().await;
        if let Some(open) = open.as_ref().filter(|open| open.refs == refs) {
            return Ok(Some(Arc::clone(&open.tables)));
        }
        let folder = cache.checking_folder().context("cannot make a folder for tables")?;
        for table in refs {
            let path = cache.fetch(bulk, table.file).await?;
            let class = Class::new(table.class.larger, table.class.smaller)?;
            let metric = if table.distances { Metric::Dtm } else { Metric::Wdl };
            let named = folder.path().join(table_file_name(class, metric));
            std::fs::hard_link(&path, &named)
                .or_else(|_| std::fs::copy(&path, &named).map(drop))
                .context("cannot name a table in the cache")?;
        }
        let (path, cache_bytes) = (folder.path().to_owned(), self.cache_bytes);
        let opened =
            tokio::task::spawn_blocking(move || Tables::open(&path, TablesOptions { cache_bytes }));
        let tables = Arc::new(EndgameTables::from(opened.await??));
        let kept = Open { refs: refs.to_vec(), tables: Arc::clone(&tables), _folder: folder };
        *open = Some(kept);
        Ok(Some(tables))
    }
}

const LEAST_CACHE: u64 = 64 << 20;
const MOST_CACHE: u64 = 1 << 30;
