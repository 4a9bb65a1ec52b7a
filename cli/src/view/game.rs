//! A game, played or watched.

use boombots_protocol::Team;
use boombots_rules::Square;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::App;
use crate::format;
use crate::state::{GameState, Selection};
use crate::theme::Theme;
use crate::view::marks::Marks;
use crate::view::{GameLayout, bar, board, moves, player_card};

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let Some(game) = &app.game else { return };
    let layout = GameLayout::new(area, game);
    let position = game.blast.as_ref().map_or(&game.position, |blast| &blast.before);
    let marks = Marks::of_game(app, game);
    board::draw(&app.theme, position, &marks, &layout.board, frame.buffer_mut());
    if let Some(share) = white_share(game) {
        bar::draw(&app.theme, share, game.flipped, layout.bar, frame.buffer_mut());
    }
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
            let losses = format::losses(game.position.after_explosion(source));
            action(format!("x{source}"), format!(" takes {losses}"))
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
            let losses = format::losses(position.after_explosion(square));
            vec![format!("{square}: {height} {side} {bots}"), format!("boom takes {losses}")]
        }
    };
    texts.into_iter().map(|text| Line::styled(text, theme.faint)).collect()
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

/// White's part of the latest evaluation; half and half where only the other side has one.
fn white_share(game: &GameState) -> Option<f64> {
    let evaluations = &game.game.bot_evaluations;
    let latest = match game.latest_evaluation {
        Some(Team::White) => evaluations.white,
        Some(Team::Black) => evaluations.black,
        None => None,
    };
    let any = evaluations.white.is_some() || evaluations.black.is_some();
    latest.map(format::white_share).or(any.then_some(0.5))
}
