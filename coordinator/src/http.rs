//! The coordinator over HTTP: status for people and programs, and changes for whoever has the
//! admin secret.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{Router, get, post};
use boombots_probe::Class;
use futures::Stream;
use serde::{Deserialize, Serialize};
use tokio_util::io::ReaderStream;

use crate::scheduler::{BuildOptions, BuildState, Check, Status};
use crate::service::{Service, Stopped};

pub(crate) struct Shared {
    service: Service,
    tables: PathBuf,
    admin: String,
}

/// A request for a class.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BuildRequest {
    class: String,
    shards: Option<u16>,
    compression: (i32, i32),
    /// Every position where `None`.
    sample: Option<u32>,
}

#[derive(Serialize)]
struct Submitted {
    build: u32,
}

/// The router; `analyses` makes that of analyses, given what lets only the admin through.
pub(crate) fn router(
    service: Service,
    tables: PathBuf,
    admin: String,
    analyses: impl FnOnce(AdminOnly) -> Router,
) -> Router {
    let shared = Arc::new(Shared { service, tables, admin });
    let analyses = analyses(AdminOnly(Arc::clone(&shared)));
    let changes = Router::new()
        .route("/api/builds", post(submit))
        .route("/api/builds/{id}/cancel", post(cancel))
        .route("/api/workers/{id}/revoke", post(revoke))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), only_admin));
    Router::new()
        .route("/api/status", get(status))
        .route("/api/events", get(events))
        .route("/api/builds/{id}", get(build))
        .route("/api/tables/{name}", get(table))
        .route("/metrics", get(metrics))
        .route("/healthz", get(|| async { "ok\n" }))
        .merge(changes)
        .with_state(shared)
        .merge(analyses)
}

/// Lets only requests with the admin secret through.
pub(crate) struct AdminOnly(Arc<Shared>);

impl AdminOnly {
    /// The same routes for the admin alone.
    pub(crate) fn guard<S: Clone + Send + Sync + 'static>(&self, routes: Router<S>) -> Router<S> {
        routes.layer(middleware::from_fn_with_state(Arc::clone(&self.0), only_admin))
    }
}

pub(crate) struct Problem(pub(crate) StatusCode, pub(crate) String);

impl From<Stopped> for Problem {
    fn from(stopped: Stopped) -> Self {
        Self(StatusCode::SERVICE_UNAVAILABLE, stopped.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.0, Json(serde_json::json!({ "error": self.1 }))).into_response()
    }
}

async fn only_admin(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    // Digests are compared, so that the time taken tells nothing of the secret.
    let matches = given.is_some_and(|given| {
        blake3::hash(given.as_bytes()) == blake3::hash(shared.admin.as_bytes())
    });
    if matches {
        next.run(request).await
    } else {
        let text = "changes need the coordinator's admin secret".to_owned();
        Problem(StatusCode::UNAUTHORIZED, text).into_response()
    }
}

async fn status(State(shared): State<Arc<Shared>>) -> Result<Json<Status>, Problem> {
    Ok(Json(shared.service.status().await?))
}

