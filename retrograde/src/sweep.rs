//! One ply: which positions become won or lost by what the ply before decided.

use std::ops::Range;

use crate::delta::StripDelta;
use crate::kernels::{Kernel, Simd};
use crate::mover::{MoveTable, PackedPlace};
use crate::opponent::Occupancy;
use crate::shard::Wake;
use crate::tile::{Tile, TileBytes};

/// A ply over some rows of one strip.
pub(crate) struct SweepRows<'a> {
    pub(crate) ply: u8,
    pub(crate) rows: Range<usize>,
    pub(crate) moves: &'a MoveTable,
    pub(crate) occupancy: &'a Occupancy,
    pub(crate) replies: Replies<'a>,
    pub(crate) undecided: &'a mut [Tile],
    pub(crate) won: &'a mut [Tile],
    pub(crate) distances: &'a mut [TileBytes],
    pub(crate) wakes: &'a mut [Wake],
}

/// The opponent's positions of a strip, transposed: a tile for each row of the mover after moving.
#[derive(Clone, Copy)]
pub(crate) struct Replies<'a> {
    /// Won for the opponent, who is to move.
    pub(crate) won: &'a [Tile],
    /// Lost for the opponent.
    pub(crate) lost: &'a [Tile],
    /// A bit for each row of `won` that the ply before changed.
    pub(crate) won_changed: &'a [u64],
    /// A bit for each row of `lost` that the ply before changed.
    pub(crate) lost_changed: &'a [u64],
}

impl Kernel for SweepRows<'_> {
    type Output = StripDelta;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> StripDelta {
        let mut delta = StripDelta::default();
        let ply = self.ply;
        for (i, row) in self.rows.clone().enumerate() {
            let mut undecided = simd.load(&self.undecided[i]);
            if simd.is_none(undecided) {
                continue;
            }
            let (places, targets) = self.moves.row(row);
            let moves = Moves { simd, places, targets, occupancy: self.occupancy };
            let wake = &mut self.wakes[i];
            let distances = &mut self.distances[i];

            let mut won = simd.load(&self.won[i]);
            let mut newly_won =
                simd.and(undecided, moves.any(self.replies.lost, self.replies.lost_changed));
            let boom_due = wake.win == ply;
            if boom_due {
                let booms = simd.and(simd.and(undecided, won), simd.equal(distances, ply));
                newly_won = simd.or(newly_won, booms);
            }
            let any_won = !simd.is_none(newly_won);
            if any_won {
                simd.set(distances, newly_won, ply);
                undecided = simd.without(undecided, newly_won);
                won = simd.or(won, newly_won);
                delta.won.push(row, simd.store(newly_won));
            }
            if boom_due {
                let waiting = simd.and(undecided, won);
                wake.win = if simd.is_none(waiting) { 0 } else { simd.least(distances, waiting) };
            }

            // At the first ply nothing is lost by moves yet, but some positions have no move.
            let mut any_lost = false;
            if ply == 1 || wake.loss == ply || moves.lead_to(self.replies.won_changed) {
                let candidates = moves.every(simd.without(undecided, won), self.replies.won);
                wake.loss = 0;
                if !simd.is_none(candidates) {
                    let drawn = simd.equal(distances, 0);
                    let candidates = simd.without(candidates, drawn);
                    let newly_lost = simd.and(candidates, simd.at_most(distances, ply));
                    let waiting = simd.without(candidates, newly_lost);
                    if !simd.is_none(waiting) {
                        wake.loss = simd.least(distances, waiting);
                    }
                    any_lost = !simd.is_none(newly_lost);
                    if any_lost {
                        simd.set(distances, newly_lost, ply);
                        undecided = simd.without(undecided, newly_lost);
                        delta.lost.push(row, simd.store(newly_lost));
                    }
                }
            }
            if any_won || any_lost {
                self.undecided[i] = simd.store(undecided);
                self.won[i] = simd.store(won);
            }
        }
        delta
    }
}

/// The moves of one row.
struct Moves<'a, S> {
    simd: S,
    places: &'a [PackedPlace],
    targets: &'a [u8],
    occupancy: &'a Occupancy,
}

impl<S: Simd> Moves<'_, S> {
    /// Whether a move leads to a changed row.
    #[inline(always)]
    fn lead_to(&self, changed: &[u64]) -> bool {
        self.places.iter().any(|place| is_set(changed, place.orbit()))
    }

    /// Positions with a move into `replies`, looking at changed rows only.
    #[inline(always)]
    fn any(&self, replies: &[Tile], changed: &[u64]) -> S::Mask {
        let simd = self.simd;
        let mut any = simd.load(&Tile::NONE);
        for (place, &target) in self.places.iter().zip(self.targets) {
            if is_set(changed, place.orbit()) {
                let led = simd.permute(simd.load(&replies[place.orbit()]), place.symmetry());
                any = simd.or(any, simd.without(led, self.blocked(target)));
            }
        }
        any
    }

    /// Those of `candidates` whose every move leads into `replies`.
    #[inline(always)]
    fn every(&self, mut candidates: S::Mask, replies: &[Tile]) -> S::Mask {
        let simd = self.simd;
        for (place, &target) in self.places.iter().zip(self.targets) {
            if simd.is_none(candidates) {
                break;
            }
            let led = simd.permute(simd.load(&replies[place.orbit()]), place.symmetry());
            candidates = simd.and(candidates, simd.or(led, self.blocked(target)));
        }
        candidates
    }

    /// Positions with an opponent on the target.
    #[inline(always)]
    fn blocked(&self, target: u8) -> S::Mask {
        self.simd.load(&self.occupancy.0[usize::from(target & 63)])
    }
}

#[inline(always)]
fn is_set(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 != 0
}
