//! What a build needs, known before it starts.

use boombots_probe::{Class, Configuration, Material, SOLVING_BOTS, SideLayout, orbit_count};

use crate::mover::Blasts;
use crate::sources::BoomSources;
use crate::tile::{Tile, TileBytes};

/// The memory and disk space of one class's build, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildNeeds {
    /// Planes of the class: in memory, or in files when they spill.
    pub planes: u64,
    /// What stays in memory in any case: tables of moves and blasts, the values of smaller classes,
    /// and what one ply decides.
    pub resident: u64,
    /// Part of what stays in memory: moves, blasts, occupancy and what booms lead to.
    pub side_tables: u64,
    /// The planes of the smaller classes, which are read one after the other.
    pub beneath: u64,
    /// An upper estimate of the finished files.
    pub files: u64,
}

impl BuildNeeds {
    /// The needs of a class.
    pub fn of(class: Class) -> Self {
        let sides = class.sides();
        let sum = |of: &dyn Fn(Material) -> u64| sides.iter().map(|&side| of(side)).sum();
        let planes: u64 = sum(&planes);
        let side_tables: u64 = sum(&side_tables);
        let orbits: u64 = (1..=usize::from(class.larger())).map(orbit_tables).sum();
        let smaller = || sides.iter().flat_map(|side| side.after_booms()).map(loaded);
        let beneath = smaller().sum();
        let largest = smaller().max().unwrap_or(0);
        let deltas: u64 = sum(&deltas);
        // Smaller classes are read side by side, all before the first ply.
        let resident = side_tables + orbits + deltas.max(largest) + WORKING;
        Self { planes, resident, side_tables, beneath, files: planes / COMPRESSION }
    }

    /// Whether the build takes so long that it should survive being killed: a minute or more.
    pub fn is_long(&self) -> bool {
        self.planes >= LONG_BYTES
    }

    /// Memory without spilling.
    pub fn memory(&self) -> u64 {
        self.planes + self.resident
    }

    /// Disk space when the planes spill.
    pub fn disk_spilling(&self) -> u64 {
        self.planes + self.files
    }
}

/// Four bit planes, the distances, two wakes a tile and two marks a row and strip.
fn planes(side: Material) -> u64 {
    let layout = SideLayout::new(side);
    layout.tiles() as u64 * (4 * size_of::<Tile>() + size_of::<TileBytes>() + 2) as u64
}

/// In a first ply nearly every tile may change, most of them for one side only.
fn deltas(side: Material) -> u64 {
    SideLayout::new(side).tiles() as u64 * (size_of::<Tile>() + size_of::<u32>()) as u64
}

fn side_tables(side: Material) -> u64 {
    let layout = SideLayout::new(side);
    let bots = u64::from(side.mover);
    // Four directions and as many steps as the stack is high; bots that stand alone have one.
    let moves = layout.rows as u64 * 4 * bots * 5;
    let blasts = Blasts::memory(usize::from(side.mover));
    let occupancy = layout.strips() as u64 * 64 * size_of::<Tile>() as u64;
    moves + blasts + occupancy + BoomSources::memory(side)
}

fn orbit_tables(bots: usize) -> u64 {
    let configurations = Configuration::count(bots);
    if bots <= SOLVING_BOTS {
        configurations * 4 + orbit_count(bots) * 7
    } else {
        configurations * 3 / 16
    }
}

/// The planes of a finished side in memory.
fn loaded(side: Material) -> u64 {
    let tile = (2 * size_of::<Tile>() + size_of::<TileBytes>()) as u64;
    SideLayout::new(side.flipped()).tiles() as u64 * tile
}

/// Planes of classes that take a minute or more.
const LONG_BYTES: u64 = 1 << 30;

/// Buffers of threads, blocks being compressed and the program itself.
const WORKING: u64 = 96 << 20;

/// Planes are at least so many times as large as the files made of them.
const COMPRESSION: u64 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(class: &str) -> BuildNeeds {
        BuildNeeds::of(class.parse().unwrap())
    }

    #[test]
    fn twelve_bytes_a_cell() {
        let cells = 5806 * 91 * 64;
        let planes = needs("3v3").planes;
        assert!((12 * cells..13 * cells).contains(&planes), "{planes}");
    }

    #[test]
    fn every_class_has_needs() {
        for larger in 1..8 {
            for smaller in 1..=larger.min(8 - larger) {
                let needs = BuildNeeds::of(Class::new(larger, smaller).unwrap());
                assert!(needs.memory() > needs.planes && needs.disk_spilling() > needs.planes);
            }
        }
        assert!(needs("4v3").memory() < 18 << 30);
        assert!(needs("4v4").memory() > 64 << 30);
    }
}
