//! The connection: opened, greeted, lost and found again.

use boombots_protocol::{ClientMessage, CloseCode, ErrorCode, PROTOCOL_VERSION, Problem, Welcome};

use crate::app::{App, View};
use crate::event::{Effect, LinkEvent};
use crate::format;
use crate::state::{LinkState, Tone};

impl App {
    pub(super) fn link(&mut self, event: LinkEvent) {
        match event {
            LinkEvent::Opened => {
                self.connection.link = LinkState::Greeting;
                self.greet();
            }
            LinkEvent::Message(message) => self.message(*message),
            LinkEvent::Closed { code, reason } => self.lost(code, reason),
        }
    }

    /// The connection ended.
    fn lost(&mut self, code: Option<u16>, reason: String) {
        if matches!(self.connection.link, LinkState::Ended { .. }) {
            return;
        }
        if code == Some(CloseCode::Replaced.number()) {
            self.connection.link = LinkState::Ended { reason };
        } else if self.name_problem.is_some() {
            // The server does not wait for another name for ever.
            self.connection.link = LinkState::Idle;
        } else {
            self.connection.lose(reason, self.seed, self.now);
        }
        if let Some(game) = &mut self.game {
            game.thinking = None;
        }
        if let Some(analysis) = &mut self.analysis {
            analysis.disconnected();
        }
    }

    pub(super) fn connect(&mut self) {
        self.connection.link = LinkState::Opening;
        self.effects.push(Effect::Connect);
    }

    /// Connects at once instead of later, or again after an end for good.
    pub(super) fn reconnect(&mut self) {
        if matches!(self.connection.link, LinkState::Waiting { .. } | LinkState::Ended { .. }) {
            self.connect();
        }
    }

    pub(super) fn greet(&mut self) {
        self.effects.push(Effect::Send(ClientMessage::Handshake {
            name: self.name.clone(),
            resume_token: self.connection.resume_token.clone(),
            protocol_version: Some(PROTOCOL_VERSION),
        }));
    }

    pub(super) fn welcome(&mut self, welcome: Welcome) {
        let returning = self.connection.id.is_some();
        self.connection.link = LinkState::Ready;
        self.connection.attempts = 0;
        self.connection.id = Some(welcome.id);
        self.connection.resume_token = Some(welcome.resume_token);
        self.name = welcome.name;
        self.leaving = None;
        if self.view == View::Login {
            self.view = View::Lobby;
        }
        match (returning, welcome.resumed) {
            (true, true) => self.tell("connected again", Tone::Good),
            (true, false) => {
                self.tell("connected again, as a new user: the old session is gone", Tone::Plain);
            }
            (false, _) => {}
        }
        if let Some(analysis) = &mut self.analysis {
            analysis.connected(self.now);
        }
        let Some(game) = &self.game else { return };
        let game_id = game.game.id;
        if welcome.playing == Some(game_id) {
            // Its state follows by itself.
            self.resend = true;
        } else if game.is_live() {
            // Watched, or ended meanwhile.
            self.say(ClientMessage::Spectate { game_id });
        }
    }

    /// The handshake was refused.
    pub(super) fn not_welcome(&mut self, problem: Problem) {
        match problem.code {
            ErrorCode::NameInvalid | ErrorCode::NameTaken => {
                self.view = View::Login;
                self.game = None;
                self.analysis = None;
                self.dialog = None;
                self.connection.id = None;
                self.connection.resume_token = None;
                self.name_problem = Some(problem.message);
            }
            ErrorCode::UnsupportedVersion => {
                let why = format!("{}; a newer client or server is needed", problem.message);
                self.effects.push(Effect::Fail(why));
            }
            _ => self.tell(format::fit(&problem.message, 500, ""), Tone::Bad),
        }
    }
}
