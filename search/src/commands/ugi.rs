//! `boombots-engine ugi`.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, Result};
use boombots_search::ugi::Session;
use clap::Args;

/// How to begin.
#[derive(Args, Default)]
pub(crate) struct Arguments {
    /// Folder of endgame tables, as by the option TablesFolder.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut session = Session::new(io::stdout());
    if let Some(folder) = &arguments.tables {
        session.open_tables(folder.clone())?;
    }
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line).context("cannot read standard input")?;
        if read == 0 {
            session.finish();
            return Ok(());
        }
        // Bytes that are no text are an unknown command, not the end.
        let text = String::from_utf8_lossy(&line);
        match session.handle(&text) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return Ok(()),
            // Who asked has gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(error).context("cannot write standard output"),
        }
    }
}
