//! What is known of the opponents of one strip before any position is looked at.

use boombots_probe::{OrbitIndex, OrbitTable, OrbitTables, SideLayout, Symmetry, TILE_CELLS};

use crate::mover::{Rest, groups_of, subset_rests};
use crate::tile::Tile;

/// Where the opponents of a strip stand: for each square the positions with an opponent on it.
#[derive(Debug)]
pub(crate) struct Occupancy(pub(crate) Box<[Tile; 64]>);

impl Occupancy {
    pub(crate) fn new(layout: &SideLayout, orbits: &OrbitTable, strip: usize) -> Self {
        let mut squares = Box::new([Tile::NONE; 64]);
        for (cell, column) in layout.strip_columns(strip).enumerate() {
            let opponents = orbits.representative(OrbitIndex::new(column as u32)).occupied();
            mark(&mut squares, cell, opponents);
        }
        Self(squares)
    }

    /// The positions of a row's tile that can occur: those within `mask` with no square held by
    /// both sides.
    pub(crate) fn possible(&self, movers: &OrbitTable, row: usize, mask: Tile) -> Tile {
        let representative = movers.representative(OrbitIndex::new(row as u32));
        let squares = representative.squares().iter();
        squares.fold(mask, |possible, &square| possible.without(self.0[usize::from(square)]))
    }
}

/// The connected groups of a strip's opponents, one *slot* for each group a column can have.
#[derive(Debug)]
pub(crate) struct StripGroups {
    /// For each slot and square the positions whose group of that slot stands on it.
    pub(crate) slots: Vec<[Tile; 64]>,
    /// For each subset of slots (as a bit set) what is left of each column without them, as an
    /// index into a row of [`crate::sources::BoomSource`] shifted left by 3, and the symmetry.
    pub(crate) rests: Vec<[u32; TILE_CELLS]>,
    /// For each slot the positions that have a group there at all.
    pub(crate) present: Vec<Tile>,
}

impl StripGroups {
    /// `cell_of` gives the index in a source's row of what is left.
    pub(crate) fn new(
        layout: &SideLayout,
        tables: &OrbitTables,
        strip: usize,
        cell_of: impl Fn(&Rest) -> usize,
    ) -> Self {
        let orbits = tables.get(usize::from(layout.material.opponent));
        let columns: Vec<_> = layout
            .strip_columns(strip)
            .map(|column| {
                let configuration = orbits.representative(OrbitIndex::new(column as u32));
                (configuration, groups_of(configuration.occupied()))
            })
            .collect();
        let slot_count = columns.iter().map(|(_, groups)| groups.len()).max().unwrap_or(0);
        let mut slots = vec![[Tile::NONE; 64]; slot_count];
        let mut rests = vec![[0; TILE_CELLS]; 1 << slot_count];
        for (cell, (configuration, groups)) in columns.iter().enumerate() {
            for (slot, &group) in slots.iter_mut().zip(groups) {
                mark(slot, cell, group);
            }
            for (subset, rest) in subset_rests(configuration, groups, tables).enumerate() {
                rests[subset][cell] =
                    (cell_of(&rest) as u32) << 3 | rest.place.symmetry().index() as u32;
            }
        }
        let present = slots
            .iter()
            .map(|slot| slot.iter().fold(Tile::NONE, |present, &tile| present.or(tile)))
            .collect();
        Self { slots, rests, present }
    }
}

/// Marks, for each symmetry, the squares that the images of `opponents` stand on.
fn mark(squares: &mut [Tile; 64], cell: usize, mut opponents: u64) {
    while opponents != 0 {
        let square = opponents.trailing_zeros() as u8;
        opponents &= opponents - 1;
        for symmetry in Symmetry::ALL {
            squares[usize::from(symmetry.square_index(square))].insert(cell, symmetry);
        }
    }
}
