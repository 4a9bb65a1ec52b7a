//! Connections last, and certificates change, while builds go on.

use std::time::Duration;

use boombots_cluster_protocol::{Identity, Limits};

use crate::support::{Cluster, Worker};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_key_is_used_without_a_restart() {
    let cluster = Cluster::start().await;
    let old = cluster.worker("old");
    cluster.until(|status| status.workers.len() == 1).await;
    let folder = cluster.folder.path().join("data/identity");
    Identity::make(&folder).unwrap();
    let fingerprint = Identity::load(&folder).unwrap().fingerprint;
    // Until the coordinator has seen the files, a worker that expects the new key is sent away.
    let new = loop {
        let mut options = cluster.worker_options("new");
        options.token.fingerprint = fingerprint;
        let worker = Worker::start(options);
        let joined = async {
            cluster.until(|status| worker.task.is_finished() || status.workers.len() == 2).await
        };
        if joined.await.workers.len() == 2 {
            break worker;
        }
    };
    let status = cluster.status().await;
    assert!(status.workers.iter().all(|worker| worker.state == "idle"), "{status:?}");
    let build = cluster.build("2v1", 1).await;
    cluster.done(build).await;
    cluster.compare("2v1");
    drop((old, new));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_announced_in_time_needs_no_new_tokens() {
    let cluster = Cluster::start().await;
    let worker = cluster.worker("loyal");
    cluster.until(|status| status.workers.len() == 1).await;
    let folder = cluster.folder.path().join("data/identity");
    Identity::make(&folder.join("next")).unwrap();
    let told = |event: &String| event.contains("was announced to 1 workers");
    let status = cluster.until(|status| status.events.iter().any(told)).await;
    // A heartbeat that was sent after the announcement shows that it was read.
    let later = status.uptime_seconds + 1.5;
    cluster.until(|status| status.uptime_seconds > later).await;
    for name in ["key.pem", "cert.pem"] {
        std::fs::rename(folder.join("next").join(name), folder.join(name)).unwrap();
    }
    let cluster = cluster.restart().await;
    // It is there again although its token names the key before.
    cluster.until(|status| status.workers.iter().any(|worker| worker.state == "idle")).await;
    drop(worker);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn peers_with_different_idle_limits_stay_connected() {
    let cluster = Cluster::start().await;
    let mut options = cluster.worker_options("brief");
    options.limits = Limits {
        idle: Duration::from_millis(900),
        keep_alive: Duration::from_millis(300),
        ..Limits::default()
    };
    let worker = Worker::start(options);
    // Thirty times the shorter limit with nothing to build, as five minutes are of ten seconds.
    let status = cluster.until(|status| status.uptime_seconds > 27.0).await;
    assert_eq!(status.workers.len(), 1);
    assert_eq!(status.workers[0].state, "idle");
    assert!(!status.events.iter().any(|event| event.contains("disconnected")), "{status:?}");
    drop(worker);
}
