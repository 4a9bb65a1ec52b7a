//! A game as its players and spectators see it.

use boombots_rules::{Conclusion, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Action, BotEvaluations, State, Team};

/// A game after an action, or as it stands when somebody comes to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Game {
    /// The game's number; `gameId` elsewhere.
    pub id: u32,
    /// Which game it is.
    pub game: String,
    /// Who plays.
    pub players: Players,
    /// The position.
    pub state: State,
    /// Counts what happened: each action, and an end otherwise than by rule. Each revision is
    /// sent once to everybody who is there.
    pub revision: u32,
    /// The action that led here.
    pub last_action: Option<LastAction>,
    /// How it ended; `null` while it goes on.
    pub result: Option<GameResult>,
    /// The clocks; `null` without.
    pub clocks: Option<Clocks>,
    /// What the bots think.
    pub bot_evaluations: BotEvaluations,
    /// Whose offer of a draw stands.
    pub draw_offer: Option<Team>,
    /// The position the game began with; with `history`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub start: Option<String>,
    /// The texts of all actions from the start, for whoever comes to the game; left out of the
    /// messages that follow an action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub history: Option<Vec<String>>,
}

/// Both players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Players {
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Player {
    /// The user; `null` for a bot.
    pub id: Option<u32>,
    /// The name.
    pub name: String,
    /// What kind of bot it is, for a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub bot: Option<Bot>,
    /// Whether the player is there; bots always are.
    pub connected: bool,
}

/// A bot that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bot {
    /// Its level; 10 is full strength.
    pub level: u8,
    /// Whether it asks the tables.
    pub tables: bool,
}

/// The action before a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LastAction {
    /// Who acted.
    pub team: Team,
    /// What was done.
    pub action: Action,
    /// The same as text.
    pub text: String,
    /// The name the player gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub action_id: Option<String>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameResult {
    /// Who won; `null` for a draw, or when a game was broken off.
    pub winner: Option<Team>,
    /// Why it ended.
    pub reason: EndReason,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EndReason {
    /// A boom left one side or none.
    Boom,
    /// A player resigned.
    Resignation,
    /// A clock ran out.
    TimeForfeit,
    /// A player left, or did not come back in time.
    Abandonment,
    /// The players agreed on a draw.
    Agreement,
    /// A match of bots reached the number of actions at which it is drawn.
    ActionLimit,
    /// The last spectator of a match of bots left: it has no result.
    BrokenOff,
}

/// The clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Clocks {
    /// Milliseconds White had left when the message was made.
    pub white_ms: u32,
    /// Milliseconds Black had left.
    pub black_ms: u32,
    /// Milliseconds an action adds.
    pub increment_ms: u32,
    /// Whose clock runs; `null` when the game has ended.
    pub running: Option<Team>,
}

impl GameResult {
    /// The result of an end by rule.
    pub fn by_rule(outcome: Outcome) -> GameResult {
        GameResult { winner: outcome.winner().map(Team::from), reason: EndReason::Boom }
    }
}

impl From<Conclusion> for GameResult {
    fn from(conclusion: Conclusion) -> GameResult {
        let reason = match conclusion {
            Conclusion::Resignation(_) => EndReason::Resignation,
            Conclusion::TimeForfeit(_) => EndReason::TimeForfeit,
            Conclusion::Abandonment(_) => EndReason::Abandonment,
            Conclusion::Agreement => EndReason::Agreement,
            Conclusion::ActionLimit => EndReason::ActionLimit,
        };
        GameResult { winner: conclusion.outcome().winner().map(Team::from), reason }
    }
}
