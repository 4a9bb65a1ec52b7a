//! Options of the engine.

use std::path::PathBuf;
use std::str::SplitWhitespace;

use thiserror::Error;

use super::command::shown;

/// An option with the value it shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetOption {
    /// `Hash`: mebibytes of the transposition table.
    Hash(usize),
    /// `Threads`.
    Threads(usize),
    /// `TablesFolder`: where endgame tables are; `None` for none.
    TablesFolder(Option<PathBuf>),
    /// `UseTables`: whether searches ask them.
    UseTables(bool),
    /// `MultiPV`: how many actions to score.
    MultiPv(usize),
    /// `Contempt`: how many centibots less a draw is worth in games.
    Contempt(i32),
    /// `Plain`: search plainly, to be measured against.
    Plain(bool),
}

/// The most mebibytes of `Hash`.
const MOST_HASH: usize = 65_536;
/// The most `Threads`.
const MOST_THREADS: usize = 256;
/// The most `MultiPV`: no position has more actions.
const MOST_LINES: usize = 240;
/// The most `Contempt`.
const MOST_CONTEMPT: i32 = 1_000;
/// `Contempt` until it is set.
pub(super) const DEFAULT_CONTEMPT: i32 = 100;

impl SetOption {
    /// The lines that announce all options.
    pub(super) fn announcements() -> Vec<String> {
        vec![
            format!("option name Hash type spin default 64 min 1 max {MOST_HASH}"),
            format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"),
            "option name TablesFolder type string default <empty>".to_owned(),
            "option name UseTables type check default true".to_owned(),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            format!(
                "option name Contempt type spin default {DEFAULT_CONTEMPT} min 0 max {MOST_CONTEMPT}"
            ),
            "option name Plain type check default false".to_owned(),
        ]
    }

    /// Reads what follows `setoption`.
    pub(super) fn parse(words: SplitWhitespace<'_>) -> Result<SetOption, OptionError> {
        let words: Vec<&str> = words.collect();
        let (Some(&"name"), Some(&name)) = (words.first(), words.get(1)) else {
            return Err(OptionError::Malformed);
        };
        let value = match words.get(2) {
            None => String::new(),
            Some(&"value") => words[3..].join(" "),
            Some(_) => return Err(OptionError::Malformed),
        };
        let number = |name: &'static str, most: usize| match value.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(OptionError::BadNumber { name, most, found: shown(&value) }),
        };
        let flag = |name: &'static str| match value.as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(OptionError::BadFlag { name, found: shown(&value) }),
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => number("Hash", MOST_HASH).map(SetOption::Hash),
            "threads" => number("Threads", MOST_THREADS).map(SetOption::Threads),
            "multipv" => number("MultiPV", MOST_LINES).map(SetOption::MultiPv),
            "usetables" => flag("UseTables").map(SetOption::UseTables),
            "contempt" => match value.parse() {
                Ok(centibots @ 0..=MOST_CONTEMPT) => Ok(SetOption::Contempt(centibots)),
                _ => Err(OptionError::BadContempt { found: shown(&value) }),
            },
            "plain" => flag("Plain").map(SetOption::Plain),
            "tablesfolder" => Ok(SetOption::TablesFolder(
                Some(value.as_str())
                    .filter(|value| !value.is_empty() && *value != "<empty>")
                    .map(PathBuf::from),
            )),
            _ => Err(OptionError::Unknown { name: shown(name) }),
        }
    }
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The words do not follow the form.
    #[error("expected: setoption name NAME value VALUE")]
    Malformed,
    /// No such option.
    #[error(
        "unknown option {name:?}; there are Hash, Threads, TablesFolder, UseTables, MultiPV, \
         Contempt and Plain"
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// A number is out of range or none.
    #[error("{name} must be a whole number from 1 to {most}, found {found:?}")]
    BadNumber {
        /// The option.
        name: &'static str,
        /// The highest number allowed.
        most: usize,
        /// The value.
        found: String,
    },
    /// The worth of a draw is out of range.
    #[error("Contempt must be a whole number from 0 to {MOST_CONTEMPT}, found {found:?}")]
    BadContempt {
        /// The value.
        found: String,
    },
    /// A switch is neither on nor off.
    #[error("{name} must be true or false, found {found:?}")]
    BadFlag {
        /// The option.
        name: &'static str,
        /// The value.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<SetOption, OptionError> {
        SetOption::parse(text.split_whitespace())
    }

    #[test]
    fn options_have_values() {
        assert_eq!(parse("name Hash value 16"), Ok(SetOption::Hash(16)));
        assert_eq!(parse("name usetables value false"), Ok(SetOption::UseTables(false)));
        assert_eq!(
            parse("name TablesFolder value /my tables"),
            Ok(SetOption::TablesFolder(Some("/my tables".into())))
        );
        assert_eq!(parse("name TablesFolder value <empty>"), Ok(SetOption::TablesFolder(None)));
        assert_eq!(parse("name TablesFolder"), Ok(SetOption::TablesFolder(None)));
    }

    #[test]
    fn bad_options_say_why() {
        assert_eq!(parse("Hash 16"), Err(OptionError::Malformed));
        assert_eq!(parse("name Hash 16"), Err(OptionError::Malformed));
        assert!(matches!(parse("name Hash value 0"), Err(OptionError::BadNumber { .. })));
        assert!(matches!(parse("name Hash value 999999999"), Err(OptionError::BadNumber { .. })));
        assert!(matches!(parse("name Plain value yes"), Err(OptionError::BadFlag { .. })));
        assert!(matches!(parse("name Ponder value 1"), Err(OptionError::Unknown { .. })));
        assert!(matches!(parse("name Contempt value -1"), Err(OptionError::BadContempt { .. })));
    }
}
