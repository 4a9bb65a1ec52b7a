//! The two lines at the bottom: what was last said, and the keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::app::App;
use crate::format;
use crate::state::{LinkState, Tone};
use crate::view::keys;

pub(super) fn draw(app: &App, frame: &mut Frame<'_>, status: Rect, hints: Rect) {
    let theme = &app.theme;
    let (text, style) = match (&app.notice, &app.connection.link) {
        (_, LinkState::Ended { reason }) => (format!("! {reason}"), theme.bad),
        (_, LinkState::Waiting { reason, .. }) => {
            (format!("! {reason}; Ctrl-R tries at once"), theme.bad)
        }
        (Some(notice), _) => match notice.tone {
            Tone::Plain => (notice.text.clone(), theme.text),
            Tone::Good => (notice.text.clone(), theme.good),
            Tone::Bad => (format!("! {}", notice.text), theme.bad),
        },
        (None, _) => (String::new(), theme.text),
    };
    let fitted = format::fit(&text, usize::from(status.width).saturating_sub(2), theme.glyphs.cut);
    frame.render_widget(Paragraph::new(format!(" {fitted}")).style(style), status);

    let mut spans: Vec<Span<'_>> = Vec::new();
    let mut used = 0;
    let all = keys::of(app);
    // Help and the way out are always there; of the others, as many as there is room for.
    let (last, first): (Vec<_>, Vec<_>) =
        all.iter().filter(|key| !key.hint.is_empty()).partition(|key| key.always);
    let width = |key: &&keys::Key| {
        let text = keys::brief(key.keys, &theme.glyphs);
        Line::from(text).width() + Line::from(key.hint).width() + 3
    };
    let reserved: usize = last.iter().map(width).sum();
    let room = usize::from(hints.width).saturating_sub(reserved);
    let fitting = first.into_iter().take_while(|key| {
        used += width(key);
        used <= room
    });
    for key in fitting.chain(last) {
        spans.push(Span::styled(format!(" {}", keys::brief(key.keys, &theme.glyphs)), theme.key));
        spans.push(Span::styled(format!(" {} ", key.hint), theme.faint));
    }
    frame.render_widget(Paragraph::new(Line::from(spans)), hints);
}
