//! Builds of tables: by the server, and by a cluster if the server follows one.

use boombots_protocol::{ClassBuild, ClusterBuilds, ClusterWorker, LocalBuilds};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::app::App;
use crate::format;
use crate::theme::Theme;
use crate::view::{Screen, block};

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, content: Rect) {
    let block = block(&app.theme, " Builds of tables ".to_owned(), true);
    let inner = block.inner(content);
    frame.render_widget(block, content);
    let lines = lines(app, usize::from(inner.width));
    let most = (lines.len() as u16).saturating_sub(inner.height);
    let text = Paragraph::new(lines).style(app.theme.text);
    frame.render_widget(text.scroll((app.builds_scroll.min(most), 0)), inner);
}

/// How far the builds can be scrolled.
pub(crate) fn builds_rows(app: &App) -> u16 {
    let content = Screen::new(Rect::new(0, 0, app.size.0, app.size.1)).content;
    let rows = lines(app, usize::from(content.width.saturating_sub(2))).len() as u16;
    rows.saturating_sub(content.height.saturating_sub(2))
}

fn lines(app: &App, width: usize) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let Some(builds) = &app.builds else {
        return vec![Line::styled(" the server has not told of any builds yet", theme.faint)];
    };
    let mut lines = vec![heading(theme, "This server")];
    local(theme, &builds.local, width, &mut lines);
    if let Some(cluster) = &builds.cluster {
        lines.push(Line::default());
        lines.push(heading(theme, "The cluster"));
        of_cluster(theme, cluster, width, &mut lines);
    }
    lines
}

fn local(theme: &Theme, builds: &LocalBuilds, width: usize, lines: &mut Vec<Line<'static>>) {
    lines.push(fact(theme, "ready", &list(&builds.ready)));
    if !builds.waiting.is_empty() {
        lines.push(fact(theme, "waiting", &list(&builds.waiting)));
    }
    match &builds.current {
        Some(class) => of_class(theme, class, width, lines),
        None if !builds.enabled => {
            lines.push(Line::styled(" this server builds no tables itself", theme.faint));
        }
        None if builds.waiting.is_empty() => {
            lines.push(Line::styled(" everything is built", theme.good));
        }
        None => {}
    }
    lines.extend(problem(theme, builds.problem.as_deref()));
}

fn of_cluster(
    theme: &Theme,
    cluster: &ClusterBuilds,
    width: usize,
    lines: &mut Vec<Line<'static>>,
) {
    if !cluster.connected {
        let why = cluster.problem.as_deref().unwrap_or("the coordinator does not answer");
        lines.push(Line::styled(format!(" ! {why}"), theme.bad));
    }
    lines.push(fact(theme, "published", &list(&cluster.published)));
    for class in &cluster.classes {
        of_class(theme, class, width, lines);
    }
    if !cluster.workers.is_empty() {
        lines.push(Line::default());
        lines.push(heading(theme, &format!("Workers {}", cluster.workers.len())));
        lines.extend(cluster.workers.iter().map(|worker| of_worker(theme, worker, width)));
    }
    if !cluster.events.is_empty() {
        lines.push(Line::default());
        lines.push(heading(theme, "Latest"));
        let latest = cluster.events.iter().rev().take(EVENTS);
        lines.extend(latest.map(|event| Line::styled(format!(" {event}"), theme.faint)));
    }
}

/// A class as a gauge, and its figures below.
fn of_class(theme: &Theme, build: &ClassBuild, width: usize, lines: &mut Vec<Line<'static>>) {
    let share = if build.all > 0.0 { (build.done / build.all).clamp(0.0, 1.0) } else { 0.0 };
    let label = format!(" {:<6} {:<10} ", build.class, build.phase);
    let percent = format!(" {:>3.0} % ", share * 100.0);
    let columns = width.saturating_sub(label.len() + percent.len()).min(60);
    let done = (share * columns as f64).round() as usize;
    let [full, empty] = theme.glyphs.gauge;
    lines.push(Line::from(vec![
        Span::styled(label, theme.strong),
        Span::styled(full.repeat(done), theme.gauge),
        Span::styled(empty.repeat(columns - done), theme.faint),
        Span::raw(percent),
    ]));
    let mut figures = Vec::new();
    if build.ply > 0 {
        figures.push(format!("ply {}", build.ply));
    }
    if let Some(rate) = build.rate {
        figures.push(format!("{}/s", format::magnitude(rate)));
    }
    if let Some(left) = build.remaining_seconds {
        figures.push(format!("{} left", format::about(left)));
    }
    if build.decided > 0.0 {
        figures.push(format!("{} decided", format::magnitude(build.decided)));
    }
    figures.push(format!("{} so far", format::about(build.elapsed_seconds)));
    let dot = format!(" {} ", theme.glyphs.dot);
    let text = format!("        {}", figures.join(&dot));
    lines.push(Line::styled(format::fit(&text, width, theme.glyphs.cut), theme.faint));
    lines.extend(problem(theme, build.waiting.as_deref()));
}

fn of_worker(theme: &Theme, worker: &ClusterWorker, width: usize) -> Line<'static> {
    let style = match worker.state.as_str() {
        "working" => theme.good,
        "idle" => theme.warning,
        "dead" | "banned" => theme.bad,
        _ => theme.faint,
    };
    let what = worker.reason.clone().unwrap_or_else(|| worker.note.clone());
    let shards = match worker.shards.len() {
        0 => String::new(),
        1 => " (1 shard)".to_owned(),
        many => format!(" ({many} shards)"),
    };
    let name = format::fit(&worker.name, 16, theme.glyphs.cut);
    let threads = format!("{} threads", worker.threads);
    let first = format!(" {name:<16} {:<8} ", worker.state);
    let rest = format!("{threads:<11} {what}{shards}");
    let rest = format::fit(&rest, width.saturating_sub(first.len()), theme.glyphs.cut);
    Line::from(vec![Span::styled(first, style), Span::styled(rest, theme.text)])
}

fn heading(theme: &Theme, text: &str) -> Line<'static> {
    Line::styled(format!(" {text}"), theme.strong)
}

fn fact(theme: &Theme, label: &str, value: &str) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!(" {label:<10}"), theme.faint),
        Span::styled(value.to_owned(), Style::new()),
    ])
}

fn problem(theme: &Theme, why: Option<&str>) -> Option<Line<'static>> {
    why.map(|why| Line::styled(format!(" ! {why}"), theme.warning))
}

fn list(classes: &[String]) -> String {
    if classes.is_empty() { "none".to_owned() } else { classes.join(" ") }
}

/// So many of the latest events.
const EVENTS: usize = 8;
