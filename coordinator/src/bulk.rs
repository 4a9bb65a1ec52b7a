//! Bulk streams: deltas, segments and tables on their way to and from the store.

use boombots_cluster_protocol::{
    BlobRef, BulkReply, BulkRequest, Digest, FrameError, MAX_BULK, read_frame, write_frame,
};
use bytes::Bytes;
use object_store::signer::Method;
use quinn::{RecvStream, SendStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::link::{Admission, HELLO_LIMIT};
use crate::service::Event;
use crate::store::StoreError;
use crate::upload::Upload;

/// Answers one request of a worker.
pub(crate) async fn serve_bulk(
    mut send: SendStream,
    mut receive: RecvStream,
    admission: &Admission,
    sends: &Semaphore,
) -> Result<(), FrameError> {
    match timeout(HELLO_LIMIT, read_frame(&mut receive)).await {
        Ok(Ok(BulkRequest::Put { digest, len })) => {
            let reply = put(BlobRef { digest, len }, &mut receive, admission).await;
            write_frame(&mut send, &reply).await?;
        }
        Ok(Ok(BulkRequest::Get { digest, offset, len })) => {
            let Ok(_turn) = sends.acquire().await else { return Ok(()) };
            get(digest, offset, len, &mut send, admission).await?;
        }
        Ok(Ok(BulkRequest::Place { digest, .. })) => {
            let reply = match admission.store.elsewhere(Method::PUT, digest).await {
                Ok(Some(url)) => BulkReply::Elsewhere { url },
                Ok(None) => BulkReply::Mismatch,
                Err(error) => BulkReply::Unavailable(error.to_string()),
            };
            write_frame(&mut send, &reply).await?;
        }
        Ok(Ok(BulkRequest::Placed { digest, len })) => {
            let reply = match admission.store.holds(digest, len).await {
                Ok(true) => BulkReply::Stored,
                Ok(false) => BulkReply::Missing,
                Err(error) => BulkReply::Unavailable(error.to_string()),
            };
            write_frame(&mut send, &reply).await?;
        }
        // The line was cut.
        Ok(Err(error @ (FrameError::Closed | FrameError::Io(_)))) => return Err(error),
        Ok(Err(error)) => {
            admission
                .service
                .send(Event::Refused(format!("a bulk request was refused: {error}")))
                .await;
            return Err(error);
        }
        Err(_) => return Err(FrameError::Closed),
    }
    let _ = send.finish();
    Ok(())
}

async fn put(blob: BlobRef, receive: &mut RecvStream, admission: &Admission) -> BulkReply {
    match admission.store.elsewhere(Method::PUT, blob.digest).await {
        Ok(Some(url)) => return BulkReply::Elsewhere { url },
        Ok(None) => {}
        Err(error) => return BulkReply::Unavailable(error.to_string()),
    }
    if blob.len > MAX_BULK {
        return BulkReply::Mismatch;
    }
    if blob.len > PIECE {
        return put_long(blob, receive, admission).await;
    }
    let len = blob.len as usize;
    let Ok(_room) = admission.memory.acquire_many(kib(blob.len)).await else {
        return BulkReply::Unavailable("stopping".into());
    };
    // The bytes come by and by, and memory is had for those that came.
    let Ok(bytes) = receive.read_to_end(len).await else { return BulkReply::Mismatch };
    if bytes.len() != len || Digest::of(&bytes) != blob.digest {
        return BulkReply::Mismatch;
    }
    match admission.store.put(blob.digest, Bytes::from(bytes)).await {
        Ok(()) => BulkReply::Stored,
        Err(error) => BulkReply::Unavailable(error.to_string()),
    }
}

/// Stores a blob piece by piece, as segments may be larger than the memory for bulk data. It is there
/// once it is there whole.
async fn put_long(blob: BlobRef, receive: &mut RecvStream, admission: &Admission) -> BulkReply {
    let mut upload = match admission.store.begin(blob.digest).await {
        Ok(upload) => upload,
        Err(error) => return BulkReply::Unavailable(error.to_string()),
    };
    let refused = match take_in(blob, receive, admission, &mut upload).await {
        Ok(()) => match upload.finish().await {
            Ok(()) => return BulkReply::Stored,
            Err(error) => BulkReply::Unavailable(error.to_string()),
        },
        Err(refused) => refused,
    };
    upload.abort().await;
    refused
}

async fn take_in(
    blob: BlobRef,
    receive: &mut RecvStream,
    admission: &Admission,
    upload: &mut Upload<'_>,
) -> Result<(), BulkReply> {
    let mut hasher = blake3::Hasher::new();
    let mut left = blob.len;
    while left > 0 {
        let len = left.min(PIECE);
        let room = admission.memory.acquire_many(kib(len)).await;
        let _room = room.map_err(|_| BulkReply::Unavailable("stopping".into()))?;
        let mut bytes = vec![0; len as usize];
        receive.read_exact(&mut bytes).await.map_err(|_| BulkReply::Mismatch)?;
        hasher.update(&bytes);
        let pushed = upload.push(bytes.into()).await;
        pushed.map_err(|error| BulkReply::Unavailable(error.to_string()))?;
        left -= len;
    }
    let more = receive.read_chunk(1, true).await.is_ok_and(|chunk| chunk.is_some());
    if more || Digest::from(hasher.finalize()) != blob.digest {
        return Err(BulkReply::Mismatch);
    }
    Ok(())
}

async fn get(
    digest: Digest,
    offset: u64,
    len: u64,
    send: &mut SendStream,
    admission: &Admission,
) -> Result<(), FrameError> {
    match admission.store.elsewhere(Method::GET, digest).await {
        Ok(Some(url)) => return write_frame(send, &BulkReply::Elsewhere { url }).await,
        Ok(None) => {}
        Err(error) => return write_frame(send, &BulkReply::Unavailable(error.to_string())).await,
    }
    let mut at = 0;
    let mut replied = false;
    while at < len || !replied {
        let piece = (len - at).min(PIECE);
        let room = admission.memory.acquire_many(kib(piece)).await;
        let Ok(_room) = room else { return Ok(()) };
        let bytes = match admission.store.get(digest, offset + at, piece).await {
            Ok(bytes) => bytes,
            Err(_) if replied => return Ok(()),
            Err(StoreError::Missing(_)) => return write_frame(send, &BulkReply::Missing).await,
            Err(error) => {
                return write_frame(send, &BulkReply::Unavailable(error.to_string())).await;
            }
        };
        if !replied {
            write_frame(send, &BulkReply::Bytes).await?;
            replied = true;
        }
        at += piece;
        send.write_chunk(bytes).await.map_err(|error| FrameError::Io(error.into()))?;
    }
    Ok(())
}

/// What a piece takes of the memory for bulk data.
fn kib(len: u64) -> u32 {
    len.div_ceil(1024).max(1) as u32
}

/// Bulk data in memory at a time.
pub(crate) const BULK_MEMORY_KIB: usize = 96 << 10;

/// Longer blobs are received, stored and sent piece by piece.
const PIECE: u64 = 4 << 20;
