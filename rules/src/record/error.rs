//! What can be wrong with the text of a record.

use std::error::Error as StdError;

use thiserror::Error;

use super::TagError;

/// Text that is not the record of a game.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    #[source]
    pub problem: RecordProblem,
}

/// What is wrong with a line of a record.
#[derive(Debug, Error)]
pub enum RecordProblem {
    /// A line before the blank one that is not a tag.
    #[error(
        "{found:?} is not a tag: expected [Name \"value\"], or a blank line before the actions"
    )]
    NotATag {
        /// The line.
        found: String,
    },
    /// A backslash before something other than a quote or a backslash.
    #[error("the value of {name} has a backslash that escapes neither a quote nor a backslash")]
    BadEscape {
        /// The tag.
        name: String,
    },
    /// A tag with a bad name or value.
    #[error(transparent)]
    Tag(TagError),
    /// A tag that was there before.
    #[error("the tag {name} was there before")]
    RepeatedTag {
        /// The tag.
        name: String,
    },
    /// No `Result` tag.
    #[error("the tag Result is missing")]
    MissingResult,
    /// The record of another game.
    #[error("this is a record of {found:?}, expected {expected:?}")]
    WrongGame {
        /// The value of the `Game` tag.
        found: String,
        /// The game that was asked for.
        expected: &'static str,
    },
    /// The `Start` tag is not a position.
    #[error("the start is not a position: {0}")]
    BadStart(#[source] Box<dyn StdError + Send + Sync>),
    /// The `Result` tag is not a result.
    #[error("{found:?} is not a result: expected 1-0, 0-1, 1/2-1/2 or *")]
    BadResult {
        /// The value of the tag.
        found: String,
    },
    /// The `Termination` tag names no way in which a game with this result ends.
    #[error("{found:?} is not how a game ends with {result}")]
    BadTermination {
        /// The value of the `Termination` tag.
        found: String,
        /// The result.
        result: &'static str,
    },
    /// A number that is missing or wrong.
    #[error("found {found:?}, expected the number {expected:?}")]
    WrongNumber {
        /// What stands there.
        found: String,
        /// The number that belongs there.
        expected: String,
    },
    /// Something that is neither an action nor a result.
    #[error("{0}")]
    BadAction(#[source] Box<dyn StdError + Send + Sync>),
    /// An action that the rules refuse.
    #[error("{action} is illegal: {reason}")]
    IllegalAction {
        /// The action.
        action: String,
        /// The reason.
        #[source]
        reason: Box<dyn StdError + Send + Sync>,
    },
    /// The text ends without a result.
    #[error("the actions end without {expected}")]
    MissingToken {
        /// The token that the `Result` tag announces.
        expected: &'static str,
    },
    /// The token after the actions is not that of the `Result` tag.
    #[error("the actions end with {found}, but the tag Result says {expected}")]
    ResultMismatch {
        /// The token after the actions.
        found: &'static str,
        /// The value of the tag.
        expected: &'static str,
    },
    /// The result is not the one by rule.
    #[error("the result is {found}, but by rule it is {expected}")]
    WrongResult {
        /// The result of the record.
        found: &'static str,
        /// The result by rule.
        expected: &'static str,
    },
    /// A result that the rules do not give, and no `Termination` tag to say why.
    #[error("the result {found} needs a tag Termination, as the game has not ended by rule")]
    UnexplainedResult {
        /// The result.
        found: &'static str,
    },
    /// A `Termination` tag although the game ended by rule.
    #[error("the game ended by rule, but the tag Termination says {found:?}")]
    NeedlessTermination {
        /// The value of the tag.
        found: &'static str,
    },
    /// Something after the result.
    #[error("found {found:?} after the result, expected the end")]
    TrailingText {
        /// The first token.
        found: String,
    },
}

impl RecordProblem {
    /// The error of this problem on the line.
    pub(super) fn on(self, line: usize) -> RecordError {
        RecordError { line, problem: self }
    }
}
