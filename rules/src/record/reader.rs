//! Reading a record, strictly: every action is replayed and the result checked.

use std::collections::BTreeSet;
use std::str::FromStr;

use super::tags::check_tag;
use super::{Conclusion, GameRecord, RecordError, RecordProblem};
use super::{number_before, parse_result, result_token};
use crate::{Color, Game, Outcome};

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
