//! The load generator: clients and games in numbers against a server in a process of its own, over loopback.
//!
//! ```text
//! cargo bench -p boombots-server --bench load -- [--clients 2000] [--seconds 10] [--bots 0|2] [--stalled 0|1]
//! ```
//!
//! Half as many games as clients; each player answers after a pause, so that a game has about an action a second. An action's time
//! is from before it is sent until both players have its revision.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

mod client;
mod process;

use std::time::Duration;

use client::{Client, play, stall};
use process::Process;
use tokio::time::Instant;

struct Arguments {
    clients: usize,
    seconds: u64,
    bots: usize,
    stalled: usize,
}

fn arguments() -> Option<Arguments> {
    let mut arguments = Arguments { clients: 2_000, seconds: 10, bots: 0, stalled: 0 };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let value: u64 = words.next()?.parse().ok()?;
        match word.as_str() {
            "--clients" => arguments.clients = value as usize,
            "--seconds" => arguments.seconds = value,
            "--bots" => arguments.bots = value as usize,
            "--stalled" => arguments.stalled = value as usize,
            _ => return None,
        }
    }
    Some(arguments)
}

fn main() {
    // `cargo test --benches` only wants to know that it builds.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let Some(arguments) = arguments() else {
        eprintln!("usage: load [--clients N] [--seconds N] [--bots N] [--stalled N]");
        return;
    };
    tokio::runtime::Runtime::new().unwrap().block_on(run(arguments));
}

async fn run(arguments: Arguments) {
    let server = Process::start();
    let empty = server.memory();
    let mut clients = Vec::new();
    for number in 0..arguments.clients {
        clients.push(Client::connect(server.addr, &format!("Player {number}")).await);
    }
    tokio::time::sleep(Duration::from_secs(4)).await;
    let connected = server.memory();
    println!(
        "{} connections: {:.1} KB of memory each ({} MB in all)",
        clients.len(),
        (connected.saturating_sub(empty)) as f64 / 1_000.0 / clients.len() as f64,
        connected / 1_000_000,
    );

    let mut watchers = Vec::new();
    for bot in 0..arguments.bots {
        let mut watcher = Client::connect(server.addr, &format!("Watcher {bot}")).await;
        watcher.say(r#"{"type":"startBotMatch"}"#).await;
        watchers.push(tokio::spawn(watcher.listen()));
    }
    let mut pairs = Vec::new();
    while let (Some(white), Some(black)) = (clients.pop(), clients.pop()) {
        pairs.push(client::pair(white, black).await);
    }
    let games = pairs.len();
    println!("{games} games go on, {} of bots", arguments.bots);
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let first_game = pairs.first().map(|pair| pair.game);
    let stalled: Vec<_> = (0..arguments.stalled)
        .map(|number| tokio::spawn(stall(server.addr, number, first_game.unwrap_or(1), end)))
        .collect();
    let before = server.processor_seconds();
    let plays: Vec<_> = pairs
        .into_iter()
        .enumerate()
        .map(|(index, pair)| tokio::spawn(play(pair, index as u64, end)))
        .collect();
    let mut times = Vec::new();
    for play in plays {
        times.extend(play.await.unwrap());
    }
    let used = server.processor_seconds() - before;
    times.sort_unstable();
    let at = |permille: usize| {
        let index = (times.len().saturating_sub(1) * permille) / 1_000;
        times.get(index).copied().unwrap_or_default().as_secs_f64() * 1_000.0
    };
    println!(
        "{} actions in {} s ({:.0} a second), to both players: median {:.2} ms, p99 {:.2} ms, most {:.2} ms",
        times.len(),
        arguments.seconds,
        times.len() as f64 / arguments.seconds as f64,
        at(500),
        at(990),
        at(1_000),
    );
    println!(
        "the server used {:.1} s of processor time, bots included, and {} MB of memory",
        used,
        server.memory() / 1_000_000
    );
    for task in stalled {
        task.abort();
    }
    for watcher in watchers {
        watcher.abort();
    }
}
