//! Ends of a game that the rules do not know.

use std::error::Error as StdError;

use thiserror::Error;

use crate::{Color, Outcome};

/// The end of a game otherwise than by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conclusion {
    /// The side resigned and lost.
    Resignation(Color),
    /// The side ran out of time and lost.
    TimeForfeit(Color),
    /// The side left the game and lost.
    Abandonment(Color),
    /// The players agreed on a draw.
    Agreement,
    /// The match reached the number of actions after which it is drawn.
    ActionLimit,
}

impl Conclusion {
    /// The result it gives the game.
    pub const fn outcome(self) -> Outcome {
        match self {
            Conclusion::Resignation(loser)
            | Conclusion::TimeForfeit(loser)
            | Conclusion::Abandonment(loser) => Outcome::Win(loser.opposite()),
            Conclusion::Agreement | Conclusion::ActionLimit => Outcome::Draw,
        }
    }

    /// The value of the `Termination` tag.
    pub const fn name(self) -> &'static str {
        match self {
            Conclusion::Resignation(_) => "resignation",
            Conclusion::TimeForfeit(_) => "time forfeit",
            Conclusion::Abandonment(_) => "abandonment",
            Conclusion::Agreement => "agreement",
            Conclusion::ActionLimit => "action limit",
        }
    }

    /// Every conclusion there is.
    pub(super) fn all() -> impl Iterator<Item = Conclusion> {
        let lost_by = |color| {
            [
                Conclusion::Resignation(color),
                Conclusion::TimeForfeit(color),
                Conclusion::Abandonment(color),
            ]
        };
        Color::ALL
            .into_iter()
            .flat_map(lost_by)
            .chain([Conclusion::Agreement, Conclusion::ActionLimit])
    }
}

/// A game that has ended cannot be concluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the game is over ({outcome})")]
pub struct ConclusionError {
    /// How it ended.
    pub outcome: Outcome,
}

/// Why a record takes no further action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlayError<E: StdError + 'static> {
    /// The game was concluded otherwise than by rule.
    #[error("the game is over ({outcome})")]
    Concluded {
        /// How it ended.
        outcome: Outcome,
    },
    /// The rules refuse the action.
    #[error(transparent)]
    Illegal(E),
}
