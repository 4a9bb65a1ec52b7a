//! Drawing: pure functions from the state to the screen. One module draws one view.

mod analysis;
mod analysis_facts;
mod analysis_layout;
mod bar;
mod board;
mod board_layout;
mod builds;
mod dialog;
mod footer;
mod game;
mod game_layout;
mod help;
mod keys;
mod lobby;
mod lobby_layout;
mod login;
mod marks;
mod moves;
mod player_card;
mod title;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Block, Paragraph, Wrap};

pub use analysis_layout::AnalysisLayout;
pub use board_layout::BoardLayout;
pub(crate) use builds::builds_rows;
pub use game_layout::GameLayout;
pub use lobby_layout::LobbyLayout;

use crate::app::{App, View};
use crate::theme::Theme;

/// The fewest columns and rows in which everything has a place.
pub const LEAST_SIZE: (u16, u16) = (40, 15);

/// Draws the client.
pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < LEAST_SIZE.0 || area.height < LEAST_SIZE.1 {
        return too_small(app, frame, area);
    }
    let screen = Screen::new(area);
    title::draw(app, frame, screen.title);
    match app.view {
        View::Login => login::draw(app, frame, screen.content),
        View::Lobby => lobby::draw(app, frame, area),
        View::Game => game::draw(app, frame, area),
        View::Analysis => analysis::draw(app, frame, area),
        View::Builds => builds::draw(app, frame, screen.content),
    }
    footer::draw(app, frame, screen.status, screen.keys);
    if let Some(dialog) = &app.dialog {
        dialog::draw(app, dialog, frame, screen.content);
    }
}

/// The parts that every view has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) title: Rect,
    pub(crate) content: Rect,
    pub(crate) status: Rect,
    pub(crate) keys: Rect,
}

impl Screen {
    pub(crate) fn new(area: Rect) -> Screen {
        let row = |y: u16| Rect { y: area.y + y, height: 1, ..area }.intersection(area);
        let content =
            Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(3), ..area };
        Screen {
            title: row(0),
            content: content.intersection(area),
            status: row(area.height.saturating_sub(2)),
            keys: row(area.height.saturating_sub(1)),
        }
    }
}

fn too_small(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let (columns, rows) = LEAST_SIZE;
    let text =
        format!("terminal too small\n{}x{}, needs {columns}x{rows}", area.width, area.height);
    let y = area.height.saturating_sub(2) / 2;
    let middle = Rect { y: area.y + y, height: area.height - y, ..area };
    let notice = Paragraph::new(text)
        .style(app.theme.warning)
        .alignment(Alignment::Center)
        .wrap(Wrap { trim: true });
    frame.render_widget(notice, middle);
}

/// A frame with a title.
fn block<'a>(theme: &Theme, title: String, active: bool) -> Block<'a> {
    let style = if active { theme.border_active } else { theme.border };
    let title_style = if active { theme.strong } else { theme.text };
    Block::bordered()
        .border_set(theme.glyphs.borders)
        .border_style(style)
        .title(title)
        .title_style(title_style)
        .style(theme.text)
}
