//! `boombots-engine`.

use std::time::Duration;

use boombots_rules::{Position, Start};
use boombots_search::{Board, Engine, EngineOptions, Limits, Request, StopSwitch};

fn main() {
    let position = Position::start(Start::Standard);
    let t = std::time::Instant::now();
    println!("perft 4 {} {:?}", Board::from(&position).perft(4), t.elapsed());
    let mut engine = Engine::new(&EngineOptions::default());
    engine.search(
        &Request::new(position, Limits::time(Duration::from_secs(5))),
        &StopSwitch::new(),
        |r| {
            println!(
                "depth {} sel {} score {} nodes {} nps {} time {:?} pv {}",
                r.depth,
                r.selective_depth,
                r.score(),
                r.nodes,
                r.speed(),
                r.time,
                r.lines[0].actions.iter().map(|a| a.to_string()).collect::<Vec<_>>().join(" ")
            )
        },
    );
}
