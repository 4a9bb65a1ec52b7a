//! How the server is.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use boombots_protocol::{Builds, LobbyBots, LobbyTables, PROTOCOL_VERSION};
use serde::Serialize;
use tokio::sync::oneshot;

use super::HttpContext;
use super::problem::Problem;
use crate::hub::HubMessage;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    version: &'static str,
    protocol_version: u32,
    users: usize,
    sessions: usize,
    games: usize,
    bots: LobbyBots,
    tables: LobbyTables,
}

pub(crate) async fn status(State(context): State<HttpContext>) -> Result<Json<Status>, Problem> {
    let stopped = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server stops");
    let (reply, counts) = oneshot::channel();
    context.hub.send(HubMessage::Count(reply)).await.map_err(|_| stopped())?;
    let counts = counts.await.map_err(|_| stopped())?;
    let business = context.business.business();
    let builds = context.builds.now().local;
    Ok(Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        protocol_version: PROTOCOL_VERSION,
        users: counts.users,
        sessions: counts.sessions,
        games: counts.games,
        bots: LobbyBots {
            levels: *boombots_protocol::BOT_LEVELS.end(),
            slots: business.slots as u32,
            thinking: business.thinking as u32,
            queued: business.queued as u32,
        },
        tables: LobbyTables {
            ready: builds.ready,
            building: builds.current.map(|build| build.class),
            problems: context.tables.problems().borrow().clone(),
        },
    }))
}

pub(crate) async fn builds(State(context): State<HttpContext>) -> Json<Builds> {
    Json(context.builds.now())
}

pub(crate) async fn metrics(State(context): State<HttpContext>) -> impl IntoResponse {
    context.metrics.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], context.metrics.render())
}
