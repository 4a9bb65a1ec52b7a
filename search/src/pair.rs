//! Both sides' sets of squares side by side in one vector: what an evaluation
//! wants to know of one side it wants to know of the other.

use std::ops::{BitAnd, BitOr, Not};

use wide::u64x2;

use crate::board::{LEFT_ROOM, RIGHT_ROOM};

/// White's and Black's set of squares.
#[derive(Clone, Copy)]
pub(crate) struct Pair(u64x2);

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The low half of every byte.
const EIGHTS: u64 = 0x0F0F_0F0F_0F0F_0F0F;

/// The sums of each two halves of a byte.
#[inline]
fn widened(fours: u64x2) -> u64x2 {
    let eights = u64x2::splat(EIGHTS);
    (fours & eights) + ((fours >> 4_u32) & eights)
}

/// The sums of the bytes, below 256.
#[inline]
fn total(bytes: u64x2) -> [i32; 2] {
    bytes.to_array().map(|bytes| (bytes.wrapping_mul(ONES) >> 56) as i32)
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

impl Pair {
    /// The sets by colour index.
    #[inline]
    pub(crate) fn of(squares: [u64; 2]) -> Pair {
        Pair(u64x2::new(squares))
    }

    /// The same set for both.
    #[inline]
    pub(crate) fn both(squares: u64) -> Pair {
        Pair(u64x2::splat(squares))
    }

    /// The sets by colour index.
    #[inline]
    pub(crate) fn squares(self) -> [u64; 2] {
        self.0.to_array()
    }

    /// Each side's set in the other's place.
    #[inline]
    pub(crate) fn swapped(self) -> Pair {
        let [white, black] = self.squares();
        Pair::of([black, white])
    }

    /// The squares together with all adjacent ones.
    #[inline]
    pub(crate) fn dilated(self) -> Pair {
        let row =
            self | (self & Pair::both(NOT_H)).up::<1>() | (self & Pair::both(NOT_A)).down::<1>();
        row | row.up::<8>() | row.down::<8>()
    }

    /// The squares of `within` connected to these, which are of it.
    #[inline]
    pub(crate) fn flooded(self, within: Pair) -> Pair {
        let mut reached = self;
        loop {
            let next = reached.dilated() & within;
            let [white, black] = (next.0 ^ reached.0).to_array();
            if white | black == 0 {
                return reached;
            }
            reached = next;
        }
    }

    /// The squares to which the stacks can move, whoever stands there;
    /// `taller[k - 2]` has all stacks of k bots or more.
    #[inline]
    pub(crate) fn reach(self, taller: &[u64; 6]) -> Pair {
        let mut reached = self.steps::<1>();
        if taller[0] != 0 {
            reached = reached | (self & Pair::both(taller[0])).steps::<2>();
            if taller[1] != 0 {
                reached = reached
                    | (self & Pair::both(taller[1])).steps::<3>()
                    | (self & Pair::both(taller[2])).steps::<4>()
                    | (self & Pair::both(taller[3])).steps::<5>()
                    | (self & Pair::both(taller[4])).steps::<6>()
                    | (self & Pair::both(taller[5])).steps::<7>();
            }
        }
        reached
    }

    /// The squares K steps away in the four directions.
    #[inline]
    fn steps<const K: u32>(self) -> Pair {
        let [right, left] = const { [RIGHT_ROOM[K as usize], LEFT_ROOM[K as usize]] };
        let across = (self & Pair::both(right)).up::<K>() | (self & Pair::both(left)).down::<K>();
        across | Pair(self.0 << (8 * K)) | Pair(self.0 >> (8 * K))
    }

    /// How many more pairs of adjacent squares there are, diagonals included, of
    /// White's than of Black's.
    #[inline]
    pub(crate) fn lead_in_pairs(self) -> i32 {
        let (not_a, not_h) = (self & Pair::both(NOT_A), self & Pair::both(NOT_H));
        let upright = self & self.up::<8>();
        let across = self & not_h.up::<1>();
        let rising = self & not_h.up::<9>();
        let falling = self & not_a.up::<7>();
        // A full adder turns three bits a square into one and one that counts twice.
        let odd = Pair(upright.0 ^ across.0 ^ rising.0);
        let twice = upright & across | (upright | across) & rising;
        let ones = odd.counts_of_fours() + falling.counts_of_fours();
        let [white, black] = total(widened(ones) + (widened(twice.counts_of_fours()) << 1_u32));
        white - black
    }

    /// How many more squares there are of White's than of Black's.
    #[inline]
    pub(crate) fn lead(self) -> i32 {
        // With a bias in every byte none of them borrows from the next, and the
        // sum of all stays below 256.
        const BIAS: u64 = 0x0808_0808_0808_0808;
        let [white, black] = self.counts_of_eights().to_array();
        ((white + BIAS - black).wrapping_mul(ONES) >> 56) as i32 - 64
    }

    /// How many squares there are, by colour index.
    #[inline]
    pub(crate) fn counts(self) -> [i32; 2] {
        total(self.counts_of_eights())
    }

    /// How many of each eight squares in a row there are.
    #[inline]
    fn counts_of_eights(self) -> u64x2 {
        let fours = self.counts_of_fours();
        (fours + (fours >> 4_u32)) & u64x2::splat(EIGHTS)
    }

    /// How many bots stand on the squares, by colour index, no more than 16 of
    /// each; `planes` are the bits of the stacks' heights less one.
    #[inline]
    pub(crate) fn bots(self, planes: &[u64; 4]) -> [i32; 2] {
        let counts = |plane: u64| (self & Pair::both(plane)).counts_of_fours();
        let [p0, p1, p2, p3] = *planes;
        // No four squares count for more than eight, nor eight for a carry into
        // the next.
        let mut sums = widened(self.counts_of_fours() + counts(p0));
        sums += widened(counts(p1)) << 1_u32;
        if p2 | p3 != 0 {
            sums += (widened(counts(p2)) << 2_u32) + (widened(counts(p3)) << 3_u32);
        }
        total(sums)
    }

    /// How many of each four squares in a row there are.
    #[inline]
    fn counts_of_fours(self) -> u64x2 {
        let twos = self.0 - ((self.0 >> 1_u32) & u64x2::splat(0x5555_5555_5555_5555));
        let pairs = u64x2::splat(0x3333_3333_3333_3333);
        (twos & pairs) + ((twos >> 2_u32) & pairs)
    }

    #[inline]
    fn up<const N: u32>(self) -> Pair {
        Pair(self.0 << N)
    }

    #[inline]
    fn down<const N: u32>(self) -> Pair {
        Pair(self.0 >> N)
    }
}

impl BitAnd for Pair {
    type Output = Pair;

    #[inline]
    fn bitand(self, other: Pair) -> Pair {
        Pair(self.0 & other.0)
    }
}

impl BitOr for Pair {
    type Output = Pair;

    #[inline]
    fn bitor(self, other: Pair) -> Pair {
        Pair(self.0 | other.0)
    }
}

impl Not for Pair {
    type Output = Pair;

    #[inline]
    fn not(self) -> Pair {
        Pair(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{dilated, flooded};

    proptest! {
        #[test]
        fn each_side_is_as_if_alone(white in any::<u64>(), black in any::<u64>(), thin in any::<u64>()) {
            for sets in [[white, black], [white & thin, black & !thin]] {
                let pair = Pair::of(sets);
                prop_assert_eq!(pair.squares(), sets);
                prop_assert_eq!(pair.counts(), sets.map(|set| set.count_ones() as i32));
                prop_assert_eq!(pair.dilated().squares(), sets.map(dilated));
                let seeds = Pair::of([white & !thin, black & thin]) & pair;
                let floods = [0, 1].map(|side| flooded(seeds.squares()[side], sets[side]));
                prop_assert_eq!(seeds.flooded(pair).squares(), floods);
                prop_assert_eq!(pair.swapped().squares(), [sets[1], sets[0]]);
                prop_assert_eq!((!pair).squares(), sets.map(|set| !set));
                let pairs = sets.map(|set| {
                    let beside = |square: u64| (dilated(square) & set & !square).count_ones() as i32;
                    (0..64).map(|i| 1 << i).filter(|square| set & square != 0).map(beside).sum::<i32>() / 2
                });
                prop_assert_eq!(pair.lead_in_pairs(), pairs[0] - pairs[1]);
                let [more, less] = pair.counts();
                prop_assert_eq!(pair.lead(), more - less);
            }
        }
    }
}
