//! The named starting positions.

use std::fmt;

use crate::{Color, Position, Setup, Square};

/// A named starting position. White moves first from both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Start {
    /// One bot on every square of both home ranks, 16 a side.
    #[default]
    Standard,
    /// As [`Start::Standard`] without the columns c and f: 12 a side.
    Expendibots,
}

impl Start {
    /// Both starts, the usual one first.
    pub const ALL: [Start; 2] = [Start::Standard, Start::Expendibots];

    /// The name: `standard` or `expendibots`.
    pub const fn name(self) -> &'static str {
        match self {
            Start::Standard => "standard",
            Start::Expendibots => "expendibots",
        }
    }

    /// The start of a name, exactly as [`Start::name`] spells it.
    pub fn by_name(name: &str) -> Option<Start> {
        Start::ALL.into_iter().find(|start| start.name() == name)
    }

    pub(crate) fn position(self) -> Position {
        let columns: &[u8] = match self {
            Start::Standard => &[0, 1, 2, 3, 4, 5, 6, 7],
            Start::Expendibots => &[0, 1, 3, 4, 6, 7],
        };
        let mut setup = Setup::empty(Color::White);
        for square in Square::ALL {
            if columns.contains(&square.x()) {
                match square.y() {
                    0 | 1 => setup = setup.put(Color::White, square, 1),
                    6 | 7 => setup = setup.put(Color::Black, square, 1),
                    _ => {}
                }
            }
        }
        Position::from_setup(&setup).expect("the starts have at most 16 bots a side")
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_have_their_texts_and_names() {
        assert_eq!(
            Position::start(Start::Standard).to_string(),
            "aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w"
        );
        assert_eq!(
            Position::start(Start::Expendibots).to_string(),
            "aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w"
        );
        for start in Start::ALL {
            assert_eq!(Start::by_name(start.name()), Some(start));
        }
        assert_eq!(Start::by_name("Standard"), None);
    }
}
