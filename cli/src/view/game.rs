//! A game, played or watched.

use boombots_protocol::Team;
use boombots_rules::{Color, Position, Square};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::App;
use crate::format;
use crate::state::{GameState, Selection};
use crate::theme::Theme;
use crate::view::{GameLayout, board, moves, player_card};

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let Some(game) = &app.game else { return };
    let layout = GameLayout::new(area, game);
    board::draw(app, game, &layout.board, frame.buffer_mut());
    draw_bar(&app.theme, game, layout.bar, frame.buffer_mut());
    let teams = if game.flipped { [Team::White, Team::Black] } else { [Team::Black, Team::White] };
    for (team, place) in teams.into_iter().zip(layout.players) {
        player_card::draw(app, game, team, frame, place);
    }
    moves::draw(&app.theme, game, frame, layout.moves);
    let mut lines = info(app, game);
    if layout.narrow {
        // The panel has its lines to itself; here they stand below the board, in the middle.
        lines = lines.into_iter().map(Line::centered).collect();
    }
    let info = Paragraph::new(lines).style(app.theme.text).wrap(Wrap { trim: false });
    frame.render_widget(info, layout.info);
}

/// What is going on, what is chosen, and what is below the cursor.
fn info(app: &App, game: &GameState) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let mut lines = Vec::new();
    if let Some(result) = game.game.result {
        let won = result.winner.is_some() && result.winner == game.side();
        let style = if won { theme.good } else { theme.strong };
        lines.push(Line::styled(format::result(result, &game.game.players), style));
        lines.push(Line::styled(
            if game.side().is_some() { "n: another game, Esc: lobby" } else { "Esc: lobby" },
            theme.faint,
        ));
        return lines;
    }
    if game.side().is_none() {
        lines.push(last_action(theme, game));
        return lines;
    }
    lines.push(doing(theme, game));
    if let Selection::Boom { .. } = game.selection {
        lines.push(Line::styled("Enter booms, c clears", theme.faint));
    } else {
        lines.extend(below_cursor(theme, game));
    }
    match game.game.draw_offer {
        Some(team) if Some(team) == game.side() => {
            lines.push(Line::styled("your offer of a draw stands", theme.faint));
        }
        Some(team) => {
            let name = &game.player(team).name;
            let text = format!("{name} offers a draw: d accepts, D declines");
            lines.push(Line::styled(text, theme.warning));
        }
        None => {}
    }
    lines
}

/// What the player is about to do.
fn doing(theme: &Theme, game: &GameState) -> Line<'static> {
    if let Some(pending) = &game.pending {
        let action = boombots_rules::Action::try_from(pending.action);
        let text = action.map(|action| action.to_string()).unwrap_or_default();
        return Line::styled(format!("{text} is on its way"), theme.warning);
    }
    if !game.is_my_turn() {
        return Line::styled("the other side is to act", theme.faint);
    }
    let height = |square: Square| game.position.height(square);
    let action = |text: String, then: String| {
        Line::from(vec![Span::styled(text, theme.strong), Span::raw(then)])
    };
    match game.selection {
        Selection::Nothing => Line::styled("your turn: choose a stack with Space", theme.good),
        Selection::Source { source, count } => {
            action(format!("{count} of {} from {source}", height(source)), ": where to?".to_owned())
        }
        Selection::Move { source, target, count } => action(
            format!("{count}{source}{target}"),
            format!(", {count} of {}: Enter submits", height(source)),
        ),
        Selection::Boom { source, .. } => {
            action(format!("x{source}"), format!(" takes {}", taken(&game.position, source)))
        }
    }
}

fn below_cursor(theme: &Theme, game: &GameState) -> Vec<Line<'static>> {
    let (square, position) = (game.cursor, &game.position);
    let texts = match position.color_at(square) {
        None => vec![format!("{square} is empty")],
        Some(color) => {
            let (side, height) = (format::team(color.into()), position.height(square));
            let bots = if height == 1 { "bot" } else { "bots" };
            let losses = taken(position, square);
            vec![format!("{square}: {height} {side} {bots}"), format!("boom takes {losses}")]
        }
    };
    texts.into_iter().map(|text| Line::styled(text, theme.faint)).collect()
}

/// What a boom takes of each side.
fn taken(position: &Position, source: Square) -> String {
    let losses = position.after_explosion(source);
    format!("{} White, {} Black", losses.of(Color::White), losses.of(Color::Black))
}

fn last_action(theme: &Theme, game: &GameState) -> Line<'static> {
    match &game.game.last_action {
        Some(last) => Line::from(vec![
            Span::styled(format!("{} played ", format::team(last.team)), theme.faint),
            Span::styled(last.text.clone(), theme.strong),
        ]),
        None => Line::styled("nothing has been played yet", theme.faint),
    }
}

/// The evaluation bar: White's part grows from White's side of the board.
fn draw_bar(theme: &Theme, game: &GameState, area: Rect, buffer: &mut Buffer) {
    let evaluations = &game.game.bot_evaluations;
    let latest = match game.latest_evaluation {
        Some(Team::White) => evaluations.white,
        Some(Team::Black) => evaluations.black,
        None => None,
    };
    if area.is_empty()
        || latest.is_none() && evaluations.white.is_none() && evaluations.black.is_none()
    {
        return;
    }
    let share = latest.map_or(0.5, format::white_share);
    let white = (share * f64::from(area.height)).round() as u16;
    for at in area.intersection(*buffer.area()).positions() {
        let from_bottom = area.bottom() - 1 - at.y;
        let from_whites_side = if game.flipped { at.y - area.y } else { from_bottom };
        let side = usize::from(from_whites_side >= white);
        buffer[at].set_symbol(theme.glyphs.bar_parts[side]).set_style(theme.bar_parts[side]);
    }
}
