//! `compress`: turns a raw file into a table file.

use std::path::Path;

use boombots_retrograde::{SolvedClass, TableCoding, read_raw};
use bytesize::ByteSize;

use super::build::{block_count, output_files};
use crate::arguments::CompressionName;
use crate::progress::ClassProgress;
use crate::workspace::Workspace;

pub(crate) fn run(
    workspace: &Workspace,
    raw: &Path,
    table: &Path,
    compression: CompressionName,
) -> anyhow::Result<()> {
    let (class, sides) = read_raw(raw)?;
    let solved = SolvedClass::new(class, sides, &workspace.orbits);
    let coding = TableCoding {
        orbits: &workspace.orbits,
        level: workspace.level,
        compression: compression.compression(),
    };
    let progress = ClassProgress::new(class);
    for (path, metrics) in output_files(table, class) {
        progress.start("writing", block_count(class, &metrics), "blocks");
        let written = coding.write(&path, &metrics, &solved, &mut || progress.advance(1));
        progress.finish();
        written?;
        if !workspace.json {
            let bytes = ByteSize(path.metadata()?.len());
            println!("{class}: {} ({})", path.display(), bytes.display().si());
        }
    }
    Ok(())
}
