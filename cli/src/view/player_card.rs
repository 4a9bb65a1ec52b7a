//! A player: name, clock, bots, and for spectators what the bot thinks.

use boombots_protocol::Team;
use boombots_rules::Color;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr as _;

use crate::app::App;
use crate::format;
use crate::state::{GameState, Thinking};

pub(super) fn draw(app: &App, game: &GameState, team: Team, frame: &mut Frame<'_>, area: Rect) {
    let lines = if area.height <= 1 {
        vec![narrow(app, game, team, usize::from(area.width))]
    } else {
        card(app, game, team, usize::from(area.width))
    };
    frame.render_widget(Paragraph::new(lines).style(app.theme.text), area);
}

/// Everything in one line.
fn narrow(app: &App, game: &GameState, team: Team, width: usize) -> Line<'static> {
    let mut right = vec![bots(app, game, team)];
    right.extend(thoughts(app, game, team));
    right.extend(absence(app, game, team));
    right.extend(clock(app, game, team));
    between(app, name(app, game, team), right, width)
}

/// Name and clock, bots, and what the bot thinks.
fn card(app: &App, game: &GameState, team: Team, width: usize) -> Vec<Line<'static>> {
    let first =
        between(app, name(app, game, team), clock(app, game, team).into_iter().collect(), width);
    let mut second = vec![Span::raw("  "), bots(app, game, team)];
    second.extend(
        absence(app, game, team)
            .map(|span| Span::styled(format!("  {}", span.content), span.style)),
    );
    let third: Vec<Span<'static>> =
        thoughts(app, game, team).into_iter().flat_map(|span| [Span::raw("  "), span]).collect();
    vec![first, Line::from(second), Line::from(third)]
}

/// The sign of the side and the name; the side to act is marked.
fn name(app: &App, game: &GameState, team: Team) -> (Span<'static>, Span<'static>) {
    let theme = &app.theme;
    let player = game.player(team);
    let color = Color::from(team);
    let glyph = theme.glyphs.stacks[color.index()];
    let sign = Span::styled(format!(" {glyph} "), theme.stacks[color.index()]);
    let you = if game.side() == Some(team) { " (you)" } else { "" };
    let tables = if player.bot.is_some_and(|bot| bot.tables) { " (tables)" } else { "" };
    let turn = game.is_live() && game.game.state.turn == team;
    let pointer =
        if turn { format!(" {}", theme.glyphs.pointer.trim_end()) } else { String::new() };
    let style = if turn { theme.strong } else { theme.text };
    (sign, Span::styled(format!(" {}{you}{tables}{pointer}", player.name), style))
}

fn turn(game: &GameState, team: Team) -> bool {
    game.is_live() && game.game.state.turn == team
}

fn bots(app: &App, game: &GameState, team: Team) -> Span<'static> {
    let color = Color::from(team);
    let (bots, lost) = (game.position.bots(color), game.lost(team));
    let robots = if bots == 1 { "bot" } else { "bots" };
    Span::styled(format!("{bots} {robots}, {lost} lost"), app.theme.faint)
}

fn clock(app: &App, game: &GameState, team: Team) -> Option<Span<'static>> {
    let left = game.clock(team, app.now)?;
    let running = game.game.clocks.is_some_and(|clocks| clocks.running == Some(team));
    let style = match (running, left.as_secs() < 20) {
        (true, true) => app.theme.bad,
        (true, false) => app.theme.strong,
        (false, _) => app.theme.faint,
    };
    Some(Span::styled(format!("{} ", format::clock(left)), style))
}

fn absence(app: &App, game: &GameState, team: Team) -> Option<Span<'static>> {
    if game.player(team).connected {
        return None;
    }
    let until = game.absent_until[Color::from(team).index()];
    let left = until.map(|until| format::about(until.saturating_sub(app.now).as_secs_f64()));
    let text = left.map_or_else(|| "away".to_owned(), |left| format!("away, {left} left"));
    Some(Span::styled(text, app.theme.warning))
}

/// What the bot thinks, for spectators, and how long it still may think.
fn thoughts(app: &App, game: &GameState, team: Team) -> Vec<Span<'static>> {
    let theme = &app.theme;
    let mut spans = Vec::new();
    let evaluations = &game.game.bot_evaluations;
    let evaluation = match team {
        Team::White => evaluations.white,
        Team::Black => evaluations.black,
    };
    if let (None, Some(evaluation)) = (game.side(), evaluation) {
        spans.push(Span::styled(format!("eval {}", format::evaluation(evaluation)), theme.strong));
    }
    match game.thinking {
        Some(Thinking::Searching { team: who, until }) if who == team => {
            let left = until.saturating_sub(app.now).as_secs_f64();
            let frame = (app.now.as_millis() / 100) as usize % theme.glyphs.spinner.len();
            let spinner = theme.glyphs.spinner[frame];
            spans.push(Span::styled(format!("{spinner} thinking {left:.1} s"), theme.warning));
        }
        Some(Thinking::Queued { team: who, ahead }) if who == team => {
            spans.push(Span::styled(format!("waits for {ahead} searches"), theme.faint));
        }
        // Whoever comes during a search is not told how long it may take.
        None if turn(game, team) && game.player(team).bot.is_some() => {
            spans.push(Span::styled("thinking", theme.warning));
        }
        _ => {}
    }
    spans
}

/// A name on the left, as far as there is room, and the rest on the right.
fn between(
    app: &App,
    (sign, name): (Span<'static>, Span<'static>),
    right: Vec<Span<'static>>,
    width: usize,
) -> Line<'static> {
    let right: Vec<Span<'static>> =
        right.into_iter().flat_map(|span| [Span::raw("  "), span]).collect();
    let taken: usize = sign.width() + right.iter().map(Span::width).sum::<usize>();
    let room = width.saturating_sub(taken).max(8);
    let fitted = format::fit(&name.content, room, app.theme.glyphs.cut);
    let padding = " ".repeat(room.saturating_sub(fitted.width()));
    let mut spans = vec![sign, Span::styled(fitted, name.style), Span::raw(padding)];
    spans.extend(right);
    Line::from(spans)
}
