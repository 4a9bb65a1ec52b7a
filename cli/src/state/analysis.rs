//! A position that is analysed for as long as it is looked at.

use std::time::Duration;

use boombots_protocol::{ClientMessage, DeepAnalysis, DeepAnalysisState, DeepLine, ErrorCode};
use boombots_rules::{Action, IllegalAction, Position};

use crate::state::{Found, GameState, Way};

/// A position that is analysed for as long as it is looked at.
#[derive(Clone, Debug)]
pub struct AnalysisState {
    /// The positions, and the one that is shown.
    pub way: Way,
    /// Whether Black's home is at the bottom.
    pub flipped: bool,
    /// Why the server does not analyse the position.
    pub refused: Option<String>,
    /// When the server is told what is looked at.
    pub tell_at: Option<Duration>,
    /// What the server was told last.
    asked: Option<Asked>,
    /// The first action of the line that was chosen; until then the best line is.
    chosen: Option<Action>,
}

/// The position that the server was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    position: Position,
    answered: bool,
}

impl AnalysisState {
    /// The analysis of a position.
    pub fn new(position: Position, now: Duration) -> AnalysisState {
        AnalysisState {
            way: Way::new(position),
            flipped: false,
            refused: None,
            tell_at: Some(now + LOOKED_AT),
            asked: None,
            chosen: None,
        }
    }

    /// The analysis of a game's position, with the game as the way that led to it.
    pub fn of_game(game: &GameState, now: Duration) -> AnalysisState {
        let mut way = Way::new(game.start);
        let replayed = game
            .moves
            .iter()
            .all(|text| text.parse().is_ok_and(|action: Action| way.play(action).is_ok()));
        if !replayed || way.shown().position != game.position {
            way = Way::new(game.position);
        }
        AnalysisState { way, flipped: game.flipped, ..AnalysisState::new(game.position, now) }
    }

    /// The position that is shown.
    pub fn position(&self) -> &Position {
        &self.way.shown().position
    }

    /// What is known of it.
    pub fn found(&self) -> Option<&DeepAnalysis> {
        self.way.shown().found.as_ref().map(|found| &found.analysis)
    }

    /// Its best lines, best first.
    pub fn lines(&self) -> &[DeepLine] {
        self.found().map_or(&[], |found| &found.lines)
    }

    /// The chosen line's place.
    pub fn row(&self) -> Option<usize> {
        let lines = self.lines();
        let is_chosen = |line: &DeepLine| first_action(line) == self.chosen;
        let row = self.chosen.and_then(|_| lines.iter().position(is_chosen)).unwrap_or(0);
        Some(row).filter(|&row| row < lines.len())
    }

    /// The chosen line.
    pub fn line(&self) -> Option<&DeepLine> {
        self.lines().get(self.row()?)
    }

    /// The chosen line's first action, as far as the rules allow it.
    pub fn action(&self) -> Option<Action> {
        let action = first_action(self.line()?)?;
        self.position().legality(action).is_ok().then_some(action)
    }

    /// Chooses a line, the nearest there is.
    pub fn choose(&mut self, row: usize) {
        let lines = self.lines();
        let line = lines.get(row).or(lines.last());
        self.chosen = line.and_then(first_action);
    }

    /// Chooses a line further on or back.
    pub fn step(&mut self, by: isize) {
        if let Some(row) = self.row() {
            self.choose(row.saturating_add_signed(by));
        }
    }

    /// Goes on by an action.
    ///
    /// # Errors
    /// When the rules refuse it.
    pub fn play(&mut self, action: Action, now: Duration) -> Result<(), IllegalAction> {
        self.way.play(action)?;
        self.look(None, now);
        Ok(())
    }

    /// Goes a step back, where the line taken is the chosen one; `false` at the beginning.
    pub fn back(&mut self, now: Duration) -> bool {
        let action = self.way.back();
        if action.is_some() {
            self.look(action, now);
        }
        action.is_some()
    }

    /// Goes a step forward again; `false` at the end.
    pub fn forward(&mut self, now: Duration) -> bool {
        let moved = self.way.forward();
        if moved {
            let next = self.way.actions_after().next();
            self.look(next, now);
        }
        moved
    }

