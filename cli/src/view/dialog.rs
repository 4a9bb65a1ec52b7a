//! What is asked in front of a view.

use boombots_rules::{Action, Color};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};

use crate::app::App;
use crate::format;
use crate::state::{BotForm, Dialog, SettingsForm, color_name, read_position};
use crate::text_field::TextField;
use crate::view::{block, help, login};

pub(super) fn draw(app: &App, dialog: &Dialog, frame: &mut Frame<'_>, content: Rect) {
    let theme = &app.theme;
    match dialog {
        Dialog::Help { scroll } => {
            let lines = help::lines(app);
            let inner = open(app, " Keys ", frame, content, (HELP_COLUMNS, lines.len() as u16 + 2));
            let most = (lines.len() as u16).saturating_sub(inner.height.min(lines.len() as u16));
            // A narrow window wraps lines, and then there is more to scroll.
            let most = if inner.width < HELP_COLUMNS - 2 { most.max(*scroll) } else { most };
            let text = Paragraph::new(lines).wrap(Wrap { trim: false });
            frame.render_widget(text.scroll(((*scroll).min(most), 0)), inner);
        }
        Dialog::Bot(form) => bot(app, form, frame, content),
        Dialog::Settings(form) => settings(app, form, frame, content),
        Dialog::Leave => {
            let lines = vec![
                Line::from("Leave the game? It goes on, and to leave it is to lose it."),
                Line::default(),
                Line::styled("y: leave   n: play on", theme.key),
            ];
            ask(app, " Leave ", lines, frame, content);
        }
        Dialog::Resign { at } => {
            let left = at.saturating_sub(app.now).as_secs_f64();
            let lines = vec![
                Line::from(format!("You resign in {}.", format::about(left))),
                Line::default(),
                Line::styled("r: at once   any other key: play on", theme.key),
            ];
            ask(app, " Resign ", lines, frame, content);
        }
        Dialog::Action { field, problem } => {
            let hint = hint(app, problem.as_deref(), judge(app, field.text()), ACTION_HINT);
            typing(app, " Type an action ", (52, 5), field, hint, frame, content);
        }
        Dialog::Position { field, problem } => {
            let hint = hint(app, problem.as_deref(), judge_position(field.text()), POSITION_HINT);
            typing(app, " Analyse a position ", (78, 6), field, hint, frame, content);
        }
    }
}

/// Clears a place in the middle and frames it; gives the place within.
fn open(app: &App, title: &str, frame: &mut Frame<'_>, content: Rect, size: (u16, u16)) -> Rect {
    let area = content.centered(Constraint::Max(size.0), Constraint::Max(size.1));
    frame.render_widget(Clear, area);
    let block = block(&app.theme, title.to_owned(), true);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}

fn ask(app: &App, title: &str, lines: Vec<Line<'static>>, frame: &mut Frame<'_>, content: Rect) {
    let inner = open(app, title, frame, content, (44, lines.len() as u16 + 3));
    frame.render_widget(
        Paragraph::new(lines).style(app.theme.text).wrap(Wrap { trim: true }),
        inner,
    );
}

fn bot(app: &App, form: &BotForm, frame: &mut Frame<'_>, content: Rect) {
    let [full, empty] = app.theme.glyphs.gauge;
    let level = usize::from(form.level);
    let gauge = format!("{:>2} {}{}", form.level, full.repeat(level), empty.repeat(10 - level));
    let rows = [("you play", color_name(form.color).to_owned()), ("level", gauge)];
    let note = format!(
        "{}, {}; o in the lobby changes these",
        app.settings.start,
        format::clock_settings(app.settings.clock)
    );
    rows_of_form(app, " Play the bot ", &rows, form.row, &note, frame, content);
}

