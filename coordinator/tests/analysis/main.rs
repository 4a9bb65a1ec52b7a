//! Seeded simulations of analyses: workers die, the coordinator dies, results come twice, late or
//! under leases that have ended. Whatever happens, positions are decided, no finished job is lost or
//! done twice, and certificates hold.
//!
//! `BOOMBOTS_SEEDS=n` sets how many seeds are run.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod cluster;

use std::time::Duration;

use boombots_cluster_protocol::{
    AnalysisGoal, AnalysisPriority, AnalysisRequest, AnalysisState, GameResult,
};
use boombots_coordinator::analysis::{Analyses, AnalysisError, ProofSources};
use boombots_probe::{Certificate, ProofStep, Tables, TablesOptions};

use cluster::{Cluster, Solver, Trouble};

fn request(position: &str) -> AnalysisRequest {
    AnalysisRequest {
        position: position.to_owned(),
        goal: AnalysisGoal::Proved,
        lines: 2,
        priority: AnalysisPriority::Interactive,
        job_milliseconds: 1_000,
    }
}

/// Won and lost positions that a few small jobs decide without tables.
const DECIDED: [(&str, GameResult); 4] = [
    ("7a/8/6A1/8/8/8/8/A7 w", GameResult::Win),
    ("7a/8/6A1/5A2/8/8/8/A7 b", GameResult::Loss),
    ("a7/2A5/8/8/8/8/5A2/7A w", GameResult::Win),
    ("1a6/8/2A5/8/8/4A3/8/A7 w", GameResult::Win),
];

fn run(solver: &mut Solver, seed: u64, trouble: Trouble) -> u64 {
    let mut cluster = Cluster::new(solver, 1 + (seed % 4) as usize, seed);
    for (position, _) in DECIDED {
        cluster.analyses.submit(&request(position), cluster.now).unwrap();
    }
    cluster.settle();
    let mut steps = 0;
    while cluster.running() {
        assert!(cluster.step(trouble), "seed {seed}: nothing happens any more");
        steps += 1;
        assert!(steps < 20_000, "seed {seed}: it does not end");
    }
    check_results(&cluster, seed);
    let before = shown(&cluster.analyses);
    cluster.restart();
    assert_eq!(shown(&cluster.analyses), before, "seed {seed}: a restart changes nothing");
    let folder = tempfile::tempdir().unwrap();
    let tables = Tables::open(folder.path(), TablesOptions::default()).unwrap();
    for id in 1..=DECIDED.len() as u32 {
        let sources = cluster.analyses.proof_sources(id).unwrap().unwrap();
        certificate(&cluster, sources, &tables).check(&tables).unwrap();
    }
    cluster.finished
}

fn check_results(cluster: &Cluster<'_>, seed: u64) {
    for (at, (position, result)) in DECIDED.iter().enumerate() {
        let status = cluster.analyses.status(at as u32 + 1, cluster.now).unwrap();
        assert_eq!(status.state, AnalysisState::Done, "seed {seed}: {position}");
        assert_eq!(status.proved.unwrap().result, *result, "seed {seed}: {position}");
    }
}

fn certificate(cluster: &Cluster<'_>, sources: ProofSources, tables: &Tables) -> Certificate {
    let mut steps = sources.steps;
    for blob in &sources.blobs {
        steps.extend(ProofStep::unpack(&cluster.blobs[blob]).unwrap());
    }
    Certificate::build(&sources.position, sources.claim, steps, tables).unwrap()
}

/// What analyses show, but for what is counted from the start.
fn shown(analyses: &Analyses) -> Vec<String> {
    let statuses = analyses.statuses(Duration::ZERO).into_iter();
    let text = statuses.map(|mut status| {
        status.revision = 0;
        status.elapsed_seconds = 0.0;
        serde_json::to_string(&status).unwrap()
    });
    text.collect()
}

#[test]
fn whatever_happens_positions_are_decided_and_no_job_is_lost() {
    let seeds = std::env::var("BOOMBOTS_SEEDS").ok();
    let seeds = seeds.map_or(150, |seeds| seeds.parse().expect("BOOMBOTS_SEEDS is a number"));
    let mut solver = Solver::new(None, 3_000);
    let mut jobs = 0;
    for seed in 0..seeds {
        let trouble = Trouble {
            worker_dies: seed % 5 * 40,
            coordinator_dies: seed % 3 * 40,
            result_doubled: seed % 7 * 40,
            result_stale: seed % 11 * 40,
        };
        jobs += run(&mut solver, seed, trouble);
    }
    assert!(jobs >= seeds * DECIDED.len() as u64, "{jobs} jobs");
}

#[test]
fn results_under_leases_that_have_ended_are_refused() {
    let mut solver = Solver::new(None, 3_000);
    let mut cluster = Cluster::new(&mut solver, 2, 1);
    cluster.analyses.submit(&request(DECIDED[0].0), cluster.now).unwrap();
    cluster.settle();
    let trouble = Trouble { result_stale: 1_000, ..Trouble::default() };
    while cluster.running() && cluster.step(trouble) {}
    while cluster.step(trouble) {}
    let counters = cluster.analyses.counters();
    assert!(counters.stale >= 2 * counters.results, "{counters:?}");
    assert_eq!(counters.results, cluster.finished);
}

