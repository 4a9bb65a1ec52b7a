//! The board: stacks with heights, what is chosen, what would go, what goes.

use boombots_rules::{Color, Position, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::theme::Theme;
use crate::view::BoardLayout;
use crate::view::marks::{Mark, Marks};

/// Draws a position with the letters and numbers of its columns and rows.
pub(super) fn draw(
    theme: &Theme,
    position: &Position,
    marks: &Marks,
    layout: &BoardLayout,
    buffer: &mut Buffer,
) {
    for square in Square::ALL {
        draw_square(theme, position, square, marks, layout, buffer);
    }
    draw_labels(theme, layout, buffer);
}

fn draw_square(
    theme: &Theme,
    position: &Position,
    square: Square,
    marks: &Marks,
    layout: &BoardLayout,
    buffer: &mut Buffer,
) {
    let area = layout.rect(square).intersection(*buffer.area());
    if area.is_empty() {
        return;
    }
    let mark = marks.of_square(square);
    let dark = (square.x() + square.y()).is_multiple_of(2);
    let checks = theme.squares[usize::from(dark)];
    let ground = checks.patch(match mark {
        Mark::None => Style::new(),
        Mark::Last => theme.last,
        Mark::Target => theme.target,
        Mark::Boom => theme.boom,
        Mark::Chosen => theme.selected,
    });
    fill(buffer, area, " ", ground);
    if marks.burning.contains(square) {
        fill(buffer, area, " ", theme.blast);
        middle(buffer, area, theme.glyphs.blast, theme.blast);
    } else if marks.gone.contains(square) {
        middle(buffer, area, theme.glyphs.ember, ground);
    } else if let Some(color) = position.color_at(square) {
        draw_stack(theme, color, position.height(square), area, ground, buffer);
    } else if mark == Mark::Target {
        middle(buffer, area, theme.glyphs.target, ground);
    } else if mark == Mark::None && dark && checks.bg.is_none() {
        middle(buffer, area, theme.glyphs.dark_square, ground);
    }
    if !marks.burning.contains(square) {
        draw_marks(theme, mark, marks.cursor == Some(square), area, ground, buffer);
    }
}

/// A stack: its sign and its height, on a ground of its own where the square has room.
fn draw_stack(
    theme: &Theme,
    color: Color,
    height: u8,
    area: Rect,
    ground: Style,
    buffer: &mut Buffer,
) {
    let style = theme.stacks[color.index()];
    let glyph = theme.glyphs.stacks[color.index()];
    let text = format!("{glyph}{height}");
    let style = if style.bg.is_none() { ground.patch(style) } else { style };
    if area.width < 5 {
        return write(buffer, area.x + 1, area.y, area, &text, style);
    }
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let row = Rect { y: area.y + (area.height - 1) / 2, height: 1, ..inner };
    if let (Some([upper, lower]), Some(paint)) = (theme.glyphs.halves, style.bg) {
        let edge = ground.fg(paint);
        // Half a row of the square shows above and below the stack.
        let solid = Rect {
            y: area.y + u16::from(area.height > 2),
            height: area.height - 1 - u16::from(area.height > 2),
            ..inner
        };
        fill(buffer, solid, " ", style);
        if area.height > 2 {
            fill(buffer, Rect { y: area.y, height: 1, ..inner }, lower, edge);
        }
        if area.height > 1 {
            fill(buffer, Rect { y: area.bottom() - 1, height: 1, ..inner }, upper, edge);
        }
    }
    let spaced =
        if text.width() < usize::from(row.width) - 1 { format!("{glyph} {height}") } else { text };
    let x = row.x + (row.width.saturating_sub(spaced.width() as u16)) / 2;
    write(buffer, x, row.y, area, &spaced, style);
}

/// The signs left and right of a square.
fn draw_marks(
    theme: &Theme,
    mark: Mark,
    cursor: bool,
    area: Rect,
    ground: Style,
    buffer: &mut Buffer,
) {
    let signs = theme.glyphs.marks;
    let (signs, style) = match mark {
        _ if cursor => (signs[0], ground.patch(theme.cursor)),
        Mark::Chosen => (signs[1], ground),
        Mark::Boom => (signs[2], ground),
        Mark::Target => (signs[3], ground),
        Mark::Last => (signs[4], ground),
        Mark::None => return,
    };
    // A target's sign is for stacks that would be joined; an empty one has a dot.
    if mark == Mark::Target
        && !cursor
        && buffer[(area.x + area.width / 2, area.y + (area.height - 1) / 2)].symbol()
            == theme.glyphs.target
    {
        return;
    }
    let row = area.y + (area.height - 1) / 2;
    write(buffer, area.x, row, area, signs[0], style);
    let right = area.right() - 1;
    if signs[1] != " " && (area.width >= 5 || buffer[(right, row)].symbol() == " ") {
        write(buffer, right, row, area, signs[1], style);
    }
}

/// Numbers left of the rows, letters below the columns.
fn draw_labels(theme: &Theme, layout: &BoardLayout, buffer: &mut Buffer) {
    let all = *buffer.area();
    for index in 0..8 {
        let (Some(in_column), Some(in_row)) = (Square::new(index, 0), Square::new(0, index)) else {
            continue;
        };
        let column = layout.rect(in_column);
        let letter = char::from(b'a' + index).to_string();
        let below = layout.squares.bottom();
        write(buffer, column.x + (column.width - 1) / 2, below, all, &letter, theme.faint);
        let row = layout.rect(in_row);
        let number = (index + 1).to_string();
        let before = layout.squares.x.saturating_sub(2);
        write(buffer, before, row.y + (row.height - 1) / 2, all, &number, theme.faint);
    }
}

fn middle(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    let row = area.y + (area.height - 1) / 2;
    write(buffer, area.x + (area.width - 1) / 2, row, area, text, style);
}

fn fill(buffer: &mut Buffer, area: Rect, symbol: &str, style: Style) {
    for at in area.intersection(*buffer.area()).positions() {
        buffer[at].set_symbol(symbol).set_style(style);
    }
}

/// Writes within an area and the screen.
fn write(buffer: &mut Buffer, x: u16, y: u16, area: Rect, text: &str, style: Style) {
    let area = area.intersection(*buffer.area());
    if area.contains((x, y).into()) {
        buffer.set_stringn(x, y, text, usize::from(area.right() - x), style);
    }
}
