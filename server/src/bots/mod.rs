//! Bots: who thinks when, how strong, and what comes of it.

mod level;
mod pool;
mod turn;

pub use level::Strength;
pub(crate) use pool::{BotPool, PoolOptions, Search, Spare};
pub(crate) use turn::{BotTurn, white_view};
