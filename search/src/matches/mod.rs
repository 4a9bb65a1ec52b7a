//! Matches between engines: their processes, games, openings and statistics.

pub(crate) mod engine_process;
pub(crate) mod game;
pub(crate) mod random;
pub(crate) mod self_game;
pub(crate) mod statistics;
