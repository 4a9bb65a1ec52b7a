//! The task that runs one game: the thin shell around [`Match`].

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use boombots_protocol::{Problem, ServerMessage};
use boombots_rules::{Action, Boombots, Position};
use boombots_search::StopSwitch;
use tokio::sync::mpsc;

use super::core::Match;
use super::event::{Announcement, Effect, Event, Stored};
use super::view::{game_of, message_of};
use crate::bots::{BotPool, BotTurn};
use crate::ids::{MatchId, UserId};
use crate::outbox::Outbox;
use crate::records::{ActionRow, MatchRow, Records};
use crate::text::Text;
use crate::timeline::Timeline;

/// What a game's task is told.
pub(crate) enum MatchMessage {
    /// Something happens in the game; `from` hears of refusals.
    Event {
        /// What.
        event: Event<Boombots>,
        /// Who caused it.
        from: Option<Outbox>,
    },
    /// Somebody comes to the game, or back to it, and is shown all of it.
    Join {
        /// Who.
        user: UserId,
        /// The way there.
        outbox: Outbox,
    },
    /// Somebody stops watching.
    Leave {
        /// Who.
        user: UserId,
    },
    /// Somebody's connection was lost.
    Gone {
        /// Who.
        user: UserId,
    },
}

/// The way to a game's task, which ends when this is dropped.
pub(crate) type MatchHandle = mpsc::Sender<MatchMessage>;

/// What a game's task tells the lobby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchNews {
    /// The game has ended.
    Ended(MatchId),
    /// Nobody needs to know of it any longer.
    Closed(MatchId),
}

/// What every game's task works with.
#[derive(Clone)]
pub(crate) struct ActorContext {
    pub(crate) timeline: Timeline,
    pub(crate) records: Records,
    pub(crate) bots: Arc<BotPool>,
    pub(crate) news: mpsc::Sender<MatchNews>,
    /// How long an ended game can still be looked at.
    pub(crate) linger: Duration,
}

struct Actor {
    id: MatchId,
    game: Match<Boombots>,
    audience: BTreeMap<UserId, Outbox>,
    context: ActorContext,
    /// The way back to this task, which does not keep it alive.
    own: mpsc::WeakSender<MatchMessage>,
    stop: StopSwitch,
    ended_at: Option<Duration>,
}

/// What a new game begins with, and one from before a restart does not.
pub(crate) struct Opening {
    /// The row to be stored.
    pub(crate) row: MatchRow,
    /// Those who are shown the game before anything happens in it.
    pub(crate) audience: Vec<(UserId, Outbox)>,
}

/// Starts the task of a game.
pub(crate) fn spawn(
    id: MatchId,
    game: Match<Boombots>,
    opening: Option<Opening>,
    context: ActorContext,
) -> MatchHandle {
    let (handle, inbox) = mpsc::channel(INBOX_MESSAGES);
    let actor = Actor {
        id,
        game,
        audience: BTreeMap::new(),
        context,
        own: handle.downgrade(),
        stop: StopSwitch::new(),
        ended_at: None,
    };
    tokio::spawn(actor.run(opening, inbox));
    handle
}

impl Actor {
    async fn run(mut self, opening: Option<Opening>, mut inbox: mpsc::Receiver<MatchMessage>) {
        let audience = match opening {
            Some(Opening { row, audience }) => {
                self.context.records.begin(row).await;
                audience
            }
            None => Vec::new(),
        };
        // Clocks run in what the audience is shown, and it hears of the first search from the start.
        let started = self.game.handle(Event::Started, self.context.timeline.now());
        for (user, outbox) in audience {
            self.join(user, outbox).await;
        }
        self.carry_out_all(started, None).await;
        loop {
            let linger = self.ended_at.map(|at| at + self.context.linger);
            let wake = linger.or_else(|| self.game.wakes_at());
            tokio::select! {
                message = inbox.recv() => match message {
                    Some(message) => self.hear(message).await,
                    None => break,
                },
                () = self.context.timeline.sleep_until(wake) => self.time_passes(linger).await,
            }
        }
        self.stop.stop();
    }

    async fn time_passes(&mut self, linger: Option<Duration>) {
        if linger.is_some() {
            // The lobby drops the handle, and with it this task.
            self.ended_at = Some(Duration::MAX / 4);
            let _ = self.context.news.send(MatchNews::Closed(self.id)).await;
        } else {
            self.happen(Event::Tick, None).await;
        }
    }

    async fn hear(&mut self, message: MatchMessage) {
        match message {
            MatchMessage::Event { event, from } => self.happen(event, from).await,
            MatchMessage::Join { user, outbox } => self.join(user, outbox).await,
            MatchMessage::Leave { user } => {
                if let Some(outbox) = self.audience.remove(&user) {
                    outbox.tell(&ServerMessage::LeftGame { game_id: self.id.0 });
                }
                self.happen(Event::Leave(user), None).await;
                self.count_watchers(true).await;
            }
            MatchMessage::Gone { user } => {
                self.audience.remove(&user);
                self.happen(Event::Disconnected(user), None).await;
                self.count_watchers(false).await;
            }
        }
    }

