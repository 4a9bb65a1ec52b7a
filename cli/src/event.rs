//! What happens to the client, and what it does about it.

use boombots_protocol::{ClientMessage, ServerMessage};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};

/// Something that happened. The time goes beside it, so the state never reads a clock.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A key went down.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has so many columns and rows.
    Resize(u16, u16),
    /// The connection did something.
    Link(LinkEvent),
    /// The moment asked for by `App::next_tick` has come.
    Tick,
}

/// Something the connection did.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkEvent {
    /// It stands.
    Opened,
    /// The server said something.
    Message(Box<ServerMessage>),
    /// It ended, or never stood.
    Closed {
        /// The code of the server's close frame.
        code: Option<u16>,
        /// Why, for people.
        reason: String,
    },
}

/// Something to be done outside the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Open a connection, in place of any other.
    Connect,
    /// Say something to the server.
    Send(ClientMessage),
    /// Stop until the shell continues the client.
    Suspend,
    /// Draw everything anew, whatever is on the screen.
    Repaint,
    /// End.
    Quit,
    /// End, with the reason for people.
    Fail(String),
}
