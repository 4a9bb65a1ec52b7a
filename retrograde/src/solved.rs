//! The finished planes of one side of a class.

use std::ops::Range;

use boombots_probe::SideLayout;

use crate::plane::Plane;
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

    /// The layout.
    pub fn layout(&self) -> &SideLayout {
        &self.layout
    }

    /// The planes of a strip.
    pub fn strip(&self, strip: usize) -> StripView<'_> {
        let part = self.parts.partition_point(|part| part.strips.end <= strip);
        let part = &self.parts[part];
        let at = (strip - part.strips.start) * self.layout.rows;
        let tiles = at..at + self.layout.rows;
        StripView {
            won: &part.won[tiles.clone()],
            lost: &part.lost[tiles.clone()],
            distances: &part.distances[tiles],
        }
    }
}
