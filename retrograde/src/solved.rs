//! The finished planes of one side of a class.

use std::ops::Range;

use boombots_probe::{
    Class, Material, OrbitTables, Plies, SideLayout, SideStatistics, Symmetry, TILE_CELLS, Value,
};

use crate::plane::Plane;
use crate::statistics::statistics;
use crate::tile::{Tile, TileBytes};

/// A run of finished strips.
#[derive(Debug)]
pub struct SolvedStrips {
    pub(crate) strips: Range<usize>,
    pub(crate) won: Plane<Tile>,
    pub(crate) lost: Plane<Tile>,
    pub(crate) distances: Plane<TileBytes>,
}

/// One side of a class, solved: for each position whether the mover wins or loses, and in how many
/// plies.
#[derive(Debug)]
pub struct SolvedSide {
    layout: SideLayout,
    parts: Vec<SolvedStrips>,
}

/// A class, solved for every side to move.
#[derive(Debug)]
pub struct SolvedClass {
    class: Class,
    sides: Vec<(SolvedSide, SideStatistics)>,
}

impl SolvedClass {
    /// A class of these solved sides, whose placements are counted.
    ///
    /// # Panics
    /// If they are not the sides of the class.
    pub fn new(class: Class, sides: Vec<SolvedSide>, orbits: &OrbitTables) -> Self {
        let materials = sides.iter().map(|side| side.layout.material);
        assert!(materials.eq(class.sides()), "the sides are those of the class");
        let count = |side| {
            let statistics = statistics(&side, orbits);
            (side, statistics)
        };
        Self { class, sides: sides.into_iter().map(count).collect() }
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The sides, in the order of [`Class::sides`].
    pub fn sides(&self) -> impl Iterator<Item = &SolvedSide> {
        self.sides.iter().map(|(side, _)| side)
    }

    /// The counts of a side.
    ///
    /// # Panics
    /// If it is not of this class.
    pub fn statistics(&self, material: Material) -> SideStatistics {
        let mut sides = self.sides.iter();
        let side = sides.find(|(side, _)| side.layout.material == material);
        side.map(|(_, statistics)| *statistics).expect("a side of this class")
    }
}

/// The planes of one strip, a tile for each row.
#[derive(Clone, Copy, Debug)]
pub struct StripView<'a> {
    /// Positions won for the mover.
    pub won: &'a [Tile],
    /// Positions lost for the mover.
    pub lost: &'a [Tile],
    /// Plies to the end; 0 for draws and impossible positions.
    pub distances: &'a [TileBytes],
}

impl SolvedStrips {
    pub(crate) fn new(
        strips: Range<usize>,
        won: Plane<Tile>,
        lost: Plane<Tile>,
        distances: Plane<TileBytes>,
    ) -> Self {
        Self { strips, won, lost, distances }
    }

    /// The planes of one of its strips, which have this many rows.
    ///
    /// # Panics
    /// If the strip is not of the run.
    pub fn strip(&self, strip: usize, rows: usize) -> StripView<'_> {
        let first = (strip - self.strips.start) * rows;
        let tiles = first..first + rows;
        StripView {
            won: &self.won[tiles.clone()],
            lost: &self.lost[tiles.clone()],
            distances: &self.distances[tiles],
        }
    }

    /// The strips of the run.
    pub fn strips(&self) -> Range<usize> {
        self.strips.clone()
    }
}

impl SolvedSide {
    /// Joins runs of strips that together are the whole side.
    ///
    /// # Panics
    /// If they are not.
    pub fn new(layout: SideLayout, parts: Vec<SolvedStrips>) -> Self {
        let covered: Vec<usize> = parts.iter().flat_map(|part| part.strips.clone()).collect();
        assert!(covered.into_iter().eq(0..layout.strips()), "the parts are the whole side");
        Self { layout, parts }
    }

    /// The runs of strips that it is made of.
    pub fn parts(&self) -> &[SolvedStrips] {
        &self.parts
    }

    /// The layout.
    pub fn layout(&self) -> &SideLayout {
        &self.layout
    }

    /// The value of the position whose mover is the representative of `row` and whose opponents
    /// are `symmetry · representative(column)`; a draw where that cannot occur.
    #[inline(always)]
    pub fn value(&self, row: usize, column: usize, symmetry: Symmetry) -> Value {
        let (strip, cell) = (column / TILE_CELLS, column % TILE_CELLS);
        let (part, first) = self.part(strip);
        let tile = first + row;
        let at = cell * Symmetry::COUNT + symmetry.index();
        let is_in = |plane: &[Tile]| plane[tile].0[at / 64] >> (at % 64) & 1 != 0;
        let plies = || Plies(part.distances[tile].0[at]);
        if is_in(&part.won) {
            Value::Win(plies())
        } else if is_in(&part.lost) {
            Value::Loss(plies())
        } else {
            Value::Draw
        }
    }

    /// The part that holds a strip, and where in it the strip's tiles start.
    #[inline(always)]
    fn part(&self, strip: usize) -> (&SolvedStrips, usize) {
        let part = &self.parts[self.parts.partition_point(|part| part.strips.end <= strip)];
        (part, (strip - part.strips.start) * self.layout.rows)
    }

    /// The planes of a strip.
    pub fn strip(&self, strip: usize) -> StripView<'_> {
        self.part(strip).0.strip(strip, self.layout.rows)
    }
}
