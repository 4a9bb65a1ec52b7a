//! The keys, of the view and those that work everywhere.

use ratatui::text::{Line, Span};

use crate::app::App;
use crate::view::keys::{self, Key};

/// The lines of the help.
pub(super) fn lines(app: &App) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let line = |key: &Key| {
        let keys = keys::shown(key.keys, &theme.glyphs);
        let padding = " ".repeat(KEY_COLUMNS.saturating_sub(Line::from(keys.as_str()).width()));
        Line::from(vec![
            Span::styled(format!("{keys}{padding} "), theme.key),
            Span::styled(key.help, theme.text),
        ])
    };
    let mut lines: Vec<Line<'static>> = keys::of_view(app).iter().map(line).collect();
    lines.push(Line::default());
    lines.extend(keys::EVERYWHERE.iter().map(line));
    lines
}

const KEY_COLUMNS: usize = 14;
