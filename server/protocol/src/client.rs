//! What clients say.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Action, ColorChoice, MAX_MESSAGE_BYTES};

/// A clock: so much time each, and more after each action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClockSettings {
    /// Milliseconds at the start, 1 000 to 86 400 000.
    pub initial_ms: u32,
    /// Milliseconds gained by each action, at most 600 000.
    #[serde(default)]
    pub increment_ms: u32,
}

/// A message from a client. The first one on a connection is the handshake.
///
/// Where `gameId` may be left out, the game that the sender plays is meant, or else the one
/// watched or played last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ClientMessage {
    /// Says who is there.
    Handshake {
        /// The name to be known by; see the rules for names. With a resume token that is still
        /// good the old name stays.
        name: String,
        /// The token of an earlier welcome, to go on as the same user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        resume_token: Option<String>,
        /// The client's protocol version, refused if it is not the server's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        protocol_version: Option<u32>,
    },
    /// Asks another user for a game.
    SendChallenge {
        /// The user.
        target_id: u32,
        /// The game, `boombots` if it is not named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game: Option<String>,
        /// The name of a start, or a position as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        start: Option<String>,
        /// The clock; none if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        clock: Option<ClockSettings>,
        /// The side the sender would like, by lot if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        color: Option<ColorChoice>,
    },
    /// Accepts a challenge; the game begins.
    AcceptChallenge {
        /// The challenge.
        challenge_id: u32,
    },
    /// Declines a challenge.
    DeclineChallenge {
        /// The challenge.
        challenge_id: u32,
    },
    /// Takes back one's own challenge.
    CancelChallenge {
        /// The challenge.
        challenge_id: u32,
    },
    /// Takes a turn.
    GameAction {
        /// The turn.
        action: Action,
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game_id: Option<u32>,
        /// The revision the action answers; any other than the current one is stale.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        revision: Option<u32>,
        /// A name for the action, at most 64 bytes: sent again under the same name it is applied
        /// once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        action_id: Option<String>,
    },
    /// Starts a match between two bots; the sender watches.
    StartBotMatch {
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game: Option<String>,
        /// The name of a start, or a position as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        start: Option<String>,
    },
    /// Starts a game of the sender against a bot.
    StartBotGame {
        /// The sender's side, by lot if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        color: Option<ColorChoice>,
        /// The bot's level, 1 to 10; 10 if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        level: Option<u8>,
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game: Option<String>,
        /// The name of a start, or a position as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        start: Option<String>,
        /// The clock; none if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        clock: Option<ClockSettings>,
    },
    /// Watches a game, or asks for its whole state once more.
    Spectate {
        /// The game.
        game_id: u32,
    },
    /// Stops watching. A player who leaves a game that goes on loses it.
    LeaveGame {
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game_id: Option<u32>,
    },
    /// Gives the game up.
    Resign {
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game_id: Option<u32>,
    },
    /// Offers a draw; it stands until either side acts.
    OfferDraw {
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game_id: Option<u32>,
    },
    /// Accepts the opponent's offer.
    AcceptDraw {
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game_id: Option<u32>,
    },
    /// Declines the opponent's offer.
    DeclineDraw {
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game_id: Option<u32>,
    },
    /// Asks for the last game once more with sides changed; the same from both begins it, and a
    /// bot is always willing.
    Rematch {
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game_id: Option<u32>,
    },
    /// Asks for the best actions of a position; answered by `analysis` messages.
    Analyze {
        /// The position as text.
        position: String,
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game: Option<String>,
        /// How many actions to rate, 1 to 10; 3 if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        lines: Option<u8>,
        /// Milliseconds to think, at most 10 000; 2 000 if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        budget_ms: Option<u32>,
    },
    /// Asks for a position to be analysed for as long as the sender looks at it, by the cluster
    /// where there is one; answered by `deepAnalysis` messages. It takes the place of the last one.
    DeepAnalyze {
        /// The position as text.
        position: String,
        /// The game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game: Option<String>,
    },
    /// Looks at the deep analysis no more.
    EndDeepAnalysis,
    /// Asks for a `pong`.
    Ping {
        /// Comes back with the `pong`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        nonce: Option<u32>,
    },
}

/// Why text is no message.
#[derive(Debug, Error)]
pub enum ParseError {
    /// It is too long.
    #[error("a message has at most {MAX_MESSAGE_BYTES} bytes, not {bytes}")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// It is no JSON, has no known type, or lacks a field.
    #[error("not a message: {0}")]
    Json(#[from] serde_json::Error),
}

impl ClientMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// See [`ParseError`].
    pub fn parse(text: &str) -> Result<ClientMessage, ParseError> {
        if text.len() > MAX_MESSAGE_BYTES {
            return Err(ParseError::TooLong { bytes: text.len() });
        }
        Ok(serde_json::from_str(text)?)
    }
}
