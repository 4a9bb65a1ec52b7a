//! Checks solved planes against the plain rules: every position by looking one ply ahead.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use boombots_probe::{
    Class, Configuration, Material, Metric, OrbitIndex, OrbitTable, OrbitTables, Placed, Plies,
    SideLayout, Symmetry, Value, configurations,
};
use boombots_rules::{Action, Color, Outcome, Position, Square};
use rayon::prelude::*;
use thiserror::Error;

use crate::solved::SolvedSide;

/// The solved sides that verification looks things up in.
pub type SolvedSides = HashMap<Material, Arc<SolvedSide>>;

/// A position whose value is not what looking one ply ahead gives.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("block {block} of {side}: {position} is {stored} by the table and {expected} by the rules")]
pub struct Mismatch {
    /// The side.
    pub side: Material,
    /// The block of the distance file that holds the position.
    pub block: usize,
    /// The position's text.
    pub position: String,
    /// The table's value.
    pub stored: Value,
    /// What one ply ahead gives.
    pub expected: Value,
}

/// Checks the positions of some rows of one side of a class; `sides` must hold the class and all
/// classes that its booms lead to. `advance` is told of cells (pairs of a row and a column) gone
/// over.
///
/// Returns how many positions were checked, counted up to symmetry.
///
/// # Errors
/// The first position found wrong.
///
/// # Panics
/// If a side or a row is missing.
pub fn verify_rows(
    material: Material,
    rows: &[usize],
    sides: &SolvedSides,
    orbits: &OrbitTables,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<u64, Box<Mismatch>> {
    let columns = 0..SideLayout::new(material).columns;
    verify_columns(material, rows, columns, sides, orbits, advance)
}

/// As [`verify_rows`], for some columns only.
///
/// # Errors
/// The first position found wrong.
///
/// # Panics
/// If a side, a row or a column is missing.
pub fn verify_columns(
    material: Material,
    rows: &[usize],
    columns: Range<usize>,
    sides: &SolvedSides,
    orbits: &OrbitTables,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<u64, Box<Mismatch>> {
    let verifier = Verifier {
        side: &sides[&material],
        replies: &sides[&material.flipped()],
        movers: orbits.get(usize::from(material.mover)),
        opponents: orbits.get(usize::from(material.opponent)),
        sides,
        orbits,
    };
    let blocks = rows.par_chunks(BLOCK_ROWS).flat_map(|rows| {
        let end = columns.end;
        let starts = columns.clone().into_par_iter().step_by(BLOCK_COLUMNS);
        starts.map(move |start| (rows, start..(start + BLOCK_COLUMNS).min(end)))
    });
    let checked = blocks.map(|(rows, columns)| {
        let cells = rows.len() * columns.len();
        let checked = verifier.verify_block(rows, columns);
        advance(cells as u64);
        checked
    });
    checked.try_reduce(|| 0, |one, other| Ok(one + other))
}

/// The sides needed to verify a class.
pub fn sides_to_verify(class: Class) -> Vec<Material> {
    let mut sides = class.sides();
    for beneath in class.beneath() {
        sides.extend(beneath.sides());
    }
    sides
}

struct Verifier<'a> {
    side: &'a SolvedSide,
    /// The other side of the class: what moves lead to.
    replies: &'a SolvedSide,
    movers: &'a OrbitTable,
    opponents: &'a OrbitTable,
    sides: &'a SolvedSides,
    orbits: &'a OrbitTables,
}

impl Verifier<'_> {
    /// Every position of some rows and columns. Rows that follow one another have moves to rows
    /// that do, so with the rows inside, what they look up lies together.
    fn verify_block(&self, rows: &[usize], columns: Range<usize>) -> Result<u64, Box<Mismatch>> {
        let mut movers: Vec<Mover<'_>> =
            rows.iter().map(|&row| Mover::new(self.movers, row)).collect();
        let mut checked = 0;
        for column in columns {
            let opponents = self.opponents.representative(OrbitIndex::new(column as u32));
            for symmetry in Symmetry::ALL {
                let standing = opponents.transformed(symmetry);
                let occupied = standing.occupied();
                for mover in &mut movers {
                    if mover.occupied & occupied != 0 {
                        continue;
                    }
                    checked += 1;
                    let mut position = mover.alone;
                    add(&mut position, Color::Black, &standing);
                    let stored = self.side.value(mover.row, column, symmetry);
                    let expected = self.look_ahead(&position, column, symmetry, mover);
                    if stored != expected {
                        let row = mover.row;
                        return Err(self.mismatch(row, column, &position, stored, expected));
                    }
                }
            }
        }
        Ok(checked)
    }

    /// The value by the rules, one ply ahead. The opponents stand as `symmetry` puts the
    /// representative of `column`.
    #[inline(always)]
    fn look_ahead(
        &self,
        position: &Position,
        column: usize,
        symmetry: Symmetry,
        mover: &mut Mover<'_>,
    ) -> Value {
        let mut best = None;
        let mut cursor = 0;
        position.for_each_legal_action(|action| {
            let value = match action {
                Action::Move { .. } => {
                    // The opponents are to move now, and stay where they were.
                    let placed = mover.place_after(action, &mut cursor);
                    let turned = symmetry.inverse().after(placed.symmetry);
                    self.replies.value(column, placed.orbit.get(), turned)
                }
                Action::Boom { .. } => self.value_of(&position.apply_unchecked(action)),
            };
            best = best.max(Some(value.before().unwrap_or(Value::Draw)));
        });
        best.unwrap_or(Value::Draw)
    }

    /// The value of a position after a boom, for its side to move.
    fn value_of(&self, position: &Position) -> Value {
        match position.outcome() {
            Some(Outcome::Draw) => Value::Draw,
            Some(Outcome::Win(winner)) if winner == position.turn() => Value::Win(Plies(0)),
            Some(Outcome::Win(_)) => Value::Loss(Plies(0)),
            None => {
                let (mover, opponent) =
                    configurations(position).expect("a smaller class than the one verified");
                let row = self.orbits.get(mover.len()).place(&mover);
                let column = self.orbits.get(opponent.len()).place(&opponent);
                let material =
                    Material { mover: mover.len() as u8, opponent: opponent.len() as u8 };
                let turned = row.symmetry.inverse().after(column.symmetry);
                self.sides[&material].value(row.orbit.get(), column.orbit.get(), turned)
            }
        }
    }

    fn mismatch(
        &self,
        row: usize,
        column: usize,
        position: &Position,
        stored: Value,
        expected: Value,
    ) -> Box<Mismatch> {
        let layout = self.side.layout();
        let index = |at: usize| OrbitIndex::new(at as u32);
        Box::new(Mismatch {
            side: layout.material,
            block: layout.place(Metric::Dtm, index(row), index(column)).block,
            position: position.to_string(),
            stored,
            expected,
        })
    }
}

