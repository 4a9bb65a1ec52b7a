//! How much sooner several threads reach a depth than one.
//!
//! `cargo run --release -p boombots-search --example scaling -- FILE [DEPTH] [THREADS] [ROUNDS]`
//! searches every position of the file, one a line, to the depth with one
//! thread and with several in turn, each time from nothing, and prints for each
//! the ratio of the median times, then the median and the sum over positions
//! that took one thread at least 20 ms, and how many nodes all threads together
//! made for one of the lone thread.

use std::error::Error;
use std::time::Duration;

use boombots_rules::Position;
use boombots_search::{Engine, EngineOptions, Limits, Request, StopSwitch};

/// Shorter searches measure how fast a thread starts.
const LEAST: Duration = Duration::from_millis(20);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().ok_or("expected a file of positions")?;
    let number = |index: usize, default: usize| -> Result<usize, Box<dyn Error>> {
        Ok(arguments.get(index).map_or(Ok(default), |word| word.parse())?)
    };
    let (depth, threads, rounds) = (number(1, 10)?, number(2, 2)?, number(3, 3)?);
    let mut engines =
        [1, threads].map(|threads| Engine::new(&EngineOptions { hash_mebibytes: 64, threads }));
    let mut ratios = Vec::new();
    let mut all_nodes = [0.0; 2];
    let mut sums = [Duration::ZERO; 2];
    for line in std::fs::read_to_string(file)?.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let position: Position = line.parse()?;
        let request = Request::new(position, Limits::depth(u32::try_from(depth)?));
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (engine, times) in engines.iter_mut().zip(&mut times) {
                engine.clear();
                let report = engine.search(&request, &StopSwitch::new(), |_| {});
                times.push((report.time, report.nodes));
            }
        }
        let [alone, together] = times.map(|mut times| {
            times.sort();
            times[times.len() / 2]
        });
        if alone.0 < LEAST {
            continue;
        }
        let ([alone, together], nodes) =
            ([alone.0, together.0], [alone.1 as f64, together.1 as f64]);
        let ratio = together.as_secs_f64() / alone.as_secs_f64();
        all_nodes[0] += nodes[0];
        all_nodes[1] += nodes[1];
        println!("{ratio:.2} {alone:.1?} {together:.1?} {position}");
        ratios.push(ratio);
        sums[0] += alone;
        sums[1] += together;
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).ok_or("no position took long enough")?;
    let sum = sums[1].as_secs_f64() / sums[0].as_secs_f64();
    let work = all_nodes[1] / all_nodes[0];
    println!("median {median:.2}, sums {sum:.2}, nodes {work:.2}, {} positions", ratios.len());
    Ok(())
}
