//! An analysis by real processes that are killed while it goes on: no finished job is lost, and what
//! is proved in the end has a certificate that another program checks.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::programs::{Coordinator, Worker, program};

/// Far from decided without tables: all its jobs are done.
const LONG: &str = "8/1a6/5A2/8/8/2A2a2/A7/8 w";

/// Won, and some jobs away from its proof without tables.
const WON: &str = "7a/8/8/8/8/8/8/AA6 w";

#[test]
fn killed_workers_and_coordinators_lose_no_finished_job() {
    let folder = tempfile::tempdir().unwrap();
    let mut coordinator = Coordinator::start(folder.path());
    let token = coordinator.token();
    let mut workers: Vec<Worker> =
        (0..2).map(|number| Worker::start(folder.path(), number, &token)).collect();
    let data = folder.path().join("data");
    let out = folder.path().join("analysis.json");
    let mut analysis = Command::new(env!("CARGO_BIN_EXE_boombots-coordinator"))
        .arg("--data")
        .arg(&data)
        .args(["analyze", LONG, "--job", "50", "--jobs", "60", "--json"])
        .stdout(std::fs::File::create(&out).unwrap())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let (mut most, mut kills) = (0, 0);
    let status = loop {
        let status = coordinator.analyses().pop();
        if let Some(status) = status {
            let jobs = status["jobs"].as_u64().unwrap();
            assert!(jobs >= most, "{jobs} jobs where there were {most}: {status}");
            let is_over = status["state"] != "running";
            if is_over {
                break status;
            }
            // Every few jobs somebody is killed.
            if jobs >= most + 4 && kills < 6 {
                kills += 1;
                if kills % 3 == 0 {
                    coordinator.kill_and_restart();
                } else {
                    workers[kills % 2].kill();
                    workers[kills % 2] = Worker::start(folder.path(), kills % 2, &token);
                }
                let after = coordinator.analyses().pop().unwrap()["jobs"].as_u64().unwrap();
                assert!(after >= jobs, "{after} jobs where there were {jobs}");
                most = after;
            }
        }
        assert!(started.elapsed() < Duration::from_secs(600), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(kills > 0, "nobody was killed: {status}");
    assert!(status["jobs"].as_u64() >= Some(60) && status["score"].is_i64(), "{status}");
    assert!(analysis.wait().unwrap().success());
    let lines = std::fs::read_to_string(&out).unwrap();
    let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!(last["score"], status["score"]);
    let said = coordinator.ask(&["analyze", WON, "--job", "50"]).unwrap();
    assert!(said.contains("proved win in at most"), "{said}");
    let certificate = coordinator.ask(&["certificate", "2"]).unwrap();
    let file = folder.path().join("certificate");
    std::fs::write(&file, &certificate).unwrap();
    let check = |file: &std::path::Path| {
        let mut command = Command::new(program("boombots-tablebase"));
        command.arg("check-certificate").arg(file).arg("--dir").arg(data.join("tables"));
        command.output().unwrap()
    };
    let checked = check(&file);
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success(), "{said}{}", String::from_utf8_lossy(&checked.stderr));
    assert!(said.contains(": win in at most"), "{said}");
    let mut changed = certificate.into_bytes();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    std::fs::write(&file, changed).unwrap();
    assert!(!check(&file).status.success());
}
