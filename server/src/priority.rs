//! How threads share the processors: sockets first, then searches, then builds.

use rustix::process::{Pid, setpriority_process};

/// What a thread does, as far as the system's scheduler is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// A bot's search: it may wait for any message.
    Search,
    /// A build of tables: it may wait for anything.
    Build,
}

impl Priority {
    /// Gives the current thread this priority. On Linux niceness belongs to threads, so the others keep
    /// theirs. A system that refuses leaves the thread as it was.
    pub(crate) fn apply(self) {
        let nice = match self {
            Priority::Search => 12,
            Priority::Build => 19,
        };
        let thread: Pid = rustix::thread::gettid();
        if let Err(error) = setpriority_process(Some(thread), nice) {
            tracing::debug!(%error, "a thread keeps the priority it was started with");
        }
    }
}
