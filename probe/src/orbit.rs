//! Orbits: configurations numbered up to symmetry.

use std::sync::{Arc, OnceLock};

use crate::configuration::{BINOMIAL, Configuration, MAX_BOTS};
use crate::marks::Marks;
use crate::symmetry::Symmetry;

/// The number of an orbit among those of its bot count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrbitIndex(u32);

impl OrbitIndex {
    /// The orbit with this number.
    #[inline]
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The number.
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// A configuration written as a symmetry of its orbit's representative: `symmetry · rep(orbit)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The orbit.
    pub orbit: OrbitIndex,
    /// The symmetry that carries the representative onto the configuration; of several, the first.
    pub symmetry: Symmetry,
}

/// Numbers the orbits of the configurations of one bot count.
///
/// An orbit's representative is its member of lowest rank, and orbits are numbered in the order of
/// their representatives. Up to [`DIRECT_BOTS`] bots (or [`SOLVING_BOTS`]) a table holds the answer for every rank
/// (4 bytes a configuration); beyond, a bit per configuration marks representatives and a running
/// count numbers them (about 0.19 bytes a configuration), at the price of trying all eight images.
#[derive(Debug)]
pub struct OrbitTable {
    bots: usize,
    lookup: Lookup,
}

#[derive(Debug)]
enum Lookup {
    Direct {
        /// `orbit << 3 | symmetry` for each rank.
        entries: Vec<u32>,
        representatives: Vec<[u8; MAX_BOTS]>,
    },
    Marked(Marks),
}

impl OrbitTable {
    /// Numbers the orbits of `bots` bots.
    ///
    /// # Panics
    /// If `bots` is zero or more than [`MAX_BOTS`].
    pub fn new(bots: usize) -> Self {
        Self::with_direct(bots, DIRECT_BOTS)
    }

    fn with_direct(bots: usize, direct: usize) -> Self {
        assert!((1..=MAX_BOTS).contains(&bots), "a side has 1 to {MAX_BOTS} bots");
        let lookup =
            if bots <= direct { Self::direct(bots) } else { Lookup::Marked(Marks::new(bots)) };
        Self { bots, lookup }
    }

    fn direct(bots: usize) -> Lookup {
        let mut entries = vec![u32::MAX; Configuration::count(bots) as usize];
        let mut representatives = Vec::with_capacity(orbit_count(bots) as usize);
        let mut configuration = Configuration::first(bots);
        let mut rank = 0;
        loop {
            if entries[rank] == u32::MAX {
                let orbit = representatives.len() as u32;
                for symmetry in Symmetry::ALL {
                    let image = configuration.transformed(symmetry).rank() as usize;
                    if entries[image] == u32::MAX {
                        entries[image] = orbit << 3 | symmetry.index() as u32;
                    }
                }
                representatives.push(padded(&configuration));
            }
            rank += 1;
            if !configuration.advance() {
                break;
            }
        }
        Lookup::Direct { entries, representatives }
    }

    /// How many bots the configurations have.
    pub fn bots(&self) -> usize {
        self.bots
    }

    /// How many orbits there are.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.lookup {
            Lookup::Direct { representatives, .. } => representatives.len(),
            Lookup::Marked(marks) => marks.len(),
        }
    }

    /// Never: every bot count has an orbit.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The representative of an orbit.
    ///
    /// # Panics
    /// If the index is not below [`OrbitTable::len`].
    #[inline]
    pub fn representative(&self, orbit: OrbitIndex) -> Configuration {
        match &self.lookup {
            Lookup::Direct { representatives, .. } => {
                Configuration::new(&representatives[orbit.get()][..self.bots])
            }
            Lookup::Marked(marks) => marks.representative(orbit.get()),
        }
    }

    /// The orbit of a configuration, and the symmetry that carries the representative onto it.
    ///
    /// # Panics
    /// If the configuration has another bot count.
    #[inline]
    pub fn place(&self, configuration: &Configuration) -> Placed {
        assert_eq!(configuration.len(), self.bots, "the table is for another bot count");
        match &self.lookup {
            Lookup::Direct { entries, .. } => {
                let entry = entries[configuration.rank() as usize];
                Placed {
                    orbit: OrbitIndex(entry >> 3),
                    symmetry: Symmetry::from_index(entry as usize),
                }
            }
            Lookup::Marked(marks) => {
                let (rank, symmetry) = Symmetry::ALL
                    .iter()
                    .map(|&symmetry| {
                        (configuration.transformed(symmetry.inverse()).rank(), symmetry)
                    })
                    .min()
                    .expect("there are eight symmetries");
                Placed { orbit: OrbitIndex(marks.orbit(rank)), symmetry }
            }
        }
    }

    /// How many distinct configurations the orbit has: 1, 2, 4 or 8.
    pub fn orbit_len(&self, orbit: OrbitIndex) -> usize {
        let representative = self.representative(orbit);
        let rank = representative.rank();
        let fixing = Symmetry::ALL
            .iter()
            .filter(|&&symmetry| representative.transformed(symmetry).rank() == rank)
            .count();
        Symmetry::COUNT / fixing
    }
}

