//! The bar at the top: who is where, and the connection.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::app::{App, View};
use crate::format;
use crate::state::LinkState;

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let theme = &app.theme;
    let dot = theme.glyphs.dot;
    let view = match (app.view, &app.game) {
        (View::Login, _) => "welcome".to_owned(),
        (View::Lobby, _) => "lobby".to_owned(),
        (View::Analysis, _) => "analysis".to_owned(),
        (View::Builds, _) => "builds of tables".to_owned(),
        (View::Game, Some(game)) if game.side().is_some() => format!("game {}", game.game.id),
        (View::Game, game) => {
            let id = game.as_ref().map_or(0, |game| game.game.id);
            format!("watching game {id}")
        }
    };
    let mut left =
        vec![Span::styled(" Boombots ", theme.strong), Span::raw(format!("{dot} {view}"))];
    if !app.name.is_empty() {
        left.push(Span::raw(format!(" {dot} {}", app.name)));
    }
    let [on, off] = theme.glyphs.link;
    let address = &app.address;
    let (text, style) = match &app.connection.link {
        LinkState::Idle => (format!("{address} "), theme.faint),
        LinkState::Opening | LinkState::Greeting => {
            (format!("{off} connecting to {address} "), theme.warning)
        }
        LinkState::Ready => (format!("{on} {address} "), theme.good),
        LinkState::Waiting { until, .. } => {
            let left = until.saturating_sub(app.now).as_secs_f64();
            let text = format!("{off} connection lost, again in {} ", format::about(left));
            (text, theme.bad)
        }
        LinkState::Ended { .. } => {
            (format!("{off} not connected {dot} Ctrl-R connects "), theme.bad)
        }
    };
    let bar = Paragraph::new(Line::from(left)).style(theme.bar);
    frame.render_widget(bar, area);
    let style = theme.bar.patch(style);
    let right = Line::styled(text, style).right_aligned();
    let width = (right.width() as u16).min(area.width);
    let place = Rect { x: area.right() - width, width, ..area };
    let taken = 12 + view_width(app, area);
    if width + taken <= area.width || !app.connection.is_ready() {
        frame.render_widget(Paragraph::new(right), place);
    } else {
        let sign = Line::styled(format!("{on} "), style).right_aligned();
        let place = Rect { x: area.right().saturating_sub(2), width: 2.min(area.width), ..area };
        frame.render_widget(Paragraph::new(sign), place);
    }
}

/// About how many columns the left part takes.
fn view_width(app: &App, area: Rect) -> u16 {
    let name = unicode_width::UnicodeWidthStr::width(app.name.as_str()) as u16;
    (name + 20).min(area.width)
}
