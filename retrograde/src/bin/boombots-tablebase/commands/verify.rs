//! `verify`: digests, blocks, counts, and every position by the plain rules.

use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail, ensure};
use boombots_probe::{Class, Manifest, Material, Metric, SideLayout, Table};
use boombots_retrograde::{
    ClassTables, LookupSide, LookupSides, SolvedSide, sides_to_verify, statistics, verify_rows,
};
use indicatif::HumanCount;
use serde::Serialize;

use super::stats::class_tables;
use crate::progress::ClassProgress;
use crate::workspace::{Workspace, how_to_build};

pub(crate) fn run(
    workspace: &Workspace,
    classes: &[Class],
    sample: Option<usize>,
) -> anyhow::Result<()> {
    let all = classes.is_empty();
    let mut classes = if all { workspace.folder.classes()? } else { classes.to_vec() };
    if classes.is_empty() {
        bail!("no tables yet; {}", how_to_build(workspace, None));
    }
    classes.sort();
    let manifest = Manifest::read(workspace.folder.path())?;
    if all {
        check_presence(workspace, &manifest)?;
    }
    let mut sides = LookupSides::new();
    let mut failed = 0;
    for class in classes {
        let started = Instant::now();
        match verify(workspace, class, &manifest, sample, &mut sides) {
            Ok(checked) => report(workspace, class, checked, started.elapsed().as_secs_f64())?,
            Err(error) => {
                failed += 1;
                eprintln!("{class}: {error:#}");
            }
        }
    }
    ensure!(failed == 0, "{failed} of the classes did not pass");
    Ok(())
}

/// Every file that the manifest names must be there.
fn check_presence(workspace: &Workspace, manifest: &Manifest) -> anyhow::Result<()> {
    for name in manifest.files().keys() {
        let path = workspace.folder.path().join(name);
        ensure!(
            path.exists(),
            "{}: {} names it, and it is missing",
            path.display(),
            Manifest::FILE_NAME
        );
    }
    Ok(())
}

/// Returns how many positions were checked.
fn verify(
    workspace: &Workspace,
    class: Class,
    manifest: &Manifest,
    sample: Option<usize>,
    sides: &mut LookupSides,
) -> anyhow::Result<u64> {
    let tables = class_tables(workspace, class)?;
    check_digest(&tables.values, manifest)?;
    check_digest(&tables.distances, manifest)?;
    let needed = sides_to_verify(class);
    sides.retain(|side, _| needed.contains(side) && side.class() != class);
    for side in needed {
        if let Entry::Vacant(vacant) = sides.entry(side) {
            class_tables(workspace, side.class())
                .with_context(|| format!("{class} is verified from the classes beneath it"))?;
            let loaded = workspace.folder.load(side, &workspace.orbits, workspace.level)?;
            if side.class() == class {
                check_counts(workspace, &loaded, &tables)?;
            }
            vacant.insert(Arc::new(LookupSide::new(&loaded)?));
        }
    }
    let progress = ClassProgress::new(class);
    let checked = class.sides().into_iter().map(|side| {
        let rows = rows_of(side, sample);
        let cells = rows.len() * SideLayout::new(side).columns;
        progress.start("verifying", cells as u64, "cells");
        let advance = |cells| progress.advance(cells);
        verify_rows(side, &rows, sides, &workspace.orbits, &advance)
            .map_err(|mismatch| anyhow!("{}: {mismatch}", tables.distances.path().display()))
    });
    let checked = checked.sum::<anyhow::Result<u64>>();
    progress.finish();
    checked
}

fn rows_of(side: Material, sample: Option<usize>) -> Vec<usize> {
    let rows = SideLayout::new(side).rows;
    let step = sample.map_or(1, |sample| rows.div_ceil(sample.max(1)));
    (0..rows).step_by(step.max(1)).collect()
}

fn check_digest(table: &Table, manifest: &Manifest) -> anyhow::Result<()> {
    let path = table.path();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(entry) = manifest.files().get(name.as_ref()) else {
        bail!("{}: {} does not name it", path.display(), Manifest::FILE_NAME);
    };
    if entry.bytes == table.len() && entry.blake3 == table.digest()? {
        return Ok(());
    }
    // The digest says that something is wrong, and the blocks say what.
    check_blocks(table)?;
    bail!("{}: it is not the file that {} names", path.display(), Manifest::FILE_NAME)
}

fn check_blocks(table: &Table) -> anyhow::Result<()> {
    for part in table.parts() {
        for block in 0..part.blocks() {
            table.block(part, block)?;
        }
    }
    Ok(())
}

fn check_counts(
    workspace: &Workspace,
    loaded: &SolvedSide,
    tables: &ClassTables,
) -> anyhow::Result<()> {
    let side = loaded.layout().material;
    let counted = statistics(loaded, &workspace.orbits);
    let parts = [(&tables.values, Metric::Wdl), (&tables.distances, Metric::Dtm)];
    for (table, metric) in parts {
        let stated = table.part(side, metric).map(|part| *part.statistics());
        let file: &Path = table.path();
        ensure!(stated == Some(counted), "{}: its counts of {side} are wrong", file.display());
    }
    Ok(())
}

#[derive(Serialize)]
struct Verified {
    class: String,
    positions: u64,
    seconds: f64,
}

fn report(workspace: &Workspace, class: Class, positions: u64, seconds: f64) -> anyhow::Result<()> {
    if workspace.json {
        return workspace.print_json(&Verified { class: class.to_string(), positions, seconds });
    }
    println!("{class}: {} positions verified in {seconds:.1} s", HumanCount(positions));
    Ok(())
}
