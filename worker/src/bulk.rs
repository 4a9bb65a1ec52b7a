//! Moving blobs: every transfer goes on over whatever connection there is, until it is done.
//!
//! Bytes pass through the coordinator, or go straight to a bucket where it says so.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use boombots_cluster_protocol::{
    BULK_SENDS, BulkReply, BulkRequest, Digest, FrameError, read_frame, write_frame,
};
use bytes::Bytes;
use quinn::{Connection, RecvStream, SendStream};
use thiserror::Error;
use tokio::sync::{Semaphore, watch};

use crate::bucket::{Bucket, BucketError};

/// The way to the store.
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    connection: watch::Receiver<Option<Connection>>,
    bucket: Bucket,
    sends: Arc<Semaphore>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    read: AtomicU64,
    written: AtomicU64,
    /// The coordinator has said that bytes go to a bucket.
    direct: AtomicBool,
    problem: Mutex<Option<String>>,
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
    /// Worth trying again, for this reason where there is one.
    Again(Option<String>),
}

impl Bulk {
    pub(crate) fn new(connection: watch::Receiver<Option<Connection>>) -> anyhow::Result<Self> {
        let sends = Arc::new(Semaphore::new(BULK_SENDS));
        Ok(Self { connection, bucket: Bucket::new()?, sends, shared: Arc::default() })
    }

    /// Bytes read and written so far.
    pub(crate) fn traffic(&self) -> (u64, u64) {
        let Shared { read, written, .. } = &*self.shared;
        (read.load(Ordering::Relaxed), written.load(Ordering::Relaxed))
    }

    /// What keeps transfers from being done at the moment, if anything does.
    pub(crate) fn problem(&self) -> Option<String> {
        self.shared.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) async fn put(&self, digest: Digest, bytes: Bytes) -> Result<(), BulkError> {
        let Ok(_turn) = self.sends.acquire().await else { return Err(BulkError::Stopping) };
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
        let attempt = |connection| async move {
            Ok(match self.try_get(connection, blob, offset, len).await? {
                Attempt::Done(bytes) if Digest::of(&bytes) != expected => Attempt::Damaged,
                attempt => attempt,
            })
        };
        self.persist(blob, attempt).await
    }

    /// Reads a piece of a blob, which the caller checks once all are there.
    pub(crate) async fn piece(
        &self,
        blob: Digest,
        offset: u64,
        len: u64,
    ) -> Result<Bytes, BulkError> {
        self.persist(blob, |connection| self.try_get(connection, blob, offset, len)).await
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
            let problem = match attempt(connection).await {
                Ok(Attempt::Done(done)) => {
                    self.set_problem(None);
                    return Ok(done);
                }
                Ok(Attempt::Missing) => return Err(BulkError::Missing(digest)),
                Ok(Attempt::Damaged) if damaged >= 3 => return Err(BulkError::Damaged(digest)),
                Ok(Attempt::Damaged) => {
                    damaged += 1;
                    continue;
                }
                Ok(Attempt::Again(problem)) => problem,
                Err(_) => None,
            };
            if problem.is_some() {
                self.set_problem(problem);
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    fn set_problem(&self, problem: Option<String>) {
        let mut known = self.shared.problem.lock().unwrap_or_else(PoisonError::into_inner);
        if let (None, Some(problem)) = (&*known, &problem) {
            tracing::warn!("transfers wait: {problem}");
        }
        *known = problem;
    }

    async fn try_put(
        &self,
        connection: Connection,
        digest: Digest,
        bytes: Bytes,
    ) -> Result<Attempt<()>, FrameError> {
        let len = bytes.len() as u64;
        let direct = self.shared.direct.load(Ordering::Relaxed);
        let request = match direct {
            true => BulkRequest::Place { digest, len },
            false => BulkRequest::Put { digest, len },
        };
        let (mut send, mut receive) = ask(&connection, request).await?;
        if !direct {
            // A store that has the blob, or is elsewhere, answers before it has read it.
            for piece in bytes.chunks(PIECE) {
                if send.write_all(piece).await.is_err() {
                    break;
                }
                self.shared.written.fetch_add(piece.len() as u64, Ordering::Relaxed);
            }
        }
        let _ = send.finish();
        let url = match read_frame(&mut receive).await? {
            BulkReply::Stored => return Ok(Attempt::Done(())),
            BulkReply::Elsewhere { url } => url,
            BulkReply::Mismatch if direct => {
                // There is no bucket any more.
                self.shared.direct.store(false, Ordering::Relaxed);
                return Ok(Attempt::Again(None));
            }
            BulkReply::Mismatch => return Ok(Attempt::Damaged),
            reply => return Ok(Attempt::Again(reason(reply))),
        };
        self.shared.direct.store(true, Ordering::Relaxed);
        if let Err(error) = self.bucket.put(&url, bytes).await {
            return Ok(Attempt::Again(Some(error.to_string())));
        }
        self.shared.written.fetch_add(len, Ordering::Relaxed);
        let (mut send, mut receive) = ask(&connection, BulkRequest::Placed { digest, len }).await?;
        let _ = send.finish();
        Ok(match read_frame(&mut receive).await? {
            BulkReply::Stored => Attempt::Done(()),
            reply => Attempt::Again(reason(reply)),
        })
    }

    async fn try_get(
        &self,
        connection: Connection,
        digest: Digest,
        offset: u64,
        len: u64,
    ) -> Result<Attempt<Bytes>, FrameError> {
        let (mut send, mut receive) =
            ask(&connection, BulkRequest::Get { digest, offset, len }).await?;
        let _ = send.finish();
        let bytes = match read_frame(&mut receive).await? {
            BulkReply::Bytes => self.read_all(&mut receive, len).await?,
            BulkReply::Elsewhere { url } => match self.bucket.get(&url, offset, len).await {
                Ok(bytes) => {
                    self.shared.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                    bytes
                }
                Err(BucketError::Missing) => return Ok(Attempt::Missing),
                Err(error) => return Ok(Attempt::Again(Some(error.to_string()))),
            },
            BulkReply::Missing => return Ok(Attempt::Missing),
            reply => return Ok(Attempt::Again(reason(reply))),
        };
        Ok(if bytes.len() as u64 == len { Attempt::Done(bytes) } else { Attempt::Damaged })
    }

    /// Reads what is left of a stream, which should be so many bytes, and no more than one past them.
    async fn read_all(&self, receive: &mut RecvStream, len: u64) -> Result<Bytes, FrameError> {
        let failed = |error| FrameError::Io(std::io::Error::other(error));
        let mut bytes = Vec::new();
        while bytes.len() as u64 <= len {
            let Some(chunk) = receive.read_chunk(PIECE, true).await.map_err(failed)? else { break };
            self.shared.read.fetch_add(chunk.bytes.len() as u64, Ordering::Relaxed);
            bytes.extend_from_slice(&chunk.bytes);
        }
        Ok(bytes.into())
    }
}

async fn ask(
    connection: &Connection,
    request: BulkRequest,
) -> Result<(SendStream, RecvStream), FrameError> {
    let streams = connection.open_bi().await;
    let (mut send, receive) = streams.map_err(|error| FrameError::Io(error.into()))?;
    write_frame(&mut send, &request).await?;
    Ok((send, receive))
}

fn reason(reply: BulkReply) -> Option<String> {
    match reply {
        BulkReply::Unavailable(reason) => {
            Some(format!("the store: {}", reason.chars().take(200).collect::<String>()))
        }
        _ => None,
    }
}

/// Bytes between two counts: what moves is seen to move.
const PIECE: usize = 64 << 10;

const RETRY: Duration = Duration::from_millis(500);
