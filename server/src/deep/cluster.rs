//! Deep analyses by a cluster: asked of its coordinator, and watched there.

use std::time::Duration;

use boombots_cluster_protocol::{
    AnalysisGoal, AnalysisPriority, AnalysisRequest, AnalysisState, AnalysisStatus,
};
use boombots_protocol::DeepAnalysis;
use boombots_rules::Position;
use serde::Deserialize;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{LINES, LONGEST, shown};
use crate::coordinator::CoordinatorLink;

#[derive(Deserialize)]
struct Begun {
    analysis: u32,
}

/// Watches the analysis of a position until it has ended or nobody looks any more. One that runs
/// already is joined, and goes on without this server.
///
/// # Errors
/// If the coordinator has no such analysis and begins none.
pub(super) async fn follow(
    link: &CoordinatorLink,
    position: &Position,
    shown: &watch::Sender<DeepAnalysis>,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let text = position.to_string();
    let known: Vec<AnalysisStatus> = link.get("/api/analyses").await?;
    let is_it =
        |known: &&AnalysisStatus| known.state == AnalysisState::Running && known.position == text;
    let joined = known.iter().find(is_it).map(|known| known.id);
    let id = match joined {
        Some(id) => id,
        None => {
            let request = AnalysisRequest {
                position: text,
                goal: AnalysisGoal::Time { seconds: LONGEST.as_secs_f64() },
                lines: LINES as u16,
                priority: AnalysisPriority::Interactive,
                job_milliseconds: JOB_MILLISECONDS,
            };
            let begun: Begun = link.post("/api/analyses", &request).await?;
            begun.analysis
        }
    };
    tokio::select! {
        watched = watch(link, id, position, shown) => watched,
        () = stop.cancelled() => {
            if joined.is_none() {
                let path = format!("/api/analyses/{id}/cancel");
                if let Err(error) = link.post::<()>(&path, &()).await {
                    tracing::warn!(error = format!("{error:#}"), id, "an analysis is not ended");
                }
            }
            Ok(())
        }
    }
}

/// Shows how an analysis stands, also when the connection is lost in between.
async fn watch(
    link: &CoordinatorLink,
    id: u32,
    position: &Position,
    shown: &watch::Sender<DeepAnalysis>,
) -> anyhow::Result<()> {
    let path = format!("/api/analyses/{id}");
    loop {
        let heard = hear(link, &path, position, shown).await;
        let problem = match heard {
            Ok(true) => return Ok(()),
            Ok(false) => "the coordinator closed the connection".to_owned(),
            Err(error) => format!("{error:#}"),
        };
        shown.send_modify(|shown| shown.problem = Some(problem));
        tokio::time::sleep(RETRY_AFTER).await;
        // A coordinator that is there and does not know it has begun anew.
        if link.get::<serde::de::IgnoredAny>("/api/status").await.is_ok() {
            link.get::<AnalysisStatus>(&path).await?;
        }
    }
}

/// Shows what is heard until the connection ends; whether the analysis has ended.
async fn hear(
    link: &CoordinatorLink,
    path: &str,
    position: &Position,
    shown: &watch::Sender<DeepAnalysis>,
) -> anyhow::Result<bool> {
    let mut events = link.events(&format!("{path}/events")).await?;
    while let Some(status) = events.next::<AnalysisStatus>().await? {
        let is_over = status.state != AnalysisState::Running;
        shown.send_replace(shown::of_cluster(position, status));
        if is_over {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Milliseconds of a job: short, since somebody waits to see something change.
const JOB_MILLISECONDS: u32 = 500;

const RETRY_AFTER: Duration = Duration::from_secs(2);
