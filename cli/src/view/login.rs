//! Asks for the user's name.

use ratatui::Frame;
use ratatui::layout::{Constraint, Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::app::App;
use crate::state::LinkState;
use crate::view::block;

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, content: Rect) {
    let theme = &app.theme;
    let area = content.centered(Constraint::Max(50), Constraint::Max(12));
    let [white, black] = theme.glyphs.stacks;
    let mut lines = vec![
        Line::styled(format!("{white} {black}  B O O M B O T S  {black} {white}"), theme.strong)
            .centered(),
        Line::styled("stacks of robots, chain reactions", theme.faint).centered(),
        Line::default(),
        Line::from("What is your name?").centered(),
    ];
    lines.extend([Line::default(), Line::default(), Line::default()]);
    let waiting = matches!(app.connection.link, LinkState::Opening | LinkState::Greeting);
    lines.push(match (&app.name_problem, waiting) {
        (Some(problem), _) => Line::styled(problem.clone(), theme.bad).centered(),
        (None, true) => Line::styled("joining", theme.faint).centered(),
        (None, false) => Line::styled("Enter joins, Esc quits", theme.faint).centered(),
    });
    let text = Paragraph::new(lines).style(theme.text).wrap(ratatui::widgets::Wrap { trim: true });
    frame.render_widget(text, area);

    let field = Rect { y: area.y + 4, height: 3, ..area }.intersection(content);
    let field = field.centered_horizontally(Constraint::Max(36));
    let border = block(theme, String::new(), true);
    let inner = border.inner(field);
    frame.render_widget(border, field);
    draw_field(&app.name_field, frame, inner, theme.strong);
}

/// Draws a line being typed, scrolled so that the cursor is seen, and shows the cursor.
pub(super) fn draw_field(
    field: &crate::text_field::TextField,
    frame: &mut Frame<'_>,
    area: Rect,
    style: ratatui::style::Style,
) {
    if area.is_empty() {
        return;
    }
    let column = field.column() as u16;
    let scroll = (column + 1).saturating_sub(area.width);
    let text = Paragraph::new(field.text().to_owned()).style(style).scroll((0, scroll));
    frame.render_widget(text, area);
    frame.set_cursor_position(Position::new(area.x + column - scroll, area.y));
}
