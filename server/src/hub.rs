//! The task that runs the lobby: the thin shell around [`Lobby`].

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use boombots_protocol as protocol;
use boombots_protocol::{ClientMessage, CloseCode, ErrorCode, PROTOCOL_VERSION, ServerMessage};
use boombots_rules::Action;
use tokio::sync::{mpsc, watch};

use crate::analysis::Analyses;
use crate::bots::BotPool;
use crate::ids::{ChallengeId, ConnectionId, MatchId, UserId};
use crate::lobby::{Begin, GameStart, Lobby, LobbyEffect};
use crate::matches::{
    self, ActorContext, Clock, Event, Match, MatchHandle, MatchMessage, MatchNews, MatchRules, Seat,
};
use crate::outbox::Outbox;
use crate::records::{MatchRow, SessionRow};
use crate::refusal::Refusal;
use crate::shown_lobby::ShownLobby;
use crate::tables::TableService;
use crate::timeline::Timeline;
use crate::token::{ResumeToken, TokenDigest};
use boombots_rules::{Boombots, Game as _, GameRecord};

/// What the lobby's task is told.
pub(crate) enum HubMessage {
    /// A connection says who it is.
    Connect {
        connection: ConnectionId,
        outbox: Outbox,
        name: String,
        resume: Option<String>,
        /// Is told who that is, unless the handshake was refused.
        welcomed: tokio::sync::oneshot::Sender<Option<UserId>>,
    },
    /// A user says something.
    Said { user: UserId, connection: ConnectionId, message: ClientMessage },
    /// A connection was lost or closed.
    Disconnected { user: UserId, connection: ConnectionId },
    /// How many users and games there are.
    Count(tokio::sync::oneshot::Sender<Counts>),
}

/// How many users and games there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) users: usize,
    /// With those who are away for a moment.
    pub(crate) sessions: usize,
    pub(crate) games: usize,
}

/// The lobby with everything it needs to act.
pub(crate) struct Hub {
    pub(crate) lobby: Lobby,
    pub(crate) timeline: Timeline,
    pub(crate) rules: MatchRules,
    pub(crate) context: ActorContext,
    pub(crate) tables: Arc<TableService>,
    pub(crate) bots: Arc<BotPool>,
    pub(crate) analyses: Analyses,
    /// The latest lobby, for every connection.
    pub(crate) shown: watch::Sender<Arc<ShownLobby>>,
    pub(crate) outboxes: HashMap<ConnectionId, Outbox>,
    pub(crate) handles: HashMap<MatchId, MatchHandle>,
    /// When the lobby is to be shown again; `None` if nothing has changed.
    pub(crate) show_at: Option<Duration>,
    pub(crate) shown_at: Duration,
    /// The tokens of connections that are being welcomed.
    pub(crate) tokens: HashMap<ConnectionId, String>,
}

impl Hub {
    /// Runs the lobby until nobody can say anything any more.
    pub(crate) async fn run(
        mut self,
        mut inbox: mpsc::Receiver<HubMessage>,
        mut news: mpsc::Receiver<MatchNews>,
    ) {
        let mut problems = self.tables.problems();
        let mut builds = self.tables.builds();
        let mut look = tokio::time::interval(LOOK_EVERY);
        let mut seen = (self.bots.business(), String::new());
        loop {
            tokio::select! {
                message = inbox.recv() => match message {
                    Some(message) => self.hear(message).await,
                    None => break,
                },
                Some(news) = news.recv() => self.learn(news).await,
                () = self.timeline.sleep_until(self.show_at) => self.show(),
                Ok(()) = problems.changed() => self.changed(),
                Ok(()) = builds.changed() => {
                    let builds = builds.borrow_and_update();
                    let building = builds.current.as_ref().map(|build| build.class.clone());
                    let now = format!("{building:?} {:?}", builds.ready);
                    drop(builds);
                    if now != seen.1 {
                        seen.1 = now;
                        self.changed();
                    }
                }
                _ = look.tick() => {
                    let effects = self.lobby.time_passed(self.timeline.now());
                    self.carry_out(effects).await;
                    let business = self.bots.business();
                    if business != seen.0 {
                        seen.0 = business;
                        self.changed();
                    }
                }
            }
        }
    }

    async fn hear(&mut self, message: HubMessage) {
        match message {
            HubMessage::Connect { connection, outbox, name, resume, welcomed } => {
                let user = self.connect(connection, outbox, &name, resume).await;
                let _ = welcomed.send(user);
            }
            HubMessage::Said { user, connection, message } => {
                // What an old connection still says is the user's no longer.
                if self.lobby.connection_of(user) == Some(connection) {
                    self.said(user, message).await;
                }
            }
            HubMessage::Disconnected { user, connection } => {
                self.outboxes.remove(&connection);
                self.analyses.end(connection);
                let effects = self.lobby.disconnect(user, connection, self.timeline.now());
                self.carry_out(effects).await;
            }
            HubMessage::Count(reply) => {
                let _ = reply.send(Counts {
                    users: self.lobby.connected(),
                    sessions: self.lobby.known(),
                    games: self.lobby.live_games(),
                });
            }
        }
    }

