//! Whoever does not belong is refused and named, and the build comes out right all the same.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use boombots_cluster_protocol::{
    ALPN, Fingerprint, Identity, Limits, Refusal, VERSION, client_config, write_preamble,
};
use boombots_coordinator::scheduler::Check;
use boombots_worker::{Fault, WorkerError};
use quinn::{Connection, ConnectionError, Endpoint};

use crate::support::{Cluster, Worker};

async fn stranger(cluster: &Cluster) -> (Endpoint, Connection) {
    let (endpoint, connection) = stranger_speaking(cluster, ALPN).await;
    (endpoint, connection.unwrap())
}

async fn stranger_speaking(
    cluster: &Cluster,
    alpn: &[u8],
) -> (Endpoint, Result<Connection, ConnectionError>) {
    let folder = tempfile::tempdir().unwrap();
    let identity = Identity::load_or_make(folder.path()).unwrap();
    let pins = Arc::new(RwLock::new(vec![cluster.token().fingerprint]));
    let config = client_config(&identity, pins, alpn, Limits::default()).unwrap();
    let mut endpoint = Endpoint::client(([127, 0, 0, 1], 0).into()).unwrap();
    endpoint.set_default_client_config(config);
    let connecting = endpoint.connect(cluster.coordinator.listen(), "boombots-cluster").unwrap();
    (endpoint, connecting.await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_protocol_is_refused_in_the_handshake() {
    let cluster = Cluster::start().await;
    let (endpoint, connection) = stranger_speaking(&cluster, b"boombots-cluster/0").await;
    let Err(ConnectionError::ConnectionClosed(close)) = connection else {
        panic!("{connection:?}");
    };
    // The TLS alert `no_application_protocol`, by which a worker knows that versions differ.
    assert_eq!(u64::from(close.error_code), 0x178);
    cluster.until(|status| !status.refused.is_empty()).await;
    drop(endpoint);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_secret_is_refused_and_named() {
    let cluster = Cluster::start().await;
    let mut options = cluster.worker_options("intruder");
    options.token.secret[0] ^= 1;
    let outcome = Worker::start(options).task.await.unwrap();
    assert!(matches!(outcome, Err(WorkerError::Refused(Refusal::WrongSecret))), "{outcome:?}");
    let status = cluster.until(|status| !status.refused.is_empty()).await;
    assert!(status.refused[0].contains("secret"), "{:?}", status.refused);
    assert!(status.workers.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_coordinator_with_another_key_is_refused() {
    let cluster = Cluster::start().await;
    let mut options = cluster.worker_options("careful");
    options.token.fingerprint = Fingerprint([1; 32]);
    let outcome = Worker::start(options).task.await.unwrap();
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains("join token"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_versions_are_told_which_side_to_upgrade() {
    let cluster = Cluster::start().await;
    for (version, side) in [(VERSION + 1, "this one"), (VERSION - 1, "the other end")] {
        let mut options = cluster.worker_options(&format!("version-{version}"));
        options.version = version;
        let worker = Worker::start(options);
        let status = cluster
            .until(|status| status.refused.iter().any(|text| text.contains("upgrade")))
            .await;
        let named = |text: &String| text.contains(&format!("version {version}"));
        cluster.until(|status| status.refused.iter().any(named)).await;
        let ours = status.refused.iter().any(|text| text.contains(side)) || version < VERSION;
        assert!(ours, "{:?}", status.refused);
        worker.kill();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_worker_is_refused_and_its_shards_are_made_again() {
    let cluster = Cluster::start().await;
    let bad = cluster.worker("revoked");
    let build = cluster.build("3v1", 4).await;
    let status = cluster
        .until(|status| status.classes.iter().any(|class| class.class == "3v1" && class.ply > 1))
        .await;
    let id = status.workers[0].id.parse().unwrap();
    assert!(cluster.coordinator.service().revoke(id).await.unwrap());
    let outcome = bad.task.await.unwrap();
    assert!(matches!(outcome, Err(WorkerError::Refused(Refusal::Revoked))), "{outcome:?}");
    let outcome = cluster.worker("revoked").task.await.unwrap();
    assert!(matches!(outcome, Err(WorkerError::Refused(Refusal::Revoked))), "{outcome:?}");
    let good = cluster.worker("good");
    let status = cluster.done(build).await;
    assert!(status.workers.iter().any(|worker| worker.state == "banned"));
    cluster.compare("3v1");
    drop(good);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_bits_are_caught_and_the_build_is_right() {
    build_with_a_liar(Fault::WrongBits).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deltas_that_are_none_are_caught_and_the_build_is_right() {
    build_with_a_liar(Fault::Gibberish).await;
}

async fn build_with_a_liar(fault: Fault) {
    let cluster = Cluster::start().await;
    let mut options = cluster.worker_options("liar");
    options.fault = Some(fault);
    let liar = Worker::start(options);
    let (one, other) = (cluster.worker("one"), cluster.worker("other"));
    cluster.until(|status| status.workers.len() == 3).await;
    // Three shards: the liar has a part in it.
    let build = cluster.build_checked("3v1", 4, Check::Full).await;
    let status = cluster.done(build).await;
    let banned: Vec<_> = status.workers.iter().filter(|worker| worker.state == "banned").collect();
    assert!(banned.iter().all(|worker| worker.name == "liar"), "{banned:?}");
    assert_eq!(banned.len(), 1, "{:#?}", status.events);
    cluster.compare("3v1");
    drop((liar, one, other));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_bytes_and_oversize_frames_are_refused() {
    let cluster = Cluster::start().await;
    let worker = cluster.worker("honest");
    let build = cluster.build("2v2", 2).await;
    let noise: Vec<u8> =
        (0..5000_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let mut kept = Vec::new();
    for bytes in [noise, vec![u8::MAX; 64]] {
        let (endpoint, connection) = stranger(&cluster).await;
        let (mut send, _receive) = connection.open_bi().await.unwrap();
        // The other end may have hung up already.
        let _ = send.write_all(&bytes).await;
        kept.push((endpoint, connection));
    }
    let (endpoint, connection) = stranger(&cluster).await;
    let (mut send, receive) = connection.open_bi().await.unwrap();
    write_preamble(&mut send, VERSION).await.unwrap();
    send.write_all(&u32::MAX.to_le_bytes()).await.unwrap();
    let status = cluster.until(|status| status.refused.len() >= 3).await;
    assert!(status.refused.iter().any(|text| text.contains("longer than")), "{:?}", status.refused);
    cluster.done(build).await;
    cluster.compare("2v2");
    drop((worker, kept, endpoint, receive));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_connections_leaves_room_for_workers() {
    let cluster = Cluster::start().await;
    let mut flood = Vec::new();
    for _ in 0..40 {
        flood.push(stranger(&cluster).await);
    }
    let worker = cluster.worker("patient");
    let build = cluster.build("2v1", 1).await;
    cluster.done(build).await;
    tokio::time::timeout(Duration::from_secs(30), async {
        // None of them said hello, so each is sent away in the end.
        for (_, connection) in &flood {
            connection.closed().await;
        }
    })
    .await
    .unwrap();
    drop(worker);
}
