//! The shard engine: deltas in, delta out. It does no I/O and has no clock; drivers move the
//! deltas between shards.

use std::borrow::Borrow;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use boombots_probe::{Material, OrbitTable, OrbitTables, SideLayout, TILE_CELLS};
use rayon::prelude::*;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::booms::{BoomRows, BoomStrip};
use crate::delta::{Delta, SparseTiles, StripDelta};
use crate::exchange::AddBlock;
use crate::kernels::Level;
use crate::mover::MoverTables;
use crate::opponent::{Occupancy, StripGroups};
use crate::plane::{Plane, Storage};
use crate::solved::SolvedStrips;
use crate::sources::BoomSources;
use crate::sweep::{Replies, SweepRows};
use crate::tile::{Tile, TileBytes};

/// What all shards of one side share.
#[derive(Clone, Debug)]
pub struct SideTables {
    pub(crate) layout: SideLayout,
    pub(crate) mover: MoverTables,
    pub(crate) opponents: Arc<OrbitTable>,
}

impl SideTables {
    /// The tables of one side.
    pub fn new(material: Material, orbits: &OrbitTables) -> Self {
        Self {
            layout: SideLayout::new(material),
            mover: MoverTables::new(usize::from(material.mover), orbits),
            opponents: Arc::clone(orbits.get(usize::from(material.opponent))),
        }
    }

    /// The layout of the side.
    pub fn layout(&self) -> &SideLayout {
        &self.layout
    }
}

/// The plies at which a tile must be looked at although nothing it leads to changed; 0 for none.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Wake {
    /// The nearest winning boom of an undecided position.
    pub(crate) win: u8,
    /// The nearest losing boom of a position lost but for it.
    pub(crate) loss: u8,
}

/// A run of strips of one side, being solved.
///
/// `won` also holds the undecided positions with a winning boom, whose distance is then in their
/// bytes: they will be won, the question is only how soon. The bytes of other undecided positions
/// hold the distance of the longest losing boom, or 0 where a boom draws.
#[derive(Debug)]
pub struct Shard {
    tables: SideTables,
    pub(crate) strips: Range<usize>,
    pub(crate) level: Level,
    occupancy: Vec<Occupancy>,
    pub(crate) undecided: Plane<Tile>,
    pub(crate) won: Plane<Tile>,
    pub(crate) distances: Plane<TileBytes>,
    pub(crate) wakes: Plane<Wake>,
    replies_won: Plane<Tile>,
    replies_lost: Plane<Tile>,
    pub(crate) won_changed: Vec<u64>,
    pub(crate) lost_changed: Vec<u64>,
}

impl Shard {
    /// A shard with nothing decided.
    ///
    /// # Errors
    /// If its planes cannot be had.
    pub fn new(
        tables: SideTables,
        strips: Range<usize>,
        level: Level,
        storage: &Storage,
    ) -> io::Result<Self> {
        let rows = tables.layout.rows;
        let tiles = strips.len() * rows;
        let changed = strips.len() * rows.div_ceil(64);
        let occupancy = strips
            .clone()
            .into_par_iter()
            .map(|strip| Occupancy::new(&tables.layout, &tables.opponents, strip))
            .collect();
        Ok(Self {
            level,
            occupancy,
            undecided: Plane::zeroed(tiles, storage)?,
            won: Plane::zeroed(tiles, storage)?,
            distances: Plane::zeroed(tiles, storage)?,
            wakes: Plane::zeroed(tiles, storage)?,
            replies_won: Plane::zeroed(tiles, storage)?,
            replies_lost: Plane::zeroed(tiles, storage)?,
            won_changed: vec![0; changed],
            lost_changed: vec![0; changed],
            tables,
            strips,
        })
    }

    pub(crate) fn layout(&self) -> &SideLayout {
        &self.tables.layout
    }

    /// Settles every boom. `advance` is told of each finished run of positions.
    pub fn boom_pass(
        &mut self,
        sources: &BoomSources,
        orbits: &OrbitTables,
        advance: &(dyn Fn(u64) + Sync),
    ) {
        let SideTables { layout, mover, .. } = &self.tables;
        let (rows, level) = (layout.rows, self.level);
        let planes = (self.undecided.par_chunks_mut(rows), self.won.par_chunks_mut(rows));
        let planes = planes.into_par_iter().zip(self.distances.par_chunks_mut(rows));
        let planes = planes.zip(self.wakes.par_chunks_mut(rows)).zip(&self.occupancy);
        planes.zip(self.strips.clone()).for_each(|(planes, strip)| {
            let ((((undecided, won), distances), wakes), occupancy) = planes;
            let strip = BoomStrip {
                columns: layout.strip_columns(strip),
                mask: Tile::of_strip(layout, strip),
                occupancy,
                groups: StripGroups::new(layout, orbits, strip, |rest| sources.cell(rest)),
            };
            let chunks = undecided.par_chunks_mut(CHUNK).zip(won.par_chunks_mut(CHUNK));
            let chunks = chunks.zip(distances.par_chunks_mut(CHUNK));
            chunks.zip(wakes.par_chunks_mut(CHUNK)).enumerate().for_each(|(chunk, planes)| {
                let (((undecided, won), distances), wakes) = planes;
                let rows = chunk * CHUNK..chunk * CHUNK + undecided.len();
                level.run(BoomRows {
                    movers: &mover.orbits,
                    blasts: &mover.blasts.rows(rows.clone(), &mover.orbits, orbits),
                    rows,
                    sources,
                    strip: &strip,
                    undecided,
                    won,
                    distances,
                    wakes,
                });
            });
            advance(rows as u64);
        });
    }

