//! `boombots-engine tune`.

use anyhow::Result;
use clap::Args;

/// What to fit to.
#[derive(Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments) -> Result<()> {
    Ok(())
}
