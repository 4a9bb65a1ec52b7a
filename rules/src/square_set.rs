//! A set of squares held in one machine word.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

use crate::Square;

/// A set of squares: bit `y * 8 + x` is the square in column x and row y.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareSet(u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet(0);
    /// Every square.
    pub const FULL: SquareSet = SquareSet(!0);

    /// The set whose bits are given.
    #[inline]
    pub const fn from_bits(bits: u64) -> SquareSet {
        SquareSet(bits)
    }

    /// The set as bits.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> SquareSet {
        SquareSet(1 << square.index())
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    /// Takes a square out.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }

    /// How many squares the set has.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The square of lowest index, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::of_lowest_bit_unchecked(self.0)) }
    }

    /// The squares in index order.
    #[inline]
    pub const fn iter(self) -> SquareSetIter {
        SquareSetIter(self)
    }

    /// The set together with every square adjacent to it (8 neighbours).
    #[inline]
    pub const fn dilated(self) -> SquareSet {
        let row = self.0 | (self.0 & !FILE_H) << 1 | (self.0 & !FILE_A) >> 1;
        SquareSet(row | row << 8 | row >> 8)
    }

    /// The squares adjacent to the set (8 neighbours) and outside it.
    #[inline]
    pub const fn neighbours(self) -> SquareSet {
        SquareSet(self.dilated().0 & !self.0)
    }

    /// The squares of `within` connected to this set through adjacent squares
    /// (8 neighbours) of `within`; squares outside `within` connect nothing.
    #[inline]
    pub const fn flooded(self, within: SquareSet) -> SquareSet {
        let mut reached = SquareSet(self.0 & within.0);
        loop {
            let next = SquareSet(reached.dilated().0 & within.0);
            if next.0 == reached.0 {
                return reached;
            }
            reached = next;
        }
    }
}

impl From<Square> for SquareSet {
    #[inline]
    fn from(square: Square) -> SquareSet {
        SquareSet::of(square)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    #[inline]
    fn bitor_assign(&mut self, other: SquareSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl BitAndAssign for SquareSet {
    #[inline]
    fn bitand_assign(&mut self, other: SquareSet) {
        self.0 &= other.0;
    }
}

impl Not for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl Sub for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn sub(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & !other.0)
    }
}

impl SubAssign for SquareSet {
    #[inline]
    fn sub_assign(&mut self, other: SquareSet) {
        self.0 &= !other.0;
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareSetIter;

    #[inline]
    fn into_iter(self) -> SquareSetIter {
        self.iter()
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The squares of a [`SquareSet`] in index order.
#[derive(Clone, Debug)]
pub struct SquareSetIter(SquareSet);

impl Iterator for SquareSetIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for SquareSetIter {}
impl FusedIterator for SquareSetIter {}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> SquareSet {
        names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn behaves_as_a_set() {
        let mut squares = set("a1 d4");
        let h8: Square = "h8".parse().unwrap();
        assert_eq!(squares.len(), 2);
        assert!(!squares.contains(h8));
        squares.insert(h8);
        assert!(squares.contains(h8));
        assert_eq!(format!("{squares:?}"), "{a1, d4, h8}");
        assert_eq!(squares - set("d4"), set("a1 h8"));
        assert_eq!(squares & set("d4 e4"), set("d4"));
        assert_eq!(squares | set("b1"), set("a1 b1 d4 h8"));
        assert_eq!(!SquareSet::EMPTY, SquareSet::FULL);
        squares.remove(h8);
        assert_eq!(squares, set("a1 d4"));
        assert_eq!(squares.first(), Some(Square::ALL[0]));
        assert_eq!(SquareSet::EMPTY.first(), None);
        assert_eq!(SquareSet::from_bits(squares.bits()), squares);
        assert_eq!(SquareSet::FULL.iter().len(), 64);
    }

    #[test]
    fn neighbours_never_wrap_round_the_edge() {
        for square in Square::ALL {
            let expected: SquareSet = Square::ALL
                .into_iter()
                .filter(|other| {
                    *other != square
                        && other.x().abs_diff(square.x()) <= 1
                        && other.y().abs_diff(square.y()) <= 1
                })
                .collect();
            let own = SquareSet::from(square);
            assert_eq!(own.neighbours(), expected);
            assert_eq!(own.dilated(), expected | own);
        }
    }

    #[test]
    fn flood_follows_diagonals_and_stops_at_gaps() {
        let within = set("a1 b2 c3 e3 e4 h1 a8");
        assert_eq!(set("a1").flooded(within), set("a1 b2 c3"));
        assert_eq!(set("e4").flooded(within), set("e3 e4"));
        assert_eq!(set("d3").flooded(within), SquareSet::EMPTY);
    }
}
