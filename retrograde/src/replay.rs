//! A shard made again after the first was lost: it takes over what is on record of each ply instead
//! of deciding it once more.

use rayon::prelude::*;

use crate::delta::{Delta, SparseTiles, StripDelta};
use crate::kernels::{Kernel, Simd};
use crate::shard::{Shard, Wake};
use crate::tile::{Tile, TileBytes};

impl Shard {
    /// Takes over what this shard decided at a ply when it was made before. Between that and the
    /// next ply [`Shard::apply`] is due as ever; before the first ply that is not on record,
    /// [`Shard::resume`].
    ///
    /// Positions that cannot be decided any more are left as they are, whatever the delta says.
    pub fn replay(&mut self, ply: u8, decided: &Delta) {
        let (rows, level) = (self.layout().rows, self.level);
        let planes = self.undecided.par_chunks_mut(rows).zip(self.won.par_chunks_mut(rows));
        let planes = planes.zip(self.distances.par_chunks_mut(rows));
        planes.zip(self.strips.clone()).for_each(|(((undecided, won), distances), strip)| {
            let at = strip.checked_sub(decided.first_strip);
            if let Some(decided) = at.and_then(|at| decided.strips.get(at)) {
                level.run(ReplayStrip { ply, decided, undecided, won, distances });
            }
        });
    }

    /// Makes the next sweep, of this ply, look at everything: what earlier ones would have left
    /// marked for it was not kept.
    pub fn resume(&mut self, ply: u8) {
        let (rows, level) = (self.layout().rows, self.level);
        self.won_changed.fill(u64::MAX);
        self.lost_changed.fill(u64::MAX);
        let planes = self.undecided.par_chunks(rows).zip(self.won.par_chunks(rows));
        let planes = planes.zip(self.distances.par_chunks(rows));
        planes.zip(self.wakes.par_chunks_mut(rows)).for_each(|planes| {
            let (((undecided, won), distances), wakes) = planes;
            level.run(WakeStrip { ply, undecided, won, distances, wakes });
        });
    }
}

/// What a ply decided, taken over by one strip.
struct ReplayStrip<'a> {
    ply: u8,
    decided: &'a StripDelta,
    undecided: &'a mut [Tile],
    won: &'a mut [Tile],
    distances: &'a mut [TileBytes],
}

impl Kernel for ReplayStrip<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { ply, decided, undecided, won, distances } = self;
        for (row, tile) in tiles(&decided.won, undecided.len()) {
            let open = simd.load(&undecided[row]);
            let newly = simd.and(open, simd.load(tile));
            simd.set(&mut distances[row], newly, ply);
            undecided[row] = simd.store(simd.without(open, newly));
            won[row] = simd.store(simd.or(simd.load(&won[row]), newly));
        }
        for (row, tile) in tiles(&decided.lost, undecided.len()) {
            let open = simd.load(&undecided[row]);
            let newly = simd.without(simd.and(open, simd.load(tile)), simd.load(&won[row]));
            simd.set(&mut distances[row], newly, ply);
            undecided[row] = simd.store(simd.without(open, newly));
        }
    }
}

fn tiles(sparse: &SparseTiles, rows: usize) -> impl Iterator<Item = (usize, &Tile)> {
    let all = sparse.rows.iter().map(|&row| row as usize).zip(&sparse.tiles);
    all.filter(move |(row, _)| *row < rows)
}

/// Wakes of one strip, found anew.
struct WakeStrip<'a> {
    ply: u8,
    undecided: &'a [Tile],
    won: &'a [Tile],
    distances: &'a [TileBytes],
    wakes: &'a mut [Wake],
}

impl Kernel for WakeStrip<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let tiles = self.undecided.iter().zip(self.won).zip(self.distances).zip(self.wakes);
        for (((undecided, won), distances), wake) in tiles {
            let undecided = simd.load(undecided);
            if simd.is_none(undecided) {
                *wake = Wake::default();
                continue;
            }
            let waiting = simd.and(undecided, simd.load(won));
            wake.win = if simd.is_none(waiting) { 0 } else { simd.least(distances, waiting) };
            wake.loss = self.ply;
        }
    }
}
