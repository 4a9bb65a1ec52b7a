//! `boombots-engine bench`.

use std::time::Duration;

use anyhow::{Context, Result};
use boombots_search::{Engine, EngineOptions, Limits, Request, StopSwitch};
use clap::Args;

use super::positions;

/// What to search.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Depth of every search.
    #[arg(long, default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Print one object of JSON.
    #[arg(long)]
    json: bool,
}

/// The depth of the signature.
const DEPTH: u32 = 10;

/// Openings, middles and endings of games, one a line.
const POSITIONS: &str = include_str!("../../data/bench.txt");

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let positions = positions(POSITIONS).context("the built-in bench positions")?;
    let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 16, threads: 1 });
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for position in positions {
        engine.clear();
        let request = Request::new(position, Limits::depth(arguments.depth));
        let report = engine.search(&request, &StopSwitch::new(), |_| {});
        nodes += report.nodes;
        time += report.time;
        if !arguments.json {
            let best = report.best().map_or("none".to_owned(), |action| action.to_string());
            println!("{:>10} nodes  {best:<6} {:<10} {position}", report.nodes, report.score());
        }
    }
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    if arguments.json {
        let millis = time.as_millis() as u64;
        println!("{}", serde_json::json!({ "nodes": nodes, "nps": speed, "millis": millis }));
    } else {
        println!("{nodes} nodes {speed} nps");
        println!("Bench: {nodes}");
    }
    Ok(())
}
