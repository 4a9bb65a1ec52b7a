//! Where everything of the lobby is. Drawing and the mouse share it.

use ratatui::layout::{Constraint, Layout, Margin, Rect};

use crate::state::Pane;
use crate::view::Screen;

/// Where everything of the lobby is.
#[derive(Clone, Copy, Debug)]
pub struct LobbyLayout {
    panes: [Rect; 3],
    /// Bots and tables.
    pub facts: Rect,
}

impl LobbyLayout {
    /// The layout in a terminal of that area.
    pub fn new(area: Rect) -> LobbyLayout {
        let content = Screen::new(area).content;
        let facts = if content.height >= 17 { 3 } else { 1 };
        let [lists, facts] =
            Layout::vertical([Constraint::Min(0), Constraint::Length(facts)]).areas(content);
        let panes = if content.width >= 72 {
            let [upper, lower] =
                Layout::vertical([Constraint::Fill(3), Constraint::Fill(2)]).areas(lists);
            let [left, right] =
                Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(upper);
            [left, right, lower]
        } else {
            Layout::vertical([Constraint::Fill(1); 3]).areas(lists)
        };
        LobbyLayout { panes, facts }
    }

    /// A list with its border.
    pub fn pane(&self, pane: Pane) -> Rect {
        self.panes[pane as usize]
    }

    /// The rows of a list.
    pub fn rows(&self, pane: Pane) -> Rect {
        self.pane(pane).inner(Margin::new(1, 1))
    }

    /// The first row that is shown of a list of that length, so that the chosen one is.
    pub fn first_row(&self, pane: Pane, chosen: Option<usize>, len: usize) -> usize {
        first_row(self.rows(pane).height, chosen, len)
    }
}

/// The first of `len` rows to show where so many have room, so that the chosen one is shown.
pub(super) fn first_row(height: u16, chosen: Option<usize>, len: usize) -> usize {
    let shown = usize::from(height).max(1);
    let half = chosen.unwrap_or(0).saturating_sub(shown / 2);
    half.min(len.saturating_sub(shown))
}
