//! Keys of a game.

use boombots_protocol::{ClientMessage, Team};
use boombots_rules::{Action, Position, Square};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::app::App;
use crate::event::Effect;
use crate::state::{Dialog, Pending, RESIGN_DELAY, Role, Selection, Tone};
use crate::text_field::TextField;

impl App {
    pub(super) fn game_key(&mut self, key: KeyEvent) {
        let Some(game) = &mut self.game else { return self.show_lobby() };
        match (key.code, game.role) {
            (KeyCode::Char('f'), _) => game.flipped = !game.flipped,
            (KeyCode::Char('a'), _) if game.may_be_analysed() => self.analyse_game(),
            (KeyCode::Char('q'), Role::Spectator) => self.effects.push(Effect::Quit),
            (KeyCode::Char('q') | KeyCode::Esc, _) => self.ask_to_leave(),
            (_, Role::Spectator) => {}
            (_, Role::Player(side)) => self.player_key(key, side),
        }
    }

    fn player_key(&mut self, key: KeyEvent, side: Team) {
        let Some(game) = &mut self.game else { return };
        match key.code {
            KeyCode::Left | KeyCode::Char('h') => game.move_cursor(-1, 0),
            KeyCode::Right | KeyCode::Char('l') => game.move_cursor(1, 0),
            KeyCode::Up | KeyCode::Char('k') => game.move_cursor(0, 1),
            KeyCode::Down | KeyCode::Char('j') => game.move_cursor(0, -1),
            KeyCode::Char(' ') => {
                let square = game.cursor;
                self.press(square);
            }
            KeyCode::Char('+' | '=') => self.select(|chosen, position| chosen.adjust(position, 1)),
            KeyCode::Char('-' | '_') => self.select(|chosen, position| chosen.adjust(position, -1)),
            KeyCode::Char('b') => self.boom(),
            KeyCode::Enter => self.submit(),
            KeyCode::Char('c') => self.select(|_, _| Selection::Nothing),
            KeyCode::Char('r') if game.is_live() => {
                self.dialog = Some(Dialog::Resign { at: self.now + RESIGN_DELAY });
            }
            KeyCode::Char('d') if game.is_live() => self.draw(side),
            KeyCode::Char('D') if game.is_live() => {
                let game_id = Some(game.game.id);
                self.say(ClientMessage::DeclineDraw { game_id });
            }
            KeyCode::Char('m') if game.is_live() => self.ask_for_action(),
            KeyCode::Char('n') if !game.is_live() => self.rematch(),
            _ => {}
        }
    }

    /// Asks for an action to be typed.
    pub(super) fn ask_for_action(&mut self) {
        let field = TextField::new("", ACTION_CHARACTERS);
        self.dialog = Some(Dialog::Action { field, problem: None });
    }

    /// Chooses a square, as Space and a click do.
    pub(super) fn press(&mut self, square: Square) {
        let Some(game) = &mut self.game else { return };
        game.cursor = square;
        if !self.may_act() {
            return;
        }
        let Some(game) = &mut self.game else { return };
        match game.selection.press(&game.position, square) {
            Ok(chosen) => game.selection = chosen,
            Err(why) => self.tell(why, Tone::Bad),
        }
    }

    /// Shows what a boom takes, and booms if that is shown already.
    pub(super) fn boom(&mut self) {
        if !self.may_act() {
            return;
        }
        let Some(game) = &mut self.game else { return };
        if let Selection::Boom { source, .. } = game.selection
            && (source == game.cursor || game.position.height(game.cursor) == 0)
        {
            return self.submit();
        }
        match game.selection.boom(&game.position, game.cursor) {
            Ok(chosen) => game.selection = chosen,
            Err(why) => self.tell(why, Tone::Bad),
        }
    }

    /// Sends the action that is chosen.
    pub(super) fn submit(&mut self) {
        if !self.may_act() {
            return;
        }
        let Some(game) = &mut self.game else { return };
        match game.selection.action() {
            Some(action) => self.send(action),
            None if game.selection == Selection::Nothing => {
                self.tell("choose one of your stacks with Space first", Tone::Plain);
            }
            None => self.tell("choose where it goes with Space, or b for a boom", Tone::Plain),
        }
    }

    /// Sends an action.
    pub(super) fn send(&mut self, action: Action) {
        let Some(game) = &mut self.game else { return };
        self.actions_sent += 1;
        let id = format!("{:x}-{}", self.seed, self.actions_sent);
        let pending = Pending { action: action.into(), id, revision: game.game.revision };
        if self.connection.is_ready() {
            game.pending = Some(pending);
            self.send_pending();
        } else {
            self.tell("not connected just now", Tone::Bad);
        }
    }

    /// Sends the action without an answer, for the first time or once more.
    pub(super) fn send_pending(&mut self) {
        let Some(game) = &self.game else { return };
        let Some(Pending { action, id, revision }) = game.pending.clone() else { return };
        let (game_id, revision, action_id) = (Some(game.game.id), Some(revision), Some(id));
        self.say(ClientMessage::GameAction { action, game_id, revision, action_id });
    }

    pub(super) fn select(&mut self, change: impl FnOnce(Selection, &Position) -> Selection) {
        if let Some(game) = &mut self.game
            && game.is_my_turn()
        {
            game.selection = change(game.selection, &game.position);
        }
    }

    /// Whether the player may act now; says why not.
    pub(super) fn may_act(&mut self) -> bool {
        let Some(game) = &self.game else { return false };
        if game.is_my_turn() {
            return true;
        }
        let why = match game.is_live() {
            // The action that is on its way is shown already.
            _ if game.pending.is_some() => return false,
            true => "it is the other side's turn",
            false => "the game is over; n plays another one, Esc goes back",
        };
        self.tell(why, Tone::Plain);
        false
    }

    /// Leaves, after a question if that loses a game.
    fn ask_to_leave(&mut self) {
        let Some(game) = &self.game else { return };
        if game.side().is_some() && game.is_live() {
            self.dialog = Some(Dialog::Leave);
        } else {
            self.leave();
        }
    }

    pub(super) fn leave(&mut self) {
        if let Some(game_id) = self.game.as_ref().map(|game| game.game.id) {
            self.leaving = Some(game_id);
            if self.connection.is_ready() {
                self.say(ClientMessage::LeaveGame { game_id: Some(game_id) });
            }
        }
        self.show_lobby();
    }

    fn draw(&mut self, side: Team) {
        let Some(game) = &self.game else { return };
        let game_id = Some(game.game.id);
        match game.game.draw_offer {
            Some(team) if team == side => self.tell("your offer stands already", Tone::Plain),
            Some(_) => {
                self.say(ClientMessage::AcceptDraw { game_id });
            }
            None => {
                if self.say(ClientMessage::OfferDraw { game_id }) {
                    self.tell("a draw is offered", Tone::Plain);
                }
            }
        }
    }

    fn rematch(&mut self) {
        let Some(game) = &self.game else { return };
        let game_id = Some(game.game.id);
        if self.say(ClientMessage::Rematch { game_id }) {
            self.tell("another game is asked for", Tone::Plain);
        }
    }
}

/// The longest action is six characters; more may be typed by mistake.
const ACTION_CHARACTERS: usize = 12;
