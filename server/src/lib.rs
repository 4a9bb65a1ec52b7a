//! The game server of Boombots: a lobby, games between people and bots, their records, and the
//! tables, on one port over HTTP and WebSocket.
//!
//! It decides nothing about the rules: `boombots-rules` does. What is to happen is decided by state
//! machines without sockets or clock ([`Lobby`], [`Match`]); tasks around them carry it out.

mod analysis;
mod bots;
mod builds;
mod cluster;
mod connection;
mod coordinator;
mod deep;
mod http;
mod hub;
mod ids;
mod listener;
mod lobby;
mod matches;
mod name;
mod options;
mod outbox;
mod pending;
mod priority;
mod records;
mod refusal;
mod restore;
mod server;
mod serving;
mod shown_lobby;
mod socket;
mod tables;
mod text;
mod timeline;
mod token;

pub use bots::Strength;
pub use ids::{ChallengeId, ConnectionId, MatchId, UserId};
pub use lobby::{Begin, GameStart, Lobby, LobbyEffect, LobbyLimits};
pub use matches::{Announcement, Clock, Effect, Event, Human, Match, MatchRules, Seat, Stored};
pub use name::{Name, NameError, NameKey};
pub use options::ServerOptions;
pub use records::DatabaseError;
pub use refusal::Refusal;
pub use server::{Server, StartError};
pub use token::{ResumeToken, TokenDigest};
