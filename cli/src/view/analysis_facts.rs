//! What is certain of a position, and how its analysis stands.

use std::time::Duration;

use boombots_protocol::{DeepAnalysis, DeepAnalysisSource, DeepAnalysisState};
use boombots_rules::Outcome;
use ratatui::Frame;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::App;
use crate::format;
use crate::state::AnalysisState;
use crate::theme::Theme;
use crate::view::AnalysisLayout;

pub(super) fn draw(
    app: &App,
    analysis: &AnalysisState,
    layout: &AnalysisLayout,
    frame: &mut Frame<'_>,
) {
    let area = layout.facts;
    let lines = lines(app, analysis, layout.is_framed(), usize::from(area.height));
    let text = Paragraph::new(lines).style(app.theme.text);
    // Where all have one row, the last one goes on to the border.
    let text = if area.height > 1 { text.wrap(Wrap { trim: true }) } else { text };
    frame.render_widget(text, area);
}

/// A row each where there are enough, what hinders last, since it may be long. In fewer, the last
/// row has all that is left, and what hinders comes first, since the end may be cut off.
fn lines(app: &App, analysis: &AnalysisState, is_framed: bool, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let (headline, mut rest) = (headline(theme, analysis), rest(app, analysis));
    let mut troubles = troubles(app, analysis);
    if !is_framed && !analysis.position().is_over() {
        let turn = format::team(analysis.position().turn().into());
        rest.push(Span::styled(format!("{turn} to move"), theme.faint));
    }
    let mut spans = vec![headline];
    if rows > rest.len() + troubles.len() {
        spans.append(&mut rest);
        spans.append(&mut troubles);
    } else {
        spans.append(&mut troubles);
        spans.append(&mut rest);
    }
    let joined = spans.split_off(rows.saturating_sub(1).min(spans.len()));
    let mut lines: Vec<Line<'static>> = spans.into_iter().map(Line::from).collect();
    let mut last = Vec::new();
    for span in joined {
        if !last.is_empty() {
            last.push(Span::styled(format!(" {} ", theme.glyphs.dot), theme.faint));
        }
        last.push(span);
    }
    lines.push(Line::from(last));
    lines
}

/// How the game ended, what is certain, or else the evaluation.
fn headline(theme: &Theme, analysis: &AnalysisState) -> Span<'static> {
    let position = analysis.position();
    if let Some(outcome) = position.outcome() {
        let how = match Outcome::winner(outcome) {
            Some(winner) => format!("{} has won", format::team(winner.into())),
            None => "a draw".to_owned(),
        };
        return Span::styled(format!("The game is over: {how}"), theme.strong);
    }
    let turn = position.turn().into();
    let found = analysis.found();
    if let Some(proved) = found.and_then(|found| found.proved) {
        return Span::styled(format::proved(turn, proved), theme.good);
    }
    let score = found.and_then(|found| format::score(found.white_score, found.mate_in));
    match score {
        Some(score) => Span::styled(format!("eval {}", format::evaluation(score)), theme.strong),
        None => Span::styled("nothing is known yet", theme.faint),
    }
}

/// Positions, jobs and time, and who is at work.
fn rest(app: &App, analysis: &AnalysisState) -> Vec<Span<'static>> {
    let theme = &app.theme;
    let Some(found) = analysis.found().filter(|_| !analysis.position().is_over()) else {
        return Vec::new();
    };
    let dot = theme.glyphs.dot;
    let time = analysis.time(app.now).unwrap_or_default();
    let time = format::about(Duration::from_secs(time.as_secs()).as_secs_f64());
    let nodes = format::magnitude(found.nodes as f64);
    let jobs = if found.jobs == 1 { "job" } else { "jobs" };
    let figures = format!("{nodes} positions {dot} {} {jobs} {dot} {time}", found.jobs);
    vec![Span::styled(figures, theme.text), Span::styled(by(found), theme.faint)]
}

fn by(found: &DeepAnalysis) -> String {
    match found.by {
        DeepAnalysisSource::Server => "this server".to_owned(),
        DeepAnalysisSource::Cluster if found.workers.is_empty() => "cluster".to_owned(),
        DeepAnalysisSource::Cluster => format!("cluster: {}", found.workers.join(", ")),
    }
}

/// Why nothing happens, or not as it should.
fn troubles(app: &App, analysis: &AnalysisState) -> Vec<Span<'static>> {
    let theme = &app.theme;
    if analysis.position().is_over() {
        return Vec::new();
    }
    let mut troubles = Vec::new();
    let found = analysis.found();
    if let Some(why) = &analysis.refused {
        troubles.push(Span::styled(format!("! {why}: g asks again"), theme.bad));
    } else if !app.connection.is_ready() {
        troubles.push(Span::styled("waits for the connection", theme.warning));
    } else if let Some(found) = found.filter(|_| analysis.is_undecided()) {
        let why = match found.state {
            DeepAnalysisState::Cancelled => "an operator ended it: g goes on",
            _ => "its time is over: g goes on",
        };
        troubles.push(Span::styled(why, theme.warning));
    } else if found.is_none() {
        troubles.push(Span::styled("the analysis begins", theme.faint));
    }
    let Some(found) = found else { return troubles };
    if let Some(why) = &found.waiting {
        troubles.push(Span::styled(format!("waiting: {why}"), theme.warning));
    }
    if let Some(why) = &found.problem {
        troubles.push(Span::styled(format!("! {why}"), theme.bad));
    }
    troubles
}
