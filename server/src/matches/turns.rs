//! Turns: of people, and of bots when their search ends.

use std::time::Duration;

use boombots_protocol::{BotEvaluation, ErrorCode, Team};
use boombots_rules::{Color, Conclusion, Game};

use super::core::Match;
use super::event::{Announcement, Effect, Stored};
use super::seat::Seat;
use crate::ids::UserId;
use crate::refusal::Refusal;

impl<G: Game> Match<G> {
    pub(super) fn act(
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
    pub(super) fn go_on(&mut self, now: Duration, effects: &mut Vec<Effect<G>>) {
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
            self.searches_until = None;
            let (revision, budget) = (self.revision, self.budget(now));
            effects.push(Effect::Think { color, bot, revision, budget });
        }
    }

    /// How long the side to move may search: the whole budget, or a share of its clock.
    pub(super) fn budget(&self, now: Duration) -> Duration {
        let share = self.clock.as_ref().map(|clock| {
            let left = clock.left(self.turn(), now).saturating_sub(CLOCK_RESERVE);
            (left / CLOCK_SHARE + clock.increment() * 3 / 4).min(left / 2)
        });
        let budget = share.map_or(self.rules.bot_budget, |share| share.min(self.rules.bot_budget));
        budget.max(Duration::from_millis(1))
    }

    pub(super) fn search_ended(
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
}

/// A game lasts some forty more actions a side.
const CLOCK_SHARE: u32 = 40;

/// Kept back from a clock for the way of the answer.
const CLOCK_RESERVE: Duration = Duration::from_millis(50);
