//! Builds of a cluster, passed on.

use std::net::SocketAddr;

use boombots_coordinator::scheduler::Timing;
use boombots_coordinator::{Coordinator, CoordinatorOptions};
use boombots_protocol::{ClusterBuilds, ServerMessage};
use tempfile::TempDir;

use crate::support::{Client, TestServer};

async fn coordinator(folder: &TempDir) -> Coordinator {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let options = CoordinatorOptions {
        listen: any,
        http: any,
        advertise: None,
        data: folder.path().join("data"),
        tables: folder.path().join("tables"),
        store: None,
        timing: Timing::default(),
        limits: Default::default(),
    };
    Coordinator::start(options).await.unwrap()
}

async fn cluster_with(client: &mut Client, find: impl Fn(&ClusterBuilds) -> bool) -> ClusterBuilds {
    client
        .until(|message| match message {
            ServerMessage::Builds(builds) => builds.cluster.filter(&find),
            _ => None,
        })
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_is_followed_and_one_that_is_missing_is_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = coordinator(&folder).await;
    let url = format!("http://{}/", cluster.http());
    let server = TestServer::with(|options| options.coordinator = Some(url)).await;
    let builds = cluster_with(&mut server.client("Ada").await, |builds| builds.connected).await;
    assert_eq!((builds.classes.len(), builds.workers.len(), builds.problem), (0, 0, None));
    cluster.stop().await;
    let nobody = "http://127.0.0.1:1".to_owned();
    let server = TestServer::with(|options| options.coordinator = Some(nobody)).await;
    let builds =
        cluster_with(&mut server.client("Ada").await, |builds| builds.problem.is_some()).await;
    assert!(!builds.connected && builds.problem.unwrap().contains("does not answer"));
}
