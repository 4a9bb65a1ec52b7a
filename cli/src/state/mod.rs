//! What the client knows, as plain data.

mod analysis;
mod blast;
mod connection;
mod dialog;
mod game;
mod lobby;
mod notice;
mod selection;
mod typed_position;
mod way;

pub use analysis::AnalysisState;
pub use blast::Blast;
pub use connection::{Connection, LinkState};
pub use dialog::{BotForm, Dialog, RESIGN_DELAY, Settings, SettingsForm, color_name};
pub use game::{Drag, GameState, Pending, Role, Thinking};
pub use lobby::{LobbyState, Pane};
pub use notice::{Notice, Tone};
pub use selection::Selection;
pub use typed_position::read_position;
pub use way::{Found, Step, Way};
