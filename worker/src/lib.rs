//! The worker of a Boombots cluster: joins a coordinator, solves and checks shards, and
//! searches positions.
//!
//! It never schedules: it does what it is told, and reports.

mod board;
mod bucket;
mod bulk;
mod cache;
mod delta;
mod engine;
mod link;
mod search;
mod verify;

pub use link::{Fault, WorkerError, WorkerOptions, run};
pub use search::{JobFindings, JobRunner};
