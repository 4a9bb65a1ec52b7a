//! `run`: a coordinator and workers on this machine, for one class.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use boombots_cluster_protocol::Limits;
use boombots_coordinator::scheduler::{BuildState, Check, Timing};
use boombots_coordinator::{Coordinator, CoordinatorOptions};
use boombots_probe::{Metric, table_file_name};
use bytesize::ByteSize;
use tokio::process::{Child, Command};

use crate::arguments::RunOptions;
use crate::signals::Stop;
use crate::view::View;

pub(crate) async fn run(data: PathBuf, options: RunOptions) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut stop = Stop::listen()?;
    let coordinator = Coordinator::start(CoordinatorOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        http: ([127, 0, 0, 1], 0).into(),
        advertise: None,
        data: data.clone(),
        tables: options.dir.clone(),
        store: None,
        timing: Timing::default(),
        limits: Limits::default(),
    })
    .await?;
    eprintln!("status: http://{}/api/status", coordinator.http());
    let workers = usize::from(options.workers.get());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or((cores / workers).max(1), |n| usize::from(n.get()));
    let mut children = Vec::new();
    for number in 1..=workers {
        children.push(worker(&coordinator, &data, number, workers, threads)?);
    }
    let service = coordinator.service();
    wait_for_workers(service, workers).await?;
    let build =
        service.submit(options.class, options.options.options(Check::Sample(SAMPLE))).await?;
    let mut view = View::new();
    let mut polls = tokio::time::interval(POLL);
    let mut shown = Instant::now();
    let state = loop {
        tokio::select! {
            _ = polls.tick() => {}
            () = stop.asked() => break None,
        }
        if shown.elapsed() >= SHOW_EVERY {
            shown = Instant::now();
            let status = service.status().await?;
            if options.json {
                println!("{}", serde_json::to_string(&status)?);
            } else {
                view.show(&status);
            }
        }
        match service.build_state(build).await? {
            Some(BuildState::Running) => {}
            state => break state,
        }
        if children.iter_mut().all(|child| matches!(child.try_wait(), Ok(Some(_)))) {
            bail!("every worker has ended; what they said is above");
        }
    };
    view.finish();
    if state.is_none() {
        stop.abort_next_time();
    }
    let status = service.status().await?;
    stop_all(children).await;
    match state {
        Some(BuildState::Done) => {}
        Some(BuildState::Failed(reason)) => bail!("{}: {reason}", options.class),
        _ => bail!("stopped; the same command goes on from here"),
    }
    let (received, sent) = status.bulk_bytes;
    for metric in Metric::ALL {
        let path = coordinator.tables().join(table_file_name(options.class, metric));
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        println!("{} ({})", path.display(), ByteSize(bytes).display().si());
    }
    println!(
        "{}: built by {workers} workers in {:.1} s; {} on the wire, {} boom passes of {} repeated",
        options.class,
        started.elapsed().as_secs_f64(),
        ByteSize(received + sent).display().si(),
        status.counters.booms_again,
        status.counters.booms,
    );
    coordinator.stop().await;
    Ok(())
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
async fn wait_for_workers(
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

async fn stop_all(children: Vec<Child>) {
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

/// Positions of each class that are checked: the workers are this machine's own.
const SAMPLE: u32 = 20_000;

const POLL: Duration = Duration::from_millis(20);
const SHOW_EVERY: Duration = Duration::from_millis(500);
const JOIN_LIMIT: Duration = Duration::from_secs(5);
const STOP_LIMIT: Duration = Duration::from_secs(3);
