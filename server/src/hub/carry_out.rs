//! What the lobby decides, carried out.

use boombots_protocol as protocol;
use boombots_protocol::{CloseCode, PROTOCOL_VERSION, ServerMessage};
use boombots_rules::{Boombots, Game as _, GameRecord};

use super::Hub;
use crate::ids::{ConnectionId, MatchId, UserId};
use crate::lobby::{Begin, LobbyEffect};
use crate::matches::{self, Clock, Match, MatchMessage, Opening, Seat};
use crate::outbox::Outbox;
use crate::records::{MatchRow, SessionRow};

impl Hub {
    pub(super) async fn carry_out(&mut self, effects: Vec<LobbyEffect>) {
        for effect in effects {
            match effect {
                LobbyEffect::Welcome { connection, user, resumed, playing } => {
                    self.welcome(connection, user, resumed, playing);
                }
                LobbyEffect::RefuseConnection { connection, refusal } => {
                    if let Some(outbox) = self.outboxes.get(&connection) {
                        outbox.tell(&ServerMessage::Error(refusal.problem()));
                    }
                }
                LobbyEffect::Replace { connection } => {
                    if let Some(outbox) = self.outboxes.remove(&connection) {
                        outbox.close(CloseCode::Replaced);
                    }
                }
                LobbyEffect::Refuse { user, refusal } => {
                    self.tell(user, &ServerMessage::Error(refusal.problem()));
                }
                LobbyEffect::Begin(begin) => self.begin(*begin),
                LobbyEffect::Happens { game, user, event } => {
                    let from = self.outbox(user).cloned();
                    self.forward(game, MatchMessage::Event { event, from }).await;
                }
                LobbyEffect::Join { game, user } => {
                    if let Some(outbox) = self.outbox(user).cloned() {
                        self.forward(game, MatchMessage::Join { user, outbox }).await;
                    }
                }
                LobbyEffect::Leave { game, user } => {
                    self.forward(game, MatchMessage::Leave { user }).await;
                }
                LobbyEffect::Gone { game, user } => {
                    self.forward(game, MatchMessage::Gone { user }).await;
                }
                LobbyEffect::ChallengeEnded { user, challenge, reason } => {
                    let (challenge_id, reason) = (challenge.0, reason.to_owned());
                    self.tell(user, &ServerMessage::ChallengeEnded { challenge_id, reason });
                }
                LobbyEffect::Concerns(user) => {
                    // Everybody sees it soon anyway where there are few.
                    if !self.shows_soon()
                        && let Some(outbox) = self.outbox(user)
                    {
                        let challenges = self.lobby.challenges_of(user);
                        outbox.send(self.shown.borrow().text_with(&challenges));
                    }
                }
                LobbyEffect::Changed => self.changed(),
            }
        }
    }

    fn welcome(
        &mut self,
        connection: ConnectionId,
        user: UserId,
        resumed: bool,
        playing: Option<MatchId>,
    ) {
        let Some(outbox) = self.outboxes.get(&connection) else { return };
        outbox.tell(&ServerMessage::Welcome(protocol::Welcome {
            id: user.0,
            name: self.lobby.name_of(user).unwrap_or_default().to_owned(),
            resume_token: self.tokens.remove(&connection).unwrap_or_default(),
            resumed,
            protocol_version: PROTOCOL_VERSION,
            server_version: env!("CARGO_PKG_VERSION").to_owned(),
            table_classes: self.tables.ready(),
            playing: playing.map(|game| game.0),
        }));
        // Where there are many the newcomer is content with a lobby of a moment ago.
        let text = match !self.shows_soon() {
            true => self.shown.borrow().text_with(&self.lobby.challenges_of(user)),
            false => self.written().text_for(user),
        };
        outbox.send(text);
    }

    fn begin(&mut self, begin: Begin) {
        let way_to = |user| Some((user, self.outbox(user)?.clone()));
        let audience = begin.audience().into_iter().filter_map(way_to).collect();
        let players = matches::players_of(&begin.seats);
        let known = begin.seats.iter().filter_map(Seat::user).chain([begin.creator]);
        let sessions = known.filter_map(|user| {
            let name = self.lobby.name_of(user)?.to_owned();
            Some(SessionRow { user, name, token: self.lobby.token_of(user)? })
        });
        let row = MatchRow {
            id: begin.id,
            game: Boombots::ID,
            start: begin.start.position.to_string(),
            players,
            clock: begin.clock,
            creator: begin.creator,
            sessions: sessions.collect(),
        };
        let mut record = GameRecord::new(begin.start.position);
        for (tag, seat) in ["White", "Black"].into_iter().zip(&begin.seats) {
            // Names have no control characters, so they make good tags.
            let _ = record.set_tag(tag, &seat.name());
        }
        let clock = begin.clock.map(Clock::new);
        let game = Match::new(record, begin.seats, clock, self.rules.clone());
        let opening = Opening { row, audience };
        let handle = matches::spawn(begin.id, game, Some(opening), self.context.clone());
        self.handles.insert(begin.id, handle);
        metrics::counter!("boombots_games_total").increment(1);
    }

    async fn forward(&self, game: MatchId, message: MatchMessage) {
        if let Some(handle) = self.handles.get(&game) {
            // A game's task never waits for the lobby, so this is short.
            let _ = handle.send(message).await;
        }
    }

    fn outbox(&self, user: UserId) -> Option<&Outbox> {
        self.outboxes.get(&self.lobby.connection_of(user)?)
    }

    fn tell(&self, user: UserId, message: &ServerMessage) {
        if let Some(outbox) = self.outbox(user) {
            outbox.tell(message);
        }
    }
}
