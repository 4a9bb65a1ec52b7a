//! Reading a record, strictly: every action is replayed and the result checked.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::str::FromStr;

use thiserror::Error;

use super::tags::check_tag;
use super::{Conclusion, GameRecord, TagError, number_before, parse_result, result_token};
use crate::{Color, Game, Outcome};

/// Text that is not the record of a game.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    #[source]
    pub problem: RecordProblem,
}

/// What is wrong with a line of a record.
#[derive(Debug, Error)]
pub enum RecordProblem {
    /// A line before the blank one that is not a tag.
    #[error(
        "{found:?} is not a tag: expected [Name \"value\"], or a blank line before the actions"
    )]
    NotATag {
        /// The line.
        found: String,
    },
    /// A backslash before something other than a quote or a backslash.
    #[error("the value of {name} has a backslash that escapes neither a quote nor a backslash")]
    BadEscape {
        /// The tag.
        name: String,
    },
    /// A tag with a bad name or value.
    #[error(transparent)]
    Tag(TagError),
    /// A tag that was there before.
    #[error("the tag {name} was there before")]
    RepeatedTag {
        /// The tag.
        name: String,
    },
    /// No `Result` tag.
    #[error("the tag Result is missing")]
    MissingResult,
    /// The record of another game.
    #[error("this is a record of {found:?}, expected {expected:?}")]
    WrongGame {
        /// The value of the `Game` tag.
        found: String,
        /// The game that was asked for.
        expected: &'static str,
    },
    /// The `Start` tag is not a position.
    #[error("the start is not a position: {0}")]
    BadStart(#[source] Box<dyn StdError + Send + Sync>),
    /// The `Result` tag is not a result.
    #[error("{found:?} is not a result: expected 1-0, 0-1, 1/2-1/2 or *")]
    BadResult {
        /// The value of the tag.
        found: String,
    },
    /// The `Termination` tag names no way in which a game with this result ends.
    #[error("{found:?} is not how a game ends with {result}")]
    BadTermination {
        /// The value of the `Termination` tag.
        found: String,
        /// The result.
        result: &'static str,
    },
    /// A number that is missing or wrong.
    #[error("found {found:?}, expected the number {expected:?}")]
    WrongNumber {
        /// What stands there.
        found: String,
        /// The number that belongs there.
        expected: String,
    },
    /// Something that is neither an action nor a result.
    #[error("{0}")]
    BadAction(#[source] Box<dyn StdError + Send + Sync>),
    /// An action that the rules refuse.
    #[error("{action} is illegal: {reason}")]
    IllegalAction {
        /// The action.
        action: String,
        /// The reason.
        #[source]
        reason: Box<dyn StdError + Send + Sync>,
    },
    /// The text ends without a result.
    #[error("the actions end without {expected}")]
    MissingToken {
        /// The token that the `Result` tag announces.
        expected: &'static str,
    },
    /// The token after the actions is not that of the `Result` tag.
    #[error("the actions end with {found}, but the tag Result says {expected}")]
    ResultMismatch {
        /// The token after the actions.
        found: &'static str,
        /// The value of the tag.
        expected: &'static str,
    },
    /// The result is not the one by rule.
    #[error("the result is {found}, but by rule it is {expected}")]
    WrongResult {
        /// The result of the record.
        found: &'static str,
        /// The result by rule.
        expected: &'static str,
    },
    /// A result that the rules do not give, and no `Termination` tag to say why.
    #[error("the result {found} needs a tag Termination, as the game has not ended by rule")]
    UnexplainedResult {
        /// The result.
        found: &'static str,
    },
    /// A `Termination` tag although the game ended by rule.
    #[error("the game ended by rule, but the tag Termination says {found:?}")]
    NeedlessTermination {
        /// The value of the tag.
        found: &'static str,
    },
    /// Something after the result.
    #[error("found {found:?} after the result, expected the end")]
    TrailingText {
        /// The first token.
        found: String,
    },
}

impl RecordProblem {
    fn on(self, line: usize) -> RecordError {
        RecordError { line, problem: self }
    }
}

impl<G: Game> FromStr for GameRecord<G> {
    type Err = RecordError;

    /// Reads a record. Tags may come in any order; `Result` must be there, a
    /// missing `Game` or `Start` means this game and its usual start. Lines end
    /// with `\n` or `\r\n`.
    fn from_str(text: &str) -> Result<GameRecord<G>, RecordError> {
        let mut lines = text.lines().zip(1..).map(|(text, line)| Line { line, text });
        let header: Header<G> = Header::read(&mut lines)?;
        let tokens = lines.flat_map(|Line { line, text }| {
            text.split_whitespace().map(move |token| Line { line, text: token })
        });
        let last_line = text.lines().count().max(1);
        header.replay(tokens, last_line)
    }
}

/// A line, or a part of it, and its number from 1.
#[derive(Clone, Copy)]
struct Line<'a> {
    line: usize,
    text: &'a str,
}

/// What the tags say.
struct Header<G: Game> {
    record: GameRecord<G>,
    result: Option<Outcome>,
    conclusion: Option<Conclusion>,
    /// The line of the `Termination` tag, if there is one.
    termination_line: usize,
}

