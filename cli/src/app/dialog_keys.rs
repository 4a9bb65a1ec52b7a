//! Keys of what is asked in front of a view.

use boombots_protocol::ClientMessage;
use boombots_rules::Action;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::app::App;
use crate::state::{BotForm, Dialog, SettingsForm, Tone};
use crate::text_field::TextField;

impl App {
    pub(super) fn dialog_key(&mut self, key: KeyEvent) {
        let Some(mut dialog) = self.dialog.take() else { return };
        let stays = match &mut dialog {
            Dialog::Help { scroll } => help_key(scroll, key),
            Dialog::Bot(form) => self.bot_key(form, key),
            Dialog::Settings(form) => self.settings_key(form, key),
            Dialog::Leave => match key.code {
                KeyCode::Char('y' | 'Y') | KeyCode::Enter => {
                    self.leave();
                    false
                }
                KeyCode::Char('n' | 'N') | KeyCode::Esc => false,
                _ => true,
            },
            Dialog::Resign { .. } => {
                match key.code {
                    KeyCode::Char('y' | 'Y' | 'r') | KeyCode::Enter => self.resign(),
                    _ => self.tell("the game goes on", Tone::Plain),
                }
                false
            }
            Dialog::Action { field, problem } => {
                typing_key(field, problem, key, |text| self.typed(text))
            }
            Dialog::Position { field, problem } => {
                typing_key(field, problem, key, |text| self.typed_position(text))
            }
        };
        if stays {
            self.dialog = Some(dialog);
        }
    }

    pub(super) fn resign(&mut self) {
        let game_id = self.game.as_ref().map(|game| game.game.id);
        self.say(ClientMessage::Resign { game_id });
    }

    fn bot_key(&mut self, form: &mut BotForm, key: KeyEvent) -> bool {
        match form_key(key, &mut form.row, BotForm::ROWS) {
            FormKey::Change(by) => form.change(by),
            FormKey::Level(level) => form.level = level,
            FormKey::Cancel => return false,
            FormKey::Other => {}
            FormKey::Accept => {
                self.bot_form = BotForm { row: 0, ..*form };
                self.say(ClientMessage::StartBotGame {
                    color: Some(form.color),
                    level: Some(form.level),
                    game: None,
                    start: Some(self.settings.start.to_owned()),
                    clock: self.settings.clock,
                });
                return false;
            }
        }
        true
    }

    fn settings_key(&mut self, form: &mut SettingsForm, key: KeyEvent) -> bool {
        match form_key(key, &mut form.row, SettingsForm::ROWS) {
            FormKey::Change(by) => form.change(by),
            FormKey::Cancel => return false,
            FormKey::Level(_) | FormKey::Other => {}
            FormKey::Accept => {
                self.settings = form.settings;
                return false;
            }
        }
        true
    }

    /// Takes an action that was typed.
    fn typed(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim().to_lowercase();
        let action: Action = text.parse().map_err(|why| format!("{why}"))?;
        if let Some(analysis) = &mut self.analysis {
            return analysis.play(action, self.now).map_err(|why| why.to_string());
        }
        let Some(game) = &self.game else { return Ok(()) };
        if !game.is_my_turn() {
            return Err("it is not your turn".to_owned());
        }
        game.position.legality(action).map_err(|why| why.to_string())?;
        self.send(action);
        Ok(())
    }
}

/// A key where something is typed; whether it goes on.
fn typing_key(
    field: &mut TextField,
    problem: &mut Option<String>,
    key: KeyEvent,
    accept: impl FnOnce(&str) -> Result<(), String>,
) -> bool {
    match key.code {
        KeyCode::Esc => return false,
        KeyCode::Enter => *problem = accept(field.text()).err(),
        _ => {
            if field.key(key) {
                *problem = None;
            }
            return true;
        }
    }
    problem.is_some()
}

fn help_key(scroll: &mut u16, key: KeyEvent) -> bool {
    match key.code {
        KeyCode::Up | KeyCode::Char('k') => *scroll = scroll.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') => *scroll = (*scroll + 1).min(MOST_HELP_LINES),
        _ => return false,
    }
    true
}

/// What a key means to a form.
enum FormKey {
    Change(isize),
    Level(u8),
    Accept,
    Cancel,
    Other,
}

fn form_key(key: KeyEvent, row: &mut usize, rows: usize) -> FormKey {
    match key.code {
        KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => *row = (*row + rows - 1) % rows,
        KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => *row = (*row + 1) % rows,
        KeyCode::Left | KeyCode::Char('h' | '-') => return FormKey::Change(-1),
        KeyCode::Right | KeyCode::Char('l' | ' ' | '+') => return FormKey::Change(1),
        KeyCode::Char(digit @ '1'..='9') => return FormKey::Level(digit as u8 - b'0'),
        KeyCode::Char('0') => return FormKey::Level(10),
        KeyCode::Enter => return FormKey::Accept,
        KeyCode::Esc | KeyCode::Char('q') => return FormKey::Cancel,
        _ => {}
    }
    FormKey::Other
}

const MOST_HELP_LINES: u16 = 40;
