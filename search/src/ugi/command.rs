//! Lines from the other side of the protocol.

use std::num::ParseIntError;
use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

use boombots_rules::{
    Action, IllegalAction, ParseActionError, ParsePositionError, Position, Start,
};
use thiserror::Error;

use super::option::{OptionError, SetOption};

/// A line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// `ugi`: say who you are.
    Ugi,
    /// `isready`: answer when all before it is done.
    IsReady,
    /// `uginewgame`: forget the last game.
    NewGame,
    /// `position startpos|fen TEXT [moves …]`: every position of a game, the
    /// current one last.
    Position(Vec<Position>),
    /// `go …`: search.
    Go(Go),
    /// `stop`: end the search and say what is best.
    Stop,
    /// `setoption name NAME value VALUE`.
    SetOption(SetOption),
    /// `query …`: a question about the current position.
    Query(Query),
    /// `quit`.
    Quit,
}

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `depth N`.
    pub depth: Option<u32>,
    /// `nodes N`.
    pub nodes: Option<u64>,
    /// `movetime MS`.
    pub move_time: Option<Duration>,
    /// `infinite`.
    pub infinite: bool,
    /// `p1time MS` and `p2time MS` (or `wtime`, `btime`): clocks by side, White
    /// first.
    pub clocks: [Option<Duration>; 2],
    /// `p1inc MS` and `p2inc MS` (or `winc`, `binc`): increments by side.
    pub increments: [Option<Duration>; 2],
    /// `perft N`: count instead of searching.
    pub perft: Option<u32>,
}

/// What `query` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `gameover`: whether the game has ended.
    GameOver,
    /// `p1turn`: whether White is to move.
    WhiteToMove,
    /// `result`: how the game ended.
    Result,
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        if line.len() > LONGEST_LINE {
            return Err(CommandError::TooLong { length: line.len() });
        }
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(Command::Nothing);
        };
        let command = match first {
            "ugi" => Command::Ugi,
            "isready" => Command::IsReady,
            "uginewgame" => Command::NewGame,
            "position" => return position(words).map(Command::Position),
            "go" => return go(words).map(Command::Go),
            "stop" => Command::Stop,
            "setoption" => return Ok(Command::SetOption(SetOption::parse(words)?)),
            "query" => Command::Query(query(&mut words)?),
            "quit" => Command::Quit,
            other => return Err(CommandError::Unknown { word: shown(other) }),
        };
        match words.next() {
            None => Ok(command),
            Some(word) => Err(CommandError::Trailing { word: shown(word) }),
        }
    }
}

/// `startpos`, the name of another start or `fen TEXT`, and the moves since.
fn position(mut words: SplitWhitespace<'_>) -> Result<Vec<Position>, CommandError> {
    let missing = CommandError::Missing { what: "startpos, expendibots or fen and a position" };
    let start = match words.next().ok_or(missing.clone())? {
        "startpos" => Position::start(Start::Standard),
        "fen" => {
            let board = words.next().ok_or(missing.clone())?;
            let side = words.next().ok_or(missing)?;
            format!("{board} {side}").parse()?
        }
        name => match Start::by_name(name) {
            Some(start) => Position::start(start),
            None => return Err(CommandError::UnknownStart { word: shown(name) }),
        },
    };
    let mut positions = vec![start];
    match words.next() {
        None => return Ok(positions),
        Some("moves") => {}
        Some(word) => return Err(CommandError::Trailing { word: shown(word) }),
    }
    for (index, word) in words.enumerate() {
        let number = index + 1;
        if number > MOST_MOVES {
            return Err(CommandError::TooManyMoves);
        }
        let action: Action =
            word.parse().map_err(|source| CommandError::BadMove { number, source })?;
        let current = positions.last().expect("a game has its start");
        let next = current.play(action).map_err(|source| CommandError::IllegalMove {
            number,
            action,
            source,
        })?;
        positions.push(next);
    }
    Ok(positions)
}

