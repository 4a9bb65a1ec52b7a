//! What every command works with.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use boombots_probe::{Class, OrbitTables, ProbeError, Tables, TablesOptions};
use boombots_retrograde::{Level, TableFolder};
use boombots_rules::Position;
use serde::Serialize;

pub(crate) struct Workspace {
    pub(crate) folder: TableFolder,
    pub(crate) orbits: OrbitTables,
    pub(crate) level: Level,
    pub(crate) json: bool,
}

impl Workspace {
    pub(crate) fn new(folder: PathBuf, json: bool) -> anyhow::Result<Self> {
        let level = Level::from_environment()?;
        Ok(Self {
            folder: TableFolder::new(folder),
            orbits: OrbitTables::for_solving(),
            level,
            json,
        })
    }

    /// The folder's tables for probing. Damaged ones are reported and left out.
    pub(crate) fn open_tables(&self) -> anyhow::Result<Tables> {
        let folder = self.folder.path();
        let tables = Tables::open(folder, TablesOptions::default())
            .with_context(|| format!("no tables yet; {}", how_to_build(self, None)))?;
        for problem in tables.problems() {
            eprintln!("warning: {problem}; it is left out");
        }
        Ok(tables)
    }

    /// Adds to a failed probe what the user can do.
    pub(crate) fn explain(&self, error: ProbeError) -> anyhow::Error {
        let class = match &error {
            ProbeError::NoTable { class, .. } => Some(*class),
            _ => None,
        };
        let damaged = matches!(error, ProbeError::Table(_));
        let error = anyhow::Error::from(error);
        match class {
            Some(class) => anyhow::anyhow!("{error}; {}", how_to_build(self, Some(class))),
            None if damaged => anyhow::anyhow!("{error}; delete the file and build it again"),
            None => error,
        }
    }

    /// Prints one line of JSON.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        serde_json::to_writer(&mut out, value)?;
        writeln!(out)?;
        Ok(())
    }
}

/// The sentence that says how to build a class in this folder.
pub(crate) fn how_to_build(workspace: &Workspace, class: Option<Class>) -> String {
    let folder = workspace.folder.path();
    let dir = match folder == Path::new(".data/tablebase") {
        true => String::new(),
        false => format!(" --dir {}", folder.display()),
    };
    let class = class.map_or("CLASS".to_owned(), |class| class.to_string());
    format!("build it with `boombots-tablebase build {class}{dir}`")
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    if path == Path::new("-") {
        let read = io::stdin().lock().read_to_string(&mut text);
        read.context("cannot read standard input")?;
    } else {
        let file = std::fs::File::open(path);
        let read = file.and_then(|mut file| file.read_to_string(&mut text));
        read.with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(text)
}

/// A position given as one argument, as two (board and side), or as `-` for standard input.
pub(crate) fn read_position(words: &[String]) -> anyhow::Result<Position> {
    let text = match words {
        [dash] if dash == "-" => read_text(Path::new("-"))?.trim().to_owned(),
        words => words.join(" "),
    };
    parse_position(&text)
}

pub(crate) fn parse_position(text: &str) -> anyhow::Result<Position> {
    text.parse().with_context(|| format!("{text:?} is no position"))
}
