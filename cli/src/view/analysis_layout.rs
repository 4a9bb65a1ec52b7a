//! Where everything of an analysis is. Drawing and the mouse share it.

use ratatui::layout::{Margin, Rect};

use crate::view::Screen;
use crate::view::board_layout::{Arrangement, BAR, BoardLayout, bar_beside, size};
use crate::view::lobby_layout::first_row;

/// Where everything of an analysis is.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisLayout {
    /// The board.
    pub board: BoardLayout,
    /// The evaluation bar.
    pub bar: Rect,
    /// What is certain, and how the analysis stands.
    pub facts: Rect,
    /// The best lines, with their frame.
    pub lines: Rect,
    /// The chosen line, and the way taken; empty where there is no room.
    pub info: Rect,
}

impl AnalysisLayout {
    /// The layout in a terminal of that area.
    pub fn new(area: Rect, flipped: bool) -> AnalysisLayout {
        let content = Screen::new(area).content;
        let mut layout = match Arrangement::new(content, BAR, flipped) {
            Arrangement::Beside { board, bar, panel } => AnalysisLayout::beside(board, bar, panel),
            Arrangement::Stacked { cell } => AnalysisLayout::stacked(content, cell, flipped),
        };
        // Nothing is drawn outside the content, whatever its size.
        for part in [&mut layout.bar, &mut layout.facts, &mut layout.lines, &mut layout.info] {
            *part = part.intersection(content);
        }
        layout
    }

    fn beside(board: BoardLayout, bar: Rect, panel: Rect) -> AnalysisLayout {
        let part = |from: u16, height: u16| Rect { y: panel.y + from, height, ..panel };
        let (facts, info) = match panel.height {
            ROOMY.. => (8, 6),
            _ => (4, 2),
        };
        let lines = panel.height.saturating_sub(facts + info).min(MOST_LINES);
        let from = facts + lines;
        AnalysisLayout {
            board,
            bar,
            facts: part(0, facts),
            lines: part(facts, lines),
            info: part(from, panel.height.saturating_sub(from)),
        }
    }

    /// Facts above the board, lines and the rest below.
    fn stacked(content: Rect, cell: (u16, u16), flipped: bool) -> AnalysisLayout {
        let (columns, rows) = size(cell, BAR);
        let left = content.x + content.width.saturating_sub(columns) / 2;
        let spare = content.height.saturating_sub(rows);
        let facts = (spare / 4).clamp(1, 4);
        let info = spare.saturating_sub(facts + FEWEST_LINES).min(4);
        let lines = spare.saturating_sub(facts + info).min(MOST_LINES);
        let top = content.y + (spare - (facts + info + lines).min(spare)) / 2;
        let board = BoardLayout::new(left, top + facts, cell, flipped);
        let part = |from: u16, height: u16| Rect { y: top + from, height, ..content };
        let indented = |from: u16, height: u16| Rect {
            x: content.x + 1,
            width: content.width.saturating_sub(1),
            ..part(from, height)
        };
        AnalysisLayout {
            board,
            bar: bar_beside(board, BAR),
            facts: indented(0, facts),
            lines: part(facts + rows, lines),
            info: indented(facts + rows + lines, info),
        }
    }

    /// Whether the lines have a frame around them.
    pub fn is_framed(&self) -> bool {
        self.lines.height >= FRAMED
    }

    /// The rows of the lines.
    pub fn rows(&self) -> Rect {
        if self.is_framed() { self.lines.inner(Margin::new(1, 1)) } else { self.lines }
    }

    /// The first of so many lines that is shown, so that the chosen one is.
    pub fn first_row(&self, chosen: Option<usize>, len: usize) -> usize {
        first_row(self.rows().height, chosen, len)
    }

    /// The line at a column and row of the terminal.
    pub fn row_at(&self, x: u16, y: u16, chosen: Option<usize>, len: usize) -> Option<usize> {
        let rows = self.rows();
        if !rows.contains((x, y).into()) {
            return None;
        }
        let row = self.first_row(chosen, len) + usize::from(y - rows.y);
        Some(row).filter(|&row| row < len)
    }
}

/// The rows of a panel in which everything has a place of its own.
const ROOMY: u16 = 18;

/// The rows that lines have before anything else has more than one.
const FEWEST_LINES: u16 = 5;

/// The rows that lines have at most, with their frame.
const MOST_LINES: u16 = 9;

/// The rows that are worth a frame.
const FRAMED: u16 = 7;
