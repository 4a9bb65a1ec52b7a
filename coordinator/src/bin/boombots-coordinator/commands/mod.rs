//! One module for each command that is more than a question.

pub(crate) mod analyses;
pub(crate) mod analyze;
pub(crate) mod fetch;
mod local;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod simple;
pub(crate) mod watch;