impl<G: Game> Header<G> {
    /// Reads the tags and the blank line after them.
    fn read<'a>(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<Header<G>, RecordError> {
        let usual = G::start(G::STARTS[0]).expect("a game has the starts that it names");
        let mut record = GameRecord::new(usual);
        let mut seen = BTreeSet::new();
        let mut result = None;
        let mut termination = None;
        let mut end = 1;
        for Line { line, text } in lines {
            end = line;
            if text.is_empty() {
                break;
            }
            let (name, value) = read_tag(text).map_err(|problem| problem.on(line))?;
            if !seen.insert(name) {
                let name = name.to_owned();
                return Err(RecordProblem::RepeatedTag { name }.on(line));
            }
            match name {
                "Game" if value == G::ID => {}
                "Game" => {
                    return Err(RecordProblem::WrongGame { found: value, expected: G::ID }.on(line));
                }
                "Start" => {
                    let start = value
                        .parse()
                        .map_err(|error| RecordProblem::BadStart(Box::new(error)).on(line))?;
                    let tags = record.tags;
                    record = GameRecord::new(start);
                    record.tags = tags;
                }
                "Result" => match parse_result(&value) {
                    Some(outcome) => result = Some(outcome),
                    None => return Err(RecordProblem::BadResult { found: value }.on(line)),
                },
                "Termination" => termination = Some((line, value)),
                _ => record
                    .set_tag(name, &value)
                    .map_err(|error| RecordProblem::Tag(error).on(line))?,
            }
        }
        let result = result.ok_or_else(|| RecordProblem::MissingResult.on(end))?;
        let mut header = Header { record, result, conclusion: None, termination_line: end };
        if let Some((line, name)) = termination {
            header.termination_line = line;
            header.conclusion =
                Some(conclusion_of(name, result).map_err(|problem| problem.on(line))?);
        }
        Ok(header)
    }

    /// Plays the actions and checks how the game ended.
    fn replay<'a>(
        mut self,
        mut tokens: impl Iterator<Item = Line<'a>>,
        last_line: usize,
    ) -> Result<GameRecord<G>, RecordError> {
        let expected = result_token(self.result);
        let black_starts = G::turn(self.record.start()) == Color::Black;
        let mut next = || {
            let missing = || RecordProblem::MissingToken { expected }.on(last_line);
            tokens.next().ok_or_else(missing)
        };
        let end = loop {
            let mut token = next()?;
            if parse_result(token.text).is_some() {
                break token;
            }
            let half = self.record.actions().len() + usize::from(black_starts);
            if let Some(number) = number_before(half, self.record.actions().is_empty()) {
                expect_number(token, number)?;
                token = next()?;
            }
            self.play(token)?;
        };
        if let Some(after) = tokens.next() {
            let found = after.text.to_owned();
            return Err(RecordProblem::TrailingText { found }.on(after.line));
        }
        self.finish(end)
    }

    fn play(&mut self, token: Line<'_>) -> Result<(), RecordError> {
        let action: G::Action = token
            .text
            .parse()
            .map_err(|error| RecordProblem::BadAction(Box::new(error)).on(token.line))?;
        self.record.play(action).map_err(|reason| {
            RecordProblem::IllegalAction { action: token.text.to_owned(), reason: Box::new(reason) }
                .on(token.line)
        })
    }

    /// Compares the result token with the tag, the rules and the conclusion.
    fn finish(mut self, end: Line<'_>) -> Result<GameRecord<G>, RecordError> {
        let expected = result_token(self.result);
        let by_rule = G::outcome(self.record.position());
        let problem = match (by_rule, self.conclusion) {
            _ if end.text != expected => RecordProblem::ResultMismatch {
                found: result_token(parse_result(end.text).flatten()),
                expected,
            },
            (Some(_), _) if by_rule != self.result => {
                RecordProblem::WrongResult { found: expected, expected: result_token(by_rule) }
            }
            (Some(_), Some(conclusion)) => {
                return Err(RecordProblem::NeedlessTermination { found: conclusion.name() }
                    .on(self.termination_line));
            }
            (None, None) if self.result.is_some() => {
                RecordProblem::UnexplainedResult { found: expected }
            }
            (_, conclusion) => {
                self.record.conclusion = conclusion;
                return Ok(self.record);
            }
        };
        Err(problem.on(end.line))
    }
}

fn expect_number(token: Line<'_>, expected: String) -> Result<(), RecordError> {
    if token.text == expected {
        return Ok(());
    }
    let found = token.text.to_owned();
    Err(RecordProblem::WrongNumber { found, expected }.on(token.line))
}

/// The conclusion of that name that gives the result.
fn conclusion_of(name: String, result: Option<Outcome>) -> Result<Conclusion, RecordProblem> {
    Conclusion::all()
        .find(|conclusion| conclusion.name() == name && Some(conclusion.outcome()) == result)
        .ok_or(RecordProblem::BadTermination { found: name, result: result_token(result) })
}

/// The name and the unescaped value of a tag line.
fn read_tag(text: &str) -> Result<(&str, String), RecordProblem> {
    let not_a_tag = || RecordProblem::NotATag { found: text.to_owned() };
    let (name, quoted) = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix("\"]"))
        .and_then(|rest| rest.split_once(" \""))
        .ok_or_else(not_a_tag)?;
    let mut value = String::with_capacity(quoted.len());
    let mut rest = quoted.chars();
    while let Some(next) = rest.next() {
        match next {
            '"' => return Err(not_a_tag()),
            '\\' => match rest.next() {
                Some(escaped @ ('"' | '\\')) => value.push(escaped),
                _ => {
                    let name = name.to_owned();
                    return Err(RecordProblem::BadEscape { name });
                }
            },
            _ => value.push(next),
        }
    }
    check_tag(name, &value).map_err(RecordProblem::Tag)?;
    Ok((name, value))
}
