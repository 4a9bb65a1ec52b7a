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
/// classes that its booms lead to. `advance` is told of rows gone over.
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
        columns,
        side: &sides[&material],
        replies: &sides[&material.flipped()],
        movers: orbits.get(usize::from(material.mover)),
        opponents: orbits.get(usize::from(material.opponent)),
        sides,
        orbits,
    };
    let rows = rows.par_iter().map(|&row| {
        let checked = verifier.verify_row(row);
        advance(1);
        checked
    });
    rows.try_reduce(|| 0, |one, other| Ok(one + other))
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
    columns: Range<usize>,
    side: &'a SolvedSide,
    /// The other side of the class: what moves lead to.
    replies: &'a SolvedSide,
    movers: &'a OrbitTable,
    opponents: &'a OrbitTable,
    sides: &'a SolvedSides,
    orbits: &'a OrbitTables,
}

impl Verifier<'_> {
    /// Every position whose mover stands as the row's representative.
    fn verify_row(&self, row: usize) -> Result<u64, Box<Mismatch>> {
        let mover = self.movers.representative(OrbitIndex::new(row as u32));
        let mut alone = Position::empty(Color::White);
        add(&mut alone, Color::White, &mover);
        let mut after_moves = AfterMoves { orbits: self.movers, alone, places: Vec::new() };
        let mut checked = 0;
        for column in self.columns.clone() {
            let opponents = self.opponents.representative(OrbitIndex::new(column as u32));
            for symmetry in Symmetry::ALL {
                let standing = opponents.transformed(symmetry);
                if mover.occupied() & standing.occupied() != 0 {
                    continue;
                }
                checked += 1;
                let mut position = alone;
                add(&mut position, Color::Black, &standing);
                let stored = self.side.value(row, column, symmetry);
                let expected = self.look_ahead(&position, column, symmetry, &mut after_moves);
                if stored != expected {
                    return Err(self.mismatch(row, column, &position, stored, expected));
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
        after_moves: &mut AfterMoves<'_>,
    ) -> Value {
        let mut best = None;
        let mut cursor = 0;
        position.for_each_legal_action(|action| {
            let value = match action {
                Action::Move { .. } => {
                    // The opponents are to move now, and stay where they were.
                    let placed = after_moves.place(action, &mut cursor);
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

/// Where each move of one configuration leads, looked up once and not for every opponent.
struct AfterMoves<'a> {
    orbits: &'a OrbitTable,
    /// The mover without opponents.
    alone: Position,
    /// In the order of the actions, which is that of [`Position::for_each_legal_action`].
    places: Vec<(Action, Placed)>,
}

impl AfterMoves<'_> {
    /// Looks an action up from `cursor` on, since a position's actions come in order.
    #[inline(always)]
    fn place(&mut self, action: Action, cursor: &mut usize) -> Placed {
        loop {
            match self.places.get(*cursor) {
                Some(&(known, placed)) if known == action => {
                    *cursor += 1;
                    return placed;
                }
                Some((known, _)) if *known < action => *cursor += 1,
                _ => {
                    let moved = self.alone.apply_unchecked(action);
                    let placed = self.orbits.place(&stacks_of(&moved, Color::White));
                    self.places.insert(*cursor, (action, placed));
                }
            }
        }
    }
}

fn add(position: &mut Position, color: Color, bots: &Configuration) {
    for &square in bots.squares() {
        let square = Square::from_index(square).expect("a configuration is on the board");
        position.add_bots(color, square, 1).expect("the two sides stand on different squares");
    }
}

/// The bots of one colour.
fn stacks_of(position: &Position, color: Color) -> Configuration {
    let mut configuration = Configuration::EMPTY;
    for square in position.stacks(color) {
        for _ in 0..position.height(square) {
            configuration.insert(square.index() as u8);
        }
    }
    configuration
}
