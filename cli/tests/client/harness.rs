//! A client without a terminal, and the time it is told.

use std::time::Duration;

use boombots_cli::{App, AppOptions, Effect, Event, LinkEvent, Theme, draw};
use boombots_protocol::{ClientMessage, ServerMessage};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_width::UnicodeWidthStr as _;

use crate::fixtures::welcome;

/// A client and the time it is told.
pub(crate) struct Client {
    pub(crate) app: App,
    pub(crate) now: Duration,
    /// What was to be done since this was last looked at.
    pub(crate) effects: Vec<Effect>,
}

/// The number of the client's user.
pub(crate) const ME: u32 = 1;

impl Client {
    /// A client whose user's name is known or not, and which has done nothing yet.
    pub(crate) fn new(name: Option<&str>) -> Client {
        let options = AppOptions {
            address: "ws://127.0.0.1:8008".parse().unwrap(),
            name: name.map(str::to_owned),
            theme: Theme::dark(),
            animate: true,
            seed: 0xada,
        };
        let mut app = App::new(options, (80, 24));
        let effects = app.begin();
        Client { app, now: Duration::from_secs(100), effects }
    }

    /// A client that the server has welcomed.
    pub(crate) fn welcomed() -> Client {
        let mut client = Client::new(Some("Ada"));
        client.event(Event::Link(LinkEvent::Opened));
        client.hear(welcome(false, None));
        client.effects.clear();
        client
    }

    pub(crate) fn event(&mut self, event: Event) {
        let effects = self.app.update(event, self.now);
        self.effects.extend(effects);
    }

    pub(crate) fn hear(&mut self, message: ServerMessage) {
        self.event(Event::Link(LinkEvent::Message(Box::new(message))));
    }

    pub(crate) fn press(&mut self, code: KeyCode) {
        self.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Presses the keys of a text, one a character.
    pub(crate) fn type_text(&mut self, text: &str) {
        for character in text.chars() {
            self.press(KeyCode::Char(character));
        }
    }

    /// Lets time pass as the loop does: by ticks when they are asked for.
    pub(crate) fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(tick) = self.app.next_tick().filter(|&tick| tick <= end) {
            assert!(tick > self.now, "the next tick is later");
            self.now = tick;
            self.event(Event::Tick);
        }
        self.now = end;
        self.event(Event::Tick);
    }

    /// What was said to the server since this was last asked.
    pub(crate) fn said(&mut self) -> Vec<ClientMessage> {
        let effects = std::mem::take(&mut self.effects).into_iter();
        let said = effects.filter_map(|effect| match effect {
            Effect::Send(message) => Some(message),
            _ => None,
        });
        said.collect()
    }

    /// The screen at a size.
    pub(crate) fn buffer(&mut self, columns: u16, rows: u16) -> Buffer {
        self.event(Event::Resize(columns, rows));
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| draw(&self.app, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The screen at a size, as text.
    pub(crate) fn screen(&mut self, columns: u16, rows: u16) -> String {
        let buffer = self.buffer(columns, rows);
        let row = |y: u16| {
            let mut row = String::new();
            let mut x = 0;
            while x < columns {
                let symbol = buffer[(x, y)].symbol();
                row.push_str(symbol);
                // The cell after a wide character belongs to it.
                x += (symbol.width() as u16).max(1);
            }
            row.trim_end().to_owned() + "\n"
        };
        (0..rows).map(row).collect()
    }
}
