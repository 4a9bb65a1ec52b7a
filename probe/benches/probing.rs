//! What a probe costs: values and distances of random 3v3 positions with every block decoded, and a
//! block that is not.
//!
//! Needs the tables of 3v3, in the folder that `BOOMBOTS_TABLES` names or in `.data/tablebase`.

use std::hint::black_box;
use std::path::PathBuf;

use boombots_probe::{Metric, Table, Tables, TablesOptions, table_file_name};
use boombots_rules::{Color, Position, Square};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

fn folder() -> PathBuf {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../.data/tablebase");
    std::env::var_os("BOOMBOTS_TABLES").map_or_else(|| default.into(), PathBuf::from)
}

/// A sequence of random numbers (xorshift) that is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn random_position(random: &mut Random, bots: u8) -> Position {
    let mut position = Position::empty(Color::White);
    for color in Color::ALL {
        while position.bots(color) < bots {
            let square = Square::ALL[random.below(64) as usize];
            // A square of the other colour is drawn again.
            let _ = position.add_bots(color, square, 1);
        }
    }
    position
}

fn probing(criterion: &mut Criterion) {
    let class = "3v3".parse().expect("a class");
    let options = TablesOptions { cache_bytes: 2 << 30 };
    let tables = Tables::open(&folder(), options).expect("a folder of tables");
    assert!(tables.has(class), "build the tables of 3v3 first: make run");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let positions: Vec<Position> = (0..1 << 16).map(|_| random_position(&mut random, 3)).collect();
    for position in &positions {
        tables.value(position).expect("a covered position");
    }

    let mut group = criterion.benchmark_group("warm 3v3");
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    group.bench_function("wdl", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % positions.len();
            black_box(tables.wdl(&positions[next])).expect("a covered position")
        });
    });
    group.bench_function("dtm", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % positions.len();
            black_box(tables.value(&positions[next])).expect("a covered position")
        });
    });
    group.bench_function("every action", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % positions.len();
            black_box(tables.rate_actions(&positions[next])).expect("a covered position")
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("cold block of 3v3");
    for metric in Metric::ALL {
        let table = Table::open(&folder().join(table_file_name(class, metric))).expect("a table");
        let part = &table.parts()[0];
        group.bench_function(metric.name(), |bencher| {
            bencher.iter_batched(
                || random.below(part.blocks() as u64) as usize,
                |block| table.block(part, block).expect("a sound block"),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, probing);
criterion_main!(benches);
