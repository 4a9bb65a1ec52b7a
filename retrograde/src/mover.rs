//! What is known of the mover's side before any position is looked at: the moves and the booms of
//! every row.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use boombots_probe::{
    Configuration, OrbitIndex, OrbitTable, OrbitTables, Placed, Symmetry, orbit_count,
};
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
    /// Counts the moves first, so that millions of rows need no memory beyond the table.
    pub(crate) fn new(orbits: &OrbitTable) -> Self {
        let configuration = |row: usize| orbits.representative(OrbitIndex::new(row as u32));
        let mut starts = vec![0; orbits.len() + 1];
        let counts = starts[1..].par_iter_mut().enumerate();
        counts.for_each(|(row, count)| *count = move_count(&configuration(row)));
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let (mut to, mut targets) = (vec![PackedPlace(0); total], vec![0; total]);
        let runs = starts.windows(RUN + 1).step_by(RUN).map(|run| run[RUN] - run[0]);
        let last = starts[orbits.len() / RUN * RUN..].len() > 1;
        let last = last.then(|| total - starts[orbits.len() / RUN * RUN]);
        let mut rest = (to.as_mut_slice(), targets.as_mut_slice());
        let runs: Vec<_> = runs
            .chain(last)
            .map(|moves| {
                let (to, targets) = std::mem::take(&mut rest);
                let (to, targets) = (to.split_at_mut(moves), targets.split_at_mut(moves));
                rest = (to.1, targets.1);
                (to.0, targets.0)
            })
            .collect();
        runs.into_par_iter().enumerate().for_each(|(run, (to, targets))| {
            let mut places = to.iter_mut().zip(targets);
            for row in run * RUN..((run + 1) * RUN).min(orbits.len()) {
                for_each_move(&configuration(row), |moved, square| {
                    let (to, target) = places.next().expect("moves are counted as they are made");
                    (*to, *target) = (orbits.place(moved).into(), square);
                });
            }
        });
        Self { starts, to, targets }
    }

    /// The moves of a row: places and target squares, in step.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> (&[PackedPlace], &[u8]) {
        let moves = self.starts[row]..self.starts[row + 1];
        (&self.to[moves.clone()], &self.targets[moves])
    }
}

/// The stacks of a configuration: square and height.
fn stacks(configuration: &Configuration) -> impl Iterator<Item = (u8, usize)> {
    let stacks = configuration.squares().chunk_by(|one, other| one == other);
    stacks.map(|stack| (stack[0], stack.len()))
}

/// How many moves a configuration has when no opponent is in the way.
fn move_count(configuration: &Configuration) -> usize {
    stacks(configuration).map(|(source, height)| height * targets_of(source, height).count()).sum()
}

/// Every move of a configuration when no opponent is in the way: what it leads to, and the target.
fn for_each_move(configuration: &Configuration, mut each: impl FnMut(&Configuration, u8)) {
    let squares = configuration.squares();
    let mut at = 0;
    for (source, height) in stacks(configuration) {
        for target in targets_of(source, height) {
            for count in 1..=height {
                let mut moved = Configuration::EMPTY;
                for (i, &square) in squares.iter().enumerate() {
                    moved.insert(if (at..at + count).contains(&i) { target } else { square });
                }
                each(&moved, target);
            }
        }
        at += height;
    }
}

/// The squares a stack of this height reaches on an empty board.
fn targets_of(source: u8, height: usize) -> impl Iterator<Item = u8> {
    let (x, y) = ((source % 8) as i8, (source / 8) as i8);
    let height = height as i8;
    (1..=height).flat_map(move |distance| {
        [(distance, 0), (-distance, 0), (0, distance), (0, -distance)].into_iter().filter_map(
            move |(dx, dy)| {
                let (x, y) = (x + dx, y + dy);
                ((0..8).contains(&x) && (0..8).contains(&y)).then_some((y * 8 + x) as u8)
            },
        )
    })
}

