//! The task that runs the lobby: the thin shell around [`Lobby`].

mod carry_out;
mod said;
mod show;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use boombots_protocol::{ClientMessage, CloseCode};
use tokio::sync::{mpsc, watch};

use crate::analysis::Analyses;
use crate::bots::BotPool;
use crate::deep::DeepAnalyses;
use crate::ids::{ConnectionId, MatchId, UserId};
use crate::lobby::{Lobby, LobbyEffect};
use crate::matches::{ActorContext, MatchHandle, MatchNews, MatchRules};
use crate::outbox::Outbox;
use crate::shown_lobby::ShownLobby;
use crate::tables::TableService;
use crate::timeline::Timeline;
use crate::token::{ResumeToken, TokenDigest};

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
    pub(crate) deep: DeepAnalyses,
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
                    Some(message) => {
                        // What somebody says may follow from what a game has told them.
                        while let Ok(news) = news.try_recv() {
                            self.learn(news).await;
                        }
                        self.hear(message).await;
                    }
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
                self.deep.end(connection);
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
}

const LOOK_EVERY: Duration = Duration::from_millis(500);
