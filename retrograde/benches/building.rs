//! What building a class costs, part by part: setting up, booms, sweeps, the exchange between plies,
//! counting, and compressing at the default levels.
//!
//! `cargo bench -p boombots-retrograde --bench building -- 3v3 5` solves 3v3 five times from
//! nothing and prints the median of each part; the classes beneath are solved once before.
//! `BOOMBOTS_SIMD` forces the vector instructions, `RAYON_NUM_THREADS` the threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use boombots_probe::{Class, Material, Metric, OrbitTables};
use boombots_retrograde::{
    Compression, Level, SideEncoder, SolveEvent, SolveOptions, SolvedSide, Storage, solve,
    statistics,
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let class: Class = words.first().map_or("3v2", String::as_str).parse().expect("a class");
    let runs: usize = words.get(1).map_or(3, |runs| runs.parse().expect("a number of runs"));
    let level = Level::from_environment().expect("a level");
    let orbits = OrbitTables::new();
    let mut beneath = Beneath::new();
    for class in class.foundation() {
        for side in run(class, &orbits, level, &beneath).0 {
            beneath.insert(side.layout().material, Arc::new(side));
        }
    }
    let threads = rayon::current_num_threads();
    println!("{class}, {level}, {threads} threads, median of {runs} runs, in milliseconds");
    let mut parts: Vec<Parts> = Vec::new();
    for _ in 0..runs {
        let (sides, mut taken) = run(class, &orbits, level, &beneath);
        let started = Instant::now();
        for side in &sides {
            statistics(side, &orbits);
        }
        taken.counting = started.elapsed();
        for (metric, took) in [
            (Metric::Wdl, &mut taken.compressing_values),
            (Metric::Dtm, &mut taken.compressing_distances),
        ] {
            let started = Instant::now();
            let compression = match metric {
                Metric::Wdl => Compression::DEFAULT.values,
                Metric::Dtm => Compression::DEFAULT.distances,
            };
            for side in &sides {
                let encoder = SideEncoder::new(side, &orbits, level);
                let encoded = encoder.encode(metric, compression, |_| Ok::<_, ()>(()));
                encoded.expect("nothing that fails");
            }
            *took = started.elapsed();
        }
        parts.push(taken);
    }
    type Part = (&'static str, fn(&Parts) -> Duration);
    let named: [Part; 8] = [
        ("set-up", |parts| parts.setting_up),
        ("booms", |parts| parts.booms),
        ("sweeps", |parts| parts.sweeps),
        ("exchange", |parts| parts.exchange),
        ("solved in all", |parts| parts.solved),
        ("counting", |parts| parts.counting),
        ("compressing values", |parts| parts.compressing_values),
        ("compressing distances", |parts| parts.compressing_distances),
    ];
    for (name, part) in named {
        let mut times: Vec<Duration> = parts.iter().map(part).collect();
        times.sort();
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        let (least, median, most) =
            (millis(times[0]), millis(times[times.len() / 2]), millis(times[times.len() - 1]));
        println!("{name:>22} {median:>9.1}   ({least:.1} – {most:.1})");
    }
}

type Beneath = HashMap<Material, Arc<SolvedSide>>;

#[derive(Clone, Copy, Default)]
struct Parts {
    setting_up: Duration,
    booms: Duration,
    sweeps: Duration,
    exchange: Duration,
    solved: Duration,
    counting: Duration,
    compressing_values: Duration,
    compressing_distances: Duration,
}

fn run(
    class: Class,
    orbits: &OrbitTables,
    level: Level,
    beneath: &Beneath,
) -> (Vec<SolvedSide>, Parts) {
    let started = Instant::now();
    let taken = Mutex::new((started, Parts::default()));
    let observe = |event: SolveEvent| {
        if matches!(event, SolveEvent::BoomsAdvanced { .. }) {
            return;
        }
        let mut taken = taken.lock().expect("no thread panics");
        let since = taken.0.elapsed();
        taken.0 = Instant::now();
        match event {
            SolveEvent::BoomsStarted { .. } => taken.1.setting_up += since,
            SolveEvent::BoomsAdvanced { .. }
            | SolveEvent::PlyRecorded { .. }
            | SolveEvent::PlyReplayed { .. } => {}
            SolveEvent::BoomsEnded => taken.1.booms += since,
            SolveEvent::PlySwept { .. } => taken.1.sweeps += since,
            SolveEvent::Exchanged { .. } => taken.1.exchange += since,
        }
    };
    let options = SolveOptions { level, shards: 1, storage: Storage::Heap };
    let load = |side| Ok(Arc::clone(&beneath[&side]));
    let sides = solve(class, orbits, &load, &options, &observe).expect("a class that is solved");
    let mut parts = taken.into_inner().expect("no thread panics").1;
    parts.solved = started.elapsed();
    (sides, parts)
}
