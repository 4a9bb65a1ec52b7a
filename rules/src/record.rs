//! Game records: tags, actions and result as text, as in PGN.
//!
//! ```text
//! [Game "boombots"]
//! [White "Ada"]
//! [Black "Bob \"the bomb\""]
//! [Result "0-1"]
//! [Start "aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w"]
//! [Termination "resignation"]
//!
//! 1. 1a2a3 1a7a6 2. 2a3a4 0-1
//! ```
//!
//! Writing and reading are inverse: the same record gives the same text.

mod conclusion;
mod error;
mod reader;
mod tags;
mod writer;

use crate::{Boombots, Color, Game, Outcome};

pub use conclusion::{Conclusion, ConclusionError, PlayError};
pub use error::{RecordError, RecordProblem};
pub use tags::TagError;

use tags::Tags;

/// A game from its start to where it stands or ended. Every action in it is
/// legal, and it has a result as soon as the rules give one.
///
/// `Display` writes the text and `FromStr` reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord<G: Game = Boombots> {
    tags: Tags,
    start: G::Position,
    actions: Vec<G::Action>,
    /// The position after all actions.
    position: G::Position,
    /// Never present when `position` is the end by rule.
    conclusion: Option<Conclusion>,
}

impl<G: Game> GameRecord<G> {
    /// The record of a game that begins with the position.
    pub fn new(start: G::Position) -> GameRecord<G> {
        GameRecord {
            tags: Tags::default(),
            position: start.clone(),
            start,
            actions: Vec::new(),
            conclusion: None,
        }
    }

    /// Where the game began.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// The actions so far.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// The position after all actions.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Adds an action of the side to move.
    ///
    /// # Errors
    ///
    /// When the game was concluded, or the rules refuse the action; the record
    /// is then unchanged.
    pub fn play(&mut self, action: G::Action) -> Result<(), PlayError<G::IllegalAction>> {
        if let Some(conclusion) = self.conclusion {
            let outcome = conclusion.outcome();
            return Err(PlayError::Concluded { outcome });
        }
        self.position = G::play(&self.position, &action).map_err(PlayError::Illegal)?;
        self.actions.push(action);
        Ok(())
    }

    /// Ends the game otherwise than by rule.
    ///
    /// # Errors
    ///
    /// When it has already ended, by rule or otherwise.
    pub fn conclude(&mut self, conclusion: Conclusion) -> Result<(), ConclusionError> {
        if let Some(outcome) = self.outcome() {
            return Err(ConclusionError { outcome });
        }
        self.conclusion = Some(conclusion);
        Ok(())
    }

    /// How the game ended otherwise than by rule.
    pub fn conclusion(&self) -> Option<Conclusion> {
        self.conclusion
    }

    /// The result, by rule or by conclusion; `None` while the game goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        G::outcome(&self.position).or(self.conclusion.map(Conclusion::outcome))
    }

    /// The value of a tag that [`GameRecord::set_tag`] set.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// The tags that were set, in the order in which they are written: `Event`,
    /// `Site`, `Date`, `Round`, `White`, `Black`, then any others as they came.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter()
    }

    /// Sets a tag, in place of the value it had.
    ///
    /// # Errors
    ///
    /// When the name is not made of ASCII letters, digits and `_`, when it is
    /// one that the record itself writes (`Game`, `Result`, `Start`,
    /// `Termination`), or when the value has a control character.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        self.tags.set(name, value)
    }
}

/// What is written before an action: `n.` before White's, and `n...` before the
/// first when that is Black's. `half` counts actions as if White had begun.
fn number_before(half: usize, is_first: bool) -> Option<String> {
    let number = half / 2 + 1;
    match (half % 2, is_first) {
        (0, _) => Some(format!("{number}.")),
        (_, true) => Some(format!("{number}...")),
        (_, false) => None,
    }
}

/// The result as a token: `1-0`, `0-1`, `1/2-1/2` or `*`.
fn result_token(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Color::White)) => "1-0",
        Some(Outcome::Win(Color::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// The result of a token; `None` when it is not one.
fn parse_result(token: &str) -> Option<Option<Outcome>> {
    [Some(Outcome::Win(Color::White)), Some(Outcome::Win(Color::Black)), Some(Outcome::Draw), None]
        .into_iter()
        .find(|outcome| result_token(*outcome) == token)
}
