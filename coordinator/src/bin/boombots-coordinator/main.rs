//! `boombots-coordinator`: runs a Boombots cluster and asks it things.

mod analysis_view;
mod arguments;
mod client;
mod commands;
mod signals;
mod view;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_env_filter(
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")),
        )
        .init();
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads our output has seen enough, as `head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let data = arguments.data;
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).enable_all().build().context("cannot start the runtime")
    };
    match arguments.command {
        Command::Serve(options) => runtime()?.block_on(commands::serve::run(data, options)),
        Command::Run(options) => runtime()?.block_on(commands::run::run(data, options)),
        Command::Token => commands::simple::token(&data),
        Command::Build { class, options, wait } => {
            commands::simple::build(&data, class, options, wait)
        }
        Command::Status { json } => commands::simple::status(&data, json),
        Command::Watch { json } => commands::watch::run(&data, json),
        Command::Workers { command } => commands::simple::workers(&data, command),
        Command::Cancel { build, analysis } => match (build, analysis) {
            (Some(build), _) => commands::simple::cancel(&data, build),
            (None, Some(analysis)) => commands::analyses::cancel(&data, analysis),
            (None, None) => Ok(()),
        },
        Command::Analyze(options) if options.workers.is_some() => {
            runtime()?.block_on(commands::analyze::run_here(data, options))
        }
        Command::Analyze(options) => commands::analyze::run(&data, &options),
        Command::Analyses { json } => commands::analyses::list(&data, json),
        Command::Resume { id, goal } => commands::analyses::resume(&data, id, goal),
        Command::Export { id } => commands::analyses::export(&data, id),
        Command::Certificate { id } => commands::analyses::certificate(&data, id),
        Command::Fetch { class, dir } => commands::fetch::run(&data, class, &dir),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.map(std::io::Error::kind).any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}
