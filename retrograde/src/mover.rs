//! What is known of the mover's side before any position is looked at: the moves and the booms of
//! every row.

use std::sync::Arc;

use boombots_probe::{Configuration, OrbitIndex, OrbitTable, OrbitTables, Placed, Symmetry};
use rayon::prelude::*;

/// A configuration packed as `orbit << 3 | symmetry`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedPlace(u32);

impl PackedPlace {
    #[inline(always)]
    pub(crate) fn orbit(self) -> usize {
        (self.0 >> 3) as usize
    }

    #[inline(always)]
    pub(crate) fn symmetry(self) -> Symmetry {
        Symmetry::from_index(self.0 as usize)
    }
}

impl From<Placed> for PackedPlace {
    fn from(placed: Placed) -> Self {
        Self((placed.orbit.get() as u32) << 3 | placed.symmetry.index() as u32)
    }
}

/// A move of a row: where it leads, and the square that no opponent may stand on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowMove {
    pub(crate) to: PackedPlace,
    pub(crate) target: u8,
}

/// What a boom leaves of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rest {
    /// How many bots are left; with none, `place` means nothing.
    pub(crate) bots: u8,
    pub(crate) place: PackedPlace,
}

/// The moves of every row of a side.
#[derive(Debug)]
pub(crate) struct MoveTable {
    starts: Vec<usize>,
    to: Vec<PackedPlace>,
    targets: Vec<u8>,
}

impl MoveTable {
    pub(crate) fn new(orbits: &OrbitTable) -> Self {
        let rows: Vec<Vec<RowMove>> = (0..orbits.len())
            .into_par_iter()
            .map(|row| moves_of(orbits, &orbits.representative(OrbitIndex::new(row as u32))))
            .collect();
        let mut table = Self { starts: vec![0], to: Vec::new(), targets: Vec::new() };
        for moves in rows {
            table.to.extend(moves.iter().map(|row_move| row_move.to));
            table.targets.extend(moves.iter().map(|row_move| row_move.target));
            table.starts.push(table.to.len());
        }
        table
    }

    /// The moves of a row: places and target squares, in step.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> (&[PackedPlace], &[u8]) {
        let moves = self.starts[row]..self.starts[row + 1];
        (&self.to[moves.clone()], &self.targets[moves])
    }
}

/// Every move of a configuration when no opponent is in the way.
fn moves_of(orbits: &OrbitTable, configuration: &Configuration) -> Vec<RowMove> {
    let mut moves = Vec::new();
    let squares = configuration.squares();
    let mut at = 0;
    while at < squares.len() {
        let source = squares[at];
        let height = squares[at..].iter().take_while(|&&square| square == source).count();
        for target in targets_of(source, height as i8) {
            for count in 1..=height {
                let mut moved = Configuration::EMPTY;
                for (i, &square) in squares.iter().enumerate() {
                    moved.insert(if (at..at + count).contains(&i) { target } else { square });
                }
                moves.push(RowMove { to: orbits.place(&moved).into(), target });
            }
        }
        at += height;
    }
    moves
}

/// The squares a stack of this height reaches on an empty board.
fn targets_of(source: u8, height: i8) -> impl Iterator<Item = u8> {
    let (x, y) = ((source % 8) as i8, (source / 8) as i8);
    (1..=height).flat_map(move |distance| {
        [(distance, 0), (-distance, 0), (0, distance), (0, -distance)].into_iter().filter_map(
            move |(dx, dy)| {
                let (x, y) = (x + dx, y + dy);
                ((0..8).contains(&x) && (0..8).contains(&y)).then_some((y * 8 + x) as u8)
            },
        )
    })
}

/// The connected groups of every row of a side and what is left when any of them explode.
#[derive(Debug)]
pub(crate) struct BlastTable {
    starts: Vec<usize>,
    near: Vec<u64>,
    rest_starts: Vec<usize>,
    rests: Vec<Rest>,
}

impl BlastTable {
    pub(crate) fn new(orbits: &OrbitTable, tables: &OrbitTables) -> Self {
        let rows: Vec<(Vec<u64>, Vec<Rest>)> = (0..orbits.len())
            .into_par_iter()
            .map(|row| {
                let configuration = orbits.representative(OrbitIndex::new(row as u32));
                let groups = groups_of(configuration.occupied());
                let rests = subset_rests(&configuration, &groups, tables);
                (groups.into_iter().map(dilated).collect(), rests)
            })
            .collect();
        let mut table =
            Self { starts: vec![0], near: Vec::new(), rest_starts: vec![0], rests: Vec::new() };
        for (near, rests) in rows {
            table.near.extend(near);
            table.starts.push(table.near.len());
            table.rests.extend(rests);
            table.rest_starts.push(table.rests.len());
        }
        table
    }

    /// For each group of a row the squares within its blast, and for each subset of groups (as a
    /// bit set) what is left without them.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> (&[u64], &[Rest]) {
        (
            &self.near[self.starts[row]..self.starts[row + 1]],
            &self.rests[self.rest_starts[row]..self.rest_starts[row + 1]],
        )
    }
}

/// What is left of a configuration without each subset of its groups.
pub(crate) fn subset_rests(
    configuration: &Configuration,
    groups: &[u64],
    tables: &OrbitTables,
) -> Vec<Rest> {
    (0..1_usize << groups.len())
        .map(|subset| {
            let blown = groups
                .iter()
                .enumerate()
                .filter(|(i, _)| subset >> i & 1 != 0)
                .fold(0, |squares, (_, group)| squares | group);
            let rest = configuration.without(blown);
            match rest.len() {
                0 => Rest { bots: 0, place: PackedPlace(0) },
                bots => Rest { bots: bots as u8, place: tables.get(bots).place(&rest).into() },
            }
        })
        .collect()
}

/// The 8-connected groups of a set of squares, in the order of their first squares.
pub(crate) fn groups_of(mut squares: u64) -> Vec<u64> {
    let mut groups = Vec::new();
    while squares != 0 {
        let mut group = squares & squares.wrapping_neg();
        loop {
            let grown = dilated(group) & squares;
            if grown == group {
                break;
            }
            group = grown;
        }
        groups.push(group);
        squares &= !group;
    }
    groups
}

/// The squares of a set and their eight neighbours.
pub(crate) fn dilated(squares: u64) -> u64 {
    boombots_rules::SquareSet::from_bits(squares).dilated().bits()
}

/// The tables of one mover bot count, shared by every shard of the side.
#[derive(Clone, Debug)]
pub(crate) struct MoverTables {
    pub(crate) orbits: Arc<OrbitTable>,
    pub(crate) moves: Arc<MoveTable>,
    pub(crate) blasts: Arc<BlastTable>,
}

impl MoverTables {
    pub(crate) fn new(bots: usize, tables: &OrbitTables) -> Self {
        let orbits = Arc::clone(tables.get(bots));
        let moves = Arc::new(MoveTable::new(&orbits));
        let blasts = Arc::new(BlastTable::new(&orbits, tables));
        Self { orbits, moves, blasts }
    }
}
