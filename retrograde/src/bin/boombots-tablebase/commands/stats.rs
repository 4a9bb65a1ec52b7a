//! `stats`: how many placements are won, lost and drawn.

use anyhow::{anyhow, bail};
use boombots_probe::{Class, Metric};
use boombots_retrograde::ClassTables;
use serde::Serialize;

use crate::workspace::{Workspace, how_to_build};

pub(crate) fn run(workspace: &Workspace, classes: &[Class]) -> anyhow::Result<()> {
    let named = !classes.is_empty();
    let classes = if named { classes.to_vec() } else { workspace.folder.classes()? };
    if classes.is_empty() {
        bail!("no tables yet; {}", how_to_build(workspace, None));
    }
    if !workspace.json {
        println!(
            "{:>5} {:>15} {:>15} {:>13} {:>15} {:>8} {:>8} {:>12} {:>12}",
            "side", "positions", "wins", "losses", "draws", "longest", "longest", "wdl", "dtm"
        );
        println!("{:>77} {:>8} {:>12} {:>12}", "win", "loss", "bytes", "bytes");
    }
    for class in classes {
        let tables = class_tables(workspace, class)?;
        for line in lines_of(class, &tables) {
            if workspace.json {
                workspace.print_json(&line)?;
            } else {
                print_line(&line);
            }
        }
    }
    Ok(())
}

/// The tables of a class, or a sentence on how to get them.
pub(crate) fn class_tables(workspace: &Workspace, class: Class) -> anyhow::Result<ClassTables> {
    let tables = workspace.folder.class_tables(class)?;
    tables.ok_or_else(|| anyhow!("{class} is not built; {}", how_to_build(workspace, Some(class))))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatsLine {
    class: String,
    mover: u8,
    opponent: u8,
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    max_win_plies: Option<u8>,
    max_loss_plies: Option<u8>,
    wdl_bytes: u64,
    dtm_bytes: u64,
}

fn lines_of(class: Class, tables: &ClassTables) -> Vec<StatsLine> {
    let sides = class.sides();
    let line = |side: boombots_probe::Material| {
        let part = tables.values.part(side, Metric::Wdl)?;
        let distances = tables.distances.part(side, Metric::Dtm)?;
        let statistics = part.statistics();
        Some(StatsLine {
            class: class.to_string(),
            mover: side.mover,
            opponent: side.opponent,
            positions: statistics.placements(),
            wins: statistics.wins,
            losses: statistics.losses,
            draws: statistics.draws,
            max_win_plies: statistics.longest_win.map(|plies| plies.0),
            max_loss_plies: statistics.longest_loss.map(|plies| plies.0),
            wdl_bytes: part.file_share(&tables.values),
            dtm_bytes: distances.file_share(&tables.distances),
        })
    };
    sides.into_iter().filter_map(line).collect()
}

fn print_line(line: &StatsLine) {
    let plies = |plies: Option<u8>| plies.map_or("–".to_owned(), |plies| plies.to_string());
    println!(
        "{:>5} {:>15} {:>15} {:>13} {:>15} {:>8} {:>8} {:>12} {:>12}",
        format!("{}v{}", line.mover, line.opponent),
        line.positions,
        line.wins,
        line.losses,
        line.draws,
        plies(line.max_win_plies),
        plies(line.max_loss_plies),
        line.wdl_bytes,
        line.dtm_bytes
    );
}
