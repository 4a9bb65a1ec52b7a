//! `line`: best play from a position to the end.

use std::io::Write as _;

use boombots_probe::Value;
use boombots_rules::{Boombots, Color, GameRecord};
use serde::Serialize;

use crate::workspace::{Workspace, read_position};

pub(crate) fn run(workspace: &Workspace, words: &[String], record: bool) -> anyhow::Result<()> {
    let position = read_position(words)?;
    let tables = workspace.open_tables()?;
    let value = tables.value(&position).map_err(|error| workspace.explain(error))?;
    let line = tables.line(&position).map_err(|error| workspace.explain(error))?;
    if workspace.json {
        return workspace.print_json(&JsonLine {
            position: position.to_string(),
            wdl: value.wdl().to_string(),
            plies: value.plies().map(|plies| plies.0),
            line: line.iter().map(|rated| rated.action.to_string()).collect(),
        });
    }
    let mut out = std::io::stdout().lock();
    if record {
        let mut record = GameRecord::<Boombots>::new(position);
        for rated in &line {
            record.play(rated.action)?;
        }
        write!(out, "{record}")?;
        return Ok(());
    }
    writeln!(out, "{position}: {value}")?;
    let offset = usize::from(position.turn() == Color::Black);
    let numbered = line.iter().enumerate().map(|(ply, rated)| {
        let number = (ply + offset) / 2 + 1;
        match ((ply + offset) % 2, ply) {
            (0, _) => format!("{number}. {}", rated.action),
            (_, 0) => format!("{number}... {}", rated.action),
            _ => rated.action.to_string(),
        }
    });
    writeln!(out, "{}", numbered.collect::<Vec<_>>().join(" "))?;
    if value == Value::Draw {
        writeln!(out, "(drawn; the line stops at the end or where it repeats)")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonLine {
    position: String,
    wdl: String,
    plies: Option<u8>,
    line: Vec<String>,
}
