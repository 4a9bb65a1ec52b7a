//! Finished games, over HTTP.

use serde::{Deserialize, Serialize};

use crate::{EndReason, Team};

/// The answer of `GET /api/games`: a page of finished games, the latest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FinishedGames {
    /// The games.
    pub games: Vec<GameSummary>,
    /// To be given as `before` for the next page; `null` on the last.
    pub next: Option<u32>,
}

/// A finished game in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameSummary {
    /// Its number.
    pub id: u32,
    /// Which game it is.
    pub game: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Who won; `null` for a draw.
    pub winner: Option<Team>,
    /// Why it ended.
    pub reason: EndReason,
    /// How many actions were taken.
    pub actions: u32,
    /// When it began, in seconds since 1970.
    pub created_at: u32,
    /// When it ended.
    pub ended_at: u32,
}

/// The answer of `GET /api/games/ID`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FinishedGame {
    /// What the list says of it.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The position it began with.
    pub start: String,
    /// The texts of its actions.
    pub history: Vec<String>,
    /// Its record as text.
    pub record: String,
}
