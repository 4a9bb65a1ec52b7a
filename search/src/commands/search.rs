//! `boombots-engine search`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use boombots_rules::Color;
use boombots_search::{
    EndgameTables, Engine, EngineOptions, Limits, Line, Report, Request, StopSwitch,
};
use clap::Args;

use super::position;

/// What to search and for how long.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Position text or name of a start.
    position: String,
    /// End after so many iterations.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// End after so many nodes.
    #[arg(long)]
    nodes: Option<u64>,
    /// End after so many milliseconds; 1000 when there is no other limit.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Mebibytes of the transposition table.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// How many actions to score.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=240))]
    multipv: u16,
    /// Folder of endgame tables.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Search plainly, without what makes the engine strong.
    #[arg(long, hide = true)]
    plain: bool,
    /// Print one object of JSON at the end and nothing before.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let position = position(&arguments.position)?;
    if position.is_over() {
        bail!("the game is over in {position}");
    }
    let mut limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        time: arguments.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    if limits == Limits::default() {
        limits.time = Some(Duration::from_secs(1));
    }
    let mut engine = Engine::new(&EngineOptions {
        hash_mebibytes: arguments.hash as usize,
        threads: usize::from(arguments.threads),
    });
    if let Some(folder) = &arguments.tables {
        let tables = EndgameTables::open(folder)?;
        for problem in tables.problems() {
            eprintln!("warning: {problem}");
        }
        engine.set_tables(Some(Arc::new(tables)));
    }
    let lines = usize::from(arguments.multipv);
    let request = Request { lines, ..Request::new(position, limits) };
    let on_report = |report: &Report| {
        if !arguments.json {
            show(report);
        }
    };
    let report = if arguments.plain {
        boombots_search::plain_search(&request, &StopSwitch::new(), on_report)
    } else {
        engine.search(&request, &StopSwitch::new(), on_report)
    };
    let best = report.best().map_or("none".to_owned(), |action| action.to_string());
    if arguments.json {
        println!("{}", json(&report, position.turn()));
    } else {
        println!("best {best}");
    }
    Ok(())
}

fn texts(line: &Line) -> Vec<String> {
    line.actions.iter().map(ToString::to_string).collect()
}

fn show(report: &Report) {
    for line in &report.lines {
        println!(
            "depth {:>2}/{:<2}  {:<9} {:>11} nodes {:>9} nps {:>6} ms  {}",
            report.depth,
            report.selective_depth,
            line.score.to_string(),
            report.nodes,
            report.speed(),
            report.time.as_millis(),
            texts(line).join(" ")
        );
    }
}

/// Scores are for the side to move, `mateIn` is signed for White.
fn json(report: &Report, turn: Color) -> serde_json::Value {
    let lines: Vec<_> = report
        .lines
        .iter()
        .map(|line| {
            serde_json::json!({
                "score": line.score.value(),
                "mateIn": line.score.mate_in_for_white(turn),
                "pv": texts(line),
            })
        })
        .collect();
    serde_json::json!({
        "best": report.best().map(|action| action.to_string()),
        "score": report.score().value(),
        "mateIn": report.score().mate_in_for_white(turn),
        "depth": report.depth,
        "seldepth": report.selective_depth,
        "nodes": report.nodes,
        "nps": report.speed(),
        "tbhits": report.table_hits,
        "hashfull": report.hash_permille,
        "millis": report.time.as_millis() as u64,
        "lines": lines,
    })
}
