//! The client as users have it: in a terminal, against a server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod analysis;
mod command_line;
mod fake_server;
mod games;
mod hostile;
mod pseudo_terminal;
mod restored;
mod server_process;
