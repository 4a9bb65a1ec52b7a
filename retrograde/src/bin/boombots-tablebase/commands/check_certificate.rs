//! `check-certificate`: whether a proved result follows from the rules and the tables.

use std::io::{Read as _, Write as _};
use std::path::Path;

use anyhow::Context as _;
use boombots_probe::{Certificate, Claim};
use serde::Serialize;

use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, file: &Path) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    let read = match file.as_os_str() == "-" {
        true => std::io::stdin().read_to_end(&mut bytes).map(drop),
        false => std::fs::read(file).map(|read| bytes = read),
    };
    read.with_context(|| format!("cannot read {}", file.display()))?;
    let certificate = Certificate::read(&bytes).with_context(|| file.display().to_string())?;
    let tables = workspace.open_tables()?;
    certificate.check(&tables).with_context(|| {
        format!(
            "{} does not hold with the tables of {}",
            file.display(),
            workspace.folder.path().display()
        )
    })?;
    let (result, plies) = match certificate.claim {
        Claim::Win(plies) => ("win", Some(plies)),
        Claim::Loss(plies) => ("loss", Some(plies)),
        Claim::Draw => ("draw", None),
    };
    let (position, steps) = (certificate.position.to_string(), certificate.steps.len());
    if workspace.json {
        return workspace.print_json(&JsonChecked { position, result, plies, steps });
    }
    let mut out = std::io::stdout().lock();
    match plies {
        Some(plies) => {
            writeln!(out, "{position}: {result} in at most {plies} plies; {steps} steps hold")?
        }
        None => writeln!(out, "{position}: {result}; the tables say so")?,
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonChecked {
    position: String,
    result: &'static str,
    plies: Option<u16>,
    steps: usize,
}
