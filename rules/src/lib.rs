//! The rules of Boombots: positions, actions, legality, explosions, outcome,
//! notation and game records.
//!
//! Two players move stacks of bots on an 8×8 board and blow them up in chain
//! reactions; who alone has bots left after a boom wins. This crate is the
//! single place that knows what is legal. It does no I/O, starts no threads and
//! knows no wire format.
//!
//! ```
//! use boombots_rules::{Action, Color, Outcome, Position};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Two white bots on d4, a black one on e5, another white one far away.
//! let position: Position = "8/8/8/4a3/3B4/8/8/A7 w".parse()?;
//! let boom: Action = "xd4".parse()?;
//!
//! assert!(position.legal_actions().contains(&boom));
//! assert_eq!(position.after_explosion(boom.source()).black, 1);
//!
//! let after = position.play(boom)?;
//! assert_eq!(after.to_string(), "8/8/8/8/8/8/8/A7 b");
//! assert_eq!(after.outcome(), Some(Outcome::Win(Color::White)));
//! # Ok(())
//! # }
//! ```
//!
//! [`Setup`] may hold anything; [`Position`] is checked. [`Game`] is the
//! interface that servers, clients and bots are written against, and
//! [`Boombots`] implements it.

mod action;
mod action_list;
mod boombots;
mod color;
mod explosion;
mod game;
mod illegal_action;
mod legal_actions;
mod outcome;
mod perft;
mod position;
mod position_text;
mod record;
mod setup;
mod square;
mod square_set;
mod start;

pub use action::{Action, MissingTarget, ParseActionError};
pub use action_list::ActionList;
pub use boombots::Boombots;
pub use color::Color;
pub use explosion::Losses;
pub use game::Game;
pub use illegal_action::IllegalAction;
pub use outcome::Outcome;
pub use perft::{perft, perft_divide};
pub use position::{MAX_BOTS, Position, PositionError};
pub use position_text::ParsePositionError;
pub use record::{
    Conclusion, ConclusionError, GameRecord, PlayError, RecordError, RecordProblem, TagError,
};
pub use setup::Setup;
pub use square::{ParseSquareError, Square};
pub use square_set::{SquareSet, SquareSetIter};
pub use start::Start;
