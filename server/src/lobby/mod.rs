//! Who is there, who challenges whom, and which games go on: a state machine without sockets or
//! clock. Accepting, cancelling and starting are decided here, one after the other, so that a
//! player is never in two games.

mod begin;
mod challenges;
mod effect;
mod people;
mod start;
mod view;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use boombots_protocol::{ClockSettings, ColorChoice};

pub use effect::LobbyEffect;
pub use start::{Begin, GameStart};

use crate::ids::{ChallengeId, ConnectionId, MatchId, UserId};
use crate::matches::Seat;
use crate::name::{Name, NameKey};
use crate::token::TokenDigest;

/// What a lobby takes at most, and how long it waits.
#[derive(Clone, Debug)]
pub struct LobbyLimits {
    /// Users, with those who are away for a moment.
    pub users: usize,
    /// Games that go on.
    pub games: usize,
    /// Of those, games with a bot.
    pub bot_games: usize,
    /// Open challenges of one user.
    pub challenges_of_one: usize,
    /// Open challenges to one user, who is told of the end of each when a game begins.
    pub challenges_to_one: usize,
    /// Games one user watches.
    pub watched_by_one: usize,
    /// How long a lost session is kept.
    pub grace: Duration,
    /// Whether the bots of White and of Black ask the tables.
    pub bot_tables: [bool; 2],
}

/// The lobby.
#[derive(Debug)]
pub struct Lobby {
    limits: LobbyLimits,
    users: BTreeMap<UserId, User>,
    names: HashMap<NameKey, UserId>,
    tokens: HashMap<TokenDigest, UserId>,
    challenges: BTreeMap<ChallengeId, Challenge>,
    games: BTreeMap<MatchId, LobbyGame>,
    last_user: UserId,
    last_match: MatchId,
    last_challenge: ChallengeId,
    /// Decides who gets White.
    lots: u64,
}

#[derive(Debug)]
struct User {
    name: Name,
    token: TokenDigest,
    connection: Option<ConnectionId>,
    away_since: Option<Duration>,
    playing: Option<MatchId>,
    /// The game played or watched last.
    latest: Option<MatchId>,
    watching: Vec<MatchId>,
}

#[derive(Clone, Debug)]
struct Challenge {
    from: UserId,
    to: UserId,
    start: GameStart,
    clock: Option<ClockSettings>,
    color: ColorChoice,
    rematch_of: Option<MatchId>,
}

#[derive(Debug)]
struct LobbyGame {
    seats: [Seat; 2],
    start: GameStart,
    clock: Option<ClockSettings>,
    creator: UserId,
    is_live: bool,
}

impl Lobby {
    /// An empty lobby. Numbers go on after the last ones; `lots` is any number.
    pub fn new(limits: LobbyLimits, last_user: UserId, last_match: MatchId, lots: u64) -> Lobby {
        Lobby {
            limits,
            users: BTreeMap::new(),
            names: HashMap::new(),
            tokens: HashMap::new(),
            challenges: BTreeMap::new(),
            games: BTreeMap::new(),
            last_user,
            last_match,
            last_challenge: ChallengeId(0),
            lots,
        }
    }

    /// The connection of a user who is there.
    pub fn connection_of(&self, user: UserId) -> Option<ConnectionId> {
        self.users.get(&user)?.connection
    }

    /// What stands for a user's token.
    pub fn token_of(&self, user: UserId) -> Option<TokenDigest> {
        self.users.get(&user).map(|user| user.token)
    }

    /// The name of a user.
    pub fn name_of(&self, user: UserId) -> Option<&str> {
        self.users.get(&user).map(|user| user.name.as_str())
    }

    /// How many users are connected.
    pub fn connected(&self) -> usize {
        self.users.values().filter(|user| user.connection.is_some()).count()
    }

    /// How many users are known, with those who are away.
    pub fn known(&self) -> usize {
        self.users.len()
    }

    /// How many games go on.
    pub fn live_games(&self) -> usize {
        self.games.values().filter(|game| game.is_live).count()
    }

    /// A random bit.
    fn lot(&mut self) -> bool {
        self.lots = self
            .lots
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.lots >> 63 == 0
    }
}
