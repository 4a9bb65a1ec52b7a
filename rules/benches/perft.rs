//! Nodes a second of the move generator: perft 4 from both starts.

use std::hint::black_box;

use boombots_rules::{Position, Start, perft};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const DEPTH: u32 = 4;

fn perft_from_starts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft 4");
    for start in Start::ALL {
        let position = Position::start(start);
        group.throughput(Throughput::Elements(perft(&position, DEPTH)));
        group.bench_function(start.name(), |bencher| {
            bencher.iter(|| perft(black_box(&position), DEPTH));
        });
    }
    group.finish();
}

criterion_group!(benches, perft_from_starts);
criterion_main!(benches);