fn settings(app: &App, form: &SettingsForm, frame: &mut Frame<'_>, content: Rect) {
    let settings = &form.settings;
    let rows = [
        ("start", settings.start.to_owned()),
        ("clock", format::clock_settings(settings.clock)),
        ("you play", color_name(settings.color).to_owned()),
    ];
    let note = "for challenges; start and clock for bots as well";
    rows_of_form(app, " Options ", &rows, form.row, note, frame, content);
}

fn rows_of_form(
    app: &App,
    title: &str,
    rows: &[(&'static str, String)],
    active: usize,
    note: &str,
    frame: &mut Frame<'_>,
    content: Rect,
) {
    let theme = &app.theme;
    let mut lines: Vec<Line<'static>> = rows
        .iter()
        .enumerate()
        .map(|(index, (label, value))| {
            let chosen = index == active;
            let pointer = if chosen { theme.glyphs.pointer } else { "  " };
            let style = if chosen { theme.chosen } else { theme.text };
            Line::from(vec![
                Span::styled(format!("{pointer}{label:<10}"), theme.text),
                Span::styled(format!(" {value:<16} "), style),
            ])
        })
        .collect();
    lines.push(Line::default());
    lines.push(Line::styled(note.to_owned(), theme.faint));
    let inner = open(app, title, frame, content, (56, lines.len() as u16 + 2));
    frame.render_widget(Paragraph::new(lines), inner);
}

/// What is being typed, and a hint below it.
fn typing(
    app: &App,
    title: &str,
    size: (u16, u16),
    field: &TextField,
    hint: Line<'static>,
    frame: &mut Frame<'_>,
    content: Rect,
) {
    let inner = open(app, title, frame, content, size);
    let row = Rect { height: inner.height.min(1), ..inner };
    login::draw_field(field, frame, row, app.theme.strong);
    let below = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    frame.render_widget(Paragraph::new(hint).wrap(Wrap { trim: true }), below);
}

/// Why the last text was refused, or what there is to say of this one.
fn hint(
    app: &App,
    problem: Option<&str>,
    judged: Option<Result<String, String>>,
    otherwise: &'static str,
) -> Line<'static> {
    let theme = &app.theme;
    match (problem, judged) {
        (Some(problem), _) => Line::styled(problem.to_owned(), theme.bad),
        (None, Some(Ok(text))) => Line::styled(text, theme.good),
        (None, Some(Err(why))) => Line::styled(why, theme.warning),
        (None, None) => Line::styled(otherwise, theme.faint),
    }
}

/// Whether what was typed so far can be done; `None` while it is no action yet.
fn judge(app: &App, text: &str) -> Option<Result<String, String>> {
    let position = match (&app.analysis, &app.game) {
        (Some(analysis), _) => analysis.position(),
        (None, game) => &game.as_ref()?.position,
    };
    let action: Action = text.trim().to_lowercase().parse().ok()?;
    Some(match position.legality(action) {
        Ok(()) if action.is_boom() => {
            let losses = format::losses(position.after_explosion(action.source()));
            Ok(format!("takes {losses}; Enter booms"))
        }
        Ok(()) => Ok("Enter submits".to_owned()),
        Err(why) => Err(why.to_string()),
    })
}

/// Whether what was typed so far is a position; `None` while there is nothing.
fn judge_position(text: &str) -> Option<Result<String, String>> {
    if text.trim().is_empty() {
        return None;
    }
    Some(read_position(text).map(|position| {
        let bots = |color| position.bots(color);
        let turn = format::team(position.turn().into());
        let (white, black) = (bots(Color::White), bots(Color::Black));
        format!("{turn} to move, bots: {white} White, {black} Black; Enter analyses")
    }))
}

const ACTION_HINT: &str = "count, from, to: 3d4g4; a boom: xd4";

const POSITION_HINT: &str = "rank 8 to rank 1 and the side to move, as 7a/8/6A1/8/8/8/8/A7 w; \
    or a start: standard, expendibots";

const HELP_COLUMNS: u16 = 76;
