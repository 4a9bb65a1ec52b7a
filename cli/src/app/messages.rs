//! What the server says.

use std::time::Duration;

use boombots_protocol::{
    Challenge, DeepAnalysis, ErrorCode, Game, Lobby, Problem, ServerMessage, Team,
};
use boombots_rules::Color;

use crate::app::{App, View};
use crate::state::{Dialog, GameState, LinkState, Role, Thinking, Tone};

impl App {
    pub(super) fn message(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Welcome(welcome) => self.welcome(welcome),
            ServerMessage::Lobby(lobby) => self.take_lobby(lobby),
            ServerMessage::ChallengeEnded { challenge_id, reason } => {
                self.challenge_ended(challenge_id, &reason);
            }
            ServerMessage::Game(game) => self.take_game(game),
            ServerMessage::BotThinking { game_id, team, budget_ms } => {
                let until = self.now + Duration::from_millis(u64::from(budget_ms));
                self.thinking(game_id, Thinking::Searching { team, until });
            }
            ServerMessage::BotQueued { game_id, team, ahead } => {
                self.thinking(game_id, Thinking::Queued { team, ahead });
            }
            ServerMessage::DrawOffer { game_id, team } => self.draw_offer(game_id, team),
            ServerMessage::Presence { game_id, team, connected, grace_ms } => {
                self.presence(game_id, team, connected, grace_ms);
            }
            ServerMessage::LeftGame { game_id } => self.left_game(game_id),
            ServerMessage::Error(problem) => self.refused(problem),
            ServerMessage::Builds(builds) => self.builds = Some(builds),
            ServerMessage::DeepAnalysis(found) => self.found(found),
            ServerMessage::Analysis(_) | ServerMessage::Pong { .. } => {}
        }
    }

    fn take_lobby(&mut self, lobby: Lobby) {
        let known: Vec<u32> = self.lobby.lobby.challenges.iter().map(|open| open.id).collect();
        let me = self.connection.id;
        let new = lobby
            .challenges
            .iter()
            .find(|open| Some(open.target_id) == me && !known.contains(&open.id));
        let told = new.map(|open| {
            let what =
                if open.rematch_of.is_some() { "asks for another game" } else { "challenges you" };
            let how = match self.view {
                View::Game if open.rematch_of.is_some() => "n accepts",
                View::Analysis if open.rematch_of.is_some() && self.game.is_some() => {
                    "Esc, then n accepts"
                }
                View::Lobby => "Tab and Enter accept",
                _ => "see the lobby",
            };
            format!("{} {what}: {how}", open.challenger_name)
        });
        self.lobby.take(lobby, me);
        if let Some(told) = told {
            self.tell(told, Tone::Good);
        }
    }

    fn challenge_ended(&mut self, id: u32, reason: &str) {
        let challenges = &self.lobby.lobby.challenges;
        let Some(open) = challenges.iter().find(|open| open.id == id) else { return };
        let Challenge { challenger_id, target_id, challenger_name, .. } = open;
        let mine = Some(*challenger_id) == self.connection.id;
        let told = match (reason, mine) {
            ("declined", true) => format!("{} declines", self.lobby.name(*target_id)),
            ("cancelled", false) => format!("{challenger_name} takes the challenge back"),
            ("playing", true) => {
                format!("{} plays somebody else now", self.lobby.name(*target_id))
            }
            _ => return,
        };
        self.tell(told, Tone::Plain);
    }

    fn take_game(&mut self, game: Game) {
        if self.leaving == Some(game.id) {
            return;
        }
        let (id, ended) = (game.id, game.result);
        let taken = match &mut self.game {
            Some(open) if open.game.id == id => open.take(game, self.animate, self.now),
            open => {
                let busy =
                    open.as_ref().is_some_and(|open| open.is_live() && open.side().is_some());
                match GameState::new(game, self.connection.id, self.now) {
                    // One's own game is not left for one that is watched.
                    Ok(new) if busy && new.role == Role::Spectator => return,
                    Ok(new) => {
                        *open = Some(new);
                        self.end_analysis();
                        self.view = View::Game;
                        self.dialog = None;
                        self.notice = None;
                        Ok(())
                    }
                    Err(why) => Err(why),
                }
            }
        };
        if let Err(why) = taken {
            return self.tell(format!("the server's position makes no sense: {why}"), Tone::Bad);
        }
        self.settle_pending();
        let asks = self.view == View::Game && !matches!(self.dialog, Some(Dialog::Help { .. }));
        if ended.is_some() && asks {
            self.dialog = None;
        }
    }

    /// An action without an answer is answered by a later revision; after a reconnection it is
    /// sent again, and counts once.
    fn settle_pending(&mut self) {
        let resend = std::mem::take(&mut self.resend);
        let Some(game) = &mut self.game else { return };
        let Some(pending) = &game.pending else { return };
        if game.game.revision > pending.revision || !game.is_live() {
            game.pending = None;
        } else if resend {
            self.send_pending();
        }
    }

    fn thinking(&mut self, game_id: u32, thinking: Thinking) {
        if let Some(game) = self.game.as_mut().filter(|game| game.game.id == game_id) {
            game.thinking = Some(thinking);
        }
    }

    fn draw_offer(&mut self, game_id: u32, team: Option<Team>) {
        let Some(game) = self.game.as_mut().filter(|game| game.game.id == game_id) else { return };
        let before = std::mem::replace(&mut game.game.draw_offer, team);
        let told = match (team, before) {
            (Some(team), _) if Some(team) != game.side() => {
                format!("{} offers a draw", game.player(team).name)
            }
            (None, Some(team)) if Some(team) == game.side() => "the draw is declined".to_owned(),
            _ => return,
        };
        self.tell(told, Tone::Plain);
    }

    fn presence(&mut self, game_id: u32, team: Team, connected: bool, grace_ms: Option<u32>) {
        let now = self.now;
        let Some(game) = self.game.as_mut().filter(|game| game.game.id == game_id) else { return };
        let until = grace_ms.map(|ms| now + Duration::from_millis(u64::from(ms)));
        game.absent_until[Color::from(team).index()] = until.filter(|_| !connected);
        let player = match team {
            Team::White => &mut game.game.players.white,
            Team::Black => &mut game.game.players.black,
        };
        player.connected = connected;
        if Some(team) != game.side() {
            let what = if connected { "is back" } else { "has lost the connection" };
            let told = format!("{} {what}", game.player(team).name);
            self.tell(told, Tone::Plain);
        }
    }

    fn left_game(&mut self, game_id: u32) {
        if self.leaving == Some(game_id) {
            self.leaving = None;
        } else if self.game.as_ref().is_some_and(|game| game.game.id == game_id) {
            self.show_lobby();
            self.tell("the game is closed", Tone::Plain);
        }
    }

    fn found(&mut self, found: DeepAnalysis) {
        if let Some(analysis) = &mut self.analysis {
            analysis.take(found, self.now);
        }
    }

    fn refused(&mut self, problem: Problem) {
        if self.connection.link == LinkState::Greeting {
            return self.not_welcome(problem);
        }
        if let Some(analysis) = &mut self.analysis
            && analysis.refuse(problem.code, &problem.message)
        {
            return;
        }
        if let Some(game) = &mut self.game
            && problem.action_id.is_some()
            && game.pending.as_ref().map(|pending| &pending.id) == problem.action_id.as_ref()
        {
            game.pending = None;
        }
        let gone = problem.code == ErrorCode::UnknownGame
            && self
                .game
                .as_ref()
                .is_some_and(|game| problem.game_id.is_none_or(|id| id == game.game.id));
        if gone {
            self.show_lobby();
        }
        if matches!(problem.code, ErrorCode::GameOver | ErrorCode::UnknownGame)
            && self.leaving.take().is_some()
        {
            // It was left, and is over.
            return;
        }
        self.tell(problem.message, Tone::Bad);
    }
}