fn go(mut words: SplitWhitespace<'_>) -> Result<Go, CommandError> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let mut number = |name: &'static str| -> Result<u64, CommandError> {
            let digits = words.next().ok_or(CommandError::Missing { what: "a number" })?;
            digits.parse().map_err(|source| CommandError::BadNumber {
                name,
                found: shown(digits),
                source,
            })
        };
        let plies = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        // A day is longer than any search, and keeps sums of times in range.
        let time = |millis: u64| Duration::from_millis(millis.min(86_400_000));
        match word {
            "depth" => go.depth = Some(plies(number("depth")?).max(1)),
            "nodes" => go.nodes = Some(number("nodes")?),
            "movetime" => go.move_time = Some(time(number("movetime")?)),
            "infinite" => go.infinite = true,
            "p1time" | "wtime" => go.clocks[0] = Some(time(number("p1time")?)),
            "p2time" | "btime" => go.clocks[1] = Some(time(number("p2time")?)),
            "p1inc" | "winc" => go.increments[0] = Some(time(number("p1inc")?)),
            "p2inc" | "binc" => go.increments[1] = Some(time(number("p2inc")?)),
            "perft" => go.perft = Some(plies(number("perft")?)),
            other => return Err(CommandError::UnknownLimit { word: shown(other) }),
        }
    }
    Ok(go)
}

fn query(words: &mut SplitWhitespace<'_>) -> Result<Query, CommandError> {
    match words.next() {
        Some("gameover") => Ok(Query::GameOver),
        Some("p1turn") => Ok(Query::WhiteToMove),
        Some("result") => Ok(Query::Result),
        Some(word) => Err(CommandError::UnknownQuery { word: shown(word) }),
        None => Err(CommandError::Missing { what: "gameover, p1turn or result" }),
    }
}

/// The longest line that is read, in bytes: a game of thousands of moves.
const LONGEST_LINE: usize = 1 << 20;

/// The most moves of a game that are taken.
const MOST_MOVES: usize = 100_000;

