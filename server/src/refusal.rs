//! A refusal: a code for programs and a sentence for people.

use boombots_protocol::{ErrorCode, Problem};

/// Why something a client asked for was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// For programs.
    pub code: ErrorCode,
    /// For people.
    pub message: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }

    /// The message without anything about a game.
    pub fn problem(self) -> Problem {
        Problem {
            code: self.code,
            message: self.message,
            game_id: None,
            action_id: None,
            revision: None,
            state: None,
        }
    }
}
