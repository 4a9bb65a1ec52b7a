//! `probe`: the value of a position and of every action, or of many positions.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use boombots_probe::{RatedAction, Tables, Value};
use boombots_rules::Position;
use serde::Serialize;

use crate::workspace::{Workspace, parse_position, read_position, read_text};

pub(crate) fn run(
    workspace: &Workspace,
    words: &[String],
    file: Option<PathBuf>,
) -> anyhow::Result<()> {
    match file {
        Some(file) => probe_lines(workspace, &file),
        None => {
            let position = read_position(words)?;
            let tables = workspace.open_tables()?;
            let value = tables.value(&position).map_err(|error| workspace.explain(error))?;
            let actions =
                tables.rate_actions(&position).map_err(|error| workspace.explain(error))?;
            print_one(workspace, &position, value, &actions)
        }
    }
}

fn print_one(
    workspace: &Workspace,
    position: &Position,
    value: Value,
    actions: &[RatedAction],
) -> anyhow::Result<()> {
    if workspace.json {
        let answer = Answer {
            actions: Some(actions.iter().map(JsonAction::from).collect()),
            ..Answer::new(position, value)
        };
        return workspace.print_json(&answer);
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{position}: {value}")?;
    for rated in actions {
        writeln!(out, "  {:<8} {}", rated.action.to_string(), rated.value)?;
    }
    Ok(())
}

fn probe_lines(workspace: &Workspace, file: &Path) -> anyhow::Result<()> {
    let text = read_text(file)?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() {
            let position = parse_position(line);
            positions.push(position.with_context(|| format!("line {}", number + 1))?);
        }
    }
    let tables = workspace.open_tables()?;
    for positions in positions.chunks(AT_A_TIME) {
        print_values(workspace, &tables, positions)?;
    }
    Ok(())
}

fn print_values(
    workspace: &Workspace,
    tables: &Tables,
    positions: &[Position],
) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (position, value) in positions.iter().zip(tables.values(positions)) {
        let value = value
            .map_err(|error| workspace.explain(error))
            .with_context(|| position.to_string())?;
        if workspace.json {
            serde_json::to_writer(&mut out, &Answer::new(position, value))?;
            writeln!(out)?;
        } else {
            writeln!(out, "{position}: {value}")?;
        }
    }
    out.flush()?;
    Ok(())
}

#[derive(Serialize)]
struct Answer {
    position: String,
    wdl: String,
    plies: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<JsonAction>>,
}

impl Answer {
    fn new(position: &Position, value: Value) -> Self {
        Self {
            position: position.to_string(),
            wdl: value.wdl().to_string(),
            plies: value.plies().map(|plies| plies.0),
            actions: None,
        }
    }
}

#[derive(Serialize)]
struct JsonAction {
    action: String,
    wdl: String,
    plies: Option<u8>,
}

impl From<&RatedAction> for JsonAction {
    fn from(rated: &RatedAction) -> Self {
        Self {
            action: rated.action.to_string(),
            wdl: rated.value.wdl().to_string(),
            plies: rated.value.plies().map(|plies| plies.0),
        }
    }
}

/// Positions looked up together.
const AT_A_TIME: usize = 1 << 16;
