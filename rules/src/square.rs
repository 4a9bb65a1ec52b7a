//! A square of the board and the squares in reach of it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::SquareSet;

/// A square of the 8×8 board, from `a1` (x = 0, y = 0) to `h8` (x = 7, y = 7).
///
/// Squares are ordered by their index `y * 8 + x`: `a1`, `b1`, …, `h8`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares the board has.
    pub const COUNT: usize = 64;

    /// All squares in index order.
    pub const ALL: [Square; Square::COUNT] = {
        let mut all = [Square(0); Square::COUNT];
        let mut index = 0;
        while index < Square::COUNT {
            all[index] = Square(index as u8);
            index += 1;
        }
        all
    };

    /// The square in column `x` and row `y`, both 0–7; `None` off the board.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Option<Square> {
        if x < 8 && y < 8 { Some(Square(y * 8 + x)) } else { None }
    }

    /// The square of an index 0–63; `None` from 64 on.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Square> {
        if (index as usize) < Square::COUNT { Some(Square(index)) } else { None }
    }

    /// The square of the lowest set bit.
    ///
    /// Contract: `bits` is not zero; zero would give `a1`.
    #[inline]
    pub(crate) const fn of_lowest_bit_unchecked(bits: u64) -> Square {
        Square((bits.trailing_zeros() & 63) as u8)
    }

    /// The column, 0 for `a` to 7 for `h`.
    #[inline]
    pub const fn x(self) -> u8 {
        self.0 & 7
    }

    /// The row, 0 for `1` to 7 for `8`.
    #[inline]
    pub const fn y(self) -> u8 {
        self.0 >> 3
    }

    /// `y * 8 + x`, always below 64.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask never changes the value; it lets the compiler drop bounds
        // checks on arrays of 64.
        (self.0 & 63) as usize
    }

    /// The squares at most `distance` steps away in a straight horizontal or
    /// vertical line, this square excluded: where a stack of that height could
    /// move if nobody stood in the target squares.
    #[inline]
    pub const fn reach(self, distance: u8) -> SquareSet {
        // The board is eight squares wide, so seven steps reach its far edge.
        let distance = if distance < 7 { distance } else { 7 };
        SquareSet::from_bits(REACH[self.index()][distance as usize])
    }
}

/// `REACH[square][distance]`: see [`Square::reach`].
static REACH: [[u64; 8]; Square::COUNT] = reach_table();

const fn reach_table() -> [[u64; 8]; Square::COUNT] {
    let mut table = [[0; 8]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let (x, y) = (index % 8, index / 8);
        let mut distance = 1;
        while distance < 8 {
            let mut bits = table[index][distance - 1];
            if x + distance < 8 {
                bits |= 1 << (index + distance);
            }
            if x >= distance {
                bits |= 1 << (index - distance);
            }
            if y + distance < 8 {
                bits |= 1 << (index + 8 * distance);
            }
            if y >= distance {
                bits |= 1 << (index - 8 * distance);
            }
            table[index][distance] = bits;
            distance += 1;
        }
        index += 1;
    }
    table
}

/// Text that is not a square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not a square: expected a letter a-h and a digit 1-8, as in \"d4\"")]
pub struct ParseSquareError {
    /// The text that was refused.
    pub text: String,
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match *text.as_bytes() {
            [x @ b'a'..=b'h', y @ b'1'..=b'8'] => Ok(Square((y - b'1') * 8 + (x - b'a'))),
            _ => Err(ParseSquareError { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.x(), b'1' + self.y()];
        f.pad(std::str::from_utf8(&name).expect("square names are ASCII"))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_coordinates_and_indexes_agree() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::new(square.x(), square.y()), Some(square));
            assert_eq!(Square::from_index(index as u8), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!(Square::ALL[0].to_string(), "a1");
        assert_eq!(Square::ALL[7].to_string(), "h1");
        assert_eq!(Square::ALL[63].to_string(), "h8");
        assert_eq!(Square::new(8, 0), None);
        assert_eq!(Square::new(0, 8), None);
        assert_eq!(Square::from_index(64), None);
    }

    #[test]
    fn refuses_what_is_not_a_square() {
        for text in ["", "a", "a0", "a9", "i1", "A1", "a1 ", " a1", "a11", "é1"] {
            let error = text.parse::<Square>().unwrap_err();
            assert_eq!(error.text, text);
        }
    }

    #[test]
    fn reach_is_a_cross_cut_at_the_distance() {
        let names = |square: &str, distance| {
            square
                .parse::<Square>()
                .unwrap()
                .reach(distance)
                .iter()
                .map(|square| square.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(names("d4", 0), "");
        assert_eq!(names("d4", 1), "d3 c4 e4 d5");
        assert_eq!(names("b1", 2), "a1 c1 d1 b2 b3");
        for square in Square::ALL {
            assert_eq!(square.reach(7).len(), 14);
            assert_eq!(square.reach(16), square.reach(7));
        }
    }
}
