//! Where a board is, with or without a panel beside it.

use boombots_rules::Square;
use ratatui::layout::Rect;

/// Where the squares of a board are.
#[derive(Clone, Copy, Debug)]
pub struct BoardLayout {
    /// All squares.
    pub squares: Rect,
    /// The columns and rows of one.
    pub cell: (u16, u16),
    /// Whether Black's home is at the bottom.
    pub flipped: bool,
}

/// How a board and what belongs to it are put into a place.
pub(super) enum Arrangement {
    /// A panel beside the board.
    Beside { board: BoardLayout, bar: Rect, panel: Rect },
    /// Everything above and below, the squares of so many columns and rows.
    Stacked { cell: (u16, u16) },
}

impl Arrangement {
    /// For a board with a bar of so many columns. A panel is worth more than large squares.
    pub(super) fn new(content: Rect, bar: u16, flipped: bool) -> Arrangement {
        let beside = CELLS.into_iter().find(|cell| {
            size(*cell, bar).0 + GAP + PANEL.0 <= content.width
                && size(*cell, bar).1 <= content.height
        });
        let stacked = CELLS.into_iter().find(|cell| {
            size(*cell, bar).0 <= content.width && size(*cell, bar).1 + 3 <= content.height
        });
        match (beside, stacked) {
            (Some(cell), _) => Arrangement::beside(content, cell, bar, flipped),
            (None, cell) => Arrangement::Stacked { cell: cell.unwrap_or(CELLS[CELLS.len() - 1]) },
        }
    }

    fn beside(content: Rect, cell: (u16, u16), bar: u16, flipped: bool) -> Arrangement {
        let (columns, rows) = size(cell, bar);
        let width = (content.width - columns - GAP).min(PANEL.1);
        let left = content.x + (content.width - columns - GAP - width) / 2;
        // A small board leaves room for more lines beside it.
        let height = rows.max(PANEL_ROWS).min(content.height);
        let top = content.y + (content.height - rows) / 2;
        let board = BoardLayout::new(left, top, cell, flipped);
        let panel = Rect {
            x: left + columns + GAP,
            y: content.y + (content.height - height) / 2,
            width,
            height,
        };
        Arrangement::Beside { board, bar: bar_beside(board, bar), panel }
    }
}

impl BoardLayout {
    pub(super) fn new(left: u16, top: u16, cell: (u16, u16), flipped: bool) -> BoardLayout {
        let (width, height) = (8 * cell.0, 8 * cell.1);
        let squares = Rect { x: left + LABEL, y: top, width, height };
        BoardLayout { squares, cell, flipped }
    }

    /// Where a square is.
    pub fn rect(&self, square: Square) -> Rect {
        let (x, y) = (u16::from(square.x()), u16::from(square.y()));
        let (column, row) = if self.flipped { (7 - x, y) } else { (x, 7 - y) };
        Rect {
            x: self.squares.x + column * self.cell.0,
            y: self.squares.y + row * self.cell.1,
            width: self.cell.0,
            height: self.cell.1,
        }
    }

    /// The square at a column and row of the terminal.
    pub fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        if !self.squares.contains((column, row).into()) {
            return None;
        }
        let column = ((column - self.squares.x) / self.cell.0) as u8;
        let row = ((row - self.squares.y) / self.cell.1) as u8;
        if self.flipped { Square::new(7 - column, row) } else { Square::new(column, 7 - row) }
    }
}

/// The columns and rows of a board with its labels and bar.
pub(super) fn size(cell: (u16, u16), bar: u16) -> (u16, u16) {
    (LABEL + 8 * cell.0 + bar, 8 * cell.1 + 1)
}

pub(super) fn bar_beside(board: BoardLayout, bar: u16) -> Rect {
    let squares = board.squares;
    Rect { x: squares.right() + 1, width: bar.saturating_sub(1), ..squares }
}

/// The columns of the rows' numbers.
const LABEL: u16 = 2;

/// The columns of the evaluation bar, with the one before it.
pub(super) const BAR: u16 = 3;

/// The columns between board and panel.
const GAP: u16 = 2;

/// The fewest and the most columns of the panel.
const PANEL: (u16, u16) = (28, 46);

/// The rows that are enough for a panel.
const PANEL_ROWS: u16 = 21;

/// Columns and rows of a square, the largest first.
const CELLS: [(u16, u16); 5] = [(13, 6), (9, 4), (7, 3), (5, 2), (4, 1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_found_where_it_is_drawn() {
        for flipped in [false, true] {
            for cell in CELLS {
                let layout = BoardLayout::new(3, 2, cell, flipped);
                for square in Square::ALL {
                    let rect = layout.rect(square);
                    assert_eq!(layout.square_at(rect.x, rect.y), Some(square));
                    let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
                    assert_eq!(layout.square_at(right, bottom), Some(square));
                }
                assert_eq!(layout.square_at(4, 2), None);
            }
        }
    }
}
