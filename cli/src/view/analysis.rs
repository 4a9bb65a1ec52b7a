//! A position that is analysed: the board with the chosen action, and the best lines.

use boombots_protocol::{DeepLine, TableResult};
use boombots_rules::{Action, Color, Outcome};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use unicode_width::UnicodeWidthStr as _;

use crate::app::App;
use crate::format;
use crate::state::AnalysisState;
use crate::view::marks::Marks;
use crate::view::{AnalysisLayout, analysis_facts, bar, block, board};

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let Some(analysis) = &app.analysis else { return };
    let layout = AnalysisLayout::new(area, analysis.flipped);
    let (position, last) = (analysis.position(), analysis.way.shown().action);
    let marks = Marks::of_action(position, analysis.action(), last);
    board::draw(&app.theme, position, &marks, &layout.board, frame.buffer_mut());
    if let Some(share) = white_share(analysis) {
        bar::draw(&app.theme, share, analysis.flipped, layout.bar, frame.buffer_mut());
    }
    analysis_facts::draw(app, analysis, &layout, frame);
    draw_lines(app, analysis, &layout, frame);
    let info = info(app, analysis, usize::from(layout.info.width));
    let info = Paragraph::new(info).style(app.theme.text).wrap(Wrap { trim: true });
    frame.render_widget(info, layout.info);
}

/// White's part of the evaluation bar: all or nothing where that is certain.
fn white_share(analysis: &AnalysisState) -> Option<f64> {
    let certain = |winner| match winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    };
    if let Some(outcome) = analysis.position().outcome() {
        return Some(certain(Outcome::winner(outcome)));
    }
    let found = analysis.found()?;
    let turn = analysis.position().turn();
    match found.proved.map(|proved| proved.value) {
        Some(TableResult::Win) => Some(certain(Some(turn))),
        Some(TableResult::Loss) => Some(certain(Some(turn.opposite()))),
        Some(TableResult::Draw) => Some(certain(None)),
        None => format::score(found.white_score, found.mate_in).map(format::white_share),
    }
}

fn draw_lines(app: &App, analysis: &AnalysisState, layout: &AnalysisLayout, frame: &mut Frame<'_>) {
    let theme = &app.theme;
    if layout.is_framed() {
        let position = analysis.position();
        let title = match position.is_over() {
            true => " Best lines ".to_owned(),
            false => format!(" Best for {} ", format::team(position.turn().into())),
        };
        frame.render_widget(block(theme, title, true), layout.lines);
    }
    let (rows, lines, chosen) = (layout.rows(), analysis.lines(), analysis.row());
    if lines.is_empty() && !analysis.position().is_over() {
        let text = Paragraph::new(" no line is known yet").style(theme.faint);
        return frame.render_widget(text, rows);
    }
    let is_proved = lines.iter().any(|line| line.proved.is_some());
    let first = layout.first_row(chosen, lines.len());
    let shown = lines.iter().enumerate().skip(first).take(usize::from(rows.height));
    for (place, (index, line)) in shown.enumerate() {
        let is_chosen = chosen == Some(index);
        let style = if is_chosen { theme.chosen } else { theme.text };
        let line = row(app, line, is_proved, is_chosen, usize::from(rows.width));
        let place = Rect { y: rows.y + place as u16, height: 1, ..rows };
        frame.render_widget(Paragraph::new(line).style(style), place);
    }
}

/// Score, what is certain, and the line as far as there is room.
fn row(
    app: &App,
    line: &DeepLine,
    is_proved: bool,
    is_chosen: bool,
    width: usize,
) -> Line<'static> {
    let theme = &app.theme;
    let pointer = theme.glyphs.pointer;
    let pointer = if is_chosen { pointer.to_owned() } else { " ".repeat(pointer.width()) };
    let score =
        format::score(line.white_score, line.mate_in).map(format::evaluation).unwrap_or_default();
    let mut spans = vec![Span::raw(format!("{pointer}{score:>6} "))];
    if is_proved {
        let word = line.proved.map_or("", format::certain);
        let style = match line.proved.map(|proved| proved.value) {
            // The chosen row has one style.
            _ if is_chosen => Style::new(),
            Some(TableResult::Win) => theme.good,
            Some(TableResult::Draw) => theme.warning,
            Some(TableResult::Loss) => theme.bad,
            None => Style::new(),
        };
        spans.push(Span::styled(format!("{word:<5} "), style));
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let actions = line.line.join(" ");
    let room = width.saturating_sub(used);
    spans.push(Span::raw(format::fit(&actions, room, theme.glyphs.cut)));
    Line::from(spans)
}

/// The chosen action and line, and the way taken.
fn info(app: &App, analysis: &AnalysisState, width: usize) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let mut lines = Vec::new();
    if let (Some(action), Some(line)) = (analysis.action(), analysis.line()) {
        let position = analysis.position();
        let what = match action {
            Action::Boom { source } => {
                format!(" takes {}", format::losses(position.after_explosion(source)))
            }
            Action::Move { source, count, .. } => {
                format!(", {count} of {}: Enter plays", position.height(source))
            }
        };
        lines.push(Line::from(vec![
            Span::styled(action.to_string(), theme.strong),
            Span::raw(what),
        ]));
        if let Some(proved) = line.proved {
            let text = format!("{}{}", format::certain(proved), format::end(proved));
            lines.push(Line::styled(text, theme.text));
        }
    }
    lines.extend(way(app, analysis, width));
    if let Some(line) = analysis.line().filter(|line| line.line.len() > 1) {
        lines.push(Line::styled(line.line.join(" "), theme.faint));
    }
    lines
}

/// The actions taken, their end in sight, and after a bar those that were taken back.
fn way(app: &App, analysis: &AnalysisState, width: usize) -> Option<Line<'static>> {
    let text = |action: Action| action.to_string();
    let before: Vec<String> = analysis.way.actions_before().map(text).collect();
    let after: Vec<String> = analysis.way.actions_after().map(text).collect();
    if before.is_empty() && after.is_empty() {
        return None;
    }
    let cut = app.theme.glyphs.cut;
    let (label, bar) = ("way ", if after.is_empty() { "" } else { " | " });
    let after = format::fit(&after.join(" "), width / 3, cut);
    let room = width.saturating_sub(label.len() + bar.len() + after.width());
    let mut first = 0;
    let mut shown = before.join(" ");
    while shown.width() > room && first < before.len() {
        first += 1;
        shown = format!("{cut} {}", before[first..].join(" "));
    }
    Some(Line::from(vec![
        Span::styled(label, app.theme.faint),
        Span::raw(shown),
        Span::styled(format!("{bar}{after}"), app.theme.faint),
    ]))
}
