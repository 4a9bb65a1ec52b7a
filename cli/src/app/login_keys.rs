//! Keys where the name is asked for.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::app::App;
use crate::event::Effect;
use crate::state::LinkState;

impl App {
    pub(super) fn login_key(&mut self, key: KeyEvent) {
        match key.code {
            KeyCode::Enter => self.take_name(),
            KeyCode::Esc => self.effects.push(Effect::Quit),
            _ => {
                if self.name_field.key(key) {
                    self.name_problem = None;
                }
            }
        }
    }

    fn take_name(&mut self) {
        let name = self.name_field.text().trim().to_owned();
        if name.is_empty() {
            self.name_problem = Some("a name has at least one character".to_owned());
            return;
        }
        self.name = name;
        self.name_problem = None;
        match self.connection.link {
            LinkState::Greeting => self.greet(),
            LinkState::Opening => {}
            _ => self.connect(),
        }
    }
}
