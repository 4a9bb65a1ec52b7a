//! The clocks of a game.

use std::time::Duration;

use boombots_protocol::ClockSettings;
use boombots_rules::Color;

/// Two clocks of which at most one runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What was left when the clock that runs was started.
    left: [Duration; 2],
    increment: Duration,
    running: Option<(Color, Duration)>,
}

impl Clock {
    /// Clocks at the start of a game; neither runs.
    pub fn new(settings: ClockSettings) -> Clock {
        let initial = Duration::from_millis(u64::from(settings.initial_ms));
        Clock::restored(settings, [initial; 2])
    }

    /// Clocks with so much left.
    pub fn restored(settings: ClockSettings, left: [Duration; 2]) -> Clock {
        let increment = Duration::from_millis(u64::from(settings.increment_ms));
        Clock { left, increment, running: None }
    }

    /// Starts a side's clock.
    pub fn start(&mut self, color: Color, now: Duration) {
        self.running = Some((color, now));
    }

    /// Stops the clock that runs; `acted` adds the increment.
    pub fn stop(&mut self, now: Duration, acted: bool) {
        let Some((color, _)) = self.running else { return };
        let left = self.left(color, now);
        self.left[color.index()] = if acted { left + self.increment } else { left };
        self.running = None;
    }

    /// What a side has left.
    pub fn left(&self, color: Color, now: Duration) -> Duration {
        let left = self.left[color.index()];
        match self.running {
            Some((running, since)) if running == color => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        }
    }

    /// When the clock that runs will have run out, and whose it is.
    pub fn runs_out(&self) -> Option<(Color, Duration)> {
        let (color, since) = self.running?;
        Some((color, since + self.left[color.index()]))
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// What an action adds.
    pub fn increment(&self) -> Duration {
        self.increment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn only_the_running_clock_runs() {
        let mut clock = Clock::new(ClockSettings { initial_ms: 10_000, increment_ms: 2_000 });
        clock.start(Color::White, SECOND);
        assert_eq!(clock.runs_out(), Some((Color::White, 11 * SECOND)));
        assert_eq!(clock.left(Color::White, 4 * SECOND), 7 * SECOND);
        assert_eq!(clock.left(Color::Black, 4 * SECOND), 10 * SECOND);
        clock.stop(4 * SECOND, true);
        clock.start(Color::Black, 4 * SECOND);
        assert_eq!(clock.left(Color::White, 9 * SECOND), 9 * SECOND);
        assert_eq!(clock.left(Color::Black, 60 * SECOND), Duration::ZERO);
    }
}
