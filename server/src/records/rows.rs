//! What is stored of a game.

use boombots_protocol::{ClockSettings, GameResult, Player, Players, Team};

use crate::ids::{MatchId, UserId};
use crate::token::TokenDigest;

/// A game that begins.
#[derive(Clone, Debug)]
pub(crate) struct MatchRow {
    pub(crate) id: MatchId,
    pub(crate) game: &'static str,
    /// The position as text.
    pub(crate) start: String,
    pub(crate) players: Players,
    pub(crate) clock: Option<ClockSettings>,
    /// Who started it.
    pub(crate) creator: UserId,
    /// Those who must be known again after a restart.
    pub(crate) sessions: Vec<SessionRow>,
}

/// A user who is known again by a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionRow {
    pub(crate) user: UserId,
    pub(crate) name: String,
    pub(crate) token: TokenDigest,
}

/// An action.
#[derive(Clone, Debug)]
pub(crate) struct ActionRow {
    pub(crate) game: MatchId,
    /// From 1.
    pub(crate) number: u32,
    pub(crate) action: String,
    pub(crate) action_id: Option<String>,
    pub(crate) left_ms: Option<[u32; 2]>,
}

/// A game that goes on, as it was found.
#[derive(Clone, Debug)]
pub(crate) struct LiveMatch {
    pub(crate) id: MatchId,
    pub(crate) game: String,
    pub(crate) start: String,
    pub(crate) white: Player,
    pub(crate) black: Player,
    pub(crate) clock: Option<ClockSettings>,
    pub(crate) creator: UserId,
    pub(crate) actions: Vec<ActionRow>,
}

/// The result as it is stored.
pub(crate) fn winner_text(result: GameResult) -> Option<&'static str> {
    result.winner.map(|winner| match winner {
        Team::White => "white",
        Team::Black => "black",
    })
}
