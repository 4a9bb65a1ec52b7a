//! One turn of a player, and its text.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{MAX_BOTS, Square};

/// One turn: a move of some bots of a stack, or the boom of a stack.
///
/// Actions are ordered by source square, a stack's moves before its boom, moves
/// by target square and then by count. The text of a move is count, source and
/// target (`1a2a3`), that of a boom `x` and the square (`xd4`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `count` bots go from `source` to `target`.
    Move {
        /// Where the bots stand.
        source: Square,
        /// Where they go.
        target: Square,
        /// How many of them go; a legal move has 1–16.
        count: u8,
    },
    /// The stack on `source` explodes.
    Boom {
        /// Where the stack stands.
        source: Square,
    },
}

impl Action {
    /// The action of the wire form, in which count 0 is a boom of the source
    /// whatever the target.
    ///
    /// # Errors
    ///
    /// When the count is not 0 and there is no target.
    pub const fn from_parts(
        source: Square,
        target: Option<Square>,
        count: u8,
    ) -> Result<Action, MissingTarget> {
        match (count, target) {
            (0, _) => Ok(Action::Boom { source }),
            (_, Some(target)) => Ok(Action::Move { source, target, count }),
            (_, None) => Err(MissingTarget { count }),
        }
    }

    /// The square of the stack that acts.
    #[inline]
    pub const fn source(self) -> Square {
        match self {
            Action::Move { source, .. } | Action::Boom { source } => source,
        }
    }

    /// Where the bots go; the source itself for a boom.
    #[inline]
    pub const fn target(self) -> Square {
        match self {
            Action::Move { target, .. } => target,
            Action::Boom { source } => source,
        }
    }

    /// How many bots go; 0 for a boom.
    #[inline]
    pub const fn count(self) -> u8 {
        match self {
            Action::Move { count, .. } => count,
            Action::Boom { .. } => 0,
        }
    }

    /// Whether this is a boom.
    #[inline]
    pub const fn is_boom(self) -> bool {
        matches!(self, Action::Boom { .. })
    }
}

impl Ord for Action {
    fn cmp(&self, other: &Action) -> Ordering {
        let key =
            |action: &Action| (action.source(), action.is_boom(), action.target(), action.count());
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Action {
    fn partial_cmp(&self, other: &Action) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move { source, target, count } => f.pad(&format!("{count}{source}{target}")),
            Action::Boom { source } => f.pad(&format!("x{source}")),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        let square = |part: &str| {
            part.parse().map_err(|_| ParseActionError::BadSquare {
                text: text.to_owned(),
                found: part.to_owned(),
            })
        };
        if let Some(source) = text.strip_prefix('x') {
            return Ok(Action::Boom { source: square(source)? });
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (count, squares) = text.split_at(digits);
        if count.is_empty() {
            return Err(ParseActionError::BadStart { text: text.to_owned() });
        }
        let count = parse_count(count).ok_or_else(|| ParseActionError::BadCount {
            text: text.to_owned(),
            found: count.to_owned(),
        })?;
        let (source, target) = squares.split_at_checked(2).ok_or_else(|| {
            ParseActionError::BadSquare { text: text.to_owned(), found: squares.to_owned() }
        })?;
        Ok(Action::Move { source: square(source)?, target: square(target)?, count })
    }
}

/// A count 1–16 without leading zeros.
fn parse_count(digits: &str) -> Option<u8> {
    if digits.starts_with('0') {
        return None;
    }
    digits.parse().ok().filter(|count| *count <= MAX_BOTS)
}

/// Text that is not an action.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseActionError {
    /// It begins with neither a count nor `x`.
    #[error("{text:?} is not an action: expected a count as in \"1a2a3\", or x as in \"xd4\"")]
    BadStart {
        /// The whole text.
        text: String,
    },
    /// The count is not a number 1–16 without leading zeros.
    #[error("{text:?} is not an action: the count {found} must be 1 to {MAX_BOTS}")]
    BadCount {
        /// The whole text.
        text: String,
        /// The digits.
        found: String,
    },
    /// Something else stands where a square belongs.
    #[error("{text:?} is not an action: found {found:?} where a square a1 to h8 belongs")]
    BadSquare {
        /// The whole text.
        text: String,
        /// What stands there.
        found: String,
    },
}

/// A move in wire form that does not say where the bots go.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a move of {count} needs a target; only a boom, count 0, has none")]
pub struct MissingTarget {
    /// The count of the move.
    pub count: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Action, ParseActionError> {
        text.parse()
    }

    #[test]
    fn texts_read_and_print() {
        for text in ["1a2a3", "3d4g4", "16h8a8", "10a1a2", "xd4", "xa1"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_start_is_refused() {
        for text in ["", "a1a2", "X d4", "-1a1a2", "+1a1a2", "é"] {
            assert!(matches!(parse(text), Err(ParseActionError::BadStart { .. })));
        }
    }

    #[test]
    fn bad_count_is_refused() {
        for text in ["0a1a2", "01a1a2", "17a1a2", "99999a1a2"] {
            assert!(matches!(parse(text), Err(ParseActionError::BadCount { .. })));
        }
    }

    #[test]
    fn bad_square_is_refused() {
        for text in
            ["x", "xd9", "xd4 ", "1", "1a", "1a1", "1a1a", "1a1a22", "1i1a2", "1aéa2", "1A1a2"]
        {
            assert!(matches!(parse(text), Err(ParseActionError::BadSquare { .. })), "{text}");
        }
    }

    #[test]
    fn wire_parts_convert_both_ways() {
        let (a1, a2) = (Square::ALL[0], Square::ALL[8]);
        for action in [parse("2a1a2").unwrap(), parse("xa1").unwrap()] {
            let (source, target, count) = (action.source(), action.target(), action.count());
            assert_eq!(Action::from_parts(source, Some(target), count), Ok(action));
        }
        let boom = Action::Boom { source: a1 };
        assert_eq!(Action::from_parts(a1, None, 0), Ok(boom));
        assert_eq!(Action::from_parts(a1, Some(a2), 0), Ok(boom));
        assert_eq!(Action::from_parts(a1, None, 3), Err(MissingTarget { count: 3 }));
    }
}
