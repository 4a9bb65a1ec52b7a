//! Which configurations represent their orbits, a bit each.

use rayon::prelude::*;

use crate::configuration::Configuration;
use crate::symmetry::Symmetry;

/// The ranks of all representatives of one bot count, in 0.19 bytes a configuration.
#[derive(Debug)]
pub(crate) struct Marks {
    bots: usize,
    /// Bit `r % 64` of word `r / 64` is set where the configuration of rank r is the lowest of its
    /// orbit.
    bits: Vec<u64>,
    /// How many are set before each word.
    before: Vec<u32>,
    len: usize,
}

impl Marks {
    /// The representatives of configurations of `bots` bots.
    pub(crate) fn new(bots: usize) -> Self {
        let mut bits = vec![0_u64; Configuration::count(bots).div_ceil(64) as usize];
        bits.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, words)| {
            mark(words, Configuration::unranked(bots, (chunk * CHUNK * 64) as u64));
        });
        let mut len = 0;
        let before = bits
            .iter()
            .map(|word| {
                let here = len;
                len += word.count_ones();
                here
            })
            .collect();
        Self { bots, bits, before, len: len as usize }
    }

    /// How many representatives there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many representatives rank below this one.
    #[inline]
    pub(crate) fn orbit(&self, rank: u64) -> u32 {
        let word = (rank / 64) as usize;
        let below = self.bits[word] & ((1 << (rank % 64)) - 1);
        self.before[word] + below.count_ones()
    }

    /// The representative with so many below it.
    ///
    /// # Panics
    /// If there are not that many.
    pub(crate) fn representative(&self, orbit: usize) -> Configuration {
        assert!(orbit < self.len, "there are {} orbits", self.len);
        let word = self.before.partition_point(|&before| before as usize <= orbit) - 1;
        let mut bits = self.bits[word];
        for _ in 0..orbit - self.before[word] as usize {
            bits &= bits - 1;
        }
        let rank = word as u64 * 64 + u64::from(bits.trailing_zeros());
        Configuration::unranked(self.bots, rank)
    }
}

/// Marks a run of ranks, of which `configuration` is the first.
fn mark(words: &mut [u64], mut configuration: Configuration) {
    for word in words {
        for bit in 0..64 {
            *word |= u64::from(is_lowest(&configuration)) << bit;
            if !configuration.advance() {
                return;
            }
        }
    }
}

/// Whether no image of a configuration has a lower rank.
///
/// Ranks go by the highest square first, so that most images are decided by theirs alone.
fn is_lowest(configuration: &Configuration) -> bool {
    let Some(&highest) = configuration.squares().last() else { return true };
    let [below, at_most] = &CARRIED[usize::from(highest & 63)];
    let occupied = configuration.occupied();
    if below.iter().any(|&carried| occupied & !carried == 0) {
        return false;
    }
    let rank = configuration.rank();
    Symmetry::ALL[1..].iter().zip(at_most).all(|(&symmetry, &carried)| {
        occupied & !carried != 0 || configuration.transformed(symmetry).rank() >= rank
    })
}

/// For each square the squares that each symmetry but the identity carries below it, and those that
/// it carries there or below.
static CARRIED: [[[u64; 7]; 2]; 64] = {
    let mut carried = [[[0; 7]; 2]; 64];
    let mut at = 0;
    while at < 64 * 7 * 64 {
        let (highest, symmetry, square) = (at / 448, at / 64 % 7, at % 64);
        let image = Symmetry::from_index(symmetry + 1).square_index(square as u8) as usize;
        if image < highest {
            carried[highest][0][symmetry] |= 1 << square;
        }
        if image <= highest {
            carried[highest][1][symmetry] |= 1 << square;
        }
        at += 1;
    }
    carried
};

/// Words marked in one task: a quarter of a million configurations.
const CHUNK: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_of_an_orbit_has_no_lower_image() {
        for bots in 1..=3 {
            let mut configuration = Configuration::first(bots);
            loop {
                let rank = configuration.rank();
                let images = Symmetry::ALL.map(|symmetry| configuration.transformed(symmetry));
                let lowest = images.iter().all(|image| image.rank() >= rank);
                assert_eq!(is_lowest(&configuration), lowest, "{configuration:?}");
                if !configuration.advance() {
                    break;
                }
            }
        }
    }

    #[test]
    fn marks_of_several_tasks_number_all_orbits() {
        let marks = Marks::new(4);
        assert_eq!(marks.len() as u64, crate::orbit::orbit_count(4));
        for orbit in (0..marks.len()).step_by(997).chain([marks.len() - 1]) {
            let representative = marks.representative(orbit);
            assert!(is_lowest(&representative));
            assert_eq!(marks.orbit(representative.rank()) as usize, orbit);
        }
    }
}
