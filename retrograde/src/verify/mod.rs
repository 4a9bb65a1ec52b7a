//! Checks solved planes against the plain rules: every position by looking one ply ahead.

mod mover;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use boombots_probe::{
    Class, Configuration, MAX_BOTS, Material, Metric, OrbitIndex, OrbitTable, OrbitTables, Plies,
    SideLayout, Symmetry, Value,
};
use boombots_rules::{Action, Color, Outcome, Position, Square};
use rayon::prelude::*;
use thiserror::Error;

use self::mover::{Mover, Standing};
use crate::lookup::{LookupSide, Ranked};

/// The solved sides that verification looks things up in.
pub type LookupSides = HashMap<Material, Arc<LookupSide>>;

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
    sides: &LookupSides,
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
    sides: &LookupSides,
    orbits: &OrbitTables,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<u64, Box<Mismatch>> {
    let mut by_side: BySide<'_> = Default::default();
    for (material, side) in sides {
        by_side[usize::from(material.mover)][usize::from(material.opponent)] = Some(&**side);
    }
    let verifier = Verifier {
        side: &sides[&material],
        replies: &sides[&material.flipped()],
        movers: orbits.get(usize::from(material.mover)),
        opponents: orbits.get(usize::from(material.opponent)),
        sides: by_side,
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
    side: &'a LookupSide,
    /// The other side of the class: what moves lead to.
    replies: &'a LookupSide,
    movers: &'a OrbitTable,
    opponents: &'a OrbitTable,
    /// All sides, by the bots of the mover and of the opponent.
    sides: BySide<'a>,
    orbits: &'a OrbitTables,
}

type BySide<'a> = [[Option<&'a LookupSide>; MAX_BOTS + 1]; MAX_BOTS + 1];

impl Verifier<'_> {
    /// Every position of some rows and columns. Of one column everything that moves lead to is in
    /// one row of the other side, and the rows next to one another lead to cells that are near.
    fn verify_block(&self, rows: &[usize], columns: Range<usize>) -> Result<u64, Box<Mismatch>> {
        let mut movers: Vec<Mover<'_>> =
            rows.iter().map(|&row| Mover::new(self.movers, row)).collect();
        let mut checked = 0;
        for column in columns {
            let opponents = self.opponents.representative(OrbitIndex::new(column as u32));
            let mut standings = Symmetry::ALL.map(|symmetry| Standing::new(&opponents, symmetry));
            for mover in &mut movers {
                for standing in &mut standings {
                    if mover.occupied & standing.occupied != 0 {
                        continue;
                    }
                    checked += 1;
                    let mut position = mover.alone;
                    add(&mut position, Color::Black, standing.bots());
                    let stored = self.side.ranked(mover.row, column, standing.symmetry).value();
                    let expected = self.look_ahead(&position, column, standing, mover);
                    if stored != expected {
                        let row = mover.row;
                        return Err(self.mismatch(row, column, &position, stored, expected));
                    }
                }
            }
        }
        Ok(checked)
    }

    /// The value by the rules, one ply ahead: of what the actions lead to, the worst for whoever
    /// has to go on from there.
    #[inline(always)]
    fn look_ahead(
        &self,
        position: &Position,
        column: usize,
        standing: &mut Standing,
        mover: &mut Mover<'_>,
    ) -> Value {
        let mut worst: Option<Ranked> = None;
        let mut cursor = 0;
        let back = standing.symmetry.inverse();
        position.for_each_legal_action(|action| {
            let after = match action {
                Action::Move { .. } => {
                    // The opponents are to move now, and stay where they were.
                    let placed = mover.place_after(action, &mut cursor);
                    self.replies.ranked(column, placed.orbit.get(), back.after(placed.symmetry))
                }
                Action::Boom { source } => self.after_boom(position, source, standing, mover),
            };
            worst = Some(worst.map_or(after, |worst| worst.min(after)));
        });
        let worst = worst.map_or(Value::Draw, Ranked::value);
        worst.before().unwrap_or(Value::Draw)
    }

    /// The value of the position after a boom, for its side to move.
    #[inline(always)]
    fn after_boom(
        &self,
        position: &Position,
        source: Square,
        standing: &mut Standing,
        mover: &mut Mover<'_>,
    ) -> Ranked {
        let gone = position.explosion(source).bits();
        if mover.occupied & !gone == 0 || standing.occupied & !gone == 0 {
            let after = position.apply_unchecked(Action::Boom { source });
            return Ranked::of(match after.outcome() {
                Some(Outcome::Win(winner)) if winner == after.turn() => Value::Win(Plies(0)),
                Some(Outcome::Win(_)) => Value::Loss(Plies(0)),
                _ => Value::Draw,
            });
        }
        let (row, column) = (standing.rest(gone, self.orbits), mover.rest(gone, self.orbits));
        let side = self.sides[usize::from(row.bots)][usize::from(column.bots)];
        let side = side.expect("the classes beneath the one that is verified");
        let turned = row.placed.symmetry.inverse().after(column.placed.symmetry);
        side.ranked(row.placed.orbit.get(), column.placed.orbit.get(), turned)
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

/// Puts the bots of a configuration on the board.
pub(crate) fn add(position: &mut Position, color: Color, bots: &Configuration) {
    for &square in bots.squares() {
        let square = Square::from_index(square).expect("a configuration is on the board");
        position.add_bots(color, square, 1).expect("the two sides stand on different squares");
    }
}

/// Rows of a block: so many that finding out where their moves lead is little beside looking that up.
const BLOCK_ROWS: usize = 1024;

/// Columns of a block.
const BLOCK_COLUMNS: usize = 256;
