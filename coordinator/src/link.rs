//! The QUIC end of the coordinator: admits workers, carries their messages and bulk data.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use boombots_cluster_protocol::{
    BULK_SENDS, CONTROL_PRIORITY, Fingerprint, FrameError, Preamble, Refusal, ToCoordinator,
    ToWorker, VERSION, peer_fingerprint, read_frame, read_preamble, write_frame, write_preamble,
};
use quinn::{Connection, Endpoint, Incoming, RecvStream, SendStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

use crate::bulk::{BULK_MEMORY_KIB, serve_bulk};
use crate::service::{Event, Service};
use crate::store::Store;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) service: Service,
    pub(crate) store: Arc<Store>,
    pub(crate) secret: [u8; 16],
    pub(crate) sessions: AtomicU64,
    /// Workers at a time.
    pub(crate) workers: Arc<Semaphore>,
    /// Connections that have not said hello yet.
    pub(crate) strangers: Arc<Semaphore>,
    /// Kibibytes of bulk data in memory.
    pub(crate) memory: Arc<Semaphore>,
}

impl Admission {
    pub(crate) fn new(service: Service, store: Arc<Store>, secret: [u8; 16]) -> Arc<Self> {
        Arc::new(Self {
            service,
            store,
            secret,
            sessions: AtomicU64::new(1),
            workers: Arc::new(Semaphore::new(MAX_WORKERS)),
            strangers: Arc::new(Semaphore::new(MAX_STRANGERS)),
            memory: Arc::new(Semaphore::new(BULK_MEMORY_KIB)),
        })
    }
}

/// Admits whoever comes, until the endpoint is closed.
pub(crate) async fn accept(endpoint: Endpoint, admission: Arc<Admission>) {
    while let Some(incoming) = endpoint.accept().await {
        let Ok(stranger) = Arc::clone(&admission.strangers).try_acquire_owned() else {
            // A flood: those who prove their address may try again.
            if incoming.may_retry() {
                drop(incoming.retry());
            } else {
                incoming.refuse();
            }
            continue;
        };
        let admission = Arc::clone(&admission);
        tokio::spawn(async move { admit(incoming, admission, stranger).await });
    }
}

async fn admit(
    incoming: Incoming,
    admission: Arc<Admission>,
    stranger: tokio::sync::OwnedSemaphorePermit,
) {
    let address = incoming.remote_address();
    let refused = |reason: String| {
        admission
            .service
            .send(Event::Refused(format!("a connection from {address} was refused: {reason}")))
    };
    let connection = match timeout(HELLO_LIMIT, incoming).await {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => return refused(error.to_string()).await,
        Err(_) => return refused("no handshake in time".into()).await,
    };
    let hello = timeout(HELLO_LIMIT, hello(&connection)).await;
    let (mut send, receive, hello) = match hello {
        Ok(Ok(parts)) => parts,
        Ok(Err(error)) => {
            connection.close(1_u32.into(), b"no hello");
            return refused(error.to_string()).await;
        }
        Err(_) => {
            connection.close(1_u32.into(), b"no hello");
            return refused("no hello in time".into()).await;
        }
    };
    let Some(id) = peer_fingerprint(&connection) else { return };
    let refusal = if !same(&hello.secret, &admission.secret) {
        Some(Refusal::WrongSecret)
    } else if admission.workers.available_permits() == 0 {
        Some(Refusal::Full)
    } else {
        None
    };
    if let Some(refusal) = refusal {
        let text = refusal.to_string();
        let _ = write_frame(&mut send, &ToWorker::Refused(refusal)).await;
        let _ = send.finish();
        let _ = timeout(HELLO_LIMIT, send.stopped()).await;
        return refused(text).await;
    }
    let Ok(_place) = admission.workers.try_acquire() else { return };
    drop(stranger);
    serve(connection, send, receive, id, hello, &admission).await;
}

