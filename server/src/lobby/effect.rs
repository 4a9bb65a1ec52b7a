//! What follows from what happens in a lobby.

use boombots_rules::{Boombots, Game};

use super::start::Begin;
use crate::ids::{ChallengeId, ConnectionId, MatchId, UserId};
use crate::matches::Event;
use crate::refusal::Refusal;

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub enum LobbyEffect<G: Game = Boombots> {
    /// A connection belongs to a user now.
    Welcome {
        /// The connection.
        connection: ConnectionId,
        /// The user.
        user: UserId,
        /// Whether an earlier session goes on.
        resumed: bool,
        /// The game the user plays.
        playing: Option<MatchId>,
    },
    /// A connection may try another handshake.
    RefuseConnection {
        /// The connection.
        connection: ConnectionId,
        /// Why.
        refusal: Refusal,
    },
    /// The user is connected from elsewhere now.
    Replace {
        /// The old connection.
        connection: ConnectionId,
    },
    /// Something was refused.
    Refuse {
        /// Whom.
        user: UserId,
        /// Why.
        refusal: Refusal,
    },
    /// A game begins.
    Begin(Box<Begin>),
    /// Something happens in a game.
    Happens {
        /// The game.
        game: MatchId,
        /// Who caused it.
        user: UserId,
        /// What.
        event: Event<G>,
    },
    /// A user comes to a game, or back to it.
    Join {
        /// The game.
        game: MatchId,
        /// The user.
        user: UserId,
    },
    /// A user leaves a game.
    Leave {
        /// The game.
        game: MatchId,
        /// The user.
        user: UserId,
    },
    /// The connection of somebody in a game was lost.
    Gone {
        /// The game.
        game: MatchId,
        /// The user.
        user: UserId,
    },
    /// A challenge has ended without a game.
    ChallengeEnded {
        /// Who is told.
        user: UserId,
        /// The challenge.
        challenge: ChallengeId,
        /// Why.
        reason: &'static str,
    },
    /// The lobby has changed in a way that concerns a user at once.
    Concerns(UserId),
    /// The lobby has changed.
    Changed,
}
