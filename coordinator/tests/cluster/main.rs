//! Real coordinators and workers on loopback, in one process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod analyses;
mod builds;
mod connections;
mod hostile;
mod support;