async fn hello(
    connection: &Connection,
) -> Result<(SendStream, RecvStream, boombots_cluster_protocol::Hello), FrameError> {
    let streams = connection.accept_bi().await;
    let (mut send, mut receive) = streams.map_err(|error| FrameError::Io(error.into()))?;
    let theirs: Preamble = read_preamble(&mut receive).await?;
    write_preamble(&mut send, VERSION).await?;
    if let Err(error) = theirs.check() {
        // The other end says which side to upgrade once it has read our version.
        let _ = send.finish();
        let _ = send.stopped().await;
        return Err(error);
    }
    match read_frame(&mut receive).await? {
        ToCoordinator::Hello(hello) => Ok((send, receive, hello)),
        _ => Err(FrameError::Foreign),
    }
}

/// Takes as long whatever the bytes are.
fn same(one: &[u8; 16], other: &[u8; 16]) -> bool {
    one.iter().zip(other).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

async fn serve(
    connection: Connection,
    mut send: SendStream,
    mut receive: RecvStream,
    id: Fingerprint,
    hello: boombots_cluster_protocol::Hello,
    admission: &Arc<Admission>,
) {
    let session = admission.sessions.fetch_add(1, Ordering::Relaxed);
    let (out, mut out_in) = mpsc::channel(OUT_QUEUE);
    let service = &admission.service;
    // It fails on a closed stream only, and then nothing is to be written.
    let _ = send.set_priority(CONTROL_PRIORITY);
    service.send(Event::Connected { id, session, hello, out }).await;
    let writer = {
        let connection = connection.clone();
        tokio::spawn(async move {
            while let Some(message) = out_in.recv().await {
                if write_frame(&mut send, &message).await.is_err() {
                    return;
                }
            }
            // The scheduler has let go of this connection; what was said last should arrive.
            let _ = send.finish();
            let _ = timeout(Duration::from_secs(1), send.stopped()).await;
            connection.close(0_u32.into(), b"closed by the coordinator");
        })
    };
    let bulk = {
        let (connection, admission) = (connection.clone(), Arc::clone(admission));
        let sends = Arc::new(Semaphore::new(BULK_SENDS));
        tokio::spawn(async move {
            while let Ok((send, receive)) = connection.accept_bi().await {
                let (admission, sends) = (Arc::clone(&admission), Arc::clone(&sends));
                tokio::spawn(
                    async move { drop(serve_bulk(send, receive, &admission, &sends).await) },
                );
            }
        })
    };
    let pulse = tokio::spawn(feel_pulse(connection.clone(), session, service.clone()));
    let reason = loop {
        match read_frame::<ToCoordinator>(&mut receive).await {
            Ok(message) => service.send(Event::Message { session, message }).await,
            Err(FrameError::Closed) => break "it closed the connection".to_owned(),
            Err(FrameError::Io(_)) => {
                break connection
                    .close_reason()
                    .map_or("the connection failed".to_owned(), |reason| reason.to_string());
            }
            Err(error) => {
                service
                    .send(Event::Refused(format!("worker {} was cut off: {error}", id.short())))
                    .await;
                break error.to_string();
            }
        }
    };
    connection.close(0_u32.into(), b"bye");
    bulk.abort();
    pulse.abort();
    writer.abort();
    service.send(Event::Disconnected { session, reason }).await;
}

/// Says that a worker is alive for as long as packets of its come: on a slow line its heartbeats may
/// be late.
async fn feel_pulse(connection: Connection, session: u64, service: Service) {
    let mut before = 0;
    loop {
        tokio::time::sleep(PULSE).await;
        let received = connection.stats().udp_rx.datagrams;
        if received != before {
            before = received;
            service.send(Event::Alive { session }).await;
        }
    }
}

const MAX_WORKERS: usize = 4096;
const MAX_STRANGERS: usize = 256;
pub(crate) const HELLO_LIMIT: Duration = Duration::from_secs(10);
const OUT_QUEUE: usize = 1 << 14;
const PULSE: Duration = Duration::from_secs(1);
