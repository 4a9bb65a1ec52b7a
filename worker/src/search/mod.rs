//! Search jobs: threads that search, what they wait for, and how results go out.

mod job;
mod pause;
mod queue;
mod searcher;
mod tables;

use std::sync::Arc;

use boombots_cluster_protocol::{Digest, JobId, SearchJob, ToCoordinator};
use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use self::queue::{Queue, Waiting};
use self::tables::SharedTables;
use crate::bulk::Bulk;
use crate::cache::Cache;

pub use self::job::{JobFindings, JobRunner};
pub(crate) use self::pause::Pause;

/// What a searching thread has to say, and what must be stored before it is said.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) message: ToCoordinator,
    pub(crate) blob: Option<Bytes>,
}

/// The searching threads of a worker. The threads end when this is dropped.
#[derive(Debug)]
pub(crate) struct Searches {
    queue: Arc<Queue>,
    tables: SharedTables,
}

impl Searches {
    /// Starts so many threads, which may use so much memory together.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(crate) fn start(
        threads: usize,
        memory: u64,
        cache: Arc<Cache>,
        bulk: Bulk,
        pause: Arc<Pause>,
    ) -> std::io::Result<(Arc<Self>, mpsc::Receiver<Found>)> {
        let queue = Arc::new(Queue::new(pause));
        let (found, found_out) = mpsc::channel(FOUND);
        for number in 1..=threads {
            let (queue, found) = (Arc::clone(&queue), found.clone());
            let memory = memory / threads as u64;
            std::thread::Builder::new()
                .name(format!("search-{number}"))
                .spawn(move || searcher::search(&queue, memory, &found))?;
        }
        let searches = Self { queue, tables: SharedTables::new(memory, cache, bulk) };
        Ok((Arc::new(searches), found_out))
    }

    /// A job has come: from now on it can be stopped.
    pub(crate) fn announce(&self, job: &SearchJob) {
        self.queue.announce(job);
    }

    /// Takes a job that was announced: it waits a moment for its tables, and then for a thread.
    pub(crate) async fn take(&self, job: SearchJob) {
        let tables = self.tables.get(&job.tables).await;
        self.queue.push(Waiting { job, tables });
    }

    /// Stops a job, whether it waits or is under way.
    pub(crate) fn stop(&self, id: JobId, epoch: u32) {
        self.queue.stop(id, epoch);
    }

    /// Stops all jobs: the coordinator gives them anew to whoever joins.
    pub(crate) fn stop_all(&self) {
        self.queue.stop_all();
    }

    /// How many jobs are in hand.
    pub(crate) fn count(&self) -> usize {
        self.queue.count()
    }
}

impl Drop for Searches {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// Stores the proofs that were found, and then passes on what was found.
pub(crate) async fn carry_found(
    mut found: mpsc::Receiver<Found>,
    bulk: Bulk,
    outbox: mpsc::Sender<ToCoordinator>,
) {
    let mut uploads = JoinSet::new();
    while let Some(Found { message, blob }) = found.recv().await {
        let Some(bytes) = blob else {
            if outbox.send(message).await.is_err() {
                return;
            }
            continue;
        };
        let (bulk, outbox) = (bulk.clone(), outbox.clone());
        uploads.spawn(async move {
            match bulk.put(Digest::of(&bytes), bytes).await {
                Ok(()) => drop(outbox.send(message).await),
                Err(error) => tracing::warn!("a proof is not stored: {error}"),
            }
        });
        while uploads.try_join_next().is_some() {}
    }
}

/// Messages that wait for the link.
const FOUND: usize = 256;