    async fn join(&mut self, user: UserId, outbox: Outbox) {
        // Others hear that a player is back before the player sees the game as it then is.
        self.audience.remove(&user);
        self.happen(Event::Connected(user), None).await;
        outbox.send(self.whole());
        if let Some(thinking) = self.game.thinking(self.context.timeline.now()) {
            outbox.tell(&self.message_of(thinking));
        }
        self.audience.insert(user, outbox);
        self.count_watchers(false).await;
    }

    async fn count_watchers(&mut self, left: bool) {
        if self.game.is_between_bots() {
            let watchers = self.audience.len();
            self.happen(Event::Watched { watchers, left }, None).await;
        }
    }

    async fn happen(&mut self, event: Event<Boombots>, from: Option<Outbox>) {
        let effects = self.game.handle(event, self.context.timeline.now());
        self.carry_out_all(effects, from).await;
    }

    async fn carry_out_all(&mut self, effects: Vec<Effect<Boombots>>, from: Option<Outbox>) {
        let is_stored = |effect: &Effect<Boombots>| matches!(effect, Effect::Store(_));
        let (stored, told): (Vec<_>, Vec<_>) = effects.into_iter().partition(is_stored);
        for effect in stored {
            self.carry_out(effect, from.as_ref()).await;
        }
        if self.game.is_over() && self.ended_at.is_none() {
            self.ended_at = Some(self.context.timeline.now());
            // The lobby knows it before the players do: who hears that a game has ended can begin
            // another at once.
            let _ = self.context.news.send(MatchNews::Ended(self.id)).await;
        }
        for effect in told {
            self.carry_out(effect, from.as_ref()).await;
        }
    }

    async fn carry_out(&mut self, effect: Effect<Boombots>, from: Option<&Outbox>) {
        match effect {
            Effect::Store(stored) => self.store(stored).await,
            Effect::Announce(announcement) => self.tell_all(&self.message_of(announcement)),
            Effect::Show(user) => self.reply(user, from, self.whole()),
            Effect::Refuse { user, refusal, action_id, with_game } => {
                let about_action =
                    action_id.is_some() || with_game || refusal.code.concerns_an_action();
                let problem = Problem {
                    game_id: Some(self.id.0),
                    action_id,
                    revision: about_action.then(|| self.game.revision()),
                    state: about_action.then(|| self.game.record().position().into()),
                    ..refusal.problem()
                };
                self.reply(user, from, ServerMessage::Error(problem).to_text().into());
                if with_game {
                    self.reply(user, from, self.whole());
                }
            }
            Effect::Think { color, bot, revision, budget } => {
                let turn = BotTurn {
                    position: *self.game.record().position(),
                    history: history(&self.game),
                    bot,
                    budget,
                    stop: self.stop.clone(),
                };
                let (begun, ended) = (self.own.clone(), self.own.clone());
                let ahead = self.context.bots.take_turn(
                    turn,
                    move || tell(&begun, Event::SearchBegun { revision }),
                    move |action, evaluation| {
                        tell(&ended, Event::SearchEnded { revision, action, evaluation });
                    },
                );
                if ahead > 0 {
                    let (game_id, team) = (self.id.0, color.into());
                    let ahead = ahead as u32;
                    self.tell_all(&ServerMessage::BotQueued { game_id, team, ahead });
                }
            }
            Effect::StopThinking => self.stop.stop(),
        }
    }

    async fn store(&self, stored: Stored<Boombots>) {
        let records = &self.context.records;
        match stored {
            Stored::Action { number, action, action_id, left } => {
                let row = ActionRow {
                    game: self.id,
                    number,
                    action: action.to_string(),
                    action_id,
                    left_ms: left.map(|left| left.map(|left| left.as_millis() as u32)),
                };
                records.action(row).await;
            }
            Stored::End => {
                records.end(self.id, self.game.record().clone(), self.game.result()).await;
            }
            Stored::Nothing => records.remove(self.id).await,
        }
    }

    fn message_of(&self, announcement: Announcement) -> ServerMessage {
        message_of(self.id, &self.game, self.context.timeline.now(), announcement)
    }

    fn tell_all(&self, message: &ServerMessage) {
        if self.audience.is_empty() {
            return;
        }
        let text = Text::from(message.to_text());
        for outbox in self.audience.values() {
            outbox.send(text.clone());
        }
    }

    fn reply(&self, user: UserId, from: Option<&Outbox>, text: Text) {
        if let Some(outbox) = from.or_else(|| self.audience.get(&user)) {
            outbox.send(text);
        }
    }

    fn whole(&self) -> Text {
        let now = self.context.timeline.now();
        ServerMessage::Game(game_of(self.id, &self.game, now, true)).to_text().into()
    }
}

/// From a search's thread.
fn tell(own: &mpsc::WeakSender<MatchMessage>, event: Event<Boombots>) {
    if let Some(own) = own.upgrade() {
        let _ = own.blocking_send(MatchMessage::Event { event, from: None });
    }
}

/// The positions before the current one.
fn history(game: &Match<Boombots>) -> Vec<Position> {
    let record = game.record();
    let played = |position: &mut Position, action: &Action| {
        let before = *position;
        *position = position.apply_unchecked(*action);
        Some(before)
    };
    record.actions().iter().scan(*record.start(), played).collect()
}

/// Messages a game may be behind with.
const INBOX_MESSAGES: usize = 256;
