//! The engine's side of UGI, the universal game interface: lines of text in and
//! out, as in UCI.
//!
//! [`Command`] is a line read, [`Session`] answers them.

mod command;
mod option;
mod session;

pub use command::{Command, CommandError, Go, Query};
pub use option::{OptionError, SetOption};
pub use session::Session;