    /// Decides what is decided at this ply, given all deltas of the plies before.
    pub fn sweep(&mut self, ply: u8) -> Delta {
        let SideTables { layout, mover, .. } = &self.tables;
        let (rows, level) = (layout.rows, self.level);
        let words = rows.div_ceil(64);
        let planes = self.undecided.par_chunks_mut(rows).zip(self.won.par_chunks_mut(rows));
        let planes = planes.zip(self.distances.par_chunks_mut(rows));
        let planes = planes.zip(self.wakes.par_chunks_mut(rows)).zip(&self.occupancy);
        let replies = self.replies_won.par_chunks(rows).zip(self.replies_lost.par_chunks(rows));
        let changed = self.won_changed.par_chunks(words).zip(self.lost_changed.par_chunks(words));
        let strips = planes.zip(replies.zip(changed)).map(|(planes, replies)| {
            let ((((undecided, won), distances), wakes), occupancy) = planes;
            let ((replies_won, replies_lost), (won_changed, lost_changed)) = replies;
            let replies =
                Replies { won: replies_won, lost: replies_lost, won_changed, lost_changed };
            let chunks = undecided.par_chunks_mut(CHUNK).zip(won.par_chunks_mut(CHUNK));
            let chunks = chunks.zip(distances.par_chunks_mut(CHUNK));
            let chunks = chunks.zip(wakes.par_chunks_mut(CHUNK)).enumerate();
            let deltas: Vec<StripDelta> = chunks
                .map(|(chunk, (((undecided, won), distances), wakes))| {
                    let first = chunk * CHUNK;
                    level.run(SweepRows {
                        ply,
                        rows: first..first + undecided.len(),
                        moves: &mover.moves,
                        occupancy,
                        replies,
                        undecided,
                        won,
                        distances,
                        wakes,
                    })
                })
                .collect();
            let mut strip = StripDelta::default();
            deltas.into_iter().for_each(|delta| strip.append(delta));
            strip
        });
        Delta { first_strip: self.strips.start, strips: strips.collect() }
    }

    /// Takes over what a ply decided in every shard of the other side; the next sweep looks at it.
    pub fn apply<D: Borrow<Delta> + Sync>(&mut self, deltas: &[D]) {
        let rows = self.tables.layout.rows;
        let words = rows.div_ceil(64);
        let level = self.level;
        let replies = self.replies_won.par_chunks_mut(rows);
        let replies = replies.zip(self.replies_lost.par_chunks_mut(rows));
        let changed = self.won_changed.par_chunks_mut(words);
        let changed = changed.zip(self.lost_changed.par_chunks_mut(words));
        replies.zip(changed).zip(self.strips.clone()).for_each(|((replies, changed), strip)| {
            let first_row = strip * TILE_CELLS;
            let ((won, lost), (won_changed, lost_changed)) = (replies, changed);
            won_changed.fill(0);
            lost_changed.fill(0);
            let add = |decided: &SparseTiles, source: usize, replies: &mut [Tile]| {
                let end = ((source + 1) * TILE_CELLS).min(rows);
                let replies = &mut replies[source * TILE_CELLS..end];
                level.run(AddBlock { decided, first_row, replies })
            };
            for delta in deltas.iter().map(Borrow::borrow) {
                for (source, decided) in (delta.first_strip..).zip(&delta.strips) {
                    won_changed[source] = add(&decided.won, source, won);
                    lost_changed[source] = add(&decided.lost, source, lost);
                }
            }
        });
    }

    /// The nearest later ply at which something may be decided although nothing changed before it.
    pub fn next_wake(&self, ply: u8) -> Option<u8> {
        let wakes = self.wakes.par_iter().flat_map_iter(|wake| [wake.win, wake.loss]);
        wakes.filter(|&wake| wake > ply).min()
    }

    /// The planes when no ply decides anything any more.
    pub fn finish(self) -> SolvedStrips {
        let Self { tables, strips, occupancy, mut undecided, mut won, mut distances, .. } = self;
        let layout = &tables.layout;
        let rows = layout.rows;
        let planes = undecided.par_chunks_mut(rows).zip(won.par_chunks_mut(rows));
        let planes = planes.zip(distances.par_chunks_mut(rows)).zip(&occupancy);
        planes.zip(strips.clone()).for_each(|(planes, strip)| {
            let (((undecided, won), distances), occupancy) = planes;
            let mask = Tile::of_strip(layout, strip);
            let tiles = undecided.iter_mut().zip(won).zip(distances).enumerate();
            for (row, ((undecided, won), distances)) in tiles {
                let possible = occupancy.possible(&tables.mover.orbits, row, mask);
                let open = *undecided;
                *won = won.without(open);
                let lost = possible.without(open).without(*won);
                for at in Tile::ALL.without(*won).without(lost).positions() {
                    distances.0[at] = 0;
                }
                // The plane of the undecided becomes that of the lost.
                *undecided = lost;
            }
        });
        SolvedStrips::new(strips, won, undecided, distances)
    }
}

/// Rows worked on in one task.
pub(crate) const CHUNK: usize = 1024;
