//! The crate against a plain twin of itself: over a corpus of action counts and
//! over random positions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod perft;
mod plain;
mod positions;
