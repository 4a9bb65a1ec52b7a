//! Games between two seats: what happens in one ([`Match`], without sockets or clock) and the task
//! that runs it.

mod actor;
mod clock;
mod core;
mod ends;
mod event;
mod seat;
mod turns;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use actor::{ActorContext, MatchHandle, MatchMessage, MatchNews, Opening, spawn};
pub use clock::Clock;
pub use core::{Match, MatchRules};
pub use event::{Announcement, Effect, Event, Stored};
pub use seat::{Human, Seat};
pub(crate) use view::players_of;
