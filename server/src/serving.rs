//! Serves the port: accepts connections and reads their requests in bounded time.

use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::listener::{BoundedListener, BoundedStream, Peer};

/// Serves requests until it is stopped and those under way are answered. A connection is closed when the
/// head of a request takes longer than `header_timeout`, also the head of one that never comes.
pub(crate) async fn serve(
    mut listener: BoundedListener,
    router: Router,
    header_timeout: Duration,
    stopping: CancellationToken,
) {
    let connections = TaskTracker::new();
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopping.cancelled() => break,
        };
        let (router, stopping) = (router.clone(), stopping.clone());
        connections.spawn(serve_one(stream, peer, router, header_timeout, stopping));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn serve_one(
    stream: BoundedStream,
    peer: Peer,
    router: Router,
    header_timeout: Duration,
    stopping: CancellationToken,
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer.clone()));
        router.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(header_timeout);
    let serving = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut serving = std::pin::pin!(serving);
    let served = tokio::select! {
        served = serving.as_mut() => served,
        () = stopping.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = served {
        tracing::trace!(%error, "a connection ended badly");
    }
}
