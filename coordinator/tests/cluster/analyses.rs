//! Analyses by real workers: what they find agrees with the tables, and certificates hold.

use std::time::Duration;

use boombots_cluster_protocol::{
    AnalysisGoal, AnalysisPriority, AnalysisRequest, AnalysisState, AnalysisStatus, GameResult,
};
use boombots_probe::{Certificate, Plies, Tables, TablesOptions, Value};
use boombots_rules::{Color, Position, Square};

use crate::support::Cluster;

fn request(position: &str, goal: AnalysisGoal) -> AnalysisRequest {
    AnalysisRequest {
        position: position.to_owned(),
        goal,
        lines: 1,
        priority: AnalysisPriority::Interactive,
        job_milliseconds: 100,
    }
}

impl Cluster {
    async fn analyse(&self, request: AnalysisRequest) -> u32 {
        self.coordinator.service().analyse(request).await.unwrap().unwrap()
    }

    async fn analysis(&self, id: u32) -> AnalysisStatus {
        self.coordinator.service().analysis(id).await.unwrap().unwrap()
    }

    async fn analysed(&self, id: u32) -> AnalysisStatus {
        for _ in 0..12_000 {
            let status = self.analysis(id).await;
            if status.state != AnalysisState::Running {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the analysis does not end: {:#?}", self.analysis(id).await);
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let url = format!("http://{}{path}", self.coordinator.http());
        let asked = tokio::task::spawn_blocking(move || {
            let config = ureq::Agent::config_builder().http_status_as_error(false).build();
            let mut answer = ureq::Agent::from(config).get(url).call().unwrap();
            (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
        });
        asked.await.unwrap()
    }

    fn tables(&self) -> Tables {
        Tables::open(self.coordinator.tables(), TablesOptions::default()).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_win_is_proved_and_its_certificate_holds() {
    let cluster = Cluster::start().await;
    let (first, second) = (cluster.worker("first"), cluster.worker("second"));
    let build = cluster.build("2v1", 1).await;
    cluster.done(build).await;
    // The tables do not have it: they begin after a boom.
    let position = "7a/6a1/8/3A4/8/5A2/8/A7 w";
    let id = cluster.analyse(request(position, AnalysisGoal::Proved)).await;
    let status = cluster.analysed(id).await;
    let proved = status.proved.unwrap();
    assert_eq!(proved.result, GameResult::Win, "{status:#?}");
    assert!(!proved.exact);
    assert!(!status.lines.is_empty());
    let (code, text) = cluster.get(&format!("/api/analyses/{id}/certificate")).await;
    assert_eq!(code, 200, "{text}");
    let certificate = Certificate::read(text.as_bytes()).unwrap();
    certificate.check(&cluster.tables()).unwrap();
    assert_eq!(certificate.position.to_string(), position);
    let (code, text) = cluster.get(&format!("/api/analyses/{id}/export")).await;
    assert_eq!(code, 200);
    assert!(text.contains("\"nodes\":[{\"position\":"), "{text}");
    let (code, text) = cluster.get(&format!("/api/analyses/{id}/events")).await;
    assert_eq!(code, 200);
    assert!(text.contains("event: analysis") && text.contains("\"state\":\"done\""), "{text}");
    drop((first, second));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_exist_is_not_found() {
    let cluster = Cluster::start().await;
    for part in ["", "/events", "/export", "/certificate"] {
        let (code, text) = cluster.get(&format!("/api/analyses/7{part}")).await;
        assert_eq!(code, 404, "{part}: {text}");
        assert!(text.contains("there is no analysis 7"), "{text}");
    }
    let id = cluster.analyse(request("7a/8/8/8/8/8/8/A7 w", AnalysisGoal::Proved)).await;
    let (code, text) = cluster.get(&format!("/api/analyses/{id}/certificate")).await;
    assert_eq!(code, 409, "{text}");
    let status = cluster.analysis(id).await;
    assert_eq!(status.waiting.as_deref(), Some("no worker is there"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_analysis_frees_its_workers_and_goes_on_after_a_restart() {
    let cluster = Cluster::start().await;
    let worker = cluster.worker("worker");
    let long = AnalysisRequest {
        job_milliseconds: 60_000,
        ..request("aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w", AnalysisGoal::Jobs { jobs: 2 })
    };
    let id = cluster.analyse(long).await;
    cluster.until(|status| status.workers.iter().any(|worker| worker.state == "working")).await;
    let service = cluster.coordinator.service();
    assert!(service.cancel_analysis(id).await.unwrap().unwrap());
    assert_eq!(cluster.analysis(id).await.in_flight, 0);
    // A job of a minute was stopped: another analysis has its turn.
    let goal = AnalysisGoal::Jobs { jobs: 2 };
    let short = cluster.analyse(request("aaaa4/8/8/8/8/8/8/AAAA4 w", goal)).await;
    let status = cluster.analysed(short).await;
    assert_eq!(status.jobs, 2);
    assert!(status.score.is_some());
    let cluster = cluster.restart().await;
    assert_eq!(cluster.analysis(short).await.score, status.score);
    assert_eq!(cluster.analysis(id).await.state, AnalysisState::Cancelled);
    let goal = Some(AnalysisGoal::Time { seconds: 0.1 });
    cluster.coordinator.service().resume_analysis(id, goal).await.unwrap().unwrap();
    assert_eq!(cluster.analysed(id).await.state, AnalysisState::Done);
    drop(worker);
}

/// `BOOMBOTS_AGREEMENT=CLASS:POSITIONS` compares more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_agree_with_the_tables() {
    let wanted = std::env::var("BOOMBOTS_AGREEMENT").unwrap_or_else(|_| "2v2:60".into());
    let (class, count) = wanted.split_once(':').unwrap();
    let cluster = Cluster::start().await;
    let workers = (cluster.worker("first"), cluster.worker("second"));
    let build = cluster.build(class, 4).await;
    cluster.done(build).await;
    let tables = cluster.tables();
    let (larger, smaller) = class.split_once('v').unwrap();
    let (larger, smaller) = (larger.parse().unwrap(), smaller.parse().unwrap());
    let mut random = 1;
    for _ in 0..count.parse::<u32>().unwrap() {
        let position = placed(&mut random, larger, smaller);
        let goal = AnalysisGoal::Proved;
        let id = cluster.analyse(request(&position.to_string(), goal)).await;
        let proved = cluster.analysed(id).await.proved.unwrap();
        let value = match (proved.result, proved.plies) {
            (GameResult::Win, Some(plies)) => Value::Win(Plies(plies as u8)),
            (GameResult::Draw, None) => Value::Draw,
            (GameResult::Loss, Some(plies)) => Value::Loss(Plies(plies as u8)),
            other => panic!("{position}: {other:?}"),
        };
        assert_eq!(value, tables.value(&position).unwrap(), "{position}");
        assert!(proved.exact);
    }
    drop(workers);
}

/// A position of so many bots on random squares.
fn placed(random: &mut u64, white: u8, black: u8) -> Position {
    let mut next = |below: u64| {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*random >> 33) % below
    };
    let turn = if next(2) == 0 { Color::White } else { Color::Black };
    let mut position = Position::empty(turn);
    for (color, bots) in [(Color::White, white), (Color::Black, black)] {
        while position.bots(color) < bots {
            let square = Square::from_index(next(64) as u8).unwrap();
            // A square of the other side takes none.
            let _ = position.add_bots(color, square, 1);
        }
    }
    position
}
