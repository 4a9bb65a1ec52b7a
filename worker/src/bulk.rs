//! Moving blobs: every transfer goes on over whatever connection there is, until it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use boombots_cluster_protocol::{
    BulkReply, BulkRequest, Digest, FrameError, read_frame, write_frame,
};
use bytes::Bytes;
use quinn::Connection;
use thiserror::Error;
use tokio::sync::watch;

/// The way to the store.
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    connection: watch::Receiver<Option<Connection>>,
    traffic: Arc<(AtomicU64, AtomicU64)>,
}

/// Why a blob cannot be had at all.
#[derive(Clone, Debug, Error)]
pub(crate) enum BulkError {
    #[error("the store has no blob {0}")]
    Missing(Digest),
    #[error("blob {0} came damaged several times")]
    Damaged(Digest),
    #[error("the worker is stopping")]
    Stopping,
}

enum Attempt<T> {
    Done(T),
    Missing,
    Damaged,
    Again,
}

impl Bulk {
    pub(crate) fn new(connection: watch::Receiver<Option<Connection>>) -> Self {
        Self { connection, traffic: Arc::default() }
    }

    /// Bytes read and written so far.
    pub(crate) fn traffic(&self) -> (u64, u64) {
        (self.traffic.0.load(Ordering::Relaxed), self.traffic.1.load(Ordering::Relaxed))
    }

    pub(crate) async fn put(&self, digest: Digest, bytes: Bytes) -> Result<(), BulkError> {
        self.persist(digest, |connection| self.try_put(connection, digest, bytes.clone())).await
    }

    /// Reads a run of a blob; `expected` is the digest of the run.
    pub(crate) async fn get(
        &self,
        blob: Digest,
        offset: u64,
        len: u64,
        expected: Digest,
    ) -> Result<Bytes, BulkError> {
        self.persist(blob, |connection| self.try_get(connection, blob, offset, len, expected)).await
    }

    async fn persist<T, F: Future<Output = Result<Attempt<T>, FrameError>>>(
        &self,
        digest: Digest,
        attempt: impl Fn(Connection) -> F,
    ) -> Result<T, BulkError> {
        let mut connections = self.connection.clone();
        let mut damaged = 0;
        loop {
            let connection = match connections.wait_for(Option::is_some).await {
                Ok(connection) => connection.clone(),
                Err(_) => return Err(BulkError::Stopping),
            };
            let Some(connection) = connection else { continue };
            match attempt(connection).await {
                Ok(Attempt::Done(done)) => return Ok(done),
                Ok(Attempt::Missing) => return Err(BulkError::Missing(digest)),
                Ok(Attempt::Damaged) if damaged >= 3 => return Err(BulkError::Damaged(digest)),
                Ok(Attempt::Damaged) => damaged += 1,
                Ok(Attempt::Again) | Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    }

    async fn try_put(
        &self,
        connection: Connection,
        digest: Digest,
        bytes: Bytes,
    ) -> Result<Attempt<()>, FrameError> {
        let (mut send, mut receive) = connection.open_bi().await.map_err(io)?;
        write_frame(&mut send, &BulkRequest::Put { digest, len: bytes.len() as u64 }).await?;
        self.traffic.1.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        // A store that has the blob answers before it has read it.
        let sent = send.write_chunk(bytes).await;
        if sent.is_ok() {
            let _ = send.finish();
        }
        Ok(match read_frame(&mut receive).await? {
            BulkReply::Stored => Attempt::Done(()),
            BulkReply::Mismatch => Attempt::Damaged,
            _ => Attempt::Again,
        })
    }

    async fn try_get(
        &self,
        connection: Connection,
        blob: Digest,
        offset: u64,
        len: u64,
        expected: Digest,
    ) -> Result<Attempt<Bytes>, FrameError> {
        let (mut send, mut receive) = connection.open_bi().await.map_err(io)?;
        write_frame(&mut send, &BulkRequest::Get { digest: blob, offset, len }).await?;
        let _ = send.finish();
        match read_frame(&mut receive).await? {
            BulkReply::Bytes => {}
            BulkReply::Missing => return Ok(Attempt::Missing),
            _ => return Ok(Attempt::Again),
        }
        let limit = usize::try_from(len).unwrap_or(usize::MAX);
        let bytes = receive.read_to_end(limit).await;
        let bytes = bytes.map_err(|error| FrameError::Io(std::io::Error::other(error)))?;
        self.traffic.0.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let matches = bytes.len() == limit && Digest::of(&bytes) == expected;
        Ok(if matches { Attempt::Done(bytes.into()) } else { Attempt::Damaged })
    }
}

fn io(error: quinn::ConnectionError) -> FrameError {
    FrameError::Io(error.into())
}

const RETRY: Duration = Duration::from_millis(500);