#[test]
fn analyses_of_equal_positions_share_what_is_found() {
    let mut solver = Solver::new(None, 3_000);
    let mut cluster = Cluster::new(&mut solver, 1, 1);
    cluster.analyses.submit(&request("7a/8/6A1/8/8/8/8/A7 w"), cluster.now).unwrap();
    cluster.settle();
    while cluster.running() && cluster.step(Trouble::default()) {}
    let jobs = cluster.finished;
    // The same but for a mirror and the colours.
    let id = cluster.analyses.submit(&request("A7/8/1a6/8/8/8/8/7a b"), cluster.now).unwrap();
    cluster.settle();
    let status = cluster.analyses.status(id, cluster.now).unwrap();
    assert_eq!(status.state, AnalysisState::Done);
    assert_eq!(status.proved.unwrap().result, GameResult::Win);
    assert_eq!(cluster.finished, jobs);
    assert!(status.lines[0].actions[0].contains('b'), "{:?}", status.lines);
}

#[test]
fn interactive_analyses_go_before_batch_ones() {
    let mut solver = Solver::new(None, 500);
    let mut cluster = Cluster::new(&mut solver, 1, 1);
    let long = "aaaa4/8/8/8/8/8/8/AAAA4 w";
    let jobs = AnalysisGoal::Jobs { jobs: 20 };
    let batch = AnalysisRequest { priority: AnalysisPriority::Batch, goal: jobs, ..request(long) };
    let batch = cluster.analyses.submit(&batch, cluster.now).unwrap();
    cluster.settle();
    for _ in 0..8 {
        cluster.step(Trouble::default());
    }
    let other = "aaa5/7a/8/8/8/8/8/AAAA4 w";
    let goal = AnalysisGoal::Jobs { jobs: 5 };
    let urgent = AnalysisRequest { goal, ..request(other) };
    let urgent = cluster.analyses.submit(&urgent, cluster.now).unwrap();
    cluster.settle();
    let of = |cluster: &Cluster<'_>, id| cluster.analyses.status(id, cluster.now).unwrap();
    let before = of(&cluster, batch).jobs;
    while of(&cluster, urgent).state == AnalysisState::Running && cluster.step(Trouble::default()) {
    }
    assert_eq!(of(&cluster, urgent).jobs, 5);
    // What the worker had already, and what it has next.
    assert!(of(&cluster, batch).jobs <= before + 3, "{} of {before}", of(&cluster, batch).jobs);
    while cluster.running() && cluster.step(Trouble::default()) {}
    assert_eq!(of(&cluster, batch).jobs, 20);
}

#[test]
fn analyses_of_one_urgency_take_turns() {
    let mut solver = Solver::new(None, 500);
    let mut cluster = Cluster::new(&mut solver, 2, 1);
    let goal = AnalysisGoal::Jobs { jobs: 40 };
    for position in
        ["aaaa4/8/8/8/8/8/8/AAAA4 w", "aaa5/7a/8/8/8/8/8/AAAA4 w", "aaa5/7a/8/8/8/8/A7/1AAA4 w"]
    {
        let request = AnalysisRequest { goal, ..request(position) };
        cluster.analyses.submit(&request, cluster.now).unwrap();
    }
    cluster.settle();
    while cluster.running() && cluster.step(Trouble::default()) {
        let running = cluster.analyses.statuses(cluster.now).into_iter();
        let running = running.filter(|status| status.state == AnalysisState::Running);
        let jobs: Vec<u64> = running.map(|status| status.jobs).collect();
        let (least, most) = (jobs.iter().min(), jobs.iter().max());
        assert!(most <= least.map(|least| least + 12).as_ref(), "{jobs:?}");
    }
}

#[test]
fn a_cancelled_analysis_lets_go_of_its_jobs_and_can_be_resumed() {
    let mut solver = Solver::new(None, 500);
    let mut cluster = Cluster::new(&mut solver, 2, 1);
    let goal = AnalysisGoal::Jobs { jobs: 12 };
    let position = "aaaa4/8/8/8/8/8/8/AAAA4 w";
    let id = cluster.analyses.submit(&AnalysisRequest { goal, ..request(position) }, cluster.now);
    let id = id.unwrap();
    cluster.settle();
    for _ in 0..6 {
        cluster.step(Trouble::default());
    }
    assert_eq!(cluster.analyses.cancel(id, cluster.now), Ok(true));
    assert_eq!(cluster.analyses.cancel(id, cluster.now), Ok(false));
    cluster.settle();
    assert_eq!(cluster.analyses.status(id, cluster.now).unwrap().in_flight, 0);
    while cluster.step(Trouble::default()) {}
    let jobs = cluster.finished;
    assert!(jobs < 12);
    cluster.restart();
    cluster.analyses.resume(id, None, cluster.now).unwrap();
    cluster.settle();
    while cluster.running() && cluster.step(Trouble::default()) {}
    let status = cluster.analyses.status(id, cluster.now).unwrap();
    assert_eq!((status.state, status.jobs), (AnalysisState::Done, 12));
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let mut analyses = Analyses::new(Default::default(), Duration::ZERO);
    let mut submit = |change: fn(&mut AnalysisRequest)| {
        let mut request = request(DECIDED[0].0);
        change(&mut request);
        analyses.submit(&request, Duration::ZERO)
    };
    assert!(matches!(
        submit(|request| request.position = "nonsense".into()),
        Err(AnalysisError::Position(_))
    ));
    assert_eq!(
        submit(|request| request.position = "8/8/8/8/8/8/8/A7 w".into()),
        Err(AnalysisError::Over)
    );
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let request =
            AnalysisRequest { goal: AnalysisGoal::Time { seconds }, ..request(DECIDED[0].0) };
        let refused =
            Analyses::new(Default::default(), Duration::ZERO).submit(&request, Duration::ZERO);
        assert!(matches!(refused, Err(AnalysisError::Limits(_))), "{seconds}");
    }
    assert!(submit(|request| request.goal = AnalysisGoal::Jobs { jobs: 0 }).is_err());
    assert!(submit(|request| request.lines = 0).is_err());
    assert!(submit(|request| request.job_milliseconds = 1).is_err());
    assert_eq!(submit(|_| {}), Ok(1));
}
