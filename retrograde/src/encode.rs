//! From solved planes to the blocks of a table file.

use std::ops::Range;
use std::path::Path;

use boombots_probe::{
    BlockEncoder, Compression, EncodedBlock, Metric, OrbitTable, OrbitTables, SideLayout,
    TableError, TableWriter, TileBits, TileDistances,
};
use rayon::prelude::*;
use zerocopy::{FromBytes, IntoBytes};

use crate::kernels::{Kernel, Level, Simd};
use crate::opponent::Occupancy;
use crate::solved::{SolvedClass, SolvedSide, SolvedStrips, StripView};
use crate::tile::{Tile, TileBytes};

/// What is needed to turn solved classes into files.
#[derive(Clone, Copy, Debug)]
pub struct TableCoding<'a> {
    /// The numbering of configurations.
    pub orbits: &'a OrbitTables,
    /// Which vector instructions are used.
    pub level: Level,
    /// How hard the files are compressed.
    pub compression: Compression,
}

impl TableCoding<'_> {
    /// Writes one table file with these metrics of a solved class. `advance` is told of each block
    /// written.
    ///
    /// # Errors
    /// If it cannot be written; nothing is left behind then.
    pub fn write(
        &self,
        path: &Path,
        metrics: &[Metric],
        solved: &SolvedClass,
        advance: &mut dyn FnMut(),
    ) -> Result<(), TableError> {
        let statistics = |material| solved.statistics(material);
        let mut writer = TableWriter::create(path, solved.class(), metrics, statistics)?;
        for &metric in metrics {
            for side in solved.sides() {
                let encoder = SideEncoder::new(side, self.orbits, self.level);
                encoder.encode(metric, self.compression.level(metric), |block| {
                    advance();
                    writer.push(&block)
                })?;
            }
        }
        writer.finish()
    }
}

/// Codes the blocks of a side, or of some of its strips.
#[derive(Clone, Copy, Debug)]
pub struct SideEncoder<'a> {
    layout: &'a SideLayout,
    parts: &'a [SolvedStrips],
    movers: &'a OrbitTable,
    opponents: &'a OrbitTable,
    level: Level,
}

impl<'a> SideEncoder<'a> {
    /// An encoder of this side.
    pub fn new(side: &'a SolvedSide, orbits: &'a OrbitTables, level: Level) -> Self {
        Self::of_strips(side.layout(), side.parts(), orbits, level)
    }

    /// An encoder of runs of strips that follow on one another and together are whole groups.
    pub fn of_strips(
        layout: &'a SideLayout,
        parts: &'a [SolvedStrips],
        orbits: &'a OrbitTables,
        level: Level,
    ) -> Self {
        let material = layout.material;
        Self {
            layout,
            parts,
            movers: orbits.get(usize::from(material.mover)),
            opponents: orbits.get(usize::from(material.opponent)),
            level,
        }
    }

    /// Codes all blocks of a metric and hands them over in order. Blocks are coded in parallel on
    /// the current rayon pool, a bounded number at a time.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn encode<E>(
        &self,
        metric: Metric,
        compression: i32,
        mut each: impl FnMut(EncodedBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        let ends = self.parts.first().zip(self.parts.last());
        let strips = ends.map_or(0..0, |(first, last)| first.strips().start..last.strips().end);
        let blocks = self.layout.blocks(strips, metric);
        for some in blocks.chunks(AT_A_TIME) {
            let coded: Vec<EncodedBlock> = some
                .par_iter()
                .map_init(
                    || BlockEncoder::new(compression),
                    |encoder, tiles| self.encode_block(encoder, metric, tiles.clone()),
                )
                .collect();
            coded.into_iter().try_for_each(&mut each)?;
        }
        Ok(())
    }

    fn encode_block(
        &self,
        encoder: &mut BlockEncoder,
        metric: Metric,
        tiles: Range<usize>,
    ) -> EncodedBlock {
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        let mut free = Vec::with_capacity(tiles.len());
        let mut distances: Vec<TileDistances> = Vec::new();
        for (strip, rows) in runs(self.layout, tiles) {
            let view = self.strip(strip);
            free.extend(self.free(metric, strip, rows.clone(), &view));
            match metric {
                Metric::Wdl => {
                    won.extend(view.won[rows.clone()].iter().map(bits_of));
                    lost.extend(view.lost[rows].iter().map(bits_of));
                }
                Metric::Dtm => distances.extend(view.distances[rows].iter().map(|tile| tile.0)),
            }
        }
        match metric {
            Metric::Wdl => encoder.encode_wdl(&won, &lost, &free),
            Metric::Dtm => encoder.encode_dtm(&mut distances, &free),
        }
    }

    fn strip(&self, strip: usize) -> StripView<'a> {
        let part = self.parts.partition_point(|part| part.strips().end <= strip);
        self.parts[part].strip(strip, self.layout.rows)
    }

    /// What is never read from the file: positions that cannot occur, those in which a boom wins
    /// at once, and the distances of draws.
    fn free(
        &self,
        metric: Metric,
        strip: usize,
        rows: Range<usize>,
        view: &StripView<'_>,
    ) -> Vec<TileBits> {
        let layout = self.layout;
        let occupancy = Occupancy::new(layout, self.opponents, strip);
        let mask = Tile::of_strip(layout, strip);
        let at_once = self.level.run(WonAtOnce {
            won: &view.won[rows.clone()],
            distances: &view.distances[rows.clone()],
        });
        rows.zip(at_once)
            .map(|(row, at_once)| {
                let read = match metric {
                    Metric::Wdl => occupancy.possible(self.movers, row, mask),
                    Metric::Dtm => view.won[row].or(view.lost[row]),
                };
                bits_of(&Tile::ALL.without(read.without(at_once)))
            })
            .collect()
    }
}

/// The positions that are won in one ply.
struct WonAtOnce<'a> {
    won: &'a [Tile],
    distances: &'a [TileBytes],
}

impl Kernel for WonAtOnce<'_> {
    type Output = Vec<Tile>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<Tile> {
        let tiles = self.won.iter().zip(self.distances);
        tiles
            .map(|(won, distances)| simd.store(simd.and(simd.load(won), simd.equal(distances, 1))))
            .collect()
    }
}

/// Cuts a run of tiles into the rows of each strip.
fn runs(layout: &SideLayout, tiles: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    let rows = layout.rows;
    (tiles.start / rows..tiles.end.div_ceil(rows)).map(move |strip| {
        let first = strip * rows;
        (strip, tiles.start.max(first) - first..tiles.end.min(first + rows) - first)
    })
}

fn bits_of(tile: &Tile) -> TileBits {
    TileBits::read_from_bytes(tile.as_bytes()).expect("a tile has a byte for each cell")
}

/// Blocks coded before any is handed over: 4 MiB of decoded ones.
const AT_A_TIME: usize = 64;
