//! What booms lead to: the values of the smaller classes, arranged for looking up whole cells.

use std::sync::Arc;

use boombots_probe::{Class, Material, Symmetry, orbit_count};
use rayon::prelude::*;
use thiserror::Error;

use crate::code;
use crate::load::LoadError;
use crate::mover::Rest;
use crate::solved::SolvedSide;
use boombots_probe::TILE_CELLS;

/// For every rest of the mover and every rest of the opponents, the eight codes (see `code.rs`) of
/// the boom that leaves them.
///
/// The rests of the mover are rows, by bot count and orbit. In a row, cell 0 is the opponents all
/// gone, and then come the orbits of one opponent, of two, and so on. Byte x of a cell is the value
/// with the rest of the mover at `x⁻¹` applied to its representative, seen from the representative
/// of the opponents' rest.
#[derive(Debug)]
pub struct BoomSources {
    /// `starts[n]` is the cell where the orbits of n opponents start; 0 for none.
    starts: Vec<usize>,
    row_len: usize,
    /// A matrix for each count of the mover's bots left, 1 upwards.
    matrices: Vec<Vec<u64>>,
    /// The row for a mover without bots.
    suicide: Vec<u64>,
}

/// Gives the solved sides of the classes beneath the one being built.
pub type SmallerSides<'a> = &'a (dyn Fn(Material) -> Result<Arc<SolvedSide>, LoadError> + Sync);

/// Why a smaller class cannot be built upon.
#[derive(Debug, Error)]
pub enum SourceError {
    /// It could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A distance has no boom code.
    #[error(
        "{class} has positions {plies} plies from the end, and a boom into it is past the {} plies \
         that the solver can tell apart",
        code::DEEPEST
    )]
    TooDeep {
        /// The smaller class.
        class: Class,
        /// Its distance, in plies.
        plies: u8,
    },
}

impl BoomSources {
    /// The sources of one side of a class. `solved` gives the solved sides of smaller classes; each
    /// is asked for once and let go before the next.
    ///
    /// # Errors
    /// If a smaller class cannot be had, or reaches deeper than the solver can tell apart.
    pub fn new(material: Material, solved: SmallerSides<'_>) -> Result<Self, SourceError> {
        let mut sources = Self::empty(material);
        for left in 1..material.mover {
            let rows = orbit_count(usize::from(left)) as usize;
            let mut matrix = vec![0_u64; rows * sources.row_len];
            for row in matrix.chunks_exact_mut(sources.row_len) {
                row[0] = cell_of(code::win(1));
            }
            for opponents in 1..=material.opponent {
                let side = solved(Material { mover: opponents, opponent: left })?;
                fill(&mut matrix, sources.row_len, sources.starts[usize::from(opponents)], &side)?;
            }
            sources.matrices.push(matrix);
        }
        Ok(sources)
    }

    fn empty(material: Material) -> Self {
        let mut starts = vec![0, 1];
        for opponents in 1..=usize::from(material.opponent) {
            starts.push(starts[opponents] + orbit_count(opponents) as usize);
        }
        let row_len = starts.pop().expect("there are two or more");
        // A boom that takes every bot of the mover but no opponent has a code of its own, so this
        // row ends before the full count of opponents.
        let mut suicide = vec![cell_of(code::loss(1)); starts[usize::from(material.opponent)]];
        suicide[0] = cell_of(code::DRAW);
        Self { starts, row_len, matrices: Vec::new(), suicide }
    }

    /// The cell of a row for what is left of the opponents.
    pub(crate) fn cell(&self, rest: &Rest) -> usize {
        match rest.bots {
            0 => 0,
            bots => self.starts[usize::from(bots)] + rest.place.orbit(),
        }
    }

    /// The row for what is left of the mover.
    #[inline(always)]
    pub(crate) fn row(&self, rest: &Rest) -> &[u64] {
        match rest.bots {
            0 => &self.suicide,
            bots => {
                let at = rest.place.orbit() * self.row_len;
                &self.matrices[usize::from(bots) - 1][at..at + self.row_len]
            }
        }
    }

    /// Where in a row the orbits start that have as many opponents as before the boom.
    #[inline(always)]
    pub(crate) fn untouched(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Bytes that the sources of a side take.
    pub(crate) fn memory(material: Material) -> u64 {
        let orbits = |bots: u8| orbit_count(usize::from(bots));
        let cells: u64 = (1..=material.opponent).map(orbits).sum::<u64>() + 1;
        let rows: u64 = (1..material.mover).map(orbits).sum::<u64>() + 1;
        rows * cells * size_of::<u64>() as u64
    }
}

/// Writes the cells that one solved side gives. Its mover is the opponent that was boomed at.
fn fill(
    matrix: &mut [u64],
    row_len: usize,
    start: usize,
    side: &SolvedSide,
) -> Result<(), SourceError> {
    let layout = *side.layout();
    let strips = matrix.par_chunks_mut(row_len * TILE_CELLS).enumerate();
    strips.try_for_each(|(strip, rows)| {
        let view = side.strip(strip);
        let tiles = view.won.iter().zip(view.lost).zip(view.distances).enumerate();
        for (orbit, ((won, lost), distances)) in tiles {
            for (cell, row) in rows.chunks_exact_mut(row_len).enumerate() {
                let byte = |words: &[u64; 8]| (words[cell / 8] >> (cell % 8 * 8)) as u8;
                let (won, lost) = (byte(&won.0), byte(&lost.0));
                let mut bytes = [code::DRAW; 8];
                if won | lost != 0 {
                    for g in Symmetry::ALL {
                        let plies = distances.0[cell * 8 + g.index()];
                        let at = g.inverse().index();
                        if won >> g.index() & 1 != 0 {
                            bytes[at] = code::loss(deeper(plies, &layout.material)?);
                        } else if lost >> g.index() & 1 != 0 {
                            bytes[at] = code::win(deeper(plies, &layout.material)?);
                        }
                    }
                }
                row[start + orbit] = u64::from_le_bytes(bytes);
            }
        }
        Ok(())
    })
}

fn deeper(plies: u8, material: &Material) -> Result<u8, SourceError> {
    match plies.checked_add(1) {
        Some(boom) if boom <= code::DEEPEST => Ok(boom),
        _ => Err(SourceError::TooDeep { class: material.class(), plies }),
    }
}

/// A cell with the same code in every byte.
const fn cell_of(code: u8) -> u64 {
    u64::from_ne_bytes([code; 8])
}
