//! Keys of the analysis, and what leads there and back.

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::app::{App, View};
use crate::event::Effect;
use crate::state::{AnalysisState, Dialog, Tone, read_position};
use crate::text_field::TextField;

impl App {
    pub(super) fn analysis_key(&mut self, key: KeyEvent) {
        let Some(analysis) = &mut self.analysis else { return self.leave_analysis() };
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => analysis.step(-1),
            KeyCode::Down | KeyCode::Char('j') => analysis.step(1),
            KeyCode::Enter | KeyCode::Char(' ') => self.play_line(),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => {
                self.go(AnalysisState::back, "the analysis began here");
            }
            KeyCode::Right | KeyCode::Char('l') => {
                self.go(AnalysisState::forward, "the way ends here; Enter plays the chosen line");
            }
            KeyCode::Char('f') => analysis.flipped = !analysis.flipped,
            KeyCode::Char('g') => self.go_on(),
            KeyCode::Char('m') => self.ask_for_action(),
            KeyCode::Char('p') => self.ask_for_position(),
            KeyCode::Char('q') | KeyCode::Esc => self.leave_analysis(),
            _ => {}
        }
    }

    /// Goes a step along the way, or says why there is none.
    fn go(&mut self, step: fn(&mut AnalysisState, Duration) -> bool, otherwise: &str) {
        let now = self.now;
        if self.analysis.as_mut().is_some_and(|analysis| !step(analysis, now)) {
            self.tell(otherwise, Tone::Plain);
        }
    }

    /// Asks for a position to analyse.
    pub(super) fn ask_for_position(&mut self) {
        let position = self.analysis.as_ref().map_or(&self.analysed, AnalysisState::position);
        let field = position_field(&position.to_string());
        self.dialog = Some(Dialog::Position { field, problem: None });
    }

    /// Takes a position that was typed.
    pub(super) fn typed_position(&mut self, text: &str) -> Result<(), String> {
        let position = read_position(text)?;
        match &mut self.analysis {
            Some(analysis) => analysis.go_to(position, self.now),
            None => self.analyse(AnalysisState::new(position, self.now)),
        }
        Ok(())
    }

    /// Analyses the position of the game.
    pub(super) fn analyse_game(&mut self) {
        if let Some(game) = &self.game {
            self.analyse(AnalysisState::of_game(game, self.now));
        }
    }

    fn analyse(&mut self, analysis: AnalysisState) {
        self.analysis = Some(analysis);
        self.view = View::Analysis;
        self.notice = None;
    }

    /// Plays the first action of the chosen line.
    pub(super) fn play_line(&mut self) {
        let now = self.now;
        let Some(analysis) = &mut self.analysis else { return };
        let played = analysis.action().map(|action| analysis.play(action, now));
        match played {
            Some(Ok(())) => {}
            Some(Err(why)) => self.tell(why.to_string(), Tone::Bad),
            None if analysis.position().is_over() => {
                self.tell("the game is over here", Tone::Plain)
            }
            None => self.tell("no line is known yet; m types an action", Tone::Plain),
        }
    }

    /// Has the position analysed once more.
    fn go_on(&mut self) {
        let Some(analysis) = &mut self.analysis else { return };
        if analysis.go_on(self.now) {
            return;
        }
        let proved = analysis.found().is_some_and(|found| found.proved.is_some());
        let why = match proved || analysis.position().is_over() {
            true => "it is decided already",
            false => "it goes on already",
        };
        self.tell(why, Tone::Plain);
    }

    /// Goes back to where the analysis was begun.
    fn leave_analysis(&mut self) {
        self.end_analysis();
        self.view = if self.game.is_some() { View::Game } else { View::Lobby };
    }

    /// Looks at no analysis any more.
    pub(super) fn end_analysis(&mut self) {
        if let Some(analysis) = self.analysis.take() {
            self.analysed = *analysis.position();
            self.effects.extend(analysis.end().map(Effect::Send));
        }
    }
}

/// A field for positions.
pub(super) fn position_field(text: &str) -> TextField {
    TextField::new(text, POSITION_CHARACTERS)
}

/// The longest position has 73 characters; what is pasted along with it can be taken out again.
const POSITION_CHARACTERS: usize = 200;
