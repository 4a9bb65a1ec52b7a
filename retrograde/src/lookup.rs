//! A solved side arranged for looking up one position at a time.

use std::io;

use boombots_probe::{Plies, SideLayout, Symmetry, TILE_CELLS, Value};
use rayon::prelude::*;

use crate::plane::{Plane, Storage};
use crate::solved::{SolvedSide, StripView};

/// A solved side with a byte or two for each position, a row in one piece: a look-up is one read,
/// and what can be moved to from positions with the same opponents lies together.
#[derive(Debug)]
pub struct LookupSide {
    layout: SideLayout,
    cells: Cells,
}

/// The values of each cell, one for each symmetry.
#[derive(Debug)]
enum Cells {
    /// As [`Ranked::to_byte`] has them.
    Bytes(Plane<[u8; Symmetry::COUNT]>),
    /// The numbers of [`Ranked`], where a distance is too long for a byte.
    Words(Plane<[u16; Symmetry::COUNT]>),
}

/// A value as a number: the greater, the better for the side to move.
///
/// A loss in p plies is p, a draw 256, a win in p plies 512 − p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ranked(u16);

impl Ranked {
    const DRAW: Self = Self(256);

    #[inline(always)]
    pub(crate) fn of(value: Value) -> Self {
        match value {
            Value::Win(Plies(plies)) => Self(512 - u16::from(plies)),
            Value::Draw => Self::DRAW,
            Value::Loss(Plies(plies)) => Self(plies.into()),
        }
    }

    pub(crate) fn value(self) -> Value {
        match self {
            Self::DRAW => Value::Draw,
            Self(loss) if loss < 256 => Value::Loss(Plies(loss as u8)),
            Self(win) => Value::Win(Plies((512 - win) as u8)),
        }
    }

    /// In a byte: losses in up to 126 plies, 127 for a draw, wins in up to 127 plies.
    fn to_byte(self) -> Option<u8> {
        match self.0 {
            0..=126 => Some(self.0 as u8),
            256 => Some(DRAW),
            385.. => Some((self.0 - WINS) as u8),
            _ => None,
        }
    }

    #[inline(always)]
    fn of_byte(byte: u8) -> Self {
        let number = u16::from(byte);
        match byte {
            0..DRAW => Self(number),
            DRAW => Self::DRAW,
            _ => Self(number + WINS),
        }
    }
}

impl LookupSide {
    /// Arranges a solved side anew.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(side: &SolvedSide) -> io::Result<Self> {
        let layout = *side.layout();
        let deepest = (0..layout.strips()).into_par_iter().map(|strip| {
            let distances = side.strip(strip).distances.iter();
            distances.flat_map(|tile| tile.0).max().unwrap_or(0)
        });
        let cells = match deepest.max() {
            Some(127..) => Cells::Words(arranged(side, |ranked| ranked.0)?),
            _ => Cells::Bytes(arranged(side, |ranked| ranked.to_byte().unwrap_or(DRAW))?),
        };
        Ok(Self { layout, cells })
    }

    /// The layout.
    pub fn layout(&self) -> &SideLayout {
        &self.layout
    }

    /// The value of a position, as [`SolvedSide::value`].
    pub fn value(&self, row: usize, column: usize, symmetry: Symmetry) -> Value {
        self.ranked(row, column, symmetry).value()
    }

    #[inline(always)]
    pub(crate) fn ranked(&self, row: usize, column: usize, symmetry: Symmetry) -> Ranked {
        let cell = row * self.layout.columns + column;
        match &self.cells {
            Cells::Bytes(cells) => Ranked::of_byte(cells[cell][symmetry.index()]),
            Cells::Words(cells) => Ranked(cells[cell][symmetry.index()]),
        }
    }
}

/// All values of a side, row by row.
fn arranged<T>(
    side: &SolvedSide,
    written: impl Fn(Ranked) -> T + Sync,
) -> io::Result<Plane<[T; Symmetry::COUNT]>>
where
    T: Copy
        + Send
        + zerocopy::FromBytes
        + zerocopy::IntoBytes
        + zerocopy::Immutable
        + zerocopy::KnownLayout,
{
    let layout = side.layout();
    let mut cells: Plane<[T; Symmetry::COUNT]> =
        Plane::zeroed(layout.rows * layout.columns, &Storage::Heap)?;
    let rows = cells.par_chunks_mut(layout.columns * ROWS).enumerate();
    rows.for_each(|(chunk, cells)| {
        for strip in 0..layout.strips() {
            let view = side.strip(strip);
            let columns = layout.strip_columns(strip);
            for (row, cells) in cells.chunks_mut(layout.columns).enumerate() {
                let row = chunk * ROWS + row;
                for (cell, values) in cells[columns.clone()].iter_mut().enumerate() {
                    for (symmetry, value) in values.iter_mut().enumerate() {
                        *value = written(ranked_at(&view, row, cell, symmetry));
                    }
                }
            }
        }
    });
    Ok(cells)
}

#[inline(always)]
fn ranked_at(view: &StripView<'_>, row: usize, cell: usize, symmetry: usize) -> Ranked {
    debug_assert!(cell < TILE_CELLS);
    let bit = cell % 8 * 8 + symmetry;
    let is_in = |word: u64| word >> bit & 1 != 0;
    let plies = u16::from(view.distances[row].0[cell * Symmetry::COUNT + symmetry]);
    if is_in(view.won[row].0[cell / 8]) {
        Ranked(512 - plies)
    } else if is_in(view.lost[row].0[cell / 8]) {
        Ranked(plies)
    } else {
        Ranked::DRAW
    }
}

/// Rows that are arranged at a time.
const ROWS: usize = 64;

/// The byte of a draw.
const DRAW: u8 = 127;

/// What a win has more as a number than as a byte.
const WINS: u16 = 257;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_values() {
        let losses = (0..=255).map(|plies| Value::Loss(Plies(plies)));
        let wins = (0..=255).rev().map(|plies| Value::Win(Plies(plies)));
        let values: Vec<Value> = losses.chain([Value::Draw]).chain(wins).collect();
        for pair in values.windows(2) {
            assert!(Ranked::of(pair[0]) < Ranked::of(pair[1]), "{} {}", pair[0], pair[1]);
        }
        for value in values {
            assert_eq!(Ranked::of(value).value(), value);
        }
    }

    #[test]
    fn bytes_hold_what_they_can() {
        for byte in 0..=255 {
            assert_eq!(Ranked::of_byte(byte).to_byte(), Some(byte));
        }
        for (value, fits) in [
            (Value::Loss(Plies(126)), true),
            (Value::Loss(Plies(127)), false),
            (Value::Win(Plies(127)), true),
            (Value::Win(Plies(128)), false),
            (Value::Draw, true),
        ] {
            assert_eq!(Ranked::of(value).to_byte().is_some(), fits, "{value}");
        }
    }
}
