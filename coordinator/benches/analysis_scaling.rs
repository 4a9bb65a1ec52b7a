//! The time to prove every position of `data/won.txt` by 1, 2, 4 and 16 workers, in virtual time:
//! each job is done once, really, and costs what it took whoever does it.
//!
//! ```text
//! cargo bench -p boombots-coordinator --bench analysis_scaling -- --tables DIR
//! ```
//!
//! `--nodes N` is the budget of a job; a worker looks at a million nodes a second of virtual time.
//! `--last N` takes only the last N positions, which are the easier ones; `--each` proves one position after another instead of all at once.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]

#[path = "../tests/analysis/cluster.rs"]
mod cluster;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boombots_cluster_protocol::{AnalysisGoal, AnalysisPriority, AnalysisRequest};
use boombots_search::EndgameTables;

use cluster::{Cluster, Solver, Trouble};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let tables = value("--tables").map(|folder| {
        Arc::new(EndgameTables::open(Path::new(&folder)).expect("the folder of tables is readable"))
    });
    let nodes = value("--nodes").map_or(1_000_000, |nodes| nodes.parse().unwrap());
    let limit = value("--limit").map_or(600, |seconds| seconds.parse().unwrap());
    let is_each = arguments.iter().any(|argument| argument == "--each");
    if tables.is_none() {
        // As `cargo bench --workspace` runs it: the set takes minutes, and tables.
        println!("analysis_scaling: left out; it takes --tables DIR");
        return;
    }
    let text = include_str!("../data/won.txt");
    let mut positions: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    if let Some(last) = value("--last") {
        let first = positions.len().saturating_sub(last.parse().unwrap());
        positions.drain(..first);
    }
    let mut solver = Solver::new(tables, nodes);
    let mut alone = None;
    for workers in [1, 2, 4, 16] {
        let started = Instant::now();
        let sets: Vec<Vec<&str>> = match is_each {
            true => positions.iter().map(|position| vec![*position]).collect(),
            false => vec![positions.clone()],
        };
        let (mut took, mut proved, mut jobs) = (Duration::ZERO, 0, 0);
        for set in &sets {
            let run = prove(&mut solver, workers, set, Duration::from_secs(limit));
            took += run.0;
            proved += run.1;
            jobs += run.2;
        }
        let alone = *alone.get_or_insert(took);
        println!(
            "{workers:2} workers: {proved} of {} proved in {:.1} s, {jobs} jobs, {:.2} times one worker ({:.0} s)",
            positions.len(),
            took.as_secs_f64(),
            alone.as_secs_f64() / took.as_secs_f64(),
            started.elapsed().as_secs_f64(),
        );
    }
}

/// Proves positions, all at once, in so much virtual time at most; the time, how many, the jobs.
fn prove(
    solver: &mut Solver,
    workers: usize,
    positions: &[&str],
    limit: Duration,
) -> (Duration, usize, u64) {
    let mut cluster = Cluster::new(solver, workers, 1);
    let limit = limit * positions.len() as u32;
    for position in positions {
        let request = AnalysisRequest {
            position: (*position).to_owned(),
            goal: AnalysisGoal::Proved,
            lines: 1,
            priority: AnalysisPriority::Batch,
            job_milliseconds: 1_000,
        };
        cluster.analyses.submit(&request, cluster.now).unwrap();
    }
    cluster.settle();
    let mut shown = 0;
    while cluster.running() && cluster.now < limit && cluster.step(Trouble::default()) {
        if std::env::var_os("BOOMBOTS_VERBOSE").is_some() && cluster.finished >= shown + 50 {
            shown = cluster.finished;
            let statuses = cluster.analyses.statuses(cluster.now);
            let open = statuses.iter().filter(|status| status.proved.is_none());
            let open: Vec<String> = open
                .map(|status| format!("{}:{}/{:?}", status.id, status.jobs, status.proof_numbers.0))
                .collect();
            eprintln!("{:.0} s {shown} jobs, open {}", cluster.now.as_secs_f64(), open.join(" "));
        }
    }
    let statuses = cluster.analyses.statuses(cluster.now);
    let proved = statuses.iter().filter(|status| status.proved.is_some()).count();
    for status in statuses.iter().filter(|status| status.proved.is_none()) {
        eprintln!(
            "  not proved: {}, {} jobs, {:?}",
            status.position, status.jobs, status.proof_numbers
        );
    }
    (cluster.now, proved, cluster.finished)
}
