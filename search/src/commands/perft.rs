//! `boombots-engine perft`.

use std::time::Instant;

use anyhow::Result;
use boombots_search::Board;
use clap::Args;

use super::position;

/// What to count.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Actions in a sequence.
    depth: u32,
    /// Position text or name of a start.
    #[arg(default_value = "startpos")]
    position: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let board = Board::from(&position(&arguments.position)?);
    let start = Instant::now();
    let count = board.perft(arguments.depth);
    println!("{count}");
    eprintln!("{} ms", start.elapsed().as_millis());
    Ok(())
}
