//! A game as a state machine: an event and the time in, effects out.

use std::time::Duration;

use boombots_protocol::{Bot, BotEvaluations, EndReason, ErrorCode, GameResult};
use boombots_rules::{Color, Conclusion, Game, GameRecord};

use super::clock::Clock;
use super::event::{Announcement, Effect, Event};
use super::seat::{Human, Seat};
use crate::ids::UserId;
use crate::refusal::Refusal;

/// What is the same for every game of a server.
#[derive(Clone, Debug)]
pub struct MatchRules {
    /// How long a player may be away.
    pub grace: Duration,
    /// How long a match of bots goes on when its last spectator's connection was lost.
    pub unwatched_grace: Duration,
    /// How long a bot may search.
    pub bot_budget: Duration,
}

/// A game between two seats.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    pub(super) record: GameRecord<G>,
    pub(super) seats: [Seat; 2],
    pub(super) clock: Option<Clock>,
    pub(super) revision: u32,
    pub(super) draw_offer: Option<Color>,
    /// The name of the last action.
    pub(super) last_action_id: Option<String>,
    pub(super) evaluations: BotEvaluations,
    pub(super) rules: MatchRules,
    /// The revision at which a search was asked for.
    pub(super) searching: Option<u32>,
    /// When that search ends at the latest, once it has begun.
    pub(super) searches_until: Option<Duration>,
    pub(super) unwatched_since: Option<Duration>,
    pub(super) is_broken_off: bool,
}

impl<G: Game> Match<G> {
    /// A game that stands as its record does. Seats are White's and Black's.
    pub fn new(
        record: GameRecord<G>,
        seats: [Seat; 2],
        clock: Option<Clock>,
        rules: MatchRules,
    ) -> Match<G> {
        Match {
            revision: record.actions().len() as u32,
            record,
            seats,
            clock,
            draw_offer: None,
            last_action_id: None,
            evaluations: BotEvaluations::default(),
            rules,
            searching: None,
            searches_until: None,
            unwatched_since: None,
            is_broken_off: false,
        }
    }

    /// Remembers the names of actions that were taken before a restart.
    pub fn remember_action(&mut self, color: Color, action_id: Option<String>) {
        self.last_action_id.clone_from(&action_id);
        if let Seat::Human(human) = &mut self.seats[color.index()] {
            human.remember(action_id);
        }
    }

    /// What happens.
    pub fn handle(&mut self, event: Event<G>, now: Duration) -> Vec<Effect<G>> {
        let mut effects = Vec::new();
        match event {
            Event::Started => self.go_on(now, &mut effects),
            Event::Act { user, action, revision, action_id } => {
                self.act(user, action, revision, action_id, now, &mut effects);
            }
            Event::Resign(user) => match self.seat_in_play(user) {
                Ok(color) => self.conclude(Conclusion::Resignation(color), now, &mut effects),
                Err(refusal) => refuse(user, refusal, &mut effects),
            },
            Event::OfferDraw(user) => self.offer_draw(user, now, &mut effects),
            Event::AcceptDraw(user) => match self.opponents_offer(user) {
                Ok(_) => self.conclude(Conclusion::Agreement, now, &mut effects),
                Err(refusal) => refuse(user, refusal, &mut effects),
            },
            Event::DeclineDraw(user) => match self.opponents_offer(user) {
                Ok(_) => self.set_draw_offer(None, &mut effects),
                Err(refusal) => refuse(user, refusal, &mut effects),
            },
            Event::Leave(user) => {
                if let Ok(color) = self.seat_in_play(user) {
                    self.conclude(Conclusion::Abandonment(color), now, &mut effects);
                }
            }
            Event::Connected(user) => self.presence(user, None, &mut effects),
            Event::Disconnected(user) => self.presence(user, Some(now), &mut effects),
            Event::Watched { watchers, left } => {
                self.unwatched_since = (watchers == 0).then(|| {
                    // Whoever leaves is not waited for.
                    if left { now.saturating_sub(self.rules.unwatched_grace) } else { now }
                });
            }
            Event::SearchBegun { revision } => {
                if self.searching == Some(revision) && !self.is_over() {
                    let color = self.turn();
                    let budget = self.budget(now);
                    self.searches_until = Some(now + budget);
                    effects.push(Effect::Announce(Announcement::Thinking { color, budget }));
                }
            }
            Event::SearchEnded { revision, action, evaluation } => {
                self.search_ended(revision, action, evaluation, now, &mut effects);
            }
            Event::Tick => {}
        }
        self.time_passed(now, &mut effects);
        effects
    }

    /// When time alone changes something, unless something else happens before.
    pub fn wakes_at(&self) -> Option<Duration> {
        if self.is_over() {
            return None;
        }
        let clock = self.clock.as_ref().and_then(Clock::runs_out).map(|(_, at)| at);
        let away = self.seats.iter().filter_map(|seat| seat.as_human()?.away_since);
        let away = away.min().map(|since| since + self.rules.grace);
        let unwatched = self.unwatched_since.filter(|_| self.is_between_bots());
        let unwatched = unwatched.map(|since| since + self.rules.unwatched_grace);
        [clock, away, unwatched].into_iter().flatten().min()
    }

    /// What somebody who comes while a bot searches is told of it: who, and how long it may still take.
    pub fn thinking(&self, now: Duration) -> Option<Announcement> {
        let until = self.searches_until.filter(|_| !self.is_over())?;
        let is_current = self.searching == Some(self.revision);
        let budget = until.saturating_sub(now);
        is_current.then(|| Announcement::Thinking { color: self.turn(), budget })
    }

    /// The game so far.
    pub fn record(&self) -> &GameRecord<G> {
        &self.record
    }

    /// Counts what happened.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Both seats, White's first.
    pub fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    /// How it ended.
    pub fn result(&self) -> Option<GameResult> {
        if self.is_broken_off {
            return Some(GameResult { winner: None, reason: EndReason::BrokenOff });
        }
        let concluded = self.record.conclusion().map(GameResult::from);
        concluded.or_else(|| G::outcome(self.record.position()).map(GameResult::by_rule))
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.is_broken_off || self.record.outcome().is_some()
    }

    /// Whether both sides are bots.
    pub fn is_between_bots(&self) -> bool {
        self.seats.iter().all(Seat::is_bot)
    }

    pub(super) fn turn(&self) -> Color {
        G::turn(self.record.position())
    }

    pub(super) fn seat_of(&self, user: UserId) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.seats[color.index()].user() == Some(user))
    }

    pub(super) fn seat_in_play(&self, user: UserId) -> Result<Color, Refusal> {
        let color = self
            .seat_of(user)
            .ok_or_else(|| Refusal::new(ErrorCode::NotAPlayer, "you do not play in this game"))?;
        match self.is_over() {
            true => Err(Refusal::new(ErrorCode::GameOver, "the game is over")),
            false => Ok(color),
        }
    }

    pub(super) fn human(&self, color: Color) -> Option<&Human> {
        self.seats[color.index()].as_human()
    }
}

pub(super) fn refuse<G: Game>(user: UserId, refusal: Refusal, effects: &mut Vec<Effect<G>>) {
    effects.push(Effect::Refuse { user, refusal, action_id: None, with_game: false });
}

/// A bot's seat.
impl From<Bot> for Seat {
    fn from(bot: Bot) -> Seat {
        Seat::Bot(bot)
    }
}
