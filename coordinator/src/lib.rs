//! The coordinator of a Boombots cluster: builds classes over workers and keeps what they make.
//!
//! It schedules and stores; it never solves.

mod coordinator;
mod database;
mod http;
mod link;
mod publish;
pub mod scheduler;
mod service;
mod store;

pub use coordinator::{Coordinator, CoordinatorOptions, Secrets, SecretsError};
pub use database::{DatabaseError, StateDatabase};
pub use service::{Service, Stopped};
