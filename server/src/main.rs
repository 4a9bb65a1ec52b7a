//! `boombots-server`: the game server.

mod arguments;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::Context as _;
use boombots_server::{Server, StartError};
use clap::Parser as _;
use rustix::process::Resource;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::arguments::Arguments;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    raise_file_limit();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    let served = runtime.block_on(serve(arguments));
    // A build under way and searches end with the process.
    runtime.shutdown_background();
    served
}

async fn serve(arguments: Arguments) -> anyhow::Result<()> {
    let (mut interrupted, mut terminated) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let mut server = Server::start(arguments.options()).await.map_err(explain)?;
    println!("Boombots is at {}", page(server.addr()));
    tokio::select! {
        _ = interrupted.recv() => {}
        _ = terminated.recv() => {}
        failed = server.failed() => failed.context("the server cannot go on")?,
    }
    tracing::info!("stopping; games go on when the server is back");
    server.stop().await;
    Ok(())
}

/// Connections are files; the system lets a process have more than it starts with.
fn raise_file_limit() {
    let mut limit = rustix::process::getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // With fewer, connections beyond them wait.
    let _ = rustix::process::setrlimit(Resource::Nofile, limit);
}

/// The address to type into a browser.
fn page(addr: SocketAddr) -> String {
    match addr.ip() {
        ip if ip.is_unspecified() || ip.is_loopback() => {
            format!("http://localhost:{}", addr.port())
        }
        _ => format!("http://{addr}"),
    }
}

/// Adds to a failed start what can be done about it.
fn explain(error: StartError) -> anyhow::Error {
    let hint = match &error {
        StartError::Listen { addr, source } => match source.kind() {
            ErrorKind::AddrInUse => format!(
                "another program, perhaps another boombots-server, has port {}; stop it, or choose another with --addr {}:PORT",
                addr.port(),
                addr.ip()
            ),
            ErrorKind::PermissionDenied => {
                "ports below 1024 are the system's; choose a higher one with --addr".to_owned()
            }
            ErrorKind::AddrNotAvailable => {
                "this machine has no such address; 0.0.0.0 stands for all it has".to_owned()
            }
            _ => "choose another address with --addr".to_owned(),
        },
        StartError::Database(_) => {
            "give a file that this user can write with --database FILE".to_owned()
        }
        StartError::Tables(_) => {
            "give a folder that this user can read and write with --tables DIR".to_owned()
        }
        StartError::Secret { .. } => {
            "give a copy of the coordinator's DATA/identity/admin-secret that this user can read"
                .to_owned()
        }
        StartError::Coordinator(_) => "start without --coordinator".to_owned(),
        StartError::Thread(_) => "the system's limit of threads is reached".to_owned(),
    };
    anyhow::anyhow!("{error}; {hint}")
}
