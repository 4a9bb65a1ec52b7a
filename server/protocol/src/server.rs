//! What the server says.

use serde::{Deserialize, Serialize};

use crate::{Action, Builds, DeepAnalysis, ErrorCode, Game, Lobby, State, TableValue, Team};

/// A message from the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ServerMessage {
    /// Answers the handshake.
    Welcome(Welcome),
    /// The lobby, whenever it changes; the latest is the whole truth.
    Lobby(Lobby),
    /// A challenge of or to the receiver has ended without a game.
    ChallengeEnded {
        /// The challenge.
        challenge_id: u32,
        /// `declined`, `cancelled` or `playing` (one of both plays somebody else now).
        reason: String,
    },
    /// A game, to its players and spectators.
    Game(Game),
    /// A bot begins to search.
    BotThinking {
        /// The game.
        game_id: u32,
        /// The bot's side.
        team: Team,
        /// Milliseconds it may take.
        budget_ms: u32,
    },
    /// A bot waits until a search of another game ends.
    BotQueued {
        /// The game.
        game_id: u32,
        /// The bot's side.
        team: Team,
        /// How many searches come first.
        ahead: u32,
    },
    /// An offer of a draw was made, declined or has lapsed.
    DrawOffer {
        /// The game.
        game_id: u32,
        /// Whose offer stands; `null` if none does.
        team: Option<Team>,
    },
    /// A player lost the connection or is back.
    Presence {
        /// The game.
        game_id: u32,
        /// The player's side.
        team: Team,
        /// Whether the player is there.
        connected: bool,
        /// Milliseconds after which the absent player loses the game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        grace_ms: Option<u32>,
    },
    /// The receiver no longer watches the game.
    LeftGame {
        /// The game.
        game_id: u32,
    },
    /// What a search asked for by `analyze` has found so far.
    Analysis(Analysis),
    /// How a deep analysis stands, whenever that has changed.
    DeepAnalysis(DeepAnalysis),
    /// Something was refused.
    Error(Problem),
    /// Builds of tables, when something has changed.
    Builds(Builds),
    /// Answers `ping`.
    Pong {
        /// What came with the `ping`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        nonce: Option<u32>,
    },
}

/// Who the receiver is, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// The receiver's number.
    pub id: u32,
    /// The receiver's name, as others see it.
    pub name: String,
    /// The secret with which another connection goes on as the same user.
    pub resume_token: String,
    /// Whether a resume token was good, and an earlier session goes on.
    pub resumed: bool,
    /// The protocol's version.
    pub protocol_version: u32,
    /// The server's version.
    pub server_version: String,
    /// Table classes that answer, smallest first.
    pub table_classes: Vec<String>,
    /// The game the receiver plays; its state follows.
    pub playing: Option<u32>,
}

/// Something was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Why, for programs.
    pub code: ErrorCode,
    /// Why, for people.
    pub message: String,
    /// The game it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub game_id: Option<u32>,
    /// The name of the action that was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub action_id: Option<String>,
    /// The current revision, when an action was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub revision: Option<u32>,
    /// The current position, when an action was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub state: Option<State>,
}

/// The best actions of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// The position.
    pub position: String,
    /// Iterations finished.
    pub depth: u32,
    /// Positions looked at.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub time_ms: u32,
    /// The best actions, best first.
    pub lines: Vec<AnalysisLine>,
    /// What the tables say of the position, where they cover it.
    pub table: Option<TableValue>,
    /// Whether the search has ended.
    pub done: bool,
}

/// An action with what follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AnalysisLine {
    /// The score, from White's point of view, on the scale of `botEvaluations`.
    pub white_score: i32,
    /// The moves the winning side still makes, signed for White.
    pub mate_in: Option<i32>,
    /// The action.
    pub action: Action,
    /// Best play, the action first.
    pub line: Vec<String>,
}

impl ServerMessage {
    /// The text of the message.
    pub fn to_text(&self) -> String {
        // Every map has text for keys and every number is finite or becomes null.
        serde_json::to_string(self).unwrap_or_default()
    }
}
