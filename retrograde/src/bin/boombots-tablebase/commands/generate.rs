//! `generate`: solves a class and writes its planes as they are.

use std::path::PathBuf;

use boombots_probe::Class;
use boombots_retrograde::{Journal, write_raw};
use bytesize::ByteSize;

use super::build::{Solve, build_foundation, solve_class};
use crate::arguments::BuildOptions;
use crate::workspace::Workspace;

pub(crate) fn run(
    workspace: &Workspace,
    class: Class,
    raw: Option<PathBuf>,
    options: &BuildOptions,
) -> anyhow::Result<()> {
    let _lock = workspace.folder.lock()?;
    build_foundation(workspace, class, options)?;
    let Solve { solved, progress, journal, .. } = solve_class(workspace, class, options)?;
    progress.finish();
    let path = raw.unwrap_or_else(|| workspace.folder.path().join(format!("{class}.raw")));
    write_raw(&path, &solved)?;
    journal.map_or(Ok(()), Journal::remove)?;
    if !workspace.json {
        let bytes = ByteSize(path.metadata()?.len());
        println!("{class}: raw planes in {} ({})", path.display(), bytes.display().si());
    }
    Ok(())
}
