//! What is asked in front of a view.

use std::time::Duration;

use boombots_protocol::{BOT_LEVELS, ClockSettings, ColorChoice};

use crate::text_field::TextField;

/// What is asked, or told, in front of a view.
#[derive(Clone, Debug)]
pub enum Dialog {
    /// The keys.
    Help {
        /// The first line shown.
        scroll: u16,
    },
    /// A game against a bot.
    Bot(BotForm),
    /// The settings of challenges.
    Settings(SettingsForm),
    /// Leave a game that goes on?
    Leave,
    /// The game is resigned at a moment, unless a key says otherwise.
    Resign {
        /// The moment.
        at: Duration,
    },
    /// An action being typed.
    Action {
        /// The text.
        field: TextField,
        /// Why the last one was refused.
        problem: Option<String>,
    },
    /// A position to analyse being typed.
    Position {
        /// The text.
        field: TextField,
        /// Why the last one was refused.
        problem: Option<String>,
    },
}

/// How long a player may think better of resigning.
pub const RESIGN_DELAY: Duration = Duration::from_secs(3);

/// A game against a bot, being set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotForm {
    /// The player's side.
    pub color: ColorChoice,
    /// The bot's level.
    pub level: u8,
    /// The row that has the keys: 0 the side, 1 the level.
    pub row: usize,
}

impl Default for BotForm {
    fn default() -> BotForm {
        BotForm { color: ColorChoice::Random, level: *BOT_LEVELS.end(), row: 0 }
    }
}

impl BotForm {
    /// How many rows there are.
    pub const ROWS: usize = 2;

    /// Changes the row's value.
    pub fn change(&mut self, by: isize) {
        match self.row {
            0 => self.color = turn(&COLORS, self.color, by),
            _ => {
                let level = self.level.saturating_add_signed(by.signum() as i8);
                self.level = level.clamp(*BOT_LEVELS.start(), *BOT_LEVELS.end());
            }
        }
    }
}

/// How games are to be played that this user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The start.
    pub start: &'static str,
    /// The clock.
    pub clock: Option<ClockSettings>,
    /// The side.
    pub color: ColorChoice,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { start: STARTS[0], clock: None, color: ColorChoice::Random }
    }
}

/// The settings, being changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SettingsForm {
    /// As they would be.
    pub settings: Settings,
    /// The row that has the keys: 0 the start, 1 the clock, 2 the side.
    pub row: usize,
}

impl SettingsForm {
    /// How many rows there are.
    pub const ROWS: usize = 3;

    /// Changes the row's value.
    pub fn change(&mut self, by: isize) {
        let settings = &mut self.settings;
        match self.row {
            0 => settings.start = turn(&STARTS, settings.start, by),
            1 => settings.clock = turn(&CLOCKS, settings.clock, by),
            _ => settings.color = turn(&COLORS, settings.color, by),
        }
    }
}

/// The name of a side that is asked for.
pub const fn color_name(color: ColorChoice) -> &'static str {
    match color {
        ColorChoice::White => "White",
        ColorChoice::Black => "Black",
        ColorChoice::Random => "by lot",
    }
}

/// The value so many places after another, round and round.
fn turn<T: Copy + PartialEq>(values: &[T], value: T, by: isize) -> T {
    let at = values.iter().position(|&other| other == value).unwrap_or(0) as isize;
    values[(at + by).rem_euclid(values.len() as isize) as usize]
}

const COLORS: [ColorChoice; 3] = [ColorChoice::Random, ColorChoice::White, ColorChoice::Black];

const STARTS: [&str; 2] = ["standard", "expendibots"];

const CLOCKS: [Option<ClockSettings>; 6] =
    [None, minutes(1, 0), minutes(3, 2), minutes(5, 3), minutes(10, 5), minutes(30, 20)];

const fn minutes(minutes: u32, increment: u32) -> Option<ClockSettings> {
    Some(ClockSettings { initial_ms: minutes * 60_000, increment_ms: increment * 1000 })
}

#[cfg(test)]
mod tests {
    use boombots_rules::{Boombots, Game as _};

    use super::*;

    #[test]
    fn forms_go_round_and_stop_at_the_levels() {
        let mut form = BotForm::default();
        form.change(-1);
        assert_eq!(form.color, ColorChoice::Black);
        form.row = 1;
        form.change(1);
        assert_eq!(form.level, 10);
        for _ in 0..20 {
            form.change(-1);
        }
        assert_eq!(form.level, 1);
    }

    #[test]
    fn every_start_has_a_place_in_the_settings() {
        assert_eq!(Boombots::STARTS, STARTS);
        let mut form = SettingsForm { row: 1, ..SettingsForm::default() };
        form.change(1);
        assert_eq!(crate::format::clock_settings(form.settings.clock), "1+0");
    }
}