/// A word as an error shows it: its first characters, without control ones.
pub(super) fn shown(word: &str) -> String {
    word.chars().take(40).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

/// Why a line was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The line is too long.
    #[error("the line has {length} bytes, at most {LONGEST_LINE} are read")]
    TooLong {
        /// Its bytes.
        length: usize,
    },
    /// No such command.
    #[error(
        "unknown command {word:?}; there are ugi, isready, uginewgame, position, go, stop, \
         setoption, query and quit"
    )]
    Unknown {
        /// The first word.
        word: String,
    },
    /// A word too many.
    #[error("unexpected {word:?}")]
    Trailing {
        /// The word.
        word: String,
    },
    /// The line ends too early.
    #[error("the line ends where {what} should follow")]
    Missing {
        /// What is missing.
        what: &'static str,
    },
    /// No such start.
    #[error("unknown start {word:?}; there are startpos, standard, expendibots and fen")]
    UnknownStart {
        /// The word.
        word: String,
    },
    /// The position cannot be read.
    #[error("bad position: {0}")]
    BadPosition(#[from] ParsePositionError),
    /// A move cannot be read.
    #[error("move {number}: {source}")]
    BadMove {
        /// Which, from 1.
        number: usize,
        /// Why not.
        source: ParseActionError,
    },
    /// A move is illegal.
    #[error("move {number}, {action}, is illegal: {source}")]
    IllegalMove {
        /// Which, from 1.
        number: usize,
        /// The move.
        action: Action,
        /// Why.
        source: IllegalAction,
    },
    /// The game is longer than any that is played.
    #[error("more than {MOST_MOVES} moves")]
    TooManyMoves,
    /// No such limit of `go`.
    #[error(
        "unknown limit {word:?}; there are depth, nodes, movetime, infinite, p1time, p2time, \
         p1inc, p2inc and perft"
    )]
    UnknownLimit {
        /// The word.
        word: String,
    },
    /// A number cannot be read.
    #[error("{name} must be a whole number, found {found:?}: {source}")]
    BadNumber {
        /// What it is of.
        name: &'static str,
        /// The word.
        found: String,
        /// Why not.
        source: ParseIntError,
    },
    /// No such question.
    #[error("unknown question {word:?}; there are gameover, p1turn and result")]
    UnknownQuery {
        /// The word.
        word: String,
    },
    /// An option cannot be set.
    #[error(transparent)]
    BadOption(#[from] OptionError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, CommandError> {
        line.parse()
    }

    #[test]
    fn simple_commands() {
        assert_eq!(parse("  "), Ok(Command::Nothing));
        assert_eq!(parse("ugi"), Ok(Command::Ugi));
        assert_eq!(parse(" isready\r"), Ok(Command::IsReady));
        assert_eq!(parse("query p1turn"), Ok(Command::Query(Query::WhiteToMove)));
        assert!(matches!(parse("stop now"), Err(CommandError::Trailing { .. })));
        assert!(matches!(parse("UGI"), Err(CommandError::Unknown { .. })));
        assert!(matches!(parse("query"), Err(CommandError::Missing { .. })));
        assert!(matches!(parse("query who"), Err(CommandError::UnknownQuery { .. })));
        let long = format!("position startpos moves {}", "1a2a3 ".repeat(200_000));
        assert!(matches!(parse(&long), Err(CommandError::TooLong { .. })));
    }

    #[test]
    fn positions_with_their_games() {
        let Ok(Command::Position(game)) = parse("position startpos moves 1a2a3 1a7a6") else {
            panic!("not a position");
        };
        assert_eq!(game.len(), 3);
        assert_eq!(game[2].to_string(), "aaaaaaaa/1aaaaaaa/a7/8/8/A7/1AAAAAAA/AAAAAAAA w");
        let Ok(Command::Position(game)) = parse("position fen 8/8/8/3Aa3/8/8/8/A7 b moves xe5")
        else {
            panic!("not a position");
        };
        assert!(game[1].is_over());
        let game = parse("position expendibots").unwrap();
        assert_eq!(game, Command::Position(vec![Position::start(Start::Expendibots)]));
    }

    #[test]
    fn bad_positions_say_why() {
        let message = |line: &str| parse(line).unwrap_err().to_string();
        assert!(matches!(parse("position"), Err(CommandError::Missing { .. })));
        assert!(matches!(parse("position fen 8/8"), Err(CommandError::Missing { .. })));
        assert!(message("position fen 9/8/8/8/8/8/8/8 w").contains("column 1"));
        assert!(message("position mine").contains("\"mine\""));
        assert!(message("position startpos moves 1a2a3 1a2a3").contains("move 2, 1a2a3"));
        assert!(message("position startpos moves a2a3").contains("move 1"));
        assert!(message("position startpos 1a2a3").contains("unexpected"));
    }

    #[test]
    fn limits_of_go() {
        let go = |line: &str| match parse(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        };
        assert_eq!(go("go"), Go::default());
        assert_eq!(go("go depth 9 nodes 1000").depth, Some(9));
        assert_eq!(go("go depth 0").depth, Some(1));
        assert_eq!(go("go depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(go("go movetime 50").move_time, Some(Duration::from_millis(50)));
        let clocks = go("go p1time 1000 btime 2000 p2inc 10");
        assert_eq!(clocks.clocks[1], Some(Duration::from_secs(2)));
        assert_eq!(clocks.increments, [None, Some(Duration::from_millis(10))]);
        assert!(matches!(parse("go depth"), Err(CommandError::Missing { .. })));
        assert!(matches!(parse("go depth -3"), Err(CommandError::BadNumber { .. })));
        assert!(matches!(parse("go depth 9e9"), Err(CommandError::BadNumber { .. })));
        assert!(matches!(parse("go fast"), Err(CommandError::UnknownLimit { .. })));
    }
}
