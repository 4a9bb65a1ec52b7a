//! The folder of tables: what answers, what is missing, and building it.

mod answer;
mod build;
mod service;

pub(crate) use answer::{answer, table_value};
pub(crate) use service::{TableOptions, TableService, Watcher};
