//! The thread that reads the terminal.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{Event as TerminalEvent, poll, read};
use rustix::event::{PollFd, PollFlags};
use tokio::sync::mpsc;

use crate::event::Event;

/// Reads the terminal from now on. When it is gone the channel closes.
///
/// # Errors
/// When there is no thread for it.
pub(crate) fn read_terminal() -> io::Result<mpsc::Receiver<Event>> {
    let (sender, receiver) = mpsc::channel(CAPACITY);
    let reader = move || {
        // The error is that the terminal is gone, which the closed channel says.
        let _ = forward(&sender);
    };
    std::thread::Builder::new().name("terminal".to_owned()).spawn(reader)?;
    Ok(receiver)
}

fn forward(sender: &mpsc::Sender<Event>) -> io::Result<()> {
    let stdin = io::stdin();
    loop {
        // crossterm reads a terminal that has hung up again and again for ever, so that is seen
        // to here.
        let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
        match rustix::event::poll(&mut watched, None) {
            Err(rustix::io::Errno::INTR) => continue,
            other => other?,
        };
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if watched[0].revents().intersects(gone) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut wait = PART_OF_A_KEY;
        while poll(wait)? {
            wait = Duration::ZERO;
            let event = match read()? {
                TerminalEvent::Key(key) => Event::Key(key),
                TerminalEvent::Mouse(mouse) => Event::Mouse(mouse),
                TerminalEvent::Paste(text) => Event::Paste(text),
                TerminalEvent::Resize(columns, rows) => Event::Resize(columns, rows),
                TerminalEvent::FocusGained | TerminalEvent::FocusLost => continue,
            };
            if sender.blocking_send(event).is_err() {
                return Ok(());
            }
        }
    }
}

/// Keys that wait to be taken.
const CAPACITY: usize = 256;

/// How long the rest of a key's bytes is waited for.
const PART_OF_A_KEY: Duration = Duration::from_millis(50);