/// The mover of one row, with where each of its moves leads: looked up once and not for every
/// opponent.
struct Mover<'a> {
    orbits: &'a OrbitTable,
    row: usize,
    occupied: u64,
    /// The mover without opponents.
    alone: Position,
    /// In the order of the actions, which is that of [`Position::for_each_legal_action`].
    places: Vec<(Action, Placed)>,
}

impl<'a> Mover<'a> {
    fn new(orbits: &'a OrbitTable, row: usize) -> Self {
        let bots = orbits.representative(OrbitIndex::new(row as u32));
        let mut alone = Position::empty(Color::White);
        add(&mut alone, Color::White, &bots);
        Self { orbits, row, occupied: bots.occupied(), alone, places: Vec::new() }
    }

    #[inline(always)]
    fn place_after(&mut self, action: Action, cursor: &mut usize) -> Placed {
        loop {
            match self.places.get(*cursor) {
                Some(&(known, placed)) if known == action => {
                    *cursor += 1;
                    return placed;
                }
                Some((known, _)) if *known < action => *cursor += 1,
                _ => {
                    let moved = self.alone.apply_unchecked(action);
                    let placed = self.orbits.place(&Configuration::of(&moved, Color::White));
                    self.places.insert(*cursor, (action, placed));
                }
            }
        }
    }
}

/// Puts the bots of a configuration on the board.
pub(crate) fn add(position: &mut Position, color: Color, bots: &Configuration) {
    for &square in bots.squares() {
        let square = Square::from_index(square).expect("a configuration is on the board");
        position.add_bots(color, square, 1).expect("the two sides stand on different squares");
    }
}

/// Rows of a block: as many as share tiles.
const BLOCK_ROWS: usize = 64;

/// Columns of a block.
const BLOCK_COLUMNS: usize = 1024;
