//! Deep analyses: by a cluster, and by the server itself.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use boombots_coordinator::scheduler::Timing;
use boombots_coordinator::{Coordinator, CoordinatorOptions};
use boombots_protocol::{
    DeepAnalysis, DeepAnalysisSource, DeepAnalysisState, ErrorCode, ServerMessage, TableResult,
};
use boombots_worker::WorkerOptions;
use tempfile::TempDir;
use tokio::sync::watch;

use crate::support::{Client, STANDARD, TestServer};

/// White wins in three plies.
const WON: &str = "7a/8/6A1/8/8/8/8/A7 w";

const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

async fn coordinator(folder: &Path, http: SocketAddr) -> Coordinator {
    let options = CoordinatorOptions {
        listen: ANY,
        http,
        advertise: None,
        data: folder.join("data"),
        tables: folder.join("data/tables"),
        store: None,
        timing: Timing::default(),
        limits: Default::default(),
    };
    Coordinator::start(options).await.unwrap()
}

/// A worker that ends with what is returned.
fn worker(folder: &TempDir, coordinator: &Coordinator, name: &str) -> watch::Sender<bool> {
    let cache = folder.path().join(name);
    let token = coordinator.token().clone();
    let options = WorkerOptions::new(token, 1, 1 << 30, cache, name.to_owned());
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(boombots_worker::run(options, stopped));
    stop
}

fn secret(folder: &TempDir) -> PathBuf {
    folder.path().join("data/identity/admin-secret")
}

