//! Where everything of a game is. Drawing and the mouse share it.

use ratatui::layout::Rect;

use crate::state::{GameState, Role};
use crate::view::Screen;
use crate::view::board_layout::{Arrangement, BAR, BoardLayout, bar_beside, size};

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

impl GameLayout {
    /// The layout in a terminal of that area.
    pub fn new(area: Rect, game: &GameState) -> GameLayout {
        let content = Screen::new(area).content;
        let bar = if game.role == Role::Spectator { BAR } else { 0 };
        match Arrangement::new(content, bar, game.flipped) {
            Arrangement::Beside { board, bar, panel } => {
                GameLayout::beside(board, bar, panel).within(content)
            }
            Arrangement::Stacked { cell } => {
                GameLayout::stacked(content, cell, bar, game.flipped).within(content)
            }
        }
    }

    /// Players, actions and the rest in a panel.
    fn beside(board: BoardLayout, bar: Rect, panel: Rect) -> GameLayout {
        let part = |from: u16, height: u16| Rect { y: panel.y + from, height, ..panel };
        let (height, info) = (panel.height, INFO_ROWS);
        let card = if height >= 2 * 3 + info + 3 { 3 } else { 2 };
        let card = if height < 2 * card + info { 1 } else { card };
        let moves = height.saturating_sub(2 * card + info);
        GameLayout {
            board,
            bar,
            players: [part(0, card), part(card + moves + info, card)],
            moves: if moves >= 3 { part(card, moves) } else { Rect::ZERO },
            info: part(card + moves, info),
            narrow: false,
        }
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

/// The rows of what is chosen and what is below the cursor.
const INFO_ROWS: u16 = 4;
