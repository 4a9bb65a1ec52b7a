//! The evaluation bar.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::theme::Theme;

/// Draws the bar: White's part, 0 to 1 of it, grows from White's side of the board.
pub(super) fn draw(theme: &Theme, share: f64, flipped: bool, area: Rect, buffer: &mut Buffer) {
    let white = (share * f64::from(area.height)).round() as u16;
    for at in area.intersection(*buffer.area()).positions() {
        let from_whites_side = if flipped { at.y - area.y } else { area.bottom() - 1 - at.y };
        let side = usize::from(from_whites_side >= white);
        buffer[at].set_symbol(theme.glyphs.bar_parts[side]).set_style(theme.bar_parts[side]);
    }
}