async fn ask(client: &mut Client, position: &str) {
    client.say(&format!(r#"{{"type":"deepAnalyze","position":"{position}"}}"#)).await;
}

async fn deep(client: &mut Client, find: impl Fn(&DeepAnalysis) -> bool) -> DeepAnalysis {
    client
        .until(|message| match message {
            ServerMessage::DeepAnalysis(deep) => Some(deep).filter(&find),
            ServerMessage::Error(problem) => panic!("refused: {problem:?}"),
            _ => None,
        })
        .await
}

fn is_done(deep: &DeepAnalysis) -> bool {
    deep.state == DeepAnalysisState::Done
}

fn standard() -> String {
    use boombots_rules::{Boombots, Game as _};
    Boombots::start(STANDARD).unwrap().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_cluster_the_server_searches_and_proves_by_itself() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    ask(&mut ada, WON).await;
    let done = deep(&mut ada, is_done).await;
    assert_eq!((done.by, done.position.as_str()), (DeepAnalysisSource::Server, WON));
    let proved = done.proved.unwrap();
    assert_eq!((proved.value, proved.exact), (TableResult::Win, false));
    assert!(proved.plies >= Some(3));
    assert_eq!((done.white_score, done.mate_in), (Some(999_997), Some(2)));
    assert_eq!(done.lines[0].line[0], "1g6g7");
    assert!(done.jobs >= 2 && done.nodes > 0 && done.problem.is_none());
    ask(&mut ada, "8/8/8/8/8/8/8/8 w").await;
    ada.refused(ErrorCode::BadStart).await;
    ask(&mut ada, "nonsense").await;
    ada.refused(ErrorCode::BadStart).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_at_the_same_position_watches_the_same_analysis() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = (server.client("Ada").await, server.client("Bob").await);
    ask(&mut ada, &standard()).await;
    let first = deep(&mut ada, |deep| deep.jobs >= 2).await;
    ask(&mut bob, &standard()).await;
    let seen = deep(&mut bob, |_| true).await;
    assert!(seen.jobs >= first.jobs, "{} jobs where there were {}", seen.jobs, first.jobs);
    // Whoever began it looks at another position: it goes on.
    ask(&mut ada, WON).await;
    deep(&mut bob, |deep| deep.jobs > seen.jobs).await;
    assert_eq!(deep(&mut ada, is_done).await.position, WON);
    // The last one looks away: it ends, and begins anew for whoever comes.
    bob.say(r#"{"type":"endDeepAnalysis"}"#).await;
    bob.say(r#"{"type":"deepAnalyze","position":"nonsense"}"#).await;
    bob.refused(ErrorCode::BadStart).await;
    ask(&mut ada, &standard()).await;
    assert_eq!(deep(&mut ada, |deep| deep.position != WON).await.jobs, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_come_before_deep_analyses() {
    let server = TestServer::with(|options| options.bot_slots = 1).await;
    let (mut ada, mut bob) = (server.client("Ada").await, server.client("Bob").await);
    ask(&mut ada, &standard()).await;
    let before = deep(&mut ada, |deep| !deep.lines.is_empty()).await;
    // The only thread that searches is the analysis's.
    bob.say(r#"{"type":"startBotMatch"}"#).await;
    let id = bob.next_game().await.id;
    for revision in 1..=6 {
        assert_eq!(bob.next_game().await.revision, revision);
    }
    bob.say(&format!(r#"{{"type":"leaveGame","gameId":{id}}}"#)).await;
    let after = deep(&mut ada, |deep| deep.jobs > before.jobs + 1).await;
    assert!(after.nodes > before.nodes && after.state == DeepAnalysisState::Running);
    // The start by its name as well.
    ask(&mut ada, STANDARD).await;
    assert_eq!(deep(&mut ada, |_| true).await.position, standard());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_works_on_deep_analyses_and_stops_when_nobody_looks() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = coordinator(folder.path(), ANY).await;
    let url = format!("http://{}", cluster.http());
    let server = TestServer::with(|options| {
        options.coordinator = Some(url);
        options.coordinator_secret = Some(secret(&folder));
    })
    .await;
    let mut ada = server.client("Ada").await;
    ask(&mut ada, &standard()).await;
    let waiting = deep(&mut ada, |deep| deep.waiting.is_some()).await;
    assert_eq!(waiting.waiting.as_deref(), Some("no worker is there"));
    let _worker = worker(&folder, &cluster, "forge");
    let seen = deep(&mut ada, |deep| deep.jobs > 0 && deep.white_score.is_some()).await;
    assert_eq!(seen.by, DeepAnalysisSource::Cluster);
    deep(&mut ada, |deep| deep.workers == ["forge"]).await;
    ask(&mut ada, WON).await;
    let done = deep(&mut ada, |deep| deep.position == WON && is_done(deep)).await;
    let proved = done.proved.unwrap();
    assert_eq!((done.by, proved.value), (DeepAnalysisSource::Cluster, TableResult::Win));
    // Nobody looks at the first one any more.
    let all = cluster.service().analyses();
    let all = all.await.unwrap();
    assert_eq!(all.len(), 2);
    for _ in 0..1_000 {
        let all = cluster.service().analyses().await.unwrap();
        if all.iter().all(|analysis| analysis.in_flight == 0) {
            let states: Vec<_> = all.iter().map(|analysis| analysis.state).collect();
            use boombots_cluster_protocol::AnalysisState::{Cancelled, Done};
            assert_eq!(states, [Cancelled, Done]);
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the cluster goes on with what nobody looks at");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_that_an_operator_began_is_joined_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = coordinator(folder.path(), ANY).await;
    let request = format!(r#"{{"position":"{}"}}"#, standard());
    let request = serde_json::from_str(&request).unwrap();
    let id = cluster.service().analyse(request).await.unwrap().unwrap();
    let url = format!("http://{}", cluster.http());
    let server = TestServer::with(|options| {
        options.coordinator = Some(url);
        options.coordinator_secret = Some(secret(&folder));
    })
    .await;
    let mut ada = server.client("Ada").await;
    ask(&mut ada, &standard()).await;
    deep(&mut ada, |deep| deep.by == DeepAnalysisSource::Cluster).await;
    ask(&mut ada, WON).await;
    deep(&mut ada, |deep| deep.position == WON && deep.by == DeepAnalysisSource::Cluster).await;
    let all = cluster.service().analyses().await.unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].id, all[0].state), (id, boombots_cluster_protocol::AnalysisState::Running));
    // Whoever ends it says so to all who look.
    ask(&mut ada, &standard()).await;
    deep(&mut ada, |deep| deep.position != WON && deep.by == DeepAnalysisSource::Cluster).await;
    assert!(cluster.service().cancel_analysis(id).await.unwrap().unwrap());
    deep(&mut ada, |deep| deep.state == DeepAnalysisState::Cancelled).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_that_is_started_again_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = coordinator(folder.path(), ANY).await;
    let http = cluster.http();
    let server = TestServer::with(|options| {
        options.coordinator = Some(format!("http://{http}"));
        options.coordinator_secret = Some(secret(&folder));
    })
    .await;
    let mut ada = server.client("Ada").await;
    ask(&mut ada, &standard()).await;
    let stopping = worker(&folder, &cluster, "forge");
    let before = deep(&mut ada, |deep| deep.jobs > 0).await;
    assert!(stopping.send(true).is_ok());
    cluster.stop().await;
    deep(&mut ada, |deep| deep.problem.is_some()).await;
    let cluster = coordinator(folder.path(), http).await;
    let _worker = worker(&folder, &cluster, "anvil");
    let after = deep(&mut ada, |deep| deep.problem.is_none() && deep.jobs > before.jobs).await;
    assert_eq!(after.by, DeepAnalysisSource::Cluster);
    assert_eq!(cluster.service().analyses().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_that_refuses_leaves_the_server_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = coordinator(folder.path(), ANY).await;
    let wrong = folder.path().join("wrong");
    std::fs::write(&wrong, [7; 16]).unwrap();
    for (url, why) in [
        (format!("http://{}", cluster.http()), "admin secret"),
        ("http://127.0.0.1:1".to_owned(), "does not answer"),
    ] {
        let server = TestServer::with(|options| {
            options.coordinator = Some(url);
            options.coordinator_secret = Some(wrong.clone());
        })
        .await;
        let mut ada = server.client("Ada").await;
        ask(&mut ada, WON).await;
        let done = deep(&mut ada, is_done).await;
        assert_eq!(done.by, DeepAnalysisSource::Server);
        assert!(done.problem.as_ref().is_some_and(|problem| problem.contains(why)), "{done:?}");
        assert_eq!(done.proved.unwrap().value, TableResult::Win);
    }
    let missing = boombots_server::ServerOptions {
        coordinator: Some("http://127.0.0.1:1".to_owned()),
        coordinator_secret: Some(folder.path().join("missing")),
        ..crate::support::options(&folder)
    };
    let refused = boombots_server::Server::start(missing).await.err().unwrap();
    assert!(refused.to_string().contains("secret"), "{refused}");
}
