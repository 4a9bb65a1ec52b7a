//! Real processes, killed, stopped and started again while they build. What comes out is compared
//! byte for byte with the tables of one undisturbed run.
//!
//! `BOOMBOTS_CHAOS=CLASS` takes a larger class than 3v2, and so longer.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::programs::{Coordinator, Worker, reference, room_in_memory, same_tables};

#[test]
fn killed_workers_and_coordinators_cost_nothing_but_time() {
    let class = std::env::var("BOOMBOTS_CHAOS").unwrap_or_else(|_| "3v2".into());
    let folder = tempfile::tempdir().unwrap();
    let mut coordinator = Coordinator::start(folder.path());
    let token = coordinator.token();
    let mut workers: Vec<Worker> =
        (0..3).map(|number| Worker::start(folder.path(), number, &token)).collect();
    coordinator.build(&class);
    let started = Instant::now();
    let (mut kills, mut restarts) = (0_u32, 0);
    let mut killed_in: Vec<&str> = Vec::new();
    let mut next_kill = Duration::from_secs(1);
    let mut stopped: Option<Instant> = None;
    loop {
        let status = coordinator.status();
        let state = status["builds"][0]["state"].as_str().unwrap_or("").to_owned();
        assert!(state != "failed", "{status}");
        if state == "done" {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(3600), "it does not end: {status}");
        let classes = status["classes"].as_array().cloned().unwrap_or_default();
        let phase = |wanted: &str| {
            classes.iter().any(|c| c["class"] == class.as_str() && c["phase"] == wanted)
        };
        // Twice in the middle of the class, and once when it is checked and when it is published.
        let mut late = ["publishing", "verifying"].into_iter();
        let late = late.find(|late| !killed_in.contains(late) && phase(late));
        if let Some(late) = late {
            killed_in.push(late);
        }
        if late.is_some() || restarts < 2 && phase("plies") {
            restarts += 1;
            coordinator.kill_and_restart();
        }
        if started.elapsed() > next_kill && kills < 4 {
            kills += 1;
            next_kill = started.elapsed() + Duration::from_secs(4);
            workers[0].kill();
            workers[0] = Worker::start(folder.path(), 0, &token);
        }
        match stopped {
            None if phase("plies") || phase("booms") => {
                workers[1].signal(Signal::STOP);
                stopped = Some(Instant::now());
            }
            Some(since) if since.elapsed() > Duration::from_secs(4) => {
                workers[1].signal(Signal::CONT);
            }
            _ => {}
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    workers[1].signal(Signal::CONT);
    same_tables(&coordinator.tables(), &reference(&class));
    let log = coordinator.log();
    assert!(kills == 0 || log.contains("joined"), "{log}");
    assert!(restarts > 0, "the coordinator was never killed");
    println!("{class}: {kills} workers and {restarts} coordinators killed, {killed_in:?}");
}

#[test]
fn a_full_disk_stops_nothing_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let Some(small) = room_in_memory(folder.path(), 24) else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    // Nearly all of it is taken, so that the deltas of 3v1 do not fit.
    let ballast = small.path().join("ballast");
    let mut coordinator = Coordinator::start(small.path());
    small.fill(&ballast, 256 << 10);
    let token = coordinator.token();
    let worker = Worker::start(folder.path(), 0, &token);
    coordinator.build("3v1");
    let started = Instant::now();
    loop {
        let status = coordinator.status();
        if status["storeProblem"].is_string() {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "no problem is told: {status}");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::fs::remove_file(&ballast).unwrap();
    coordinator.wait_for_build(Duration::from_secs(120));
    same_tables(&coordinator.tables(), &reference("3v1"));
    drop(worker);
}

/// A worker is killed every few seconds for as long as the build lasts, each in its turn.
/// `BOOMBOTS_KILLS=CLASS:SECONDS` takes a larger class than 3v2, which lasts but a moment.
#[test]
fn work_done_twice_is_no_more_than_what_was_lost() {
    let wanted = std::env::var("BOOMBOTS_KILLS").unwrap_or_else(|_| "3v2:0.5".into());
    let (class, every) = wanted.split_once(':').unwrap();
    let every = Duration::from_secs_f64(every.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let coordinator = Coordinator::start(folder.path());
    let token = coordinator.token();
    let mut workers: Vec<Worker> =
        (0..3).map(|number| Worker::start(folder.path(), number, &token)).collect();
    coordinator.build(class);
    let started = Instant::now();
    let mut kills = 0;
    coordinator.until(Duration::from_secs(7200), |status| {
        if started.elapsed() > every * (kills as u32 + 1) {
            let worker = kills % workers.len();
            workers[worker].kill();
            workers[worker] = Worker::start(folder.path(), worker, &token);
            kills += 1;
        }
        status["builds"][0]["state"] == "done"
    });
    let status = coordinator.status();
    let count = |name: &str| status["counters"][name].as_u64().unwrap();
    let (booms, again) = (count("booms"), count("boomsAgain"));
    let (sweeps, lost) = (count("steps"), count("leasesLost"));
    println!(
        "{class} in {:.0} s, {kills} kills: {lost} leases lost, {again} of {booms} boom passes and \
         at most {lost} of {sweeps} sweeps done twice",
        started.elapsed().as_secs_f64()
    );
    // Nothing is done over that was not lost.
    assert!(again <= lost, "{status}");
    assert_eq!(count("stepsAgain"), 0, "{status}");
    assert_eq!(count("problems"), 0, "{status}");
    assert!(kills > 0, "it was done before anybody was killed");
    same_tables(&coordinator.tables(), &reference(class));
}
