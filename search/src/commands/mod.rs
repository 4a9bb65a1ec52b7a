//! The commands, a file each.

pub(crate) mod bench;
pub(crate) mod generate;
pub(crate) mod perft;
pub(crate) mod play_match;
pub(crate) mod search;
pub(crate) mod tune;
pub(crate) mod ugi;

use anyhow::{Context, Result, bail};
use boombots_rules::{Position, Start};

/// Reads a position: its text, or the name of a start.
pub(crate) fn position(text: &str) -> Result<Position> {
    let named = if text == "startpos" { Some(Start::Standard) } else { Start::by_name(text) };
    match named {
        Some(start) => Ok(Position::start(start)),
        None => text.parse().with_context(|| {
            format!(
                "{text:?} is neither a position such as \"8/8/8/3a4/3A4/8/8/8 w\" nor startpos, \
                 standard or expendibots"
            )
        }),
    }
}

/// Reads the positions of a file, one a line; empty lines and those that begin
/// with `#` are comments.
pub(crate) fn positions(text: &str) -> Result<Vec<Position>> {
    let mut positions = Vec::new();
    for (index, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let position = position(line).with_context(|| format!("line {}", index + 1))?;
        if position.is_over() {
            bail!("line {}: the game is over in {position}", index + 1);
        }
        positions.push(position);
    }
    Ok(positions)
}
