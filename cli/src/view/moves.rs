//! The actions of a game so far, two to a line, the last ones in sight.

use boombots_protocol::Team;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::state::GameState;
use crate::theme::Theme;
use crate::view::block;

pub(super) fn draw(theme: &Theme, game: &GameState, frame: &mut Frame<'_>, area: Rect) {
    if area.is_empty() {
        return;
    }
    let block = block(theme, format!(" Actions {} ", game.moves.len()), false);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let first = Team::from(game.start.turn());
    let columns = usize::from(inner.width / PAIR_COLUMNS).max(1);
    let lines = lines(theme, &game.moves, first);
    // As in a newspaper, column after column; the last one ends with the last action.
    let height = usize::from(inner.height).max(1);
    let shown = lines.len().saturating_sub(height * columns).div_ceil(height) * height;
    for (column, lines) in lines[shown.min(lines.len())..].chunks(height).enumerate() {
        let x = inner.x + column as u16 * PAIR_COLUMNS;
        let place = Rect { x, width: PAIR_COLUMNS, ..inner }.intersection(inner);
        frame.render_widget(Paragraph::new(lines.to_vec()), place);
    }
}

fn lines(theme: &Theme, moves: &[String], first: Team) -> Vec<Line<'static>> {
    // A game that Black begins has no first action of White.
    let skipped = usize::from(first == Team::Black);
    let text = |ply: usize| match ply.checked_sub(skipped) {
        Some(index) => moves.get(index).cloned().unwrap_or_default(),
        None => "...".to_owned(),
    };
    let style = |ply: usize| {
        if ply + 1 == moves.len() + skipped { theme.strong } else { theme.text }
    };
    let pairs = (moves.len() + skipped).div_ceil(2);
    (0..pairs)
        .map(|pair| {
            let (white, black) = (2 * pair, 2 * pair + 1);
            Line::from(vec![
                Span::styled(format!("{:>3}. ", pair + 1), theme.faint),
                Span::styled(format!("{:<7}", text(white)), style(white)),
                Span::styled(text(black), style(black)),
            ])
        })
        .collect()
}

/// The columns of two actions with their number.
const PAIR_COLUMNS: u16 = 20;
