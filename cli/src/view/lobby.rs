//! The lobby: players, challenges, live games, and what bots and tables there are.

use boombots_protocol::{Challenge, LiveGame, Player, User};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use unicode_width::UnicodeWidthStr as _;

use crate::app::App;
use crate::format;
use crate::state::{Pane, color_name};
use crate::view::{LobbyLayout, block};

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let layout = LobbyLayout::new(area);
    for pane in Pane::ALL {
        draw_pane(app, pane, &layout, frame);
    }
    draw_facts(app, frame, layout.facts);
}

fn draw_pane(app: &App, pane: Pane, layout: &LobbyLayout, frame: &mut Frame<'_>) {
    let theme = &app.theme;
    let lobby = &app.lobby;
    let len = lobby.len(pane);
    let name = match pane {
        Pane::Players => format!(" Players {len} "),
        Pane::Challenges => format!(" Challenges {len} "),
        Pane::Games => format!(" Live games {} ", lobby.lobby.game_count),
    };
    let active = lobby.pane == pane;
    frame.render_widget(block(theme, name, active), layout.pane(pane));
    let rows = layout.rows(pane);
    if len == 0 {
        let empty = match pane {
            Pane::Players => "nobody else is here yet; p plays a bot, b shows two of them",
            Pane::Challenges => "none; Enter on a player challenges",
            Pane::Games => "none; b starts a match of two bots",
        };
        let text = Paragraph::new(empty).style(theme.faint).wrap(Wrap { trim: true });
        return frame.render_widget(text, rows);
    }
    let chosen = lobby.row(pane);
    let first = layout.first_row(pane, chosen, len);
    let width = usize::from(rows.width);
    for (offset, index) in (first..len).take(usize::from(rows.height)).enumerate() {
        let is_chosen = chosen == Some(index);
        let (left, right) = match pane {
            Pane::Players => player(app, &lobby.lobby.users[index]),
            Pane::Challenges => challenge(app, &lobby.lobby.challenges[index]),
            Pane::Games => live_game(app, &lobby.lobby.games[index]),
        };
        let pointer = theme.glyphs.pointer;
        let pointer = if is_chosen { pointer.to_owned() } else { " ".repeat(pointer.width()) };
        let style = match (is_chosen, active) {
            (true, true) => theme.chosen,
            (true, false) => theme.strong,
            (false, _) => theme.text,
        };
        let room = width.saturating_sub(pointer.width());
        let right = format::fit(&right, room / 2, theme.glyphs.cut);
        let room = room.saturating_sub(right.width() + 1);
        let left = format::fit(&left, room, theme.glyphs.cut);
        let padding = " ".repeat(room.saturating_sub(left.width()) + 1);
        let line = Line::from(vec![
            Span::raw(pointer),
            Span::raw(left),
            Span::raw(padding),
            Span::styled(right, if is_chosen { style } else { theme.faint }),
        ]);
        let row = Rect { y: rows.y + offset as u16, height: 1, ..rows };
        frame.render_widget(Paragraph::new(line).style(style), row);
    }
}

fn player(app: &App, user: &User) -> (String, String) {
    let challenged = app.lobby.lobby.challenges.iter().any(|open| open.target_id == user.id);
    let right = match user.playing {
        Some(game) => format!("plays game {game}"),
        None if challenged => "challenged".to_owned(),
        None => String::new(),
    };
    (user.name.clone(), right)
}

fn challenge(app: &App, challenge: &Challenge) -> (String, String) {
    let mine = Some(challenge.challenger_id) == app.connection.id;
    let left = if mine {
        format!("to {}", app.lobby.name(challenge.target_id))
    } else {
        format!("from {}", challenge.challenger_name)
    };
    let start = challenge.start.as_str();
    let start = if start.contains('/') { "a position" } else { start };
    let clock = format::clock_settings(challenge.clock);
    let side = color_name(challenge.color);
    let whose = if mine { "you" } else { "they" };
    let dot = app.theme.glyphs.dot;
    let rematch = if challenge.rematch_of.is_some() { "once more, " } else { "" };
    (left, format!("{rematch}{start} {dot} {clock} {dot} {whose}: {side}"))
}

fn live_game(app: &App, game: &LiveGame) -> (String, String) {
    let [white, black] = app.theme.glyphs.stacks;
    let name = |player: &Player| match player.bot {
        Some(bot) if bot.tables => format!("{} (tables)", player.name),
        _ => player.name.clone(),
    };
    let players = &game.players;
    let left = format!("{white} {}  {black} {}", name(&players.white), name(&players.black));
    (left, format!("game {}", game.id))
}

fn draw_facts(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let theme = &app.theme;
    let (bots, tables) = (&app.lobby.lobby.bots, &app.lobby.lobby.tables);
    let dot = theme.glyphs.dot;
    let ready = match tables.ready.as_slice() {
        [] => "none yet".to_owned(),
        ready => ready.join(" "),
    };
    let building = tables.building.as_ref().map(|class| format!(" {dot} building {class}"));
    let queue = match bots.queued {
        0 => String::new(),
        queued => format!(", {queued} waiting"),
    };
    let settings = &app.settings;
    let label = |text: &'static str| Span::styled(text, theme.faint);
    let lines = [
        Line::from(vec![
            label(" Bots    "),
            Span::raw(format!("{} of {} thinking{queue}", bots.thinking, bots.slots)),
            label("   Tables "),
            Span::raw(format!("{ready}{}", building.unwrap_or_default())),
        ]),
        Line::from(vec![
            label(" Options "),
            Span::raw(format!(
                "{} {dot} {} {dot} you: {}",
                settings.start,
                format::clock_settings(settings.clock),
                color_name(settings.color)
            )),
            label("  (o changes)"),
        ]),
        match tables.problems.first() {
            Some(problem) => Line::styled(format!(" ! {problem}"), theme.warning),
            None => Line::default(),
        },
    ];
    frame.render_widget(Paragraph::new(lines.to_vec()).style(theme.text), area);
}
