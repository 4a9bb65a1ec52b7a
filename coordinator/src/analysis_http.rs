//! Analyses over HTTP: to begin, watch, end and export them.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{Router, get, post};
use boombots_cluster_protocol::{
    AnalysisExport, AnalysisGoal, AnalysisRequest, AnalysisState, AnalysisStatus,
};
use boombots_probe::{Certificate, ProofStep, Tables, TablesOptions};
use futures::Stream;
use serde::{Deserialize, Serialize};

use crate::analysis::{AnalysisError, ProofSources};
use crate::http::{AdminOnly, Problem};
use crate::service::Service;
use crate::store::Store;

#[derive(Debug)]
struct Shared {
    service: Service,
    store: Arc<Store>,
    tables: PathBuf,
}

#[derive(Serialize)]
struct Begun {
    analysis: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Resumption {
    goal: Option<AnalysisGoal>,
}

pub(crate) fn router(
    service: Service,
    store: Arc<Store>,
    tables: PathBuf,
    admin: AdminOnly,
) -> Router {
    let shared = Arc::new(Shared { service, store, tables });
    let changes = Router::new()
        .route("/api/analyses", post(begin))
        .route("/api/analyses/{id}/cancel", post(cancel))
        .route("/api/analyses/{id}/resume", post(resume));
    Router::new()
        .route("/api/analyses", get(list))
        .route("/api/analyses/{id}", get(status))
        .route("/api/analyses/{id}/events", get(events))
        .route("/api/analyses/{id}/export", get(export))
        .route("/api/analyses/{id}/certificate", get(certificate))
        .merge(admin.guard(changes))
        .with_state(shared)
}

impl From<AnalysisError> for Problem {
    fn from(error: AnalysisError) -> Self {
        let status = match error {
            AnalysisError::Unknown(_) => StatusCode::NOT_FOUND,
            AnalysisError::TooMany => StatusCode::SERVICE_UNAVAILABLE,
            AnalysisError::Position(_) | AnalysisError::Over | AnalysisError::Limits(_) => {
                StatusCode::BAD_REQUEST
            }
        };
        Self(status, error.to_string())
    }
}

async fn begin(
    State(shared): State<Arc<Shared>>,
    Json(request): Json<AnalysisRequest>,
) -> Result<impl IntoResponse, Problem> {
    let analysis = shared.service.analyse(request).await??;
    Ok((StatusCode::CREATED, Json(Begun { analysis })))
}

async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<Vec<AnalysisStatus>>, Problem> {
    Ok(Json(shared.service.analyses().await?))
}

async fn status(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
) -> Result<Json<AnalysisStatus>, Problem> {
    let status = shared.service.analysis(id).await?;
    Ok(Json(status.ok_or(AnalysisError::Unknown(id))?))
}

async fn cancel(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
) -> Result<StatusCode, Problem> {
    match shared.service.cancel_analysis(id).await?? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem(StatusCode::CONFLICT, format!("analysis {id} is not running"))),
    }
}

async fn resume(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
    Json(request): Json<Resumption>,
) -> Result<StatusCode, Problem> {
    shared.service.resume_analysis(id, request.goal).await??;
    Ok(StatusCode::NO_CONTENT)
}

/// The status whenever it has changed, until the analysis has ended.
async fn events(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    if shared.service.analysis_revision(id).await?.is_none() {
        return Err(AnalysisError::Unknown(id).into());
    }
    let stream = futures::stream::unfold((shared, None, false), move |state| async move {
        let (shared, seen, is_over) = state;
        if is_over {
            return None;
        }
        loop {
            let revision = shared.service.analysis_revision(id).await.ok()??;
            if seen != Some(revision) {
                let status = shared.service.analysis(id).await.ok()??;
                let is_over = status.state != AnalysisState::Running;
                let event = Event::default().event("analysis").json_data(&status).ok()?;
                return Some((Ok(event), (shared, Some(revision), is_over)));
            }
            tokio::time::sleep(EVENTS_EVERY).await;
        }
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

async fn export(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
) -> Result<Json<AnalysisExport>, Problem> {
    let export = shared.service.export_analysis(id).await?;
    Ok(Json(export.ok_or(AnalysisError::Unknown(id))?))
}

async fn certificate(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
) -> Result<impl IntoResponse, Problem> {
    let failed = |error: &dyn std::fmt::Display| {
        Problem(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("the certificate cannot be made: {error}"),
        )
    };
    let sources = shared.service.proof_sources(id).await??;
    let sources = sources.ok_or_else(|| {
        Problem(StatusCode::CONFLICT, format!("analysis {id} has proved nothing yet"))
    })?;
    let mut blobs = Vec::new();
    for blob in &sources.blobs {
        let bytes = shared.store.get(blob.digest, 0, blob.len).await;
        blobs.push(bytes.map_err(|error| failed(&error))?);
    }
    let folder = shared.tables.clone();
    let made = tokio::task::spawn_blocking(move || made(&folder, sources, &blobs));
    let text = made.await.map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text))
}

/// The text of a certificate that was checked.
fn made(
    folder: &std::path::Path,
    sources: ProofSources,
    blobs: &[bytes::Bytes],
) -> anyhow::Result<String> {
    let tables = Tables::open(folder, TablesOptions { cache_bytes: TABLE_CACHE })?;
    let ProofSources { position, claim, mut steps, .. } = sources;
    for blob in blobs {
        steps.extend(ProofStep::unpack(blob)?);
    }
    Ok(Certificate::build(&position, claim, steps, &tables)?.write())
}

/// How often a watched analysis is looked at.
const EVENTS_EVERY: Duration = Duration::from_millis(100);

/// Bytes of decoded table blocks while a certificate is made.
const TABLE_CACHE: u64 = 128 << 20;
