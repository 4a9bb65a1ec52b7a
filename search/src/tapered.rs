//! A value for the opening and one for the ending, added as one word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two centibot values, one for the full board and one for the nearly empty
/// one, packed as `ending << 16 + opening`. Both must stay within ±32 000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered(i32);

/// Bots on the board at the standard start: the phase of the full opening.
pub(crate) const FULL_PHASE: i32 = 32;

impl Tapered {
    /// The pair.
    pub const fn new(opening: i16, ending: i16) -> Tapered {
        Tapered(((ending as i32) << 16) + opening as i32)
    }

    /// The value on the full board.
    #[inline]
    pub const fn opening(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value on the nearly empty board.
    #[inline]
    pub const fn ending(self) -> i32 {
        // Adding half a unit undoes the borrow of a negative opening value.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    /// The value with `bots` bots on the board, between the two in proportion.
    #[inline]
    pub const fn at(self, bots: i32) -> i32 {
        (self.opening() * bots + self.ending() * (FULL_PHASE - bots)) / FULL_PHASE
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_leak_into_each_other() {
        let values = [-300, -1, 0, 1, 250];
        for opening in values {
            for ending in values {
                let sum = Tapered::new(opening, ending) * 3 - Tapered::new(-7, 5);
                assert_eq!(sum.opening(), i32::from(opening) * 3 + 7);
                assert_eq!(sum.ending(), i32::from(ending) * 3 - 5);
            }
        }
        assert_eq!(Tapered::new(100, 0).at(32), 100);
        assert_eq!(Tapered::new(100, 0).at(16), 50);
        assert_eq!((-Tapered::new(0, 64)).at(0), -64);
    }
}
