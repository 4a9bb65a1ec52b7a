//! The terminal: taken over, and given back as it was.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::style::{Attribute, SetAttribute};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use rustix::process::{Signal, kill_current_process_group};
use rustix::termios::{LocalModes, QueueSelector, tcflush, tcgetattr};

/// The terminal, taken over until this is dropped, also by a panic.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Output>>>,
    mouse: bool,
}

/// Standard output while the terminal is taken over; afterwards nothing is written any more,
/// neither what a panic left unfinished nor the cursor that ratatui shows at its end, which would
/// be one more panic on a terminal that is gone.
#[derive(Debug)]
pub struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if TAKEN.load(Ordering::SeqCst) { io::stdout().write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if TAKEN.load(Ordering::SeqCst) { io::stdout().flush() } else { Ok(()) }
    }
}

impl Screen {
    /// Takes the terminal over: raw mode, the alternate screen, and the mouse if it is wanted.
    ///
    /// # Errors
    /// When the terminal cannot be written to or does not have those modes.
    pub fn enter(mouse: bool) -> io::Result<Screen> {
        give_back_on_panic();
        let terminal =
            Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(A_SCREEN, Output)))?;
        let mut screen = Screen { terminal, mouse };
        screen.take_over()?;
        Ok(screen)
    }

    /// The terminal, to be drawn on.
    pub fn terminal(&mut self) -> &mut Terminal<CrosstermBackend<BufWriter<Output>>> {
        &mut self.terminal
    }

    /// Gives the terminal back and stops until the shell continues this process; then takes it
    /// over again.
    ///
    /// # Errors
    /// As [`Screen::enter`].
    pub fn suspend(&mut self) -> io::Result<()> {
        give_back();
        // The main thread takes the signal and stops before this returns. Where nobody could
        // continue the process, the system ignores the signal.
        kill_current_process_group(Signal::TSTP)?;
        self.resume()
    }

    /// Takes the terminal over again, whatever another program made of it meanwhile.
    ///
    /// # Errors
    /// As [`Screen::enter`].
    pub fn resume(&mut self) -> io::Result<()> {
        // crossterm knows what it did, not what the shell did since; but where the terminal is
        // raw still, no key may be echoed in between.
        if tcgetattr(io::stdin())?.local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO) {
            disable_raw_mode()?;
        }
        self.take_over()?;
        self.repaint()
    }

    /// Has everything drawn anew the next time, whatever is on the screen.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn repaint(&mut self) -> io::Result<()> {
        // `Terminal::clear` asks the terminal where the cursor is, and the answer would come
        // among the keys.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::new(0, 0, size.width, size.height))
    }

    fn take_over(&mut self) -> io::Result<()> {
        TAKEN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        let mut out = io::stdout();
        queue!(out, EnterAlternateScreen, EnableBracketedPaste)?;
        if self.mouse {
            queue!(out, EnableMouseCapture)?;
        }
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back as it was, if it is taken.
///
/// Errors are of no use here: a terminal that is gone needs nothing back.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        DisableBracketedPaste,
        SetAttribute(Attribute::Reset),
        LeaveAlternateScreen,
        Show
    );
    // Movements of the mouse that were still reported are not for the shell to read.
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    let _ = disable_raw_mode();
}

/// A panic is told on a terminal that is as it was.
fn give_back_on_panic() {
    if HOOKED.swap(true, Ordering::SeqCst) {
        return;
    }
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        give_back();
        tell(panic);
    }));
}

/// The bytes of a screen drawn anew, about.
const A_SCREEN: usize = 64 << 10;

/// Whether the terminal is taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether a panic gives the terminal back.
static HOOKED: AtomicBool = AtomicBool::new(false);
