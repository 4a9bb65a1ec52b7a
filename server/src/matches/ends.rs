//! Ends otherwise than by rule: by agreement, by leaving, and by time.

use std::time::Duration;

use boombots_protocol::ErrorCode;
use boombots_rules::{Color, Conclusion, Game};

use super::clock::Clock;
use super::core::{Match, refuse};
use super::event::{Announcement, Effect, Stored};
use super::seat::Seat;
use crate::ids::UserId;
use crate::refusal::Refusal;

impl<G: Game> Match<G> {
    pub(super) fn offer_draw(&mut self, user: UserId, now: Duration, effects: &mut Vec<Effect<G>>) {
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

    pub(super) fn set_draw_offer(&mut self, offer: Option<Color>, effects: &mut Vec<Effect<G>>) {
        self.draw_offer = offer;
        effects.push(Effect::Announce(Announcement::DrawOffer(offer)));
    }

    pub(super) fn opponents_offer(&self, user: UserId) -> Result<Color, Refusal> {
        let color = self.seat_in_play(user)?;
        match self.draw_offer == Some(!color) {
            true => Ok(color),
            false => Err(Refusal::new(ErrorCode::NoDrawOffer, "the opponent offers no draw")),
        }
    }

    pub(super) fn presence(
        &mut self,
        user: UserId,
        away: Option<Duration>,
        effects: &mut Vec<Effect<G>>,
    ) {
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

    pub(super) fn conclude(
        &mut self,
        conclusion: Conclusion,
        now: Duration,
        effects: &mut Vec<Effect<G>>,
    ) {
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

    pub(super) fn time_passed(&mut self, now: Duration, effects: &mut Vec<Effect<G>>) {
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
