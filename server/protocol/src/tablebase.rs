//! What the tables say, over HTTP.

use serde::{Deserialize, Serialize};

use crate::Action;

/// Win, draw or loss for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum TableResult {
    /// The side to move wins.
    Win,
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss,
}

/// A value with its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableValue {
    /// Who wins.
    pub value: TableResult,
    /// Plies to the end; `null` for a draw.
    pub plies: Option<u8>,
}

/// An action with the value it leads to, for the side that takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatedAction {
    /// The action's text.
    pub text: String,
    /// The action.
    pub action: Action,
    /// The value.
    pub value: TableResult,
    /// Plies to the end, counted from the position before the action.
    pub plies: Option<u8>,
}

/// The answer of `GET /api/tablebase?position=…`, and each of those of `POST /api/tablebase`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableAnswer {
    /// The position that was asked for.
    pub position: String,
    /// The class, where there is one: `3v2`.
    pub class: Option<String>,
    /// Who wins; `null` with an error.
    pub value: Option<TableResult>,
    /// Plies to the end.
    pub plies: Option<u8>,
    /// Every action, best first; only where one position is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub actions: Option<Vec<RatedAction>>,
    /// Why there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub error: Option<String>,
}

/// The body of `POST /api/tablebase`; the answer is a list in the same order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableBatch {
    /// At most 1 000 positions.
    pub positions: Vec<String>,
}
