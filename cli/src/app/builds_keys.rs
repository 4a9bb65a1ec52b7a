//! Keys of the builds.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::app::{App, View};

impl App {
    pub(super) fn builds_key(&mut self, key: KeyEvent) {
        let scroll = self.builds_scroll;
        match key.code {
            KeyCode::Char('q' | 'w') | KeyCode::Esc => self.view = View::Lobby,
            KeyCode::Up | KeyCode::Char('k') => self.builds_scroll = scroll.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.builds_scroll = scroll.saturating_add(1),
            KeyCode::PageUp => self.builds_scroll = scroll.saturating_sub(10),
            KeyCode::PageDown => self.builds_scroll = scroll.saturating_add(10),
            KeyCode::Home | KeyCode::Char('g') => self.builds_scroll = 0,
            _ => return,
        }
        self.builds_scroll = self.builds_scroll.min(crate::view::builds_rows(self));
    }
}
