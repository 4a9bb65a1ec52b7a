//! The eight symmetries of the board: the dihedral group D4.

use boombots_rules::Square;

/// One of the eight symmetries of the square board.
///
/// Bit 0 of the index mirrors x, bit 1 mirrors y, bit 2 then swaps x and y. Index 0 is the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(u8);

impl Symmetry {
    /// How many symmetries there are.
    pub const COUNT: usize = 8;

    /// The symmetry that moves nothing.
    pub const IDENTITY: Self = Self(0);

    /// Every symmetry, in index order.
    pub const ALL: [Self; Self::COUNT] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetry with this index, taken modulo eight.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self((index & 7) as u8)
    }

    /// The index, 0–7.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// Where this symmetry carries a square.
    #[inline]
    pub fn square(self, square: Square) -> Square {
        let image = self.square_index(square.index() as u8);
        Square::from_index(image).expect("a symmetry carries the board onto itself")
    }

    /// Where this symmetry carries the square with an index below 64.
    #[inline]
    pub const fn square_index(self, square: u8) -> u8 {
        SQUARES[self.index()][(square & 63) as usize]
    }

    /// The symmetry that applies `first` and then `self`: `(self · first)(s) = self(first(s))`.
    #[inline]
    pub const fn after(self, first: Self) -> Self {
        Self(AFTER[self.index()][first.index()])
    }

    /// The symmetry that undoes this one.
    #[inline]
    pub const fn inverse(self) -> Self {
        Self(INVERSE[self.index()])
    }
}

const fn image(symmetry: usize, square: usize) -> usize {
    let (mut x, mut y) = (square % 8, square / 8);
    if symmetry & 1 != 0 {
        x = 7 - x;
    }
    if symmetry & 2 != 0 {
        y = 7 - y;
    }
    if symmetry & 4 != 0 {
        (x, y) = (y, x);
    }
    y * 8 + x
}

const SQUARES: [[u8; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            table[symmetry][square] = image(symmetry, square) as u8;
            square += 1;
        }
        symmetry += 1;
    }
    table
};

/// A symmetry is known by where it carries two squares that no other carries alike.
const AFTER: [[u8; 8]; 8] = {
    let mut table = [[0; 8]; 8];
    let mut second = 0;
    while second < 8 {
        let mut first = 0;
        while first < 8 {
            let mut product = 0;
            while image(product, 1) != image(second, image(first, 1))
                || image(product, 8) != image(second, image(first, 8))
            {
                product += 1;
            }
            table[second][first] = product as u8;
            first += 1;
        }
        second += 1;
    }
    table
};

const INVERSE: [u8; 8] = {
    let mut table = [0; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut inverse = 0;
        while AFTER[inverse][symmetry] != 0 {
            inverse += 1;
        }
        table[symmetry] = inverse as u8;
        symmetry += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_inverses_act_as_they_say() {
        for second in Symmetry::ALL {
            assert_eq!(second.after(second.inverse()), Symmetry::IDENTITY);
            assert_eq!(second.inverse().after(second), Symmetry::IDENTITY);
            for first in Symmetry::ALL {
                for square in 0..64 {
                    let stepwise = second.square_index(first.square_index(square));
                    assert_eq!(second.after(first).square_index(square), stepwise);
                }
            }
        }
    }

    #[test]
    fn the_eight_are_distinct() {
        for a in Symmetry::ALL {
            for b in Symmetry::ALL {
                let same = (0..64).all(|square| a.square_index(square) == b.square_index(square));
                assert_eq!(same, a == b);
            }
        }
    }
}
