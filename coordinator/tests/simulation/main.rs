//! Seeded simulations of the scheduler: messages are lost, doubled, delayed and reordered, workers
//! crash, stall, come back and lie, and the coordinator is killed and restarted. Whatever happens,
//! every build ends, and with exactly the segments that a run without any trouble gives.
//!
//! `BOOMBOTS_SEED=n` runs one seed only; `BOOMBOTS_SEEDS=n` sets how many are run.

mod model;
mod world;

use world::World;

#[test]
fn every_build_ends_with_the_right_segments() {
    if let Ok(seed) = std::env::var("BOOMBOTS_SEED") {
        let seed = seed.parse().expect("BOOMBOTS_SEED is a number");
        println!("{}", World::new(seed).run().expect("the seed fails"));
        return;
    }
    let seeds = std::env::var("BOOMBOTS_SEEDS").ok();
    let seeds = seeds.map_or(1200, |seeds| seeds.parse().expect("BOOMBOTS_SEEDS is a number"));
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let failures: Vec<(u64, String)> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let seeds = (0..seeds).filter(|seed| seed % threads == thread);
                    seeds
                        .filter_map(|seed| {
                            let run = std::panic::catch_unwind(|| World::new(seed).run());
                            match run {
                                Ok(Ok(_)) => None,
                                Ok(Err(problem)) => Some((seed, problem)),
                                Err(_) => Some((seed, "it panicked".to_owned())),
                            }
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        runs.into_iter().flat_map(|run| run.join().expect("a thread of seeds")).collect()
    });
    for (seed, problem) in &failures {
        eprintln!("seed {seed} fails: {problem}\n  replay it with BOOMBOTS_SEED={seed}");
    }
    assert!(failures.is_empty(), "{} of {seeds} seeds fail", failures.len());
}
