//! The terminal client of Boombots.
//!
//! [`App`] is the whole state: plain data, changed by [`Event`]s and drawn by [`draw`]. Around it are
//! a thread that reads the terminal, a task that holds the connection, and the loop in [`run`]
//! that brings their events to the state and carries out its [`Effect`]s.
//!
//! In games the rules are for hints only: what counts is for the server to say.

mod address;
mod app;
pub mod arguments;
mod event;
pub mod format;
mod generated;
mod glyphs;
mod input;
mod link;
mod run;
mod sanitise;
mod screen;
pub mod state;
mod text_field;
mod theme;
mod view;

pub use address::{Address, AddressError};
pub use app::{App, AppOptions, View};
pub use event::{Effect, Event, LinkEvent};
pub use generated::{MAN_PAGE, completions};
pub use glyphs::Glyphs;
pub use run::run;
pub use sanitise::{clean, read_message};
pub use screen::{Output, Screen};
pub use text_field::TextField;
pub use theme::{Environment, Theme};
pub use view::{AnalysisLayout, BoardLayout, GameLayout, LEAST_SIZE, LobbyLayout, draw};
