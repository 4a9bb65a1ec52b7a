//! A game that is played or watched.

use std::time::Duration;

use boombots_protocol::{Action, Game, Player, StateError, Team};
use boombots_rules::{Boombots, Color, Game as _, Position, Square};

use crate::state::{Blast, Selection};

/// A game that is played or watched.
#[derive(Clone, Debug)]
pub struct GameState {
    /// As the server last told.
    pub game: Game,
    /// Its position.
    pub position: Position,
    /// The position it began with.
    pub start: Position,
    /// All actions, as texts.
    pub moves: Vec<String>,
    /// What this user is in it.
    pub role: Role,
    /// The square that has the keys.
    pub cursor: Square,
    /// The stack the mouse went down on.
    pub dragged: Option<Drag>,
    /// Whether Black's home is at the bottom.
    pub flipped: bool,
    /// What the player is about to do.
    pub selection: Selection,
    /// The action that was sent and not answered yet.
    pub pending: Option<Pending>,
    /// The explosion that is being shown.
    pub blast: Option<Blast>,
    /// The bot that thinks or waits for its turn to.
    pub thinking: Option<Thinking>,
    /// Which side's evaluation is the latest.
    pub latest_evaluation: Option<Team>,
    /// When the clocks were told.
    pub told: Duration,
    /// Until when the absent player may come back, by `Color::index`.
    pub absent_until: [Option<Duration>; 2],
}

/// The mouse went down on a stack and is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drag {
    /// The stack.
    pub from: Square,
    /// Whether the stack was chosen before.
    pub chosen_before: bool,
}

/// What a user is in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A player.
    Player(Team),
    /// A spectator.
    Spectator,
}

/// An action that was sent and not answered yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The action.
    pub action: Action,
    /// Its name, under which it counts once.
    pub id: String,
    /// The revision it answers.
    pub revision: u32,
}

/// A bot at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// It searches.
    Searching {
        /// The bot's side.
        team: Team,
        /// When it answers at the latest.
        until: Duration,
    },
    /// Searches of other games come first.
    Queued {
        /// The bot's side.
        team: Team,
        /// How many.
        ahead: u32,
    },
}

impl GameState {
    /// A game as it stands when the user comes to it.
    ///
    /// # Errors
    /// When the server's position is none.
    pub fn new(game: Game, me: Option<u32>, now: Duration) -> Result<GameState, StateError> {
        let position = Position::try_from(&game.state)?;
        let role = match me {
            Some(_) if game.players.white.id == me => Role::Player(Team::White),
            Some(_) if game.players.black.id == me => Role::Player(Team::Black),
            _ => Role::Spectator,
        };
        let flipped = role == Role::Player(Team::Black);
        let mut state = GameState {
            position,
            start: position,
            moves: Vec::new(),
            role,
            cursor: if flipped { HOME_BLACK } else { HOME_WHITE },
            dragged: None,
            flipped,
            selection: Selection::Nothing,
            pending: None,
            blast: None,
            thinking: None,
            latest_evaluation: None,
            told: now,
            absent_until: [None, None],
            game,
        };
        state.take_history();
        state.latest_evaluation = state.evaluated();
        Ok(state)
    }

    /// Takes what the server tells of the game.
    ///
    /// # Errors
    /// When the server's position is none.
    pub fn take(&mut self, game: Game, animate: bool, now: Duration) -> Result<(), StateError> {
        let position = Position::try_from(&game.state)?;
        let follows = game.revision == self.game.revision.wrapping_add(1);
        let (before, known) = (self.position, self.moves.len());
        let old = std::mem::replace(&mut self.game, game);
        if !self.take_history()
            && follows
            && let Some(last) = &self.game.last_action
            && position != before
        {
            self.moves.push(last.text.clone());
        }
        if position != before {
            self.selection = Selection::Nothing;
            self.dragged = None;
            self.blast = (animate && self.moves.len() == known + 1)
                .then_some(self.game.last_action.as_ref())
                .flatten()
                .and_then(|last| boombots_rules::Action::try_from(last.action).ok())
                .filter(|action| action.is_boom() && before.height(action.source()) > 0)
                .map(|action| Blast::new(before, action.source(), now));
        }
        self.position = position;
        self.told = now;
        let changed = self.game.revision != old.revision;
        if changed || self.game.result.is_some() {
            self.thinking = None;
        }
        let new = &self.game.bot_evaluations;
        if new.white != old.bot_evaluations.white || new.black != old.bot_evaluations.black {
            self.latest_evaluation = self.evaluated();
        }
        for team in [Team::White, Team::Black] {
            if self.player(team).connected {
                self.absent_until[Color::from(team).index()] = None;
            }
        }
        Ok(())
    }

    /// Whether the game goes on.
    pub fn is_live(&self) -> bool {
        self.game.result.is_none()
    }

    /// Whether its position may be analysed: not while this user plays it.
    pub fn may_be_analysed(&self) -> bool {
        self.role == Role::Spectator || !self.is_live()
    }

    /// This user's side.
    pub fn side(&self) -> Option<Team> {
        match self.role {
            Role::Player(team) => Some(team),
            Role::Spectator => None,
        }
    }

    /// Whether this user is to act now.
    pub fn is_my_turn(&self) -> bool {
        self.is_live() && self.side() == Some(self.game.state.turn) && self.pending.is_none()
    }

    /// A player.
    pub fn player(&self, team: Team) -> &Player {
        match team {
            Team::White => &self.game.players.white,
            Team::Black => &self.game.players.black,
        }
    }

    /// What a side's clock shows at a moment.
    pub fn clock(&self, team: Team, now: Duration) -> Option<Duration> {
        let clocks = self.game.clocks?;
        let told = match team {
            Team::White => clocks.white_ms,
            Team::Black => clocks.black_ms,
        };
        let left = Duration::from_millis(u64::from(told));
        let runs = clocks.running == Some(team);
        Some(if runs { left.saturating_sub(now.saturating_sub(self.told)) } else { left })
    }

    /// How many bots a side has lost since the start.
    pub fn lost(&self, team: Team) -> u8 {
        let color = Color::from(team);
        self.start.bots(color).saturating_sub(self.position.bots(color))
    }

    /// Moves the cursor as it is seen: `right` and `up` on the screen.
    pub fn move_cursor(&mut self, right: i8, up: i8) {
        let sign = if self.flipped { -1 } else { 1 };
        let x = self.cursor.x().saturating_add_signed(right * sign).min(7);
        let y = self.cursor.y().saturating_add_signed(up * sign).min(7);
        if let Some(square) = Square::new(x, y) {
            self.cursor = square;
        }
    }

    /// Takes the start and all actions, if the message has them.
    fn take_history(&mut self) -> bool {
        let Some(history) = self.game.history.take() else { return false };
        self.moves = history;
        let start = self.game.start.as_deref();
        let start = start.and_then(|text| text.parse().ok().or_else(|| Boombots::start(text)));
        self.start = start.unwrap_or(self.position);
        true
    }

    /// The side that acted last, if its bot has said what it thinks.
    fn evaluated(&self) -> Option<Team> {
        let evaluations = &self.game.bot_evaluations;
        let last = self.game.last_action.as_ref().map(|last| last.team);
        let has = |team: &Team| match team {
            Team::White => evaluations.white.is_some(),
            Team::Black => evaluations.black.is_some(),
        };
        last.filter(has).or_else(|| [Team::White, Team::Black].into_iter().find(has))
    }
}

const HOME_WHITE: Square = Square::ALL[8 + 3];
const HOME_BLACK: Square = Square::ALL[48 + 4];
