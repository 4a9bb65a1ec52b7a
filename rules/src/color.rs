//! The two sides.

use std::fmt;
use std::ops::Not;

/// A side. White moves first from the named starts and has its home at the
/// bottom of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The side that moves first.
    White = 0,
    /// The side that moves second.
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The other side.
    #[inline]
    pub const fn opposite(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// 0 for White, 1 for Black: an index into per-side arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.opposite()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Color;

    #[test]
    fn opposite_indexes_and_names() {
        assert_eq!(!Color::White, Color::Black);
        assert_eq!(Color::Black.opposite(), Color::White);
        assert_eq!(Color::ALL.map(Color::index), [0, 1]);
        assert_eq!(Color::ALL.map(|color| color.to_string()), ["white", "black"]);
    }
}
