//! A game as a state machine: an event and the time in, effects out.

use std::time::Duration;

use boombots_protocol::{
    Bot, BotEvaluation, BotEvaluations, EndReason, ErrorCode, GameResult, Team,
};
use boombots_rules::{Color, Conclusion, Game, GameRecord};

use super::clock::Clock;
use super::event::{Announcement, Effect, Event, Stored};
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
    rules: MatchRules,
    /// The revision at which a search was asked for.
    searching: Option<u32>,
    unwatched_since: Option<Duration>,
    is_broken_off: bool,
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

    fn turn(&self) -> Color {
        G::turn(self.record.position())
    }

    fn seat_of(&self, user: UserId) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.seats[color.index()].user() == Some(user))
    }

    fn seat_in_play(&self, user: UserId) -> Result<Color, Refusal> {
        let color = self
            .seat_of(user)
            .ok_or_else(|| Refusal::new(ErrorCode::NotAPlayer, "you do not play in this game"))?;
        match self.is_over() {
            true => Err(Refusal::new(ErrorCode::GameOver, "the game is over")),
            false => Ok(color),
        }
    }

    fn act(
        &mut self,
        user: UserId,
        action: G::Action,
        revision: Option<u32>,
        action_id: Option<String>,
        now: Duration,
        effects: &mut Vec<Effect<G>>,
    ) {
        let taken = action_id.as_ref().is_some_and(|id| {
            let seat = self.seat_of(user).and_then(|color| self.human(color));
            seat.is_some_and(|human| human.action_ids.contains(id))
        });
        if taken {
            effects.push(Effect::Show(user));
            return;
        }
        let legal = self.may_act(user, revision).and_then(|color| {
            let played = self.record.play(action.clone());
            let refused = |error: &dyn std::fmt::Display| {
                Refusal::new(ErrorCode::IllegalAction, error.to_string())
            };
            played.map(|()| color).map_err(|error| refused(&error))
        });
        match legal {
            Ok(color) => {
                if let Seat::Human(human) = &mut self.seats[color.index()] {
                    human.remember(action_id.clone());
                }
                self.acted(action, action_id, now, effects);
            }
            Err(refusal) => {
                let with_game = refusal.code == ErrorCode::StaleAction;
                effects.push(Effect::Refuse { user, refusal, action_id, with_game });
            }
        }
    }

    fn may_act(&self, user: UserId, revision: Option<u32>) -> Result<Color, Refusal> {
        let color = self.seat_in_play(user)?;
        if let Some(answered) = revision.filter(|revision| *revision != self.revision) {
            let current = self.revision;
            let message =
                format!("the action answers revision {answered}, but the game is at {current}");
            return Err(Refusal::new(ErrorCode::StaleAction, message));
        }
        if self.turn() != color {
            let message = format!("it is {}'s turn", self.turn());
            return Err(Refusal::new(ErrorCode::NotYourTurn, message));
        }
        Ok(color)
    }

    /// After an action was played in the record.
    fn acted(
        &mut self,
        action: G::Action,
        action_id: Option<String>,
        now: Duration,
        effects: &mut Vec<Effect<G>>,
    ) {
        self.revision += 1;
        self.draw_offer = None;
        self.last_action_id.clone_from(&action_id);
        if let Some(clock) = &mut self.clock {
            clock.stop(now, true);
        }
        let left = self.clock.as_ref().map(|clock| Color::ALL.map(|color| clock.left(color, now)));
        let number = self.record.actions().len() as u32;
        effects.push(Effect::Store(Stored::Action { number, action, action_id, left }));
        if self.is_over() {
            effects.push(Effect::Store(Stored::End));
            effects.push(Effect::StopThinking);
        } else {
            self.start_clock(now);
        }
        effects.push(Effect::Announce(Announcement::Revision));
        if self.is_between_bots() && number >= G::BOT_MATCH_ACTIONS {
            self.conclude(Conclusion::ActionLimit, now, effects);
        }
        self.go_on(now, effects);
    }

    fn start_clock(&mut self, now: Duration) {
        let turn = self.turn();
        if let Some(clock) = &mut self.clock {
            clock.start(turn, now);
        }
    }

    /// Has the bot whose turn it is search, and the clock run.
    fn go_on(&mut self, now: Duration, effects: &mut Vec<Effect<G>>) {
        if self.is_over() {
            return;
        }
        if self.clock.as_ref().is_some_and(|clock| clock.running().is_none()) {
            self.start_clock(now);
        }
        let color = self.turn();
        if let Seat::Bot(bot) = self.seats[color.index()]
            && self.searching != Some(self.revision)
        {
            self.searching = Some(self.revision);
            let (revision, budget) = (self.revision, self.budget(now));
            effects.push(Effect::Think { color, bot, revision, budget });
        }
    }

    /// How long the side to move may search: the whole budget, or a share of its clock.
    fn budget(&self, now: Duration) -> Duration {
        let share = self.clock.as_ref().map(|clock| {
            let left = clock.left(self.turn(), now).saturating_sub(CLOCK_RESERVE);
            (left / CLOCK_SHARE + clock.increment() * 3 / 4).min(left / 2)
        });
        let budget = share.map_or(self.rules.bot_budget, |share| share.min(self.rules.bot_budget));
        budget.max(Duration::from_millis(1))
    }

    fn search_ended(
        &mut self,
        revision: u32,
        action: G::Action,
        evaluation: Option<BotEvaluation>,
        now: Duration,
        effects: &mut Vec<Effect<G>>,
    ) {
        let is_current =
            self.searching == Some(revision) && self.revision == revision && !self.is_over();
        let color = self.turn();
        if !is_current || !self.seats[color.index()].is_bot() {
            return;
        }
        if self.record.play(action.clone()).is_ok() {
            match Team::from(color) {
                Team::White => self.evaluations.white = evaluation.or(self.evaluations.white),
                Team::Black => self.evaluations.black = evaluation.or(self.evaluations.black),
            }
            self.acted(action, None, now, effects);
        }
    }

    fn offer_draw(&mut self, user: UserId, now: Duration, effects: &mut Vec<Effect<G>>) {
        let color = match self.seat_in_play(user) {
            Ok(color) => color,
            Err(refusal) => return refuse(user, refusal, effects),
        };
        if self.seats[(!color).index()].is_bot() {
            let refusal = Refusal::new(ErrorCode::NotPossible, "bots do not agree on draws");
            return refuse(user, refusal, effects);
        }
        match self.draw_offer {
            // Both want it.
            Some(offer) if offer != color => self.conclude(Conclusion::Agreement, now, effects),
            Some(_) => {}
            None => self.set_draw_offer(Some(color), effects),
        }
    }

    fn set_draw_offer(&mut self, offer: Option<Color>, effects: &mut Vec<Effect<G>>) {
        self.draw_offer = offer;
        effects.push(Effect::Announce(Announcement::DrawOffer(offer)));
    }

    fn opponents_offer(&self, user: UserId) -> Result<Color, Refusal> {
        let color = self.seat_in_play(user)?;
        match self.draw_offer == Some(!color) {
            true => Ok(color),
            false => Err(Refusal::new(ErrorCode::NoDrawOffer, "the opponent offers no draw")),
        }
    }

    fn human(&self, color: Color) -> Option<&Human> {
        self.seats[color.index()].as_human()
    }

    fn presence(&mut self, user: UserId, away: Option<Duration>, effects: &mut Vec<Effect<G>>) {
        let Some(color) = self.seat_of(user) else { return };
        let grace = self.rules.grace;
        let is_over = self.is_over();
        if let Seat::Human(human) = &mut self.seats[color.index()]
            && human.away_since.is_some() != away.is_some()
        {
            human.away_since = away;
            if !is_over {
                let grace = away.map(|_| grace);
                effects.push(Effect::Announce(Announcement::Presence { color, grace }));
            }
        }
    }

    fn conclude(&mut self, conclusion: Conclusion, now: Duration, effects: &mut Vec<Effect<G>>) {
        if !self.is_broken_off && self.record.conclude(conclusion).is_ok() {
            self.ended(now, effects, Stored::End);
        }
    }

    fn ended(&mut self, now: Duration, effects: &mut Vec<Effect<G>>, stored: Stored<G>) {
        self.revision += 1;
        self.draw_offer = None;
        if let Some(clock) = &mut self.clock {
            clock.stop(now, false);
        }
        effects.push(Effect::Store(stored));
        effects.push(Effect::StopThinking);
        effects.push(Effect::Announce(Announcement::Revision));
    }

    fn time_passed(&mut self, now: Duration, effects: &mut Vec<Effect<G>>) {
        if self.is_over() {
            return;
        }
        if let Some((color, at)) = self.clock.as_ref().and_then(Clock::runs_out)
            && now >= at
        {
            return self.conclude(Conclusion::TimeForfeit(color), now, effects);
        }
        let expired = |color: &Color| {
            let away = self.human(*color).and_then(|human| human.away_since);
            away.is_some_and(|since| now >= since + self.rules.grace)
        };
        // Of two who are away the side to move is waited for.
        let order = [self.turn(), !self.turn()];
        if let Some(color) = order.into_iter().find(expired) {
            return self.conclude(Conclusion::Abandonment(color), now, effects);
        }
        let is_forgotten =
            self.unwatched_since.is_some_and(|since| now >= since + self.rules.unwatched_grace);
        if is_forgotten && self.is_between_bots() {
            self.is_broken_off = true;
            self.ended(now, effects, Stored::Nothing);
        }
    }
}

fn refuse<G: Game>(user: UserId, refusal: Refusal, effects: &mut Vec<Effect<G>>) {
    effects.push(Effect::Refuse { user, refusal, action_id: None, with_game: false });
}

/// A bot's seat.
impl From<Bot> for Seat {
    fn from(bot: Bot) -> Seat {
        Seat::Bot(bot)
    }
}

/// A game lasts some forty more actions a side.
const CLOCK_SHARE: u32 = 40;

/// Kept back from a clock for the way of the answer.
const CLOCK_RESERVE: Duration = Duration::from_millis(50);
