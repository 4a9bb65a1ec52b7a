//! What users say, put to the lobby.

use boombots_protocol as protocol;
use boombots_protocol::{ClientMessage, ErrorCode};
use boombots_rules::Action;

use super::Hub;
use crate::ids::{ChallengeId, ConnectionId, MatchId, UserId};
use crate::lobby::{GameStart, LobbyEffect};
use crate::matches::Event;
use crate::outbox::Outbox;
use crate::refusal::Refusal;

impl Hub {
    pub(super) async fn said(&mut self, user: UserId, message: ClientMessage) {
        let lobby = &mut self.lobby;
        let effects = match message {
            ClientMessage::Handshake { .. } => {
                let message = "this connection has a user already";
                let refusal = Refusal::new(ErrorCode::AlreadyConnected, message);
                vec![LobbyEffect::Refuse { user, refusal }]
            }
            ClientMessage::SendChallenge { target_id, game, start, clock, color } => {
                let start = GameStart::find(game.as_deref(), start.as_deref());
                let color = color.unwrap_or_default();
                lobby.send_challenge(user, UserId(target_id), start, clock, color)
            }
            ClientMessage::AcceptChallenge { challenge_id } => {
                lobby.accept_challenge(user, ChallengeId(challenge_id))
            }
            ClientMessage::DeclineChallenge { challenge_id } => {
                lobby.decline_challenge(user, ChallengeId(challenge_id))
            }
            ClientMessage::CancelChallenge { challenge_id } => {
                lobby.cancel_challenge(user, ChallengeId(challenge_id))
            }
            ClientMessage::GameAction { action, game_id, revision, action_id } => {
                match read_action(action, action_id.as_deref()) {
                    Ok(action) => {
                        metrics::counter!("boombots_actions_total").increment(1);
                        let event = Event::Act { user, action, revision, action_id };
                        lobby.happens(user, game_id.map(MatchId), event)
                    }
                    Err(refusal) => vec![LobbyEffect::Refuse { user, refusal }],
                }
            }
            ClientMessage::StartBotMatch { game, start } => {
                lobby.start_bot_match(user, GameStart::find(game.as_deref(), start.as_deref()))
            }
            ClientMessage::StartBotGame { color, level, game, start, clock } => {
                let start = GameStart::find(game.as_deref(), start.as_deref());
                let level = level.unwrap_or(*protocol::BOT_LEVELS.end());
                lobby.start_bot_game(user, start, clock, color.unwrap_or_default(), level)
            }
            ClientMessage::Spectate { game_id } => lobby.spectate(user, MatchId(game_id)),
            ClientMessage::LeaveGame { game_id } => lobby.leave(user, game_id.map(MatchId)),
            ClientMessage::Resign { game_id } => {
                lobby.happens(user, game_id.map(MatchId), Event::Resign(user))
            }
            ClientMessage::OfferDraw { game_id } => {
                lobby.happens(user, game_id.map(MatchId), Event::OfferDraw(user))
            }
            ClientMessage::AcceptDraw { game_id } => {
                lobby.happens(user, game_id.map(MatchId), Event::AcceptDraw(user))
            }
            ClientMessage::DeclineDraw { game_id } => {
                lobby.happens(user, game_id.map(MatchId), Event::DeclineDraw(user))
            }
            ClientMessage::Rematch { game_id } => lobby.rematch(user, game_id.map(MatchId)),
            ClientMessage::Analyze { position, game, lines, budget_ms } => {
                let start = GameStart::find(game.as_deref(), Some(&position));
                let Some((connection, outbox)) = self.way_to(user) else { return };
                let asked = start.and_then(|start| {
                    self.analyses.begin(connection, start.position, lines, budget_ms, outbox)
                });
                refused(user, asked)
            }
            ClientMessage::DeepAnalyze { position, game } => {
                let start = GameStart::find(game.as_deref(), Some(&position));
                let Some((connection, outbox)) = self.way_to(user) else { return };
                let asked =
                    start.and_then(|start| self.deep.begin(connection, start.position, outbox));
                refused(user, asked)
            }
            ClientMessage::EndDeepAnalysis => {
                if let Some(connection) = self.lobby.connection_of(user) {
                    self.deep.end(connection);
                }
                Vec::new()
            }
            // Answered by the connection itself.
            ClientMessage::Ping { .. } => Vec::new(),
        };
        self.carry_out(effects).await;
    }

    /// The connection of a user, and the way there.
    fn way_to(&self, user: UserId) -> Option<(ConnectionId, Outbox)> {
        let connection = self.lobby.connection_of(user)?;
        Some((connection, self.outboxes.get(&connection)?.clone()))
    }
}

fn refused(user: UserId, asked: Result<(), Refusal>) -> Vec<LobbyEffect> {
    asked.err().map(|refusal| LobbyEffect::Refuse { user, refusal }).into_iter().collect()
}

fn read_action(action: protocol::Action, action_id: Option<&str>) -> Result<Action, Refusal> {
    if action_id.is_some_and(|id| id.len() > MAX_ACTION_ID_BYTES) {
        let message = format!("an actionId has at most {MAX_ACTION_ID_BYTES} bytes");
        return Err(Refusal::new(ErrorCode::BadMessage, message));
    }
    let bad = |error: protocol::ActionError| Refusal::new(ErrorCode::BadMessage, error.to_string());
    Action::try_from(action).map_err(bad)
}

const MAX_ACTION_ID_BYTES: usize = 64;
