//! The client's state and how events change it: no terminal, no socket, no clock.

mod analysis_keys;
mod builds_keys;
mod connection;
mod dialog_keys;
mod game_keys;
mod lobby_keys;
mod login_keys;
mod messages;
mod mouse;
mod time;

use std::time::Duration;

use boombots_protocol::{Builds, ClientMessage, MAX_NAME_CHARACTERS};
use boombots_rules::{Position, Start};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::address::Address;
use crate::app::analysis_keys::position_field;
use crate::event::{Effect, Event};
use crate::state::{
    AnalysisState, BotForm, Connection, Dialog, GameState, LobbyState, Notice, Settings, Tone,
    read_position,
};
use crate::text_field::TextField;
use crate::theme::Theme;

/// How a client is set up.
#[derive(Clone, Debug)]
pub struct AppOptions {
    /// The server.
    pub address: Address,
    /// The user's name, if it is known.
    pub name: Option<String>,
    /// Colours and characters.
    pub theme: Theme,
    /// Whether explosions spread in waves.
    pub animate: bool,
    /// Sets this client apart from others: in the names of its actions and in when it reconnects.
    pub seed: u64,
}

/// A full-screen view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Asks for a name.
    #[default]
    Login,
    /// Who and what is there.
    Lobby,
    /// A game played or watched.
    Game,
    /// A position that is analysed.
    Analysis,
    /// Builds of tables.
    Builds,
}

/// The client's whole state.
#[derive(Clone, Debug)]
pub struct App {
    /// Colours and characters.
    pub theme: Theme,
    /// The server.
    pub address: Address,
    /// Whether explosions spread in waves.
    pub animate: bool,
    /// The terminal's columns and rows.
    pub size: (u16, u16),
    /// The view.
    pub view: View,
    /// The user's name.
    pub name: String,
    /// The name being typed.
    pub name_field: TextField,
    /// Why the last name was refused.
    pub name_problem: Option<String>,
    /// The connection.
    pub connection: Connection,
    /// The lobby.
    pub lobby: LobbyState,
    /// How games are to be played that this user asks for.
    pub settings: Settings,
    /// The game against a bot that was asked for last.
    pub bot_form: BotForm,
    /// The game played or watched.
    pub game: Option<GameState>,
    /// What is analysed, while it is looked at.
    pub analysis: Option<AnalysisState>,
    /// The position that was analysed last.
    pub analysed: Position,
    /// Builds of tables, as last told.
    pub builds: Option<Builds>,
    /// The first row shown of the builds.
    pub builds_scroll: u16,
    /// What is asked in front of the view.
    pub dialog: Option<Dialog>,
    /// A sentence shown for a while.
    pub notice: Option<Notice>,
    /// The moment of the last event.
    pub now: Duration,
    seed: u64,
    actions_sent: u64,
    /// A game that this user has left, until the server says so as well.
    leaving: Option<u32>,
    /// Whether an action without an answer is to be sent again.
    resend: bool,
    effects: Vec<Effect>,
}

impl App {
    /// A client that has done nothing yet; `size` is the terminal's columns and rows.
    pub fn new(options: AppOptions, size: (u16, u16)) -> App {
        let AppOptions { address, name, theme, animate, seed } = options;
        let name = name.unwrap_or_default().trim().to_owned();
        App {
            theme,
            address,
            animate,
            size,
            view: View::Login,
            name_field: TextField::new(&name, MAX_NAME_CHARACTERS),
            name,
            name_problem: None,
            connection: Connection::default(),
            lobby: LobbyState::default(),
            settings: Settings::default(),
            bot_form: BotForm::default(),
            game: None,
            analysis: None,
            analysed: Position::start(Start::Standard),
            builds: None,
            builds_scroll: 0,
            dialog: None,
            notice: None,
            now: Duration::ZERO,
            seed,
            actions_sent: 0,
            leaving: None,
            resend: false,
            effects: Vec::new(),
        }
    }

    /// What is to be done at the start: connect, if the user's name is known.
    pub fn begin(&mut self) -> Vec<Effect> {
        if !self.name.is_empty() {
            self.connect();
        }
        std::mem::take(&mut self.effects)
    }

    /// Takes an event that happened at a moment, and says what is to be done.
    pub fn update(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        self.now = self.now.max(now);
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(columns, rows) => self.size = (columns, rows),
            Event::Link(event) => self.link(event),
            Event::Tick => {}
        }
        self.pass_time();
        std::mem::take(&mut self.effects)
    }

    fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => return self.effects.push(Effect::Quit),
                KeyCode::Char('z') => return self.effects.push(Effect::Suspend),
                KeyCode::Char('l') => return self.effects.push(Effect::Repaint),
                KeyCode::Char('r') => return self.reconnect(),
                _ => {}
            }
        }
        if self.dialog.is_some() {
            self.dialog_key(key);
        } else if self.view == View::Login {
            self.login_key(key);
        } else if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            // Nothing else is bound to those.
        } else if key.code == KeyCode::Char('?') {
            self.dialog = Some(Dialog::Help { scroll: 0 });
        } else {
            match self.view {
                View::Login | View::Lobby => self.lobby_key(key),
                View::Game => self.game_key(key),
                View::Analysis => self.analysis_key(key),
                View::Builds => self.builds_key(key),
            }
        }
    }

    fn paste(&mut self, text: &str) {
        match &mut self.dialog {
            Some(Dialog::Action { field, .. }) => field.insert(text),
            Some(Dialog::Position { field, problem }) => {
                *problem = None;
                // A whole position takes the place of what is there.
                if read_position(text).is_ok() {
                    *field = position_field(text.trim());
                } else {
                    field.insert(text);
                }
            }
            Some(_) => {}
            None if self.view == View::Login => self.name_field.insert(text),
            None => {}
        }
    }

    /// Says something to the server, if it listens.
    fn say(&mut self, message: ClientMessage) -> bool {
        let ready = self.connection.is_ready();
        if ready {
            self.effects.push(Effect::Send(message));
        } else {
            self.tell("not connected just now", Tone::Bad);
        }
        ready
    }

    /// Shows a sentence for a while.
    fn tell(&mut self, text: impl Into<String>, tone: Tone) {
        self.notice = Some(Notice::new(text, tone, self.now));
    }

    /// Closes the game. What is analysed meanwhile stays.
    fn show_lobby(&mut self) {
        self.game = None;
        if self.view != View::Analysis {
            self.view = View::Lobby;
            self.dialog = None;
        }
    }
}
