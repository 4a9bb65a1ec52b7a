//! The coordinator of a Boombots cluster: builds classes and analyses positions over workers, and
//! keeps what they make.
//!
//! It schedules and stores; it never solves and never searches.

pub mod analysis;
mod analysis_http;
mod analysis_service;
mod bulk;
mod coordinator;
mod database;
mod http;
mod link;
mod publish;
pub mod scheduler;
mod service;
mod store;
mod upload;

pub use coordinator::{Coordinator, CoordinatorOptions, Secrets, SecretsError};
pub use database::{DatabaseError, StateDatabase};
pub use service::{Service, Stopped};
