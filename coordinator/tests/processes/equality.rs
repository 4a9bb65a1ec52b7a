//! However many workers there are and however a class is cut, and whoever comes and goes, the bytes
//! are those of one process.
//!
//! `BOOMBOTS_EQUALITY=CLASS` takes every combination for that class; a short form takes some.

use std::time::Duration;

use crate::programs::{Coordinator, Worker, reference, same_tables};

#[test]
fn workers_and_shards_of_any_number_give_the_same_bytes() {
    let class = std::env::var("BOOMBOTS_EQUALITY").ok();
    let all =
        || [1, 2, 3].into_iter().flat_map(|workers| [1, 4, 16].map(|shards| (workers, shards)));
    let ways: Vec<(usize, u16)> = match class {
        Some(_) => all().collect(),
        None => vec![(1, 16), (2, 4), (3, 1)],
    };
    let class = class.unwrap_or_else(|| "3v2".into());
    let reference = reference(&class);
    for (count, shards) in ways {
        let folder = tempfile::tempdir().unwrap();
        let mut coordinator = Coordinator::start(folder.path());
        let token = coordinator.token();
        let workers: Vec<Worker> =
            (0..count).map(|number| Worker::start(folder.path(), number, &token)).collect();
        coordinator.build_cut(&class, shards);
        coordinator.wait_for_build(Duration::from_secs(3600));
        same_tables(&coordinator.tables(), &reference);
        println!("{class}: {count} workers, {shards} shards a side: the same bytes");
        drop(workers);
    }
}

#[test]
fn workers_joining_and_leaving_in_the_middle_give_the_same_bytes() {
    let class = std::env::var("BOOMBOTS_EQUALITY").unwrap_or_else(|_| "3v2".into());
    let folder = tempfile::tempdir().unwrap();
    let mut coordinator = Coordinator::start(folder.path());
    let token = coordinator.token();
    let first = Worker::start(folder.path(), 0, &token);
    coordinator.build_cut(&class, 6);
    let past = |ply: u64| {
        let class = class.clone();
        move |status: &serde_json::Value| {
            let mut classes = status["classes"].as_array().unwrap().iter();
            classes
                .any(|found| found["class"] == class.as_str() && found["ply"].as_u64() > Some(ply))
        }
    };
    let limit = Duration::from_secs(3600);
    coordinator.until(limit, past(2));
    let second = Worker::start(folder.path(), 1, &token);
    coordinator.until(limit, |status| status["workers"].as_array().unwrap().len() == 2);
    // The first hands its leases back, so the second has all of them to make again.
    first.signal(rustix::process::Signal::TERM);
    coordinator.until(limit, past(5));
    let third = Worker::start(folder.path(), 2, &token);
    coordinator.wait_for_build(limit);
    same_tables(&coordinator.tables(), &reference(&class));
    drop((first, second, third));
}
