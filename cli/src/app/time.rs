//! What happens by itself as time passes, and when the client wants to look again.

use std::time::Duration;

use crate::app::{App, View};
use crate::event::Effect;
use crate::state::{Dialog, LinkState, Thinking};

impl App {
    /// Does what is due.
    pub(super) fn pass_time(&mut self) {
        let now = self.now;
        if self.notice.as_ref().is_some_and(|notice| notice.until <= now) {
            self.notice = None;
        }
        if let Some(game) = &mut self.game
            && game.blast.as_ref().is_some_and(|blast| blast.ends() <= now)
        {
            game.blast = None;
        }
        if matches!(self.connection.link, LinkState::Waiting { until, .. } if until <= now) {
            self.connect();
        }
        if self.connection.is_ready()
            && let Some(analysis) = &mut self.analysis
            && analysis.tell_at.is_some_and(|at| at <= now)
        {
            self.effects.extend(analysis.tell().map(Effect::Send));
        }
        if matches!(self.dialog, Some(Dialog::Resign { at }) if at <= now) {
            self.dialog = None;
            self.resign();
        }
    }

    /// When the client is to be told of the time next, though nothing else happens; `None` for
    /// never.
    pub fn next_tick(&self) -> Option<Duration> {
        let now = self.now;
        let seconds = |until: Duration| {
            let left = until.saturating_sub(now);
            // The next moment at which another whole second is left.
            now + Duration::from_nanos(u64::from(left.subsec_nanos()).max(1_000_000))
        };
        let mut ticks = vec![self.notice.as_ref().map(|notice| notice.until)];
        if let LinkState::Waiting { until, .. } = self.connection.link {
            ticks.push(Some(seconds(until)));
        }
        if let Some(Dialog::Resign { at }) = self.dialog {
            ticks.push(Some(seconds(at)));
        }
        if self.connection.is_ready()
            && let Some(analysis) = &self.analysis
        {
            ticks.push(analysis.tell_at);
            let time = analysis.time(now).filter(|_| analysis.is_running());
            ticks.push(
                time.map(|time| {
                    now + SECOND - Duration::from_nanos(u64::from(time.subsec_nanos()))
                }),
            );
        }
        if let (View::Game, Some(game)) = (self.view, &self.game) {
            ticks.push(game.blast.as_ref().map(|blast| blast.next_step(now)));
            if let Some(Thinking::Searching { until, .. }) = game.thinking
                && until > now
            {
                ticks.push(Some(now + TENTH));
            }
            let running = game.game.clocks.and_then(|clocks| clocks.running);
            if let Some(left) = running.and_then(|team| game.clock(team, now))
                && !left.is_zero()
            {
                let tenths = left < Duration::from_secs(21);
                ticks.push(Some(if tenths { now + TENTH } else { seconds(now + left) }));
            }
            let absent = game.absent_until.into_iter().flatten().filter(|&until| until > now);
            ticks.extend(absent.map(|until| Some(seconds(until))));
        }
        ticks.into_iter().flatten().map(|tick| tick.max(now + LEAST)).min()
    }
}

const SECOND: Duration = Duration::from_secs(1);

const TENTH: Duration = Duration::from_millis(100);

/// However much is to be shown, it is not shown more often than that.
const LEAST: Duration = Duration::from_millis(10);
