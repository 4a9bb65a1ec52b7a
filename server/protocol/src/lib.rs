//! The messages between the game server and its clients: JSON over WebSocket.
//!
//! The crate owns the shape of every message and the conversions to and from the types of the
//! rules. It decides nothing: whether an action is legal is for the rules, whether it counts is
//! for the server. `docs/protocol.md` shows every message.

mod action;
mod builds;
mod client;
mod deep;
mod error_code;
mod evaluation;
mod finished;
mod game;
mod limits;
mod lobby;
mod server;
mod state;
mod tablebase;
mod team;
#[cfg(test)]
mod typescript;

pub use action::{Action, ActionError, Point};
pub use builds::{Builds, ClassBuild, ClusterBuilds, ClusterWorker, LocalBuilds};
pub use client::{ClientMessage, ClockSettings, ParseError};
pub use deep::{DeepAnalysis, DeepAnalysisSource, DeepAnalysisState, DeepLine, ProvedValue};
pub use error_code::{CloseCode, ErrorCode};
pub use evaluation::{BotEvaluation, BotEvaluations};
pub use finished::{FinishedGame, FinishedGames, GameSummary};
pub use game::{Bot, Clocks, EndReason, Game, GameResult, LastAction, Player, Players};
pub use limits::{
    BOT_LEVELS, DEFAULT_GAME, MAX_BATCH_POSITIONS, MAX_MESSAGE_BYTES, MAX_NAME_CHARACTERS,
    PROTOCOL_VERSION,
};
pub use lobby::{Challenge, LiveGame, Lobby, LobbyBots, LobbyTables, User};
pub use server::{Analysis, AnalysisLine, Problem, ServerMessage, Welcome};
pub use state::{Stack, State, StateError};
pub use tablebase::{RatedAction, TableAnswer, TableBatch, TableResult, TableValue};
pub use team::{ColorChoice, Team};