/// The connected groups of some rows of a side and what is left when any of them explode.
#[derive(Clone, Debug)]
pub(crate) struct BlastTable {
    first_row: usize,
    starts: Vec<usize>,
    near: Vec<u64>,
    rest_starts: Vec<usize>,
    rests: Vec<Rest>,
}

impl BlastTable {
    /// The table of every row.
    pub(crate) fn new(orbits: &OrbitTable, tables: &OrbitTables) -> Self {
        let runs = (0..orbits.len().div_ceil(RUN)).into_par_iter();
        let runs: Vec<Self> = runs
            .map(|run| {
                let rows = run * RUN..((run + 1) * RUN).min(orbits.len());
                Self::of_rows(rows, orbits, tables)
            })
            .collect();
        let mut table = Self::empty(0);
        for run in runs {
            let (near, rests) = (table.near.len(), table.rests.len());
            table.starts.extend(run.starts[1..].iter().map(|start| near + start));
            table.rest_starts.extend(run.rest_starts[1..].iter().map(|start| rests + start));
            table.near.extend(run.near);
            table.rests.extend(run.rests);
        }
        table
    }

    /// The table of a run of rows.
    pub(crate) fn of_rows(rows: Range<usize>, orbits: &OrbitTable, tables: &OrbitTables) -> Self {
        let mut table = Self::empty(rows.start);
        for row in rows {
            let configuration = orbits.representative(OrbitIndex::new(row as u32));
            let groups = groups_of(configuration.occupied());
            table.rests.extend(subset_rests(&configuration, &groups, tables));
            table.near.extend(groups.into_iter().map(dilated));
            table.starts.push(table.near.len());
            table.rest_starts.push(table.rests.len());
        }
        table
    }

    fn empty(first_row: usize) -> Self {
        let (near, rests) = (Vec::new(), Vec::new());
        Self { first_row, starts: vec![0], near, rest_starts: vec![0], rests }
    }

    /// For each group of a row the squares within its blast, and for each subset of groups (as a
    /// bit set) what is left without them.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> (&[u64], &[Rest]) {
        let row = row - self.first_row;
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
) -> impl Iterator<Item = Rest> {
    (0..1_usize << groups.len()).map(move |subset| {
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
    pub(crate) blasts: Blasts,
}

impl MoverTables {
    pub(crate) fn new(bots: usize, tables: &OrbitTables) -> Self {
        let orbits = Arc::clone(tables.get(bots));
        let moves = Arc::new(MoveTable::new(&orbits));
        let blasts = Blasts::new(&orbits, tables);
        Self { orbits, moves, blasts }
    }
}

/// The blast table of every row, or none where it would be too large: against millions of rows
/// stand so few strips that each makes the part it needs as cheaply.
#[derive(Clone, Debug)]
pub(crate) struct Blasts(Option<Arc<BlastTable>>);

impl Blasts {
    pub(crate) fn new(orbits: &OrbitTable, tables: &OrbitTables) -> Self {
        let kept = orbits.bots() <= MOST_BOTS_KEPT;
        Self(kept.then(|| Arc::new(BlastTable::new(orbits, tables))))
    }

    /// A table that has these rows.
    pub(crate) fn rows(
        &self,
        rows: Range<usize>,
        orbits: &OrbitTable,
        tables: &OrbitTables,
    ) -> Cow<'_, BlastTable> {
        match &self.0 {
            Some(table) => Cow::Borrowed(table),
            None => Cow::Owned(BlastTable::of_rows(rows, orbits, tables)),
        }
    }

    /// An upper estimate of the bytes that are kept for a side of so many bots.
    pub(crate) fn memory(bots: usize) -> u64 {
        let row = (size_of::<Rest>() << bots) + size_of::<u64>() * (bots + 2);
        if bots <= MOST_BOTS_KEPT { orbit_count(bots) * row as u64 } else { 0 }
    }
}

/// Blasts of so many bots are kept for every row: 0.3 GB at five, and 5 GB at six.
const MOST_BOTS_KEPT: usize = 5;

/// Rows that one task makes tables of.
const RUN: usize = 4096;
