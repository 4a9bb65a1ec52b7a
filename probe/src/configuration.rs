//! One side's bots: a multiset of squares, and its rank among all of the same size.

use boombots_rules::{Color, Position};

use crate::symmetry::Symmetry;

/// The most bots one side of a class may have: eight in all, and at least one on the other side.
pub const MAX_BOTS: usize = 7;

/// A multiset of up to [`MAX_BOTS`] squares, kept in ascending order: where one side's bots stand,
/// a stack of height n being n times its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    squares: [u8; MAX_BOTS],
    len: u8,
}

impl Configuration {
    /// The configuration without bots.
    pub const EMPTY: Self = Self { squares: [0; MAX_BOTS], len: 0 };

    /// The configuration of these square indices (each below 64), in any order.
    ///
    /// # Panics
    /// If there are more than [`MAX_BOTS`] of them.
    #[inline]
    pub fn new(squares: &[u8]) -> Self {
        let mut configuration = Self::EMPTY;
        for &square in squares {
            configuration.insert(square);
        }
        configuration
    }

    /// Where the bots of one colour stand.
    ///
    /// # Panics
    /// If there are more than [`MAX_BOTS`] of them.
    #[inline]
    pub fn of(position: &Position, color: Color) -> Self {
        let mut configuration = Self::EMPTY;
        for square in position.stacks(color) {
            for _ in 0..position.height(square) {
                configuration.insert(square.index() as u8);
            }
        }
        configuration
    }

    /// The squares, ascending, each as often as bots stand there.
    #[inline]
    pub fn squares(&self) -> &[u8] {
        &self.squares[..self.len as usize]
    }

    /// How many bots there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no bot.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds one bot on a square.
    ///
    /// # Panics
    /// If there are [`MAX_BOTS`] already.
    #[inline]
    pub fn insert(&mut self, square: u8) {
        let mut at = self.len as usize;
        while at > 0 && self.squares[at - 1] > square {
            self.squares[at] = self.squares[at - 1];
            at -= 1;
        }
        self.squares[at] = square;
        self.len += 1;
    }

    /// The configuration without the bots on the squares of `mask` (bit i is square i).
    #[inline]
    pub fn without(&self, mask: u64) -> Self {
        let mut rest = Self::EMPTY;
        for &square in self.squares() {
            if mask >> square & 1 == 0 {
                rest.squares[rest.len as usize] = square;
                rest.len += 1;
            }
        }
        rest
    }

    /// The occupied squares as a bit set.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.squares().iter().fold(0, |set, &square| set | 1 << square)
    }

    /// The image under a symmetry.
    #[inline]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let mut image = Self::EMPTY;
        for &square in self.squares() {
            image.insert(symmetry.square_index(square));
        }
        image
    }

    /// The number of this multiset among those of its size, 0 to [`Configuration::count`] − 1.
    ///
    /// The multiset s₁ ≤ … ≤ sₙ corresponds to the set of tᵢ = sᵢ + i − 1, which the combinatorial
    /// number system ranks as Σ C(tᵢ, i).
    #[inline]
    pub fn rank(&self) -> u64 {
        let mut rank = 0;
        for (i, &square) in self.squares().iter().enumerate() {
            rank += BINOMIAL[i + 1][square as usize + i];
        }
        rank
    }

    /// How many configurations of `bots` bots there are: C(63 + n, n).
    pub fn count(bots: usize) -> u64 {
        BINOMIAL[bots][63 + bots]
    }

    /// Steps to the next configuration of the same size in rank order; false after the last.
    pub(crate) fn advance(&mut self) -> bool {
        let len = self.len as usize;
        for i in 0..len {
            let limit = if i + 1 < len { self.squares[i + 1] } else { 63 };
            if self.squares[i] < limit {
                self.squares[i] += 1;
                self.squares[..i].fill(0);
                return true;
            }
        }
        false
    }

    /// The configuration of `bots` bots with this rank.
    ///
    /// # Panics
    /// If it is not below [`Configuration::count`].
    pub(crate) fn unranked(bots: usize, mut rank: u64) -> Self {
        assert!(rank < Self::count(bots), "a rank of {bots} bots");
        let mut configuration = Self::first(bots);
        for i in (0..bots).rev() {
            // Row i + 1 grows along t, which is the square plus i.
            let t = BINOMIAL[i + 1].partition_point(|&ranks| ranks <= rank) - 1;
            rank -= BINOMIAL[i + 1][t];
            configuration.squares[i] = (t - i) as u8;
        }
        configuration
    }

    /// The configuration of rank 0: every bot on the first square.
    pub(crate) fn first(bots: usize) -> Self {
        Self { squares: [0; MAX_BOTS], len: bots as u8 }
    }
}

/// `BINOMIAL[k][n]` is C(n, k).
pub(crate) const BINOMIAL: [[u64; 64 + MAX_BOTS]; MAX_BOTS + 1] = {
    let mut table = [[0; 64 + MAX_BOTS]; MAX_BOTS + 1];
    let mut n = 0;
    while n < 64 + MAX_BOTS {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_BOTS && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_up_in_enumeration_order() {
        for bots in 1..=3 {
            let mut configuration = Configuration::first(bots);
            let mut rank = 0;
            loop {
                assert_eq!(configuration.rank(), rank);
                assert_eq!(Configuration::unranked(bots, rank), configuration);
                rank += 1;
                if !configuration.advance() {
                    break;
                }
            }
            assert_eq!(rank, Configuration::count(bots));
        }
    }

    #[test]
    fn counts_are_the_known_ones() {
        let counts: Vec<u64> = (1..=4).map(Configuration::count).collect();
        assert_eq!(counts, [64, 2080, 45760, 766480]);
    }

    #[test]
    fn removing_a_mask_keeps_the_rest_in_order() {
        let configuration = Configuration::new(&[9, 3, 3, 60]);
        assert_eq!(configuration.squares(), [3, 3, 9, 60]);
        assert_eq!(configuration.without(1 << 3).squares(), [9, 60]);
        assert_eq!(configuration.occupied(), 1 << 3 | 1 << 9 | 1 << 60);
    }
}
