//! `distances`: how many placements are how far from the end.

use boombots_probe::Class;
use boombots_retrograde::{distances, position_at};
use indicatif::HumanCount;
use serde::Serialize;

use super::stats::class_tables;
use crate::workspace::Workspace;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SideDistances {
    class: String,
    mover: u8,
    opponent: u8,
    wins: Vec<u64>,
    losses: Vec<u64>,
    longest_win: Option<String>,
    longest_loss: Option<String>,
}

pub(crate) fn run(workspace: &Workspace, class: Class) -> anyhow::Result<()> {
    class_tables(workspace, class)?;
    for side in class.sides() {
        let solved = workspace.folder.load(side, &workspace.orbits, workspace.level)?;
        let counts = distances(&solved, &workspace.orbits);
        let longest = |won: bool, counts: &[u64]| {
            let plies = counts.len().checked_sub(1)? as u8;
            let position = position_at(&solved, &workspace.orbits, won, plies)?;
            Some(position.to_string())
        };
        let side = SideDistances {
            class: class.to_string(),
            mover: side.mover,
            opponent: side.opponent,
            longest_win: longest(true, &counts.wins),
            longest_loss: longest(false, &counts.losses),
            wins: counts.wins,
            losses: counts.losses,
        };
        if workspace.json {
            workspace.print_json(&side)?;
        } else {
            print(&side);
        }
    }
    Ok(())
}

fn print(side: &SideDistances) {
    println!("{}v{}", side.mover, side.opponent);
    println!("{:>5} {:>18} {:>18}", "plies", "wins", "losses");
    for plies in 1..side.wins.len().max(side.losses.len()) {
        let count = |counts: &[u64]| match counts.get(plies).copied().unwrap_or(0) {
            0 => String::new(),
            count => HumanCount(count).to_string(),
        };
        println!("{plies:>5} {:>18} {:>18}", count(&side.wins), count(&side.losses));
    }
    for (what, position) in [("win", &side.longest_win), ("loss", &side.longest_loss)] {
        if let Some(position) = position {
            println!("longest {what}: {position}");
        }
    }
}
