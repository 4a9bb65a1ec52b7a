//! What bots think of a position.

use serde::{Deserialize, Serialize};

/// A bot's judgement, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BotEvaluation {
    /// 100 is worth one bot; a win in p plies is `1000000 - p`, a loss `p - 1000000`.
    pub white_score: i32,
    /// The moves the winning side still makes, positive when that is White and never 0; `null`
    /// unless an end is known.
    pub mate_in: Option<i32>,
}

/// The last judgement of each side's bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotEvaluations {
    /// White's bot; `null` before its first search, or when White is no bot.
    pub white: Option<BotEvaluation>,
    /// Black's bot.
    pub black: Option<BotEvaluation>,
}
