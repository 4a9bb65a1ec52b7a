//! What outlives the server: games, and the sessions of those who play them.

mod checkpoints;
mod database;
mod rows;
mod store;

pub use database::DatabaseError;
pub(crate) use rows::{ActionRow, LiveMatch, MatchRow, SessionRow};
pub(crate) use store::{Found, Records};
