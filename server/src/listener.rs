//! Accepts connections: at most so many, of one address at most so many that have not completed a
//! handshake, and closes them so that the last words arrive.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::pending::{Pending, PendingConnections};

/// A listener that waits to accept while there are as many connections as allowed.
pub(crate) struct BoundedListener {
    listener: TcpListener,
    room: Arc<Semaphore>,
    pending: Arc<PendingConnections>,
}

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    pending: Arc<Pending>,
}

impl Peer {
    /// What has the connection counted as one that has not completed a handshake.
    pub(crate) fn pending(self) -> Arc<Pending> {
        self.pending
    }
}

/// A connection that makes room when it is closed.
pub(crate) struct BoundedStream {
    stream: Option<TcpStream>,
    permit: Option<OwnedSemaphorePermit>,
}

impl BoundedListener {
    /// At most so many connections, and of one address so many that have not completed a handshake.
    pub(crate) fn new(listener: TcpListener, most: usize, most_pending: usize) -> BoundedListener {
        let pending = PendingConnections::new(most_pending);
        BoundedListener { listener, room: Arc::new(Semaphore::new(most)), pending }
    }

    /// The next connection. Those of an address that has too many are closed.
    pub(crate) async fn accept(&mut self) -> (BoundedStream, Peer) {
        let permit = Arc::clone(&self.room).acquire_owned().await.ok();
        loop {
            // What fails is tried again: the system may have been out of files.
            let (stream, address) = Listener::accept(&mut self.listener).await;
            let Some(pending) = self.pending.admit(address.ip()) else {
                metrics::counter!("boombots_refused_connections_total").increment(1);
                tracing::debug!(%address, "too many connections without a handshake");
                continue;
            };
            if let Err(error) = stream.set_nodelay(true) {
                tracing::trace!(%error, "messages of a connection may be delayed");
            }
            let peer = Peer { address, pending: Arc::new(pending) };
            return (BoundedStream { stream: Some(stream), permit }, peer);
        }
    }
}

impl BoundedStream {
    fn inner(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

/// If a connection is closed with something unread, the system resets it, and what was written last is lost: a close
/// frame with its code, or an answer that refuses a body. So the writing end is closed first, and
/// what still comes is read for a moment and thrown away.
impl Drop for BoundedStream {
    fn drop(&mut self) {
        let (stream, permit) = (self.stream.take(), self.permit.take());
        if let (Some(mut stream), Ok(runtime)) = (stream, tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                let _permit = permit;
                let lingering = async {
                    stream.shutdown().await?;
                    let mut rest = stream.take(LINGER_BYTES);
                    tokio::io::copy(&mut rest, &mut tokio::io::sink()).await
                };
                let _ = tokio::time::timeout(LINGER, lingering).await;
            });
        }
    }
}

impl AsyncRead for BoundedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.inner()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for BoundedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.inner()?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.inner()?.poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner()?.poll_shutdown(context)
    }
}

const LINGER: Duration = Duration::from_secs(2);

const LINGER_BYTES: u64 = 4 << 20;
