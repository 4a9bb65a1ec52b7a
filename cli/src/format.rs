//! Values as people read them.

use std::time::Duration;

use boombots_protocol::{
    BotEvaluation, ClockSettings, EndReason, GameResult, Players, ProvedValue, TableResult, Team,
};
use boombots_rules::Losses;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// An evaluation from White's point of view: `+1.00` is one bot, `#3` and `#-8` are mates.
pub fn evaluation(evaluation: BotEvaluation) -> String {
    match evaluation.mate_in {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(evaluation.white_score) / 100.0),
    }
}

/// The evaluation of a score, if there is one.
pub fn score(white_score: Option<i32>, mate_in: Option<i32>) -> Option<BotEvaluation> {
    let white_score = white_score.or(mate_in.map(i32::signum))?;
    Some(BotEvaluation { white_score, mate_in })
}

/// White's part of an evaluation bar, 0 to 1.
pub fn white_share(evaluation: BotEvaluation) -> f64 {
    match evaluation.mate_in {
        Some(moves) if moves > 0 => 1.0,
        Some(_) => 0.0,
        None => 1.0 / (1.0 + (-f64::from(evaluation.white_score) / 300.0).exp()),
    }
}

/// Time on a clock: `1:05:09`, `4:59`, and with tenths below 20 s.
pub fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    if seconds < 20 {
        let tenths = left.as_millis() / 100;
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// A rough time: `45 s`, `3 min 20 s`, `2 h 5 min`.
pub fn about(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "?".to_owned();
    }
    let seconds = seconds.ceil().min(1e9) as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// A large number in three digits or so: `950`, `80.0 k`, `1.83 G`.
pub fn magnitude(value: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(unit, _)| value >= *unit) {
        Some((unit, letter)) => format!("{:.1} {letter}", value / unit),
        None => format!("{value:.0}"),
    }
}

/// A clock's settings: `5+2` is five minutes and two seconds an action.
pub fn clock_settings(clock: Option<ClockSettings>) -> String {
    let Some(ClockSettings { initial_ms, increment_ms }) = clock else {
        return "no clock".to_owned();
    };
    let initial = match initial_ms {
        ms if ms % 60_000 == 0 => (ms / 60_000).to_string(),
        ms => format!("{:.1}", f64::from(ms) / 60_000.0),
    };
    format!("{initial}+{}", increment_ms / 1000)
}

/// A side's name.
pub const fn team(team: Team) -> &'static str {
    match team {
        Team::White => "White",
        Team::Black => "Black",
    }
}

/// How a game ended, in a sentence.
pub fn result(result: GameResult, players: &Players) -> String {
    let why = match result.reason {
        EndReason::Boom => "by boom",
        EndReason::Resignation => "by resignation",
        EndReason::TimeForfeit => "on time",
        EndReason::Abandonment => "by abandonment",
        EndReason::Agreement => "by agreement",
        EndReason::ActionLimit => "at the limit of actions",
        EndReason::BrokenOff => "broken off",
    };
    match result.winner {
        Some(side) => {
            let name = match side {
                Team::White => &players.white.name,
                Team::Black => &players.black.name,
            };
            format!("{name} ({}) won {why}", team(side))
        }
        None if result.reason == EndReason::BrokenOff => "The match was broken off".to_owned(),
        None => format!("Drawn {why}"),
    }
}

/// What a boom takes of each side.
pub fn losses(losses: Losses) -> String {
    format!("{} White, {} Black", losses.white, losses.black)
}

/// What is certain of a position, in a sentence; `turn` is its side to move.
pub fn proved(turn: Team, proved: ProvedValue) -> String {
    let other = match turn {
        Team::White => Team::Black,
        Team::Black => Team::White,
    };
    let end = end(proved);
    match proved.value {
        TableResult::Win => format!("{} wins{end}", team(turn)),
        TableResult::Loss => format!("{} wins{end}", team(other)),
        TableResult::Draw => format!("A draw{end}"),
    }
}

/// What is certain of an action, in a word for whoever takes it.
pub const fn certain(proved: ProvedValue) -> &'static str {
    match proved.value {
        TableResult::Win => "wins",
        TableResult::Draw => "draws",
        TableResult::Loss => "loses",
    }
}

/// When the end comes that is certain, and by what it is: follows `wins` and the like.
pub fn end(proved: ProvedValue) -> String {
    let plies = proved.plies.map(|plies| match plies {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    });
    match (proved.exact, plies) {
        (true, Some(plies)) => format!(" in {plies}, by the tables"),
        (true, None) => ", by the tables".to_owned(),
        (false, Some(plies)) => format!(": proved, in at most {plies}"),
        (false, None) => ": proved".to_owned(),
    }
}

/// The text cut to so many columns, with a mark where it was cut.
pub fn fit(text: &str, columns: usize, mark: &str) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(mark.width());
    let mut fitted = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used > room {
            break;
        }
        fitted.push(character);
    }
    if mark.width() <= columns {
        fitted.push_str(mark);
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_whites() {
        let text = |white_score, mate_in| evaluation(BotEvaluation { white_score, mate_in });
        assert_eq!(text(100, None), "+1.00");
        assert_eq!(text(-250, None), "-2.50");
        assert_eq!(text(0, None), "+0.00");
        assert_eq!(text(999_995, Some(3)), "#3");
        assert_eq!(text(-999_984, Some(-8)), "#-8");
    }

    #[test]
    fn whoever_wins_is_named() {
        use TableResult::{Draw, Loss, Win};
        let text = |turn, value, plies, exact| proved(turn, ProvedValue { value, plies, exact });
        let white_wins = "White wins: proved, in at most 7 plies";
        assert_eq!(text(Team::White, Win, Some(7), false), white_wins);
        assert_eq!(text(Team::Black, Loss, Some(7), false), white_wins);
        assert_eq!(text(Team::White, Loss, Some(1), true), "Black wins in 1 ply, by the tables");
        assert_eq!(text(Team::White, Draw, None, true), "A draw, by the tables");
        assert_eq!(text(Team::White, Draw, None, false), "A draw: proved");
    }

    #[test]
    fn clocks_show_tenths_at_the_end() {
        let text = |ms| clock(Duration::from_millis(ms));
        assert_eq!(text(299_000), "4:59");
        assert_eq!(text(9_870), "0:09.8");
        assert_eq!(text(3_909_000), "1:05:09");
    }

    #[test]
    fn texts_are_cut_by_columns() {
        assert_eq!(fit("Ada", 3, "…"), "Ada");
        assert_eq!(fit("Adalbert", 4, "…"), "Ada…");
        assert_eq!(fit("日本語", 4, "…"), "日…");
        assert_eq!(fit("Ada", 0, "…"), "");
    }
}