/// The status, each second.
async fn events(
    State(shared): State<Arc<Shared>>,
) -> Sse<impl Stream<Item = Result<axum::response::sse::Event, Infallible>>> {
    let stream = futures::stream::unfold((shared, true), |(shared, first)| async move {
        if !first {
            tokio::time::sleep(EVENTS_EVERY).await;
        }
        let status = shared.service.status().await.ok()?;
        let event =
            axum::response::sse::Event::default().event("status").json_data(&status).ok()?;
        Some((Ok(event), (shared, false)))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

async fn submit(
    State(shared): State<Arc<Shared>>,
    Json(request): Json<BuildRequest>,
) -> Result<impl IntoResponse, Problem> {
    let bad = |text: String| Problem(StatusCode::BAD_REQUEST, text);
    let class: Class = request.class.parse().map_err(|error| bad(format!("{error}")))?;
    let options = BuildOptions {
        shards: request.shards,
        compression: request.compression,
        check: request.sample.map_or(Check::Full, Check::Sample),
    };
    let build = shared.service.submit(class, options).await?;
    Ok((StatusCode::CREATED, Json(Submitted { build })))
}

async fn build(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
) -> Result<impl IntoResponse, Problem> {
    let state = shared.service.build_state(id).await?;
    let state = state.ok_or_else(|| Problem(StatusCode::NOT_FOUND, "no such build".into()))?;
    let (state, reason) = match state {
        BuildState::Running => ("running", None),
        BuildState::Done => ("done", None),
        BuildState::Cancelled => ("cancelled", None),
        BuildState::Failed(reason) => ("failed", Some(reason)),
    };
    Ok(Json(serde_json::json!({ "state": state, "reason": reason })))
}

async fn cancel(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<u32>,
) -> Result<StatusCode, Problem> {
    match shared.service.cancel(id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem(StatusCode::NOT_FOUND, "no such build is running".into())),
    }
}

async fn revoke(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let status = shared.service.status().await?;
    let mut known = status.workers.iter().filter(|worker| worker.id.starts_with(&id));
    let (Some(worker), None) = (known.next(), known.next()) else {
        return Err(Problem(StatusCode::NOT_FOUND, "no such worker, or several".into()));
    };
    let id = worker.id.parse();
    let id = id.map_err(|error| Problem(StatusCode::BAD_REQUEST, format!("{error}")))?;
    shared.service.revoke(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn table(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let missing = || Problem(StatusCode::NOT_FOUND, "no such table".into());
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
    if name.starts_with('.') || !name.chars().all(plain) {
        return Err(missing());
    }
    let file = tokio::fs::File::open(shared.tables.join(name)).await.map_err(|_| missing())?;
    let len = file.metadata().await.map_err(|_| missing())?.len();
    let body = Body::from_stream(ReaderStream::with_capacity(file, 1 << 18));
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_LENGTH, len.to_string()),
    ];
    Ok((headers, body))
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Result<impl IntoResponse, Problem> {
    let text = prometheus(&shared.service.status().await?);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text))
}

/// The status in the Prometheus text format.
fn prometheus(status: &Status) -> String {
    let mut text = String::new();
    let mut metric = |name: &str, kind: &str, values: &[(String, f64)]| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# TYPE boombots_cluster_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(text, "boombots_cluster_{name}{labels} {value}");
        }
    };
    let one = |value: f64| vec![(String::new(), value)];
    let workers = |state: &str| {
        let count = status.workers.iter().filter(|worker| worker.state == state).count();
        (format!("{{state=\"{state}\"}}"), count as f64)
    };
    let states = ["working", "idle", "dead", "left", "banned"].map(workers);
    metric("workers", "gauge", &states);
    let running = status.builds.iter().filter(|build| build.state == "running").count();
    metric("builds_running", "gauge", &one(running as f64));
    metric("classes_published", "gauge", &one(status.published.len() as f64));
    metric("store_problem", "gauge", &one(f64::from(u8::from(status.store_problem.is_some()))));
    let classes = |of: &dyn Fn(&crate::scheduler::ClassStatus) -> u64| {
        let classes = status.classes.iter();
        let values =
            classes.map(|class| (format!("{{class=\"{}\"}}", class.class), of(class) as f64));
        values.collect::<Vec<_>>()
    };
    metric("class_ply", "gauge", &classes(&|class| u64::from(class.ply)));
    metric("class_decided", "gauge", &classes(&|class| class.decided));
    metric("bulk_received_bytes_total", "counter", &one(status.bulk_bytes.0 as f64));
    metric("bulk_sent_bytes_total", "counter", &one(status.bulk_bytes.1 as f64));
    let counters = &status.counters;
    for (name, value) in [
        ("leases_total", counters.leases),
        ("leases_lost_total", counters.leases_lost),
        ("boom_passes_total", counters.booms),
        ("boom_passes_repeated_total", counters.booms_again),
        ("sweeps_total", counters.steps),
        ("sweeps_repeated_total", counters.steps_again),
        ("stale_reports_total", counters.stale),
        ("positions_checked_total", counters.positions_checked),
        ("failed_checks_total", counters.problems),
        ("class_restarts_total", counters.restarts),
        ("search_leases_total", status.searches.leases),
        ("search_leases_lost_total", status.searches.leases_lost),
        ("search_results_total", status.searches.results),
        ("search_stale_results_total", status.searches.stale),
        ("search_busy_microseconds_total", status.searches.busy_micros),
        ("search_idle_microseconds_total", status.searches.idle_micros),
    ] {
        metric(name, "counter", &one(value as f64));
    }
    text
}

const EVENTS_EVERY: Duration = Duration::from_secs(1);
