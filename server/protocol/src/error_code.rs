//! Stable codes: of refusals, and of closed connections.

use serde::{Deserialize, Serialize};

/// Why something was refused. The codes are stable; the message beside one is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// Not a message, or a field has a value it cannot have.
    BadMessage,
    /// The first message must be the handshake.
    HandshakeRequired,
    /// A second handshake on one connection.
    AlreadyConnected,
    /// The client speaks another version of the protocol.
    UnsupportedVersion,
    /// The name is empty, too long or has characters that names may not have.
    NameInvalid,
    /// Somebody has that name, or one that looks the same.
    NameTaken,
    /// The server has as many connections, games or challenges as it takes.
    ServerFull,
    /// Too many messages at once; this one was dropped.
    RateLimited,
    /// No user of that id is there.
    UnknownUser,
    /// There is no such challenge, or no longer.
    UnknownChallenge,
    /// There is no such game, or no longer.
    UnknownGame,
    /// The challenge is not the sender's to accept, decline or cancel, or is to oneself.
    NotYourChallenge,
    /// Either player plays a game already.
    AlreadyPlaying,
    /// The server does not know the game's rules.
    UnsupportedGame,
    /// The start is neither a name nor the text of a position in which the game can go on.
    BadStart,
    /// The sender is no player of the game.
    NotAPlayer,
    /// It is the other side's turn.
    NotYourTurn,
    /// The action answers an earlier revision; the current state comes along.
    StaleAction,
    /// The rules refuse the action; the message says why.
    IllegalAction,
    /// The game has ended.
    GameOver,
    /// There is no offer to accept or decline.
    NoDrawOffer,
    /// Not against a bot, or not between these players.
    NotPossible,
    /// The game or a search queue cannot take more just now; try again.
    Busy,
}

/// Why the server closed a connection: codes of close frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CloseCode {
    /// The server stops; games go on when it is back.
    GoingAway = 1001,
    /// What came was no text.
    NotText = 1003,
    /// Messages came too fast for too long.
    TooFast = 1008,
    /// A message was over the limit.
    TooLong = 1009,
    /// The user is connected from elsewhere now.
    Replaced = 4000,
    /// No handshake came in time, or too many bad ones.
    NoHandshake = 4001,
    /// The client did not read what it was sent.
    TooSlow = 4002,
    /// Nothing was heard of the client, not even a pong.
    Silent = 4003,
    /// The server has as many users as it takes.
    Full = 4004,
}

impl ErrorCode {
    /// Whether an action was refused, so that the current position comes along.
    pub const fn concerns_an_action(self) -> bool {
        matches!(self, ErrorCode::NotYourTurn | ErrorCode::StaleAction | ErrorCode::IllegalAction)
    }
}

impl CloseCode {
    /// The number in the close frame.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The reason in the close frame.
    pub const fn reason(self) -> &'static str {
        match self {
            CloseCode::GoingAway => "the server stops; reconnect soon",
            CloseCode::NotText => "messages are text",
            CloseCode::TooFast => "too many messages",
            CloseCode::TooLong => "a message has at most 65536 bytes",
            CloseCode::Replaced => "connected from elsewhere",
            CloseCode::NoHandshake => "no handshake",
            CloseCode::TooSlow => "messages were not read",
            CloseCode::Silent => "no answer to pings",
            CloseCode::Full => "the server is full",
        }
    }
}
