//! Where everything of a game is. Drawing and the mouse share it.

use boombots_rules::Square;
use ratatui::layout::Rect;

use crate::state::{GameState, Role};
use crate::view::Screen;

/// Where everything of a game is.
#[derive(Clone, Copy, Debug)]
pub struct GameLayout {
    /// The board.
    pub board: BoardLayout,
    /// The evaluation bar, for spectators.
    pub bar: Rect,
    /// The player at the top and the one at the bottom.
    pub players: [Rect; 2],
    /// What is chosen, and what is below the cursor.
    pub info: Rect,
    /// The actions so far; empty where there is no room.
    pub moves: Rect,
    /// Whether players have one line each instead of a card.
    pub narrow: bool,
}

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

impl GameLayout {
    /// The layout in a terminal of that area.
    pub fn new(area: Rect, game: &GameState) -> GameLayout {
        let content = Screen::new(area).content;
        let bar = if game.role == Role::Spectator { BAR } else { 0 };
        let beside = CELLS.into_iter().find(|cell| {
            size(*cell, bar).0 + GAP + PANEL.0 <= content.width
                && size(*cell, bar).1 <= content.height
        });
        let narrow = CELLS.into_iter().find(|cell| {
            size(*cell, bar).0 <= content.width && size(*cell, bar).1 + 3 <= content.height
        });
        // A panel is worth more than a size of squares, but not more than two.
        match (beside, narrow) {
            (Some(cell), _) => GameLayout::beside(content, cell, bar, game.flipped),
            (None, cell) => {
                let cell = cell.unwrap_or(CELLS[CELLS.len() - 1]);
                GameLayout::stacked(content, cell, bar, game.flipped)
            }
        }
    }

    /// Players, actions and the rest beside the board.
    fn beside(content: Rect, cell: (u16, u16), bar: u16, flipped: bool) -> GameLayout {
        let (columns, rows) = size(cell, bar);
        let panel_width = (content.width - columns - GAP).min(PANEL.1);
        let left = content.x + (content.width - columns - GAP - panel_width) / 2;
        // A small board leaves room for more lines beside it.
        let height = rows.max(PANEL_ROWS).min(content.height);
        let top = content.y + (content.height - rows) / 2;
        let panel_top = content.y + (content.height - height) / 2;
        let part = |from: u16, height: u16| Rect {
            x: left + columns + GAP,
            y: panel_top + from,
            width: panel_width,
            height,
        };
        let info = INFO_ROWS;
        let card = if height >= 2 * 3 + info + 3 { 3 } else { 2 };
        let card = if height < 2 * card + info { 1 } else { card };
        let moves = height.saturating_sub(2 * card + info);
        let board = BoardLayout::new(left, top, cell, flipped);
        GameLayout {
            board,
            bar: bar_beside(board, bar),
            players: [part(0, card), part(card + moves + info, card)],
            moves: if moves >= 3 { part(card, moves) } else { Rect::ZERO },
            info: part(card + moves, info),
            narrow: false,
        }
        .within(content)
    }

    /// Everything above and below the board.
    fn stacked(content: Rect, cell: (u16, u16), bar: u16, flipped: bool) -> GameLayout {
        let (columns, rows) = size(cell, bar);
        let left = content.x + content.width.saturating_sub(columns) / 2;
        let spare = content.height.saturating_sub(rows + 3);
        let info_height = 1 + spare.min(2);
        let moves = spare - (info_height - 1);
        let moves = if moves >= 3 { moves } else { 0 };
        let unused = content.height.saturating_sub(rows + 2 + info_height + moves);
        let top = content.y + unused / 2;
        let part = |from: u16, height: u16| Rect { y: top + from, height, ..content };
        let board = BoardLayout::new(left, top + 1, cell, flipped);
        GameLayout {
            board,
            bar: bar_beside(board, bar),
            players: [part(0, 1), part(rows + 1, 1)],
            info: part(rows + 2, info_height),
            moves: part(rows + 2 + info_height, moves),
            narrow: true,
        }
        .within(content)
    }

    /// Nothing is drawn outside the content, whatever its size.
    fn within(mut self, content: Rect) -> GameLayout {
        for part in [&mut self.bar, &mut self.info, &mut self.moves] {
            *part = part.intersection(content);
        }
        self.players = self.players.map(|part| part.intersection(content));
        self
    }
}

impl BoardLayout {
    fn new(left: u16, top: u16, cell: (u16, u16), flipped: bool) -> BoardLayout {
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
fn size(cell: (u16, u16), bar: u16) -> (u16, u16) {
    (LABEL + 8 * cell.0 + bar, 8 * cell.1 + 1)
}

fn bar_beside(board: BoardLayout, bar: u16) -> Rect {
    let squares = board.squares;
    Rect { x: squares.right() + 1, width: bar.saturating_sub(1), ..squares }
}

/// The columns of the rows' numbers.
const LABEL: u16 = 2;

/// The columns of the evaluation bar, with the one before it.
const BAR: u16 = 3;

/// The columns between board and panel.
const GAP: u16 = 2;

/// The fewest and the most columns of the panel.
const PANEL: (u16, u16) = (28, 46);

/// The rows that are enough for a panel.
const PANEL_ROWS: u16 = 21;

/// The rows of what is chosen and what is below the cursor.
const INFO_ROWS: u16 = 4;

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
