//! `boombots-worker`: lends this machine to a Boombots cluster.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use boombots_cluster_protocol::JoinToken;
use boombots_retrograde::Level;
use boombots_worker::{WorkerOptions, run};
use bytesize::ByteSize;
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tracing_subscriber::EnvFilter;

/// Lends this machine to a Boombots cluster: solves and checks shards until it is stopped.
///
/// SIGTERM or Ctrl-C hands the shards back; a second one stops at once.
#[derive(Debug, Parser)]
#[command(name = "boombots-worker", version, max_term_width = 100)]
struct Arguments {
    /// The token that the coordinator printed.
    #[arg(long, value_name = "TOKEN", env = "BOOMBOTS_JOIN", hide_env_values = true)]
    join: JoinToken,

    /// How many threads work; all cores by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Memory for planes; shards past it go to disk. Half of the machine's by default.
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,

    /// The worker's folder: its key, cached tables and spilled planes.
    #[arg(long, value_name = "DIR", default_value = ".data/worker")]
    cache: PathBuf,

    /// The worker's name; the host's by default.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_env_filter(
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")),
        )
        .init();
    match work(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn work(arguments: Arguments) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = match arguments.memory {
        Some(memory) => memory.as_u64(),
        None => {
            let mut system =
                sysinfo::System::new().context("cannot tell how much memory there is")?;
            system.refresh_memory();
            let limit = system.cgroup_limits().map(|limits| limits.total_memory);
            limit.map_or(system.total_memory(), |limit| limit.min(system.total_memory())) / 2
        }
    };
    let host = || sysinfo::System::host_name().unwrap_or_else(|_| "worker".into());
    let mut options = WorkerOptions::new(
        arguments.join,
        arguments.threads.unwrap_or(cores).max(1),
        memory,
        arguments.cache,
        arguments.name.unwrap_or_else(host),
    );
    options.level = Level::from_environment()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    runtime.block_on(async {
        let (stop, stopped) = watch::channel(false);
        let (mut terminate, mut interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                if stop.send_replace(true) {
                    std::process::exit(130);
                }
                eprintln!("handing the shards back; once more to stop at once");
            }
        });
        run(options, stopped).await.map_err(anyhow::Error::from)
    })?;
    runtime.shutdown_timeout(std::time::Duration::from_millis(200));
    // The engine may be in the middle of a shard that is no longer this worker's.
    std::process::exit(0);
}
