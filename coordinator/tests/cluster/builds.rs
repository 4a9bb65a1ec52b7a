//! Builds come out byte for byte as in one process, however they are cut and whoever comes and goes.

use crate::support::Cluster;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_number_of_workers_and_shards_gives_the_same_bytes() {
    for (workers, shards) in [(1, 1), (2, 4), (3, 16)] {
        let cluster = Cluster::start().await;
        let workers: Vec<_> =
            (0..workers).map(|number| cluster.worker(&format!("w{number}"))).collect();
        let build = cluster.build("3v1", shards).await;
        let status = cluster.done(build).await;
        assert_eq!(status.counters.problems, 0);
        cluster.compare("3v1");
        drop(workers);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_come_and_go_in_the_middle_of_a_class() {
    let cluster = Cluster::start().await;
    let first = cluster.worker("first");
    let build = cluster.build("3v1", 4).await;
    cluster.until(|status| status.classes.iter().any(|class| class.ply > 2)).await;
    let second = cluster.worker("second");
    cluster.until(|status| status.workers.len() == 2).await;
    first.kill();
    cluster.until(|status| status.counters.leases_lost > 0 || status.classes.is_empty()).await;
    let third = cluster.worker("third");
    second.stop.send_replace(true);
    cluster.done(build).await;
    cluster.compare("3v1");
    drop(third);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_build_leaves_nothing_and_can_be_asked_for_again() {
    let cluster = Cluster::start().await;
    let build = cluster.build("2v2", 1).await;
    cluster.until(|status| !status.classes.is_empty()).await;
    assert!(cluster.coordinator.service().cancel(build).await.unwrap());
    assert!(!cluster.coordinator.service().cancel(build).await.unwrap());
    assert!(cluster.status().await.classes.is_empty());
    let worker = cluster.worker("late");
    let build = cluster.build("2v2", 1).await;
    cluster.done(build).await;
    cluster.compare("2v2");
    drop(worker);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_file_of_a_worker_is_fetched_again() {
    let cluster = Cluster::start().await;
    let first = cluster.worker("careless");
    let build = cluster.build("2v1", 1).await;
    cluster.done(build).await;
    first.kill();
    let mut damaged = 0;
    for entry in cluster.folder.path().join("careless/files").read_dir().unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        damaged += 1;
    }
    assert!(damaged > 0);
    let again = cluster.worker("careless");
    let build = cluster.build("3v1", 2).await;
    let status = cluster.done(build).await;
    assert!(!status.events.iter().any(|event| event.contains("failed")), "{status:?}");
    cluster.compare("3v1");
    drop(again);
}
