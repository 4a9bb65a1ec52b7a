//! The lobby.

use serde::{Deserialize, Serialize};

use crate::{ClockSettings, ColorChoice, Players};

/// Who and what is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Lobby {
    /// Users that are connected, by id.
    pub users: Vec<User>,
    /// Open challenges of and to the receiver, by id.
    pub challenges: Vec<Challenge>,
    /// Games that go on, the latest first, at most 100.
    pub games: Vec<LiveGame>,
    /// How many games go on.
    pub game_count: u32,
    /// The bots.
    pub bots: LobbyBots,
    /// The tables.
    pub tables: LobbyTables,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The user's number.
    pub id: u32,
    /// The user's name.
    pub name: String,
    /// The game the user plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub playing: Option<u32>,
}

/// A challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    /// The challenge's number.
    pub id: u32,
    /// Who asks.
    pub challenger_id: u32,
    /// The name of who asks.
    pub challenger_name: String,
    /// Who is asked.
    pub target_id: u32,
    /// Which game.
    pub game: String,
    /// The name of the start, or a position.
    pub start: String,
    /// The clock.
    pub clock: Option<ClockSettings>,
    /// The side the challenger would like.
    pub color: ColorChoice,
    /// The game of which this would be the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rematch_of: Option<u32>,
}

/// A game that can be watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveGame {
    /// The game's number.
    pub id: u32,
    /// Which game it is.
    pub game: String,
    /// Who plays.
    pub players: Players,
}

/// What bots there are, and how busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LobbyBots {
    /// The highest level, full strength; the lowest is 1.
    pub levels: u8,
    /// How many searches run at once.
    pub slots: u32,
    /// How many run.
    pub thinking: u32,
    /// How many wait for their turn.
    pub queued: u32,
}

/// What tables there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyTables {
    /// Classes that answer, smallest first.
    pub ready: Vec<String>,
    /// The class being built here.
    pub building: Option<String>,
    /// What is wrong with files of the folder, a sentence each.
    pub problems: Vec<String>,
}
