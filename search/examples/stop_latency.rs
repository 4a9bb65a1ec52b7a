//! How long a search goes on after it is told to stop, and past its time.
//!
//! `cargo run --release -p boombots-search --example stop_latency -- [ROUNDS] [TABLES]`
//! stops endless searches of several positions after random waits, and gives
//! others 20 ms, and prints the median, the 99th of a hundred and the longest
//! delay of both.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boombots_rules::Position;
use boombots_search::{EndgameTables, Engine, EngineOptions, Limits, Request, StopSwitch};

/// An opening, a middle game full of contact, an ending whose lines run far
/// into the tables, and one they cover.
const POSITIONS: [&str; 4] = [
    "aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w",
    "1ba1a1aa/aaa1aaa1/5A1a/8/3AbA2/8/AAA1aCA1/AAAA1A1A w",
    "5b2/b7/8/6A1/A7/5a2/8/7C b",
    "8/8/2a5/5b2/8/1A6/6B1/8 w",
];

const GIVEN: Duration = Duration::from_millis(20);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rounds: u64 = arguments.next().map_or(Ok(50), |word| word.parse())?;
    let tables = match arguments.next() {
        Some(folder) => Some(Arc::new(EndgameTables::open(Path::new(&folder))?)),
        None => None,
    };
    for threads in [1, 2] {
        let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 64, threads });
        engine.set_tables(tables.clone());
        let (mut stopped, mut timed) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            for text in POSITIONS {
                let position: Position = text.parse()?;
                let stop = StopSwitch::new();
                let limits = Limits { infinite: true, ..Limits::default() };
                let request = Request::new(position, limits);
                let wait = Duration::from_micros(500 + round * 7_919 % 60_000);
                stopped.push(std::thread::scope(|scope| {
                    let search = scope.spawn(|| {
                        engine.search(&request, &stop, |_| {});
                        Instant::now()
                    });
                    std::thread::sleep(wait);
                    let pressed = Instant::now();
                    stop.stop();
                    let ended = search.join().expect("a search does not panic");
                    ended.saturating_duration_since(pressed)
                }));
                let request = Request::new(position, Limits::time(GIVEN));
                let begun = Instant::now();
                engine.search(&request, &StopSwitch::new(), |_| {});
                timed.push(begun.elapsed().saturating_sub(GIVEN));
            }
        }
        for (what, mut delays) in [("stopped", stopped), ("timed", timed)] {
            delays.sort();
            let at = |share: usize| delays[(delays.len() * share / 100).min(delays.len() - 1)];
            println!(
                "{threads} threads, {what}: median {:.2?}, 99 % {:.2?}, longest {:.2?} of {}",
                at(50),
                at(99),
                at(100),
                delays.len(),
            );
        }
    }
    Ok(())
}
