//! The worker of a Boombots cluster: joins a coordinator, solves and checks shards.
//!
//! It never schedules: it does what it is told, and reports.

mod board;
mod bucket;
mod bulk;
mod cache;
mod delta;
mod engine;
mod link;
mod verify;

pub use link::{Fault, WorkerError, WorkerOptions, run};
