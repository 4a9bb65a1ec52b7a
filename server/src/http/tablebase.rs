//! Questions to the tables.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Json;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::StatusCode;
use boombots_protocol::{MAX_BATCH_POSITIONS, TableAnswer, TableBatch};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::HttpContext;
use super::problem::Problem;
use crate::listener::Peer;
use crate::tables::answer;

/// How much may be asked: so many positions a second from an address, and so many requests at once.
pub(crate) struct TableQuestions {
    rate: DefaultKeyedRateLimiter<IpAddr>,
    at_once: Semaphore,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    position: String,
}

impl TableQuestions {
    pub(crate) fn new(positions_a_second: NonZeroU32) -> TableQuestions {
        let burst = positions_a_second.saturating_mul(NonZeroU32::MIN.saturating_add(3));
        let quota = Quota::per_second(positions_a_second)
            .allow_burst(burst.max(NonZeroU32::MIN.saturating_add(MAX_BATCH_POSITIONS as u32)));
        TableQuestions { rate: RateLimiter::keyed(quota), at_once: Semaphore::new(AT_ONCE) }
    }

    fn pay(&self, peer: IpAddr, positions: usize) -> Result<(), Problem> {
        // Addresses that were quiet cost no memory.
        if self.rate.len() > MANY_ADDRESSES {
            self.rate.retain_recent();
        }
        let Some(cost) = NonZeroU32::new(positions as u32) else { return Ok(()) };
        match self.rate.check_key_n(&peer, cost) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too many positions; ask again in a moment",
            )),
        }
    }
}

pub(crate) async fn one(
    State(context): State<HttpContext>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Query(Question { position }): Query<Question>,
) -> Result<Json<TableAnswer>, Problem> {
    context.questions.pay(peer.address.ip(), 1)?;
    let answers = ask(context, vec![position], true).await?;
    let missing = || Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no answer");
    Ok(Json(answers.into_iter().next().ok_or_else(missing)?))
}

pub(crate) async fn many(
    State(context): State<HttpContext>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Json(TableBatch { positions }): Json<TableBatch>,
) -> Result<Json<Vec<TableAnswer>>, Problem> {
    if positions.len() > MAX_BATCH_POSITIONS {
        let text =
            format!("at most {MAX_BATCH_POSITIONS} positions at once, not {}", positions.len());
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, text));
    }
    context.questions.pay(peer.address.ip(), positions.len())?;
    Ok(Json(ask(context, positions, false).await?))
}

async fn ask(
    context: HttpContext,
    positions: Vec<String>,
    with_actions: bool,
) -> Result<Vec<TableAnswer>, Problem> {
    let questions = Arc::clone(&context.questions);
    let stopped = |_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server stops");
    let _turn = questions.at_once.acquire().await.map_err(stopped)?;
    let tables = context.tables.current();
    // A first touch of a block reads and decodes it.
    let asking = tokio::task::spawn_blocking(move || {
        positions.iter().map(|text| answer(tables.tables(), text, with_actions)).collect()
    });
    asking.await.map_err(|error| Problem::internal(&error.into()))
}

const AT_ONCE: usize = 4;

const MANY_ADDRESSES: usize = 10_000;
