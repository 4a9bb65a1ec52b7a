//! One module for each command that is more than a question.

pub(crate) mod fetch;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod simple;
pub(crate) mod watch;