    /// Goes to another position.
    pub fn go_to(&mut self, position: Position, now: Duration) {
        if position != *self.position() {
            self.way.begin_at(position);
            self.look(None, now);
        }
    }

    /// Takes what the server has found; what it says of positions that are gone is nothing.
    pub fn take(&mut self, analysis: DeepAnalysis, now: Duration) {
        let Ok(position) = analysis.position.parse::<Position>() else { return };
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.position == position) {
            asked.answered = true;
        }
        self.way.take(position, &Found { analysis, told: now });
    }

    /// The server has refused something; whether it was this analysis.
    pub fn refuse(&mut self, code: ErrorCode, why: &str) -> bool {
        let could = matches!(
            code,
            ErrorCode::Busy
                | ErrorCode::RateLimited
                | ErrorCode::BadStart
                | ErrorCode::BadMessage
                | ErrorCode::UnsupportedGame
        );
        let position = *self.position();
        let is_it = |asked: &Asked| !asked.answered && asked.position == position;
        let refused = could && self.asked.as_ref().is_some_and(is_it);
        if refused {
            self.asked = None;
            self.refused = Some(why.to_owned());
        }
        refused
    }

    /// Has the position analysed once more after an end without a result; `false` when there is
    /// no such end.
    pub fn go_on(&mut self, now: Duration) -> bool {
        if self.refused.take().is_none() && !self.is_undecided() {
            return false;
        }
        if let Some(found) = &mut self.way.shown_mut().found {
            found.analysis.state = DeepAnalysisState::Running;
        }
        self.asked = None;
        self.tell_at = Some(now);
        true
    }

    /// Whether the analysis has ended without a result.
    pub fn is_undecided(&self) -> bool {
        self.found().is_some_and(|found| {
            found.state != DeepAnalysisState::Running && found.proved.is_none()
        })
    }

    /// How long the analysis has run at a moment.
    pub fn time(&self, now: Duration) -> Option<Duration> {
        let found = self.way.shown().found.as_ref()?;
        let told = Duration::from_millis(found.analysis.time_ms);
        let since = if self.is_running() { now.saturating_sub(found.told) } else { Duration::ZERO };
        Some(told + since)
    }

    /// Whether the server is at it, as far as is known.
    pub fn is_running(&self) -> bool {
        let position = *self.position();
        let answered = self.asked == Some(Asked { position, answered: true });
        answered && self.found().is_some_and(|found| found.state == DeepAnalysisState::Running)
    }

    /// The connection is lost, and with it the analysis.
    pub fn disconnected(&mut self) {
        self.asked = None;
    }

    /// There is a connection again.
    pub fn connected(&mut self, now: Duration) {
        self.tell_at = Some(now);
    }

    /// What is to be said to the server, since what is shown has been looked at for a moment.
    pub fn tell(&mut self) -> Option<ClientMessage> {
        self.tell_at = None;
        let wanted = self.wanted();
        if wanted == self.asked.map(|asked| asked.position) {
            return None;
        }
        self.asked = wanted.map(|position| Asked { position, answered: false });
        Some(match wanted {
            Some(position) => {
                ClientMessage::DeepAnalyze { position: position.to_string(), game: None }
            }
            None => ClientMessage::EndDeepAnalysis,
        })
    }

    /// What is to be said to the server when nothing is looked at any more.
    pub fn end(self) -> Option<ClientMessage> {
        self.asked.map(|_| ClientMessage::EndDeepAnalysis)
    }

    /// What the server is to analyse: nothing where the game is over, it has refused or has ended.
    fn wanted(&self) -> Option<Position> {
        let position = *self.position();
        let ended = self.found().is_some_and(|found| found.state != DeepAnalysisState::Running);
        (!position.is_over() && self.refused.is_none() && !ended).then_some(position)
    }

    /// Another position is shown.
    fn look(&mut self, chosen: Option<Action>, now: Duration) {
        self.chosen = chosen;
        self.refused = None;
        self.tell_at = Some(now + LOOKED_AT);
    }
}

fn first_action(line: &DeepLine) -> Option<Action> {
    Action::try_from(line.action).ok()
}

/// How long a position is shown before the server hears of it, so that one may step quickly.
const LOOKED_AT: Duration = Duration::from_millis(250);
