//! A sentence shown for a while.

use std::time::Duration;

/// A sentence shown for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// How it says it.
    pub tone: Tone,
    /// When it goes.
    pub until: Duration,
}

/// How something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// For information.
    Plain,
    /// Something went well.
    Good,
    /// Something was refused or went wrong.
    Bad,
}

impl Notice {
    /// A notice from now on.
    pub fn new(text: impl Into<String>, tone: Tone, now: Duration) -> Notice {
        Notice { text: text.into(), tone, until: now + SHOWN }
    }
}

const SHOWN: Duration = Duration::from_secs(8);
