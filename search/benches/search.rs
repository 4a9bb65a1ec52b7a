//! Time of the parts a search is made of, and of whole searches.

use std::hint::black_box;

use boombots_rules::{Position, Start};
use boombots_search::{Board, Engine, EngineOptions, Limits, Request, StopSwitch, static_value};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MIDDLE: &str = "1d1bb2c/8/8/6a1/B7/7B/1A1A4/1A1BA1AA w";

fn positions() -> [(&'static str, Position); 2] {
    let middle = MIDDLE.parse().expect("the position is well formed");
    [("opening", Position::start(Start::Standard)), ("middle", middle)]
}

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    const NODES: u64 = 200_000;
    group.throughput(Throughput::Elements(NODES));
    group.sample_size(20);
    for (name, position) in positions() {
        let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 16, threads: 1 });
        let request = Request::new(position, Limits::nodes(NODES));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                engine.clear();
                engine.search(&request, &StopSwitch::new(), |_| {})
            });
        });
    }
    group.finish();
}

fn parts(criterion: &mut Criterion) {
    for (name, position) in positions() {
        criterion.bench_function(&format!("evaluation/{name}"), |bencher| {
            bencher.iter(|| static_value(black_box(&position)));
        });
        let board = Board::from(&position);
        criterion.bench_function(&format!("perft 3/{name}"), |bencher| {
            bencher.iter(|| black_box(&board).perft(3));
        });
    }
}

criterion_group!(benches, searches, parts);
criterion_main!(benches);
