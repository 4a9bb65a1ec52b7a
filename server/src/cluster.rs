//! Builds on a cluster: follows a coordinator and passes on what it says.

use std::io::{BufRead as _, BufReader};
use std::time::Duration;

use anyhow::Context as _;
use boombots_protocol::{ClassBuild, ClusterBuilds, ClusterWorker};
use serde::Deserialize;
use tokio::sync::watch;

/// What the coordinator's status has of interest here; anything may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Status {
    classes: Vec<Class>,
    published: Vec<String>,
    workers: Vec<Worker>,
    events: Vec<String>,
    store_problem: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Class {
    class: String,
    phase: String,
    ply: u32,
    decided: f64,
    done: f64,
    all: f64,
    elapsed_seconds: f64,
    waiting: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Worker {
    name: String,
    state: String,
    reason: Option<String>,
    threads: u32,
    note: String,
    shards: Vec<String>,
}

/// Follows the coordinator at a URL from a thread of its own, for as long as somebody listens.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn follow(url: String) -> std::io::Result<watch::Receiver<Option<ClusterBuilds>>> {
    let (sender, receiver) = watch::channel(Some(ClusterBuilds::default()));
    let thread = std::thread::Builder::new().name("cluster".to_owned());
    thread.spawn(move || {
        while !sender.is_closed() {
            let ended = listen(&url, &sender);
            let problem = match ended {
                Ok(()) => "the coordinator closed the connection".to_owned(),
                Err(error) => format!("{error:#}"),
            };
            sender.send_if_modified(|builds| {
                let builds = builds.get_or_insert_default();
                let changed = builds.connected || builds.problem.as_ref() != Some(&problem);
                builds.connected = false;
                builds.problem = Some(problem);
                changed
            });
            std::thread::sleep(RETRY_AFTER);
        }
    })?;
    Ok(receiver)
}

/// Reads events until the connection ends.
fn listen(url: &str, sender: &watch::Sender<Option<ClusterBuilds>>) -> anyhow::Result<()> {
    let events = format!("{}/api/events", url.trim_end_matches('/'));
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(TIME_LIMIT))
        .timeout_recv_response(Some(TIME_LIMIT))
        .build()
        .into();
    let response =
        agent.get(&events).call().with_context(|| format!("{events} does not answer"))?;
    let mut lines = BufReader::new(response.into_body().into_reader());
    let mut line = String::new();
    while !sender.is_closed() {
        line.clear();
        let read = std::io::Read::take(&mut lines, MAX_EVENT_BYTES).read_line(&mut line);
        if read.with_context(|| format!("{events} broke off"))? == 0 {
            return Ok(());
        }
        if let Some(data) = line.strip_prefix("data:") {
            let status: Status = serde_json::from_str(data.trim())
                .with_context(|| format!("{events} says what this version does not know"))?;
            let builds = builds_of(status);
            sender.send_if_modified(|known| {
                let changed = known.as_ref() != Some(&builds);
                *known = Some(builds);
                changed
            });
        }
    }
    Ok(())
}

fn builds_of(status: Status) -> ClusterBuilds {
    let class = |class: Class| {
        let rate = (class.elapsed_seconds > 0.0 && class.done > 0.0)
            .then(|| class.done / class.elapsed_seconds);
        ClassBuild {
            remaining_seconds: rate.map(|rate| (class.all - class.done).max(0.0) / rate),
            rate,
            class: class.class,
            phase: class.phase,
            done: class.done,
            all: class.all,
            ply: class.ply,
            decided: class.decided,
            elapsed_seconds: class.elapsed_seconds,
            waiting: class.waiting,
        }
    };
    let worker = |worker: Worker| ClusterWorker {
        name: worker.name,
        state: worker.state,
        reason: worker.reason,
        threads: worker.threads,
        note: worker.note,
        shards: worker.shards,
    };
    let last = status.events.len().saturating_sub(SHOWN_EVENTS);
    ClusterBuilds {
        connected: true,
        problem: status.store_problem,
        classes: status.classes.into_iter().map(class).collect(),
        published: status.published,
        workers: status.workers.into_iter().take(SHOWN_WORKERS).map(worker).collect(),
        events: status.events[last..].to_vec(),
    }
}

const RETRY_AFTER: Duration = Duration::from_secs(2);

const TIME_LIMIT: Duration = Duration::from_secs(10);

const MAX_EVENT_BYTES: u64 = 4 << 20;

const SHOWN_EVENTS: usize = 50;

const SHOWN_WORKERS: usize = 200;