    async fn connect(
        &mut self,
        connection: ConnectionId,
        outbox: Outbox,
        name: &str,
        resume: Option<String>,
    ) -> Option<UserId> {
        let fresh = match ResumeToken::random() {
            Ok(fresh) => fresh,
            Err(error) => {
                tracing::error!(%error, "no randomness for a token");
                outbox.close(CloseCode::Full);
                return None;
            }
        };
        let given = resume.as_deref().map(TokenDigest::of);
        let effects = self.lobby.connect(connection, name, given, fresh.digest());
        let welcomed = effects.iter().find_map(|effect| match effect {
            LobbyEffect::Welcome { user, resumed, .. } => Some((*user, *resumed)),
            _ => None,
        });
        self.outboxes.insert(connection, outbox);
        if let Some((_, resumed)) = welcomed {
            let token = resume.filter(|_| resumed).unwrap_or_else(|| fresh.as_str().to_owned());
            self.tokens.insert(connection, token);
        }
        self.carry_out(effects).await;
        if welcomed.is_none() {
            self.outboxes.remove(&connection);
        }
        welcomed.map(|(user, _)| user)
    }

    async fn said(&mut self, user: UserId, message: ClientMessage) {
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
                let Some(connection) = lobby.connection_of(user) else { return };
                let Some(outbox) = self.outboxes.get(&connection).cloned() else { return };
                let asked = start.and_then(|start| {
                    self.analyses.begin(connection, start.position, lines, budget_ms, outbox)
                });
                asked
                    .err()
                    .map(|refusal| LobbyEffect::Refuse { user, refusal })
                    .into_iter()
                    .collect()
            }
            // Answered by the connection itself.
            ClientMessage::Ping { .. } => Vec::new(),
        };
        self.carry_out(effects).await;
    }

    async fn learn(&mut self, news: MatchNews) {
        match news {
            MatchNews::Ended(id) => {
                let effects = self.lobby.game_ended(id);
                self.carry_out(effects).await;
            }
            MatchNews::Closed(id) => {
                self.lobby.game_closed(id);
                self.handles.remove(&id);
            }
        }
    }

    async fn carry_out(&mut self, effects: Vec<LobbyEffect>) {
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
                    if self.show_pause() > SOON
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
        let text = match self.show_pause() > SOON {
            true => self.shown.borrow().text_with(&self.lobby.challenges_of(user)),
            false => self.written().text_for(user),
        };
        outbox.send(text);
    }

    fn begin(&mut self, begin: Begin) {
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
        let handle = matches::spawn(begin.id, game, Some(row), self.context.clone());
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

    /// Has the lobby shown soon.
    fn changed(&mut self) {
        let soonest = self.shown_at + self.show_pause();
        self.show_at.get_or_insert(soonest.max(self.timeline.now()));
    }

    /// How long the lobby is shown at least before it is shown again: what goes out grows with the square of the users.
    fn show_pause(&self) -> Duration {
        (SHOW_PAUSE_A_USER * self.outboxes.len() as u32).clamp(PROMPT, LONGEST_PAUSE)
    }

    fn show(&mut self) {
        self.show_at = None;
        self.shown_at = self.timeline.now();
        self.shown.send_replace(Arc::new(self.written()));
        metrics::gauge!("boombots_users").set(self.lobby.connected() as f64);
        metrics::gauge!("boombots_games_live").set(self.lobby.live_games() as f64);
    }

    fn written(&self) -> ShownLobby {
        let business = self.bots.business();
        let bots = protocol::LobbyBots {
            levels: *protocol::BOT_LEVELS.end(),
            slots: business.slots as u32,
            thinking: business.thinking as u32,
            queued: business.queued as u32,
        };
        let builds = self.tables.builds();
        let builds = builds.borrow();
        let tables = protocol::LobbyTables {
            ready: builds.ready.clone(),
            building: builds.current.as_ref().map(|build| build.class.clone()),
            problems: self.tables.problems().borrow().clone(),
        };
        drop(builds);
        let lobby = protocol::Lobby { bots, tables, ..self.lobby.view() };
        ShownLobby::new(lobby, self.lobby.challenges_by_user())
    }
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

const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Soon enough for anybody.
const PROMPT: Duration = Duration::from_millis(20);

/// Soon enough for a challenge.
const SOON: Duration = Duration::from_millis(200);

const SHOW_PAUSE_A_USER: Duration = Duration::from_micros(1_500);

const LONGEST_PAUSE: Duration = Duration::from_secs(3);
