//! The client without a terminal: events in, effects and drawn screens out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod analysis;
mod analysis_asking;
mod analysis_fixtures;
mod behaviour;
mod connection;
mod documentation;
mod fixtures;
mod harness;
mod mouse;
mod sizes;
mod snapshots;
mod themes;
