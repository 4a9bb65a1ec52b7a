//! The server over real sockets: what players, programs and bad networks do to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bots;
mod challenges;
mod cluster;
mod deep;
mod games;
mod handshake;
mod http;
mod limits;
mod reports;
mod restart;
mod soak;
mod stalled;
mod support;
mod tables;
