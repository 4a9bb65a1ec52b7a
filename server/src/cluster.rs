//! Builds on a cluster: follows a coordinator and passes on what it says.

use std::sync::Arc;
use std::time::Duration;

use boombots_protocol::{ClassBuild, ClusterBuilds, ClusterWorker};
use serde::Deserialize;
use tokio::sync::watch;

use crate::coordinator::CoordinatorLink;

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

/// Follows a coordinator, for as long as somebody listens.
pub(crate) fn follow(link: Arc<CoordinatorLink>) -> watch::Receiver<Option<ClusterBuilds>> {
    let (sender, receiver) = watch::channel(Some(ClusterBuilds::default()));
    tokio::spawn(async move {
        loop {
            let ended = tokio::select! {
                ended = listen(&link, &sender) => ended,
                () = sender.closed() => return,
            };
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
            tokio::time::sleep(RETRY_AFTER).await;
        }
    });
    receiver
}

/// Hears events until the connection ends.
async fn listen(
    link: &CoordinatorLink,
    sender: &watch::Sender<Option<ClusterBuilds>>,
) -> anyhow::Result<()> {
    let mut events = link.events("/api/events").await?;
    while let Some(status) = events.next().await? {
        let builds = builds_of(status);
        sender.send_if_modified(|known| {
            let changed = known.as_ref() != Some(&builds);
            *known = Some(builds);
            changed
        });
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

const SHOWN_EVENTS: usize = 50;

const SHOWN_WORKERS: usize = 200;
