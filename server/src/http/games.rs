//! Finished games.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use boombots_protocol::FinishedGames;
use serde::Deserialize;

use super::problem::Problem;
use crate::records::Records;

#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    limit: Option<u32>,
    before: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Format {
    format: Option<String>,
}

pub(crate) async fn list(
    State(records): State<Records>,
    Query(page): Query<Page>,
) -> Result<Json<FinishedGames>, Problem> {
    let limit = page.limit.unwrap_or(50).clamp(1, MAX_PAGE);
    let before = page.before.unwrap_or(u32::MAX);
    let games = records.finished(before, limit).await.map_err(|error| Problem::internal(&error))?;
    let next = games.last().filter(|_| games.len() == limit as usize).map(|game| game.id);
    Ok(Json(FinishedGames { games, next }))
}

pub(crate) async fn one(
    State(records): State<Records>,
    Path(id): Path<u32>,
    Query(format): Query<Format>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let game = records.finished_game(id).await.map_err(|error| Problem::internal(&error))?;
    let missing = "no finished game has this number";
    let game = game.ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, missing))?;
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let wants_text = match format.format.as_deref() {
        Some(format) => format == "text",
        None => accepted.is_some_and(|accept| accept.starts_with("text/plain")),
    };
    Ok(match wants_text {
        true => {
            ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], game.record).into_response()
        }
        false => Json(game).into_response(),
    })
}

const MAX_PAGE: u32 = 500;