/// The orbit tables of every bot count, each made when it is first asked for.
#[derive(Debug)]
pub struct OrbitTables {
    tables: [OnceLock<Arc<OrbitTable>>; MAX_BOTS],
    direct: usize,
}

impl Default for OrbitTables {
    fn default() -> Self {
        Self::new()
    }
}

impl OrbitTables {
    /// No table made yet; they will be small ones, for probing.
    pub fn new() -> Self {
        Self { tables: Default::default(), direct: DIRECT_BOTS }
    }

    /// The same for solving, which asks millions of times: a table of every configuration up to
    /// [`SOLVING_BOTS`] bots.
    pub fn for_solving() -> Self {
        Self { direct: SOLVING_BOTS, ..Self::new() }
    }

    /// The table for `bots` bots.
    ///
    /// # Panics
    /// If `bots` is zero or more than [`MAX_BOTS`].
    #[inline]
    pub fn get(&self, bots: usize) -> &Arc<OrbitTable> {
        self.tables[bots - 1].get_or_init(|| Arc::new(OrbitTable::with_direct(bots, self.direct)))
    }
}

/// How many orbits the configurations of `bots` bots form, by Burnside's lemma: the mean over the
/// eight symmetries of the number of configurations each leaves as it is.
///
/// # Panics
/// If `bots` is more than [`MAX_BOTS`].
pub fn orbit_count(bots: usize) -> u64 {
    // A multiset is fixed when every cycle of the symmetry has one multiplicity, so a symmetry with
    // c cycles of length l fixes C(c − 1 + n/l, n/l) of them.
    let of_cycles = |cycles: usize, length: usize| match bots % length {
        0 => multisets(cycles, bots / length),
        _ => 0,
    };
    // The two diagonal mirrors leave the eight squares of a diagonal and swap 28 pairs.
    let diagonal: u64 = (0..=bots)
        .filter(|on_diagonal| (bots - on_diagonal).is_multiple_of(2))
        .map(|on_diagonal| multisets(8, on_diagonal) * multisets(28, (bots - on_diagonal) / 2))
        .sum();
    (of_cycles(64, 1) + 3 * of_cycles(32, 2) + 2 * of_cycles(16, 4) + 2 * diagonal) / 8
}

/// The multisets of `size` elements out of `kinds`.
fn multisets(kinds: usize, size: usize) -> u64 {
    BINOMIAL[size][kinds - 1 + size]
}

fn padded(configuration: &Configuration) -> [u8; MAX_BOTS] {
    let mut squares = [0; MAX_BOTS];
    squares[..configuration.len()].copy_from_slice(configuration.squares());
    squares
}

/// The largest bot count whose orbits are looked up in a table of every configuration: 3 MB at
/// four bots, 41 MB at five.
pub const DIRECT_BOTS: usize = 4;

/// The same for solving: 0.5 GB at six bots, a tenth of the time of trying all eight images.
pub const SOLVING_BOTS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn burnside_gives_the_known_counts() {
        let counts: Vec<u64> = (1..=4).map(orbit_count).collect();
        assert_eq!(counts, [10, 288, 5806, 96448]);
    }

    #[test]
    fn enumeration_agrees_with_burnside() {
        for bots in 1..=4 {
            let table = OrbitTable::new(bots);
            assert_eq!(table.len() as u64, orbit_count(bots));
            let members: usize =
                (0..table.len()).map(|orbit| table.orbit_len(OrbitIndex(orbit as u32))).sum();
            assert_eq!(members as u64, Configuration::count(bots));
        }
    }

    #[test]
    fn both_lookups_number_alike() {
        for bots in 1..=3 {
            let [direct, marked] = [bots, 0].map(|direct| OrbitTable::with_direct(bots, direct));
            assert_eq!(direct.len(), marked.len());
            let mut configuration = Configuration::first(bots);
            loop {
                let placed = direct.place(&configuration);
                assert_eq!(placed, marked.place(&configuration));
                let representative = direct.representative(placed.orbit);
                assert_eq!(representative, marked.representative(placed.orbit));
                assert_eq!(representative.transformed(placed.symmetry), configuration);
                if !configuration.advance() {
                    break;
                }
            }
        }
    }
}
