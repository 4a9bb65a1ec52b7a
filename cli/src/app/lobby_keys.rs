//! Keys of the lobby.

use boombots_protocol::ClientMessage;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::app::{App, View};
use crate::event::Effect;
use crate::state::{Dialog, Pane, SettingsForm, Tone};

impl App {
    pub(super) fn lobby_key(&mut self, key: KeyEvent) {
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.lobby.step(-1),
            KeyCode::Down | KeyCode::Char('j') => self.lobby.step(1),
            KeyCode::PageUp => self.lobby.step(-10),
            KeyCode::PageDown => self.lobby.step(10),
            KeyCode::Home | KeyCode::Char('g') => self.lobby.choose(0),
            KeyCode::End | KeyCode::Char('G') => self.lobby.choose(usize::MAX),
            KeyCode::Tab | KeyCode::Right | KeyCode::Char('l') => {
                self.lobby.pane = self.lobby.pane.step(1);
            }
            KeyCode::BackTab | KeyCode::Left | KeyCode::Char('h') => {
                self.lobby.pane = self.lobby.pane.step(-1);
            }
            KeyCode::Enter | KeyCode::Char(' ') => self.activate(),
            KeyCode::Char('x') | KeyCode::Delete => self.drop_challenge(),
            KeyCode::Char('b') => self.start_bot_match(),
            KeyCode::Char('p') => self.dialog = Some(Dialog::Bot(self.bot_form)),
            KeyCode::Char('o') => {
                let settings = self.settings;
                self.dialog = Some(Dialog::Settings(SettingsForm { settings, row: 0 }));
            }
            KeyCode::Char('a') => self.ask_for_position(),
            KeyCode::Char('w') => {
                self.view = View::Builds;
                self.builds_scroll = 0;
            }
            KeyCode::Char('q') | KeyCode::Esc => self.effects.push(Effect::Quit),
            _ => {}
        }
    }

    /// Does with the chosen row what Enter does: challenge, accept, watch.
    pub(super) fn activate(&mut self) {
        match self.lobby.pane {
            Pane::Players => self.challenge(),
            Pane::Challenges => self.accept(),
            Pane::Games => {
                if let Some(game_id) = self.lobby.game().map(|game| game.id) {
                    self.leaving = None;
                    self.say(ClientMessage::Spectate { game_id });
                }
            }
        }
    }

    fn challenge(&mut self) {
        let Some(user) = self.lobby.player() else {
            return self
                .tell("nobody else is here; p plays a bot, b shows two of them", Tone::Plain);
        };
        let (target_id, name) = (user.id, user.name.clone());
        let message = ClientMessage::SendChallenge {
            target_id,
            game: None,
            start: Some(self.settings.start.to_owned()),
            clock: self.settings.clock,
            color: Some(self.settings.color),
        };
        if self.say(message) {
            self.tell(format!("{name} is challenged"), Tone::Good);
        }
    }

    fn accept(&mut self) {
        let Some(challenge) = self.lobby.challenge() else { return };
        let challenge_id = challenge.id;
        if Some(challenge.target_id) == self.connection.id {
            self.say(ClientMessage::AcceptChallenge { challenge_id });
        } else {
            self.tell("waits for the other; x takes it back", Tone::Plain);
        }
    }

    /// Declines the chosen challenge, or takes it back.
    fn drop_challenge(&mut self) {
        if self.lobby.pane != Pane::Challenges {
            return;
        }
        let Some(challenge) = self.lobby.challenge() else { return };
        let challenge_id = challenge.id;
        self.say(if Some(challenge.target_id) == self.connection.id {
            ClientMessage::DeclineChallenge { challenge_id }
        } else {
            ClientMessage::CancelChallenge { challenge_id }
        });
    }

    fn start_bot_match(&mut self) {
        let start = Some(self.settings.start.to_owned());
        if self.say(ClientMessage::StartBotMatch { game: None, start }) {
            self.tell("a match of two bots begins", Tone::Plain);
        }
    }
}
