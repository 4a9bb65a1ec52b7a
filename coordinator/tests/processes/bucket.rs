//! A build whose deltas, shards and tables are in an S3-compatible bucket.

use std::path::Path;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::programs::{Coordinator, Place, Worker, reference, same_tables};

#[test]
fn a_bucket_as_the_store_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let objects = folder.path().join("objects");
    std::fs::create_dir_all(objects.join("boombots")).unwrap();
    let (runtime, endpoint) = serve_bucket(&objects);
    let variables = [
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ENDPOINT", &endpoint),
        ("AWS_ALLOW_HTTP", "true"),
    ];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let store = Some("s3://boombots/tables".to_owned());
    let place = Place { store, variables: variables.to_vec(), ..Place::default() };
    let mut coordinator = Coordinator::start_at(folder.path(), place);
    let token = coordinator.token();
    let workers: Vec<Worker> =
        (0..2).map(|number| Worker::start(folder.path(), number, &token)).collect();
    coordinator.build("3v2");
    coordinator.wait_for_build(Duration::from_secs(600));
    same_tables(&coordinator.tables(), &reference("3v2"));
    // The workers moved the bytes by themselves.
    let status = coordinator.status();
    let through: u64 =
        status["bulkBytes"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    let moved: u64 = status["workers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|worker| {
            worker["bulk"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>()
        })
        .sum();
    println!("{moved} bytes moved by the workers, {through} by the coordinator");
    assert!(moved > 0, "{status}");
    assert!(count_files(&objects) > 0);
    drop((workers, runtime));
}

/// A server of buckets in folders, on a port of loopback.
fn serve_bucket(root: &Path) -> (Runtime, String) {
    let files = s3s_fs::FileSystem::new(root).unwrap();
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(KEY, SECRET));
    let service = service.build();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                let builder = Builder::new(TokioExecutor::new());
                // Clients come and go as they like.
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    (runtime, endpoint)
}

fn count_files(folder: &Path) -> usize {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { count_files(&path) } else { 1 }).sum()
}

const KEY: &str = "boombots";
const SECRET: &str = "not-a-secret";
