//! A coordinator and workers on this machine.

use std::num::NonZeroU16;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use boombots_cluster_protocol::Limits;
use boombots_coordinator::scheduler::Timing;
use boombots_coordinator::{Coordinator, CoordinatorOptions};
use tokio::process::{Child, Command};

/// Starts a coordinator that listens on loopback.
pub(super) async fn coordinator(data: &Path, tables: &Path) -> anyhow::Result<Coordinator> {
    let coordinator = Coordinator::start(CoordinatorOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        http: ([127, 0, 0, 1], 0).into(),
        advertise: None,
        data: data.to_owned(),
        tables: tables.to_owned(),
        store: None,
        timing: Timing::default(),
        limits: Limits::default(),
    })
    .await?;
    eprintln!("status: http://{}/api/status", coordinator.http());
    Ok(coordinator)
}

/// Starts so many workers.
pub(super) fn workers(
    coordinator: &Coordinator,
    data: &Path,
    workers: usize,
    threads: Option<NonZeroU16>,
) -> anyhow::Result<Vec<Child>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or((cores / workers).max(1), |n| usize::from(n.get()));
    let started = (1..=workers).map(|number| worker(coordinator, data, number, workers, threads));
    started.collect()
}

/// Starts a worker: the program beside this one.
fn worker(
    coordinator: &Coordinator,
    data: &Path,
    number: usize,
    workers: usize,
    threads: usize,
) -> anyhow::Result<Child> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    let program = own.with_file_name("boombots-worker");
    let mut system = sysinfo::System::new().context("cannot tell how much memory there is")?;
    system.refresh_memory();
    let memory = system.available_memory() / 4 * 3 / workers as u64;
    Command::new(&program)
        .env("BOOMBOTS_JOIN", coordinator.token().to_string())
        .args(["--threads", &threads.to_string(), "--memory", &format!("{memory}B")])
        .args(["--name", &format!("local-{number}")])
        .arg("--cache")
        .arg(data.join(format!("worker-{number}")))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))
}

/// Waits a little for all workers, so that shards are cut for as many.
pub(super) async fn wait_for_workers(
    service: &boombots_coordinator::Service,
    workers: usize,
) -> anyhow::Result<()> {
    let started = Instant::now();
    while started.elapsed() < JOIN_LIMIT {
        let status = service.status().await?;
        let there = |state: &str| state == "idle" || state == "working";
        if status.workers.iter().filter(|worker| there(&worker.state)).count() >= workers {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Stops workers, the hard way where they do not listen.
pub(super) async fn stop_all(children: Vec<Child>) {
    for child in &children {
        if let Some(id) = child.id().and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
            // One that has ended already need not be told.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        }
    }
    for mut child in children {
        if tokio::time::timeout(STOP_LIMIT, child.wait()).await.is_err() {
            let _ = child.kill().await;
        }
    }
}

const JOIN_LIMIT: Duration = Duration::from_secs(5);
const STOP_LIMIT: Duration = Duration::from_secs(3);
