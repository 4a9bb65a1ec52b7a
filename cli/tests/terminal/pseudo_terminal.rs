//! A program in a pseudo-terminal, whose screen is read.

use std::fmt::Debug;
use std::io::{Read as _, Write as _};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pts, Pty, open};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{Termios, tcgetattr};

/// Far longer than anything takes, for what would never come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Modes change without anything being written.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// A program in a pseudo-terminal.
pub(crate) struct PseudoTerminal {
    pty: Option<Arc<Pty>>,
    /// Held so that the modes outlive the program; without it the terminal vanishes.
    pts: Option<Pts>,
    process: Pid,
    ended: Receiver<ExitStatus>,
    output: Arc<Output>,
    reader: Option<std::thread::JoinHandle<()>>,
    before: Modes,
}

/// What the program wrote.
struct Output {
    state: Mutex<OutputState>,
    changed: Condvar,
}

struct OutputState {
    screen: vt100::Parser,
    bytes: Vec<u8>,
    stop: bool,
}

impl Output {
    /// A test that fails while it looks at the screen still ends its program.
    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The terminal's modes, as far as a program changes them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Modes {
    input: rustix::termios::InputModes,
    output: rustix::termios::OutputModes,
    control: rustix::termios::ControlModes,
    local: rustix::termios::LocalModes,
}

impl From<Termios> for Modes {
    fn from(termios: Termios) -> Modes {
        Modes {
            input: termios.input_modes,
            output: termios.output_modes,
            control: termios.control_modes,
            local: termios.local_modes,
        }
    }
}

/// The client, with nothing of the tests' environment.
pub(crate) fn client(url: &str, arguments: &[&str]) -> Command {
    plain(env!("CARGO_BIN_EXE_boombots-cli")).args(["--url", url]).args(arguments)
}

/// A program in an environment that is always the same.
pub(crate) fn plain(program: &str) -> Command {
    Command::new(program)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("TERM", "xterm-256color")
        .env("LANG", "C.UTF-8")
}

impl PseudoTerminal {
    /// Runs a program in a terminal of 80 columns and 24 rows.
    pub(crate) fn run(mut command: Command) -> PseudoTerminal {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(24, 80)).unwrap();
        let before = tcgetattr(&pty).unwrap().into();
        let child = command.spawn_borrowed(&pts).unwrap();
        let process = Pid::from_child(&child);
        let pty = Arc::new(pty);
        let screen = vt100::Parser::new(24, 80, 0);
        let state = Mutex::new(OutputState { screen, bytes: Vec::new(), stop: false });
        let output = Arc::new(Output { state, changed: Condvar::new() });
        let reader = {
            let (pty, output) = (Arc::clone(&pty), Arc::clone(&output));
            std::thread::spawn(move || read(&pty, &output))
        };
        PseudoTerminal {
            pty: Some(pty),
            pts: Some(pts),
            process,
            ended: wait_for(child),
            output,
            reader: Some(reader),
            before,
        }
    }

    /// Presses keys.
    pub(crate) fn press(&self, keys: &str) {
        let pty = self.pty.as_deref().unwrap();
        (&*pty).write_all(keys.as_bytes()).unwrap();
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.output.lock().screen.screen_mut().set_size(rows, columns);
        self.pty.as_deref().unwrap().resize(Size::new(rows, columns)).unwrap();
    }

    /// Waits until the screen is as it should be.
    pub(crate) fn until(&self, what: impl Debug, mut is: impl FnMut(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.output.lock();
        while !is(&state.screen.screen().contents()) {
            let left = deadline.saturating_duration_since(Instant::now());
            let (guard, _) = self.output.changed.wait_timeout(state, left).unwrap();
            state = guard;
            let screen = state.screen.screen().contents();
            assert!(!left.is_zero(), "{what:?} is not seen:\n{screen}");
        }
    }

    /// Waits until a text is on the screen.
    pub(crate) fn see(&self, text: &str) {
        self.until(text, |screen| screen.contains(text));
    }

    pub(crate) fn screen(&self) -> String {
        self.output.lock().screen.screen().contents()
    }

    /// Everything the program wrote.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.output.lock().bytes.clone()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.process, signal).unwrap();
    }

    /// Waits until the program has ended.
    pub(crate) fn ended(&self) -> ExitStatus {
        match self.ended.recv_timeout(PATIENCE) {
            Ok(status) => status,
            Err(RecvTimeoutError::Timeout) => panic!("goes on:\n{}", self.screen()),
            Err(RecvTimeoutError::Disconnected) => panic!("was waited for already"),
        }
    }

    /// Whether the program has the terminal to itself: the alternate screen and raw mode.
    pub(crate) fn is_taken(&self) -> bool {
        let raw = Modes::from(tcgetattr(self.pty.as_deref().unwrap()).unwrap()) != self.before;
        raw && self.output.lock().screen.screen().alternate_screen()
    }

    /// The terminal is as it was before the program, by its modes and by escape sequences; what
    /// was written last may not have been read yet.
    pub(crate) fn assert_restored(&self) {
        let modes = || Modes::from(tcgetattr(self.pty.as_deref().unwrap()).unwrap());
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.output.lock();
        while !is_usual(state.screen.screen()) || modes() != self.before {
            let text = String::from_utf8_lossy(&state.bytes);
            assert!(Instant::now() < deadline, "not restored: {:?} {text:?}", modes());
            (state, _) = self.output.changed.wait_timeout(state, LOOK_AGAIN).unwrap();
        }
    }

    /// The terminal vanishes, as when a window is closed.
    pub(crate) fn vanish(&mut self) {
        self.stop_reading();
        self.pts = None;
        self.pty = None;
    }

    fn stop_reading(&mut self) {
        self.output.lock().stop = true;
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
    }
}

impl Drop for PseudoTerminal {
    fn drop(&mut self) {
        // It has ended by itself if all went well.
        let _ = kill_process(self.process, Signal::KILL);
        self.stop_reading();
    }
}

/// Neither alternate screen nor hidden cursor, neither mouse nor paste reports.
fn is_usual(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen()
        && !screen.hide_cursor()
        && !screen.bracketed_paste()
        && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        && screen.mouse_protocol_encoding() == vt100::MouseProtocolEncoding::Default
        && screen.fgcolor() == vt100::Color::Default
        && screen.bgcolor() == vt100::Color::Default
        && !screen.bold()
        && !screen.inverse()
}

fn read(pty: &Pty, output: &Output) {
    let mut buffer = [0; 4096];
    loop {
        let mut watched = [PollFd::new(pty, PollFlags::IN)];
        let wait = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        let _ = rustix::event::poll(&mut watched, Some(&wait));
        let readable = watched[0].revents().contains(PollFlags::IN);
        let read = if readable { (&*pty).read(&mut buffer).unwrap_or(0) } else { 0 };
        let mut state = output.lock();
        if state.stop {
            return;
        }
        if read > 0 {
            state.screen.process(&buffer[..read]);
            state.bytes.extend_from_slice(&buffer[..read]);
            output.changed.notify_all();
        }
    }
}

fn wait_for(mut child: Child) -> Receiver<ExitStatus> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let _ = sender.send(child.wait().unwrap());
    });
    receiver
}
