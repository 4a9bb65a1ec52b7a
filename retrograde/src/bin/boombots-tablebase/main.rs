//! `boombots-tablebase`: builds, checks and asks the endgame tables of Boombots.

mod arguments;
mod commands;
mod progress;
mod workspace;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;

use crate::arguments::{Arguments, Command};
use crate::workspace::Workspace;

fn main() -> ExitCode {
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
    let threads = arguments.threads.map_or(0, |threads| usize::from(threads.get()));
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("cannot start the threads")?;
    let workspace = Workspace::new(arguments.dir, arguments.json)?;
    match arguments.command {
        Command::Build { class, target, options } => {
            commands::build::run(&workspace, class, target, &options)
        }
        Command::Build3v2 { target, options } => {
            commands::build::run(&workspace, "3v2".parse()?, target, &options)
        }
        Command::Build3v3 { target, options } => {
            commands::build::run(&workspace, "3v3".parse()?, target, &options)
        }
        Command::Generate { class, raw, options } => {
            commands::generate::run(&workspace, class, raw, &options)
        }
        Command::Compress { raw, table, compression } => {
            commands::compress::run(&workspace, &raw, &table, compression)
        }
        Command::Plan { class, workers, memory, link } => {
            commands::plan::run(&workspace, class, workers, memory, link)
        }
        Command::Stats { classes } => commands::stats::run(&workspace, &classes),
        Command::Distances { class } => commands::distances::run(&workspace, class),
        Command::Verify { classes, sample } => commands::verify::run(&workspace, &classes, sample),
        Command::Probe { position, file } => commands::probe::run(&workspace, &position, file),
        Command::CheckCertificate { file } => commands::check_certificate::run(&workspace, &file),
        Command::Line { position, record } => commands::line::run(&workspace, &position, record),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
