//! SIGTERM and Ctrl-C: the first finishes what is under way, the second ends the program at once.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop the program.
#[derive(Debug)]
pub(crate) struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    /// Listens from now on.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let terminate = signal(SignalKind::terminate())?;
        Ok(Self { terminate, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Returns at a signal.
    pub(crate) async fn asked(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// From now on another signal ends the program.
    pub(crate) fn abort_next_time(mut self) {
        eprintln!("stopping; once more to stop at once");
        tokio::spawn(async move {
            self.asked().await;
            std::process::exit(ABORTED);
        });
    }
}

/// What shells report for a program ended by Ctrl-C.
const ABORTED: i32 = 130;
