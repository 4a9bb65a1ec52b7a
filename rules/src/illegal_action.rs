//! Why an action is refused.

use thiserror::Error;

use crate::{Color, Outcome, Square};

/// The reason why the side to move may not take an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum IllegalAction {
    /// The game has ended.
    #[error("the game is over ({outcome})")]
    GameOver {
        /// How it ended.
        outcome: Outcome,
    },
    /// The stack belongs to the opponent.
    #[error("the stack on {square} is {owner}'s, and it is {}'s turn", owner.opposite())]
    OpponentsStack {
        /// The source.
        square: Square,
        /// Whose stack it is.
        owner: Color,
    },
    /// The source is empty.
    #[error("there is no stack on {square}")]
    NoStack {
        /// The source.
        square: Square,
    },
    /// A move of no bots.
    #[error("a move takes at least one bot from {square}")]
    NothingMoved {
        /// The source.
        square: Square,
    },
    /// A move of more bots than the stack has.
    #[error("{count} bots cannot leave {square}, where {height} stand")]
    StackTooSmall {
        /// The source.
        square: Square,
        /// How many bots stand there.
        height: u8,
        /// How many were to move.
        count: u8,
    },
    /// A move to where the bots already stand.
    #[error("a move must leave {square}; choose another target")]
    SameSquare {
        /// Source and target.
        square: Square,
    },
    /// A move that is neither horizontal nor vertical.
    #[error("{from} and {to} are not in one row or column")]
    NotStraight {
        /// The source.
        from: Square,
        /// The target.
        to: Square,
    },
    /// A move further than the stack is tall.
    #[error(
        "{to} is {distance} squares from {from}, but a stack of {height} moves at most {height}"
    )]
    TooFar {
        /// The source.
        from: Square,
        /// The target.
        to: Square,
        /// Squares between them, the target counted.
        distance: u8,
        /// How many bots stand on the source.
        height: u8,
    },
    /// A move onto a stack of the opponent.
    #[error("{square} is held by {owner}; a move ends on an empty or a friendly square")]
    TargetHeld {
        /// The target.
        square: Square,
        /// Whose stack stands there.
        owner: Color,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Position};

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn reason(position: &str, action: &str) -> IllegalAction {
        let position: Position = position.parse().unwrap();
        let action: Action = action.parse().unwrap();
        let reason = position.legality(action).unwrap_err();
        assert_eq!(position.play(action), Err(reason));
        reason
    }

    const BOARD: &str = "8/8/8/1a6/8/8/8/ABb5 w";

    #[test]
    fn game_over() {
        let outcome = Outcome::Win(Color::White);
        for action in ["1a1a2", "xa1"] {
            let reason = reason("8/8/8/8/8/8/8/A7 w", action);
            assert_eq!(reason, IllegalAction::GameOver { outcome });
        }
    }

    #[test]
    fn opponents_stack() {
        let expected = IllegalAction::OpponentsStack { square: square("c1"), owner: Color::Black };
        assert_eq!(reason(BOARD, "xc1"), expected);
        assert_eq!(reason(BOARD, "1c1c2"), expected);
        assert_eq!(expected.to_string(), "the stack on c1 is black's, and it is white's turn");
    }

    #[test]
    fn no_stack() {
        let square = square("d1");
        assert_eq!(reason(BOARD, "xd1"), IllegalAction::NoStack { square });
        assert_eq!(reason(BOARD, "1d1d2"), IllegalAction::NoStack { square });
    }

    #[test]
    fn nothing_moved() {
        let position: Position = BOARD.parse().unwrap();
        let action = Action::Move { source: square("a1"), target: square("a2"), count: 0 };
        assert_eq!(
            position.legality(action),
            Err(IllegalAction::NothingMoved { square: square("a1") })
        );
    }

    #[test]
    fn stack_too_small() {
        assert_eq!(
            reason(BOARD, "3b1b2"),
            IllegalAction::StackTooSmall { square: square("b1"), height: 2, count: 3 }
        );
    }

    #[test]
    fn same_square() {
        assert_eq!(reason(BOARD, "1b1b1"), IllegalAction::SameSquare { square: square("b1") });
    }

    #[test]
    fn not_straight() {
        assert_eq!(
            reason(BOARD, "1b1c2"),
            IllegalAction::NotStraight { from: square("b1"), to: square("c2") }
        );
    }

    #[test]
    fn too_far() {
        assert_eq!(
            reason(BOARD, "1b1b4"),
            IllegalAction::TooFar { from: square("b1"), to: square("b4"), distance: 3, height: 2 }
        );
    }

    #[test]
    fn target_held() {
        assert_eq!(
            reason(BOARD, "1b1c1"),
            IllegalAction::TargetHeld { square: square("c1"), owner: Color::Black }
        );
    }
}
