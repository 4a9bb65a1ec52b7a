//! A position as JSON.

use boombots_rules::{Position, PositionError, Square};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Team;

/// A stack on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stack {
    /// Whose it is.
    pub team: Team,
    /// How many bots stand on it.
    pub stack: u8,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct State {
    /// The side to move.
    pub turn: Team,
    /// 64 squares, a1 to h1, then a2 to h2 and so on: the square (x, y) is at `8 * y + x`.
    pub board: Vec<Option<Stack>>,
    /// The same as one line of text.
    pub position: String,
}

/// JSON that has the shape of a position and is none.
#[derive(Debug, Error)]
pub enum StateError {
    /// The board has too few or too many squares.
    #[error("a board has 64 squares, not {found}")]
    Squares {
        /// How many there are.
        found: usize,
    },
    /// The stacks do not make a position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl From<&Position> for State {
    fn from(position: &Position) -> State {
        let stack = |square: Square| {
            let team = position.color_at(square)?.into();
            Some(Stack { team, stack: position.height(square) })
        };
        State {
            turn: position.turn().into(),
            board: Square::ALL.into_iter().map(stack).collect(),
            position: position.to_string(),
        }
    }
}

impl TryFrom<&State> for Position {
    type Error = StateError;

    /// The position of the board and the side to move; the text is not looked at.
    fn try_from(state: &State) -> Result<Position, StateError> {
        if state.board.len() != Square::COUNT {
            return Err(StateError::Squares { found: state.board.len() });
        }
        let mut position = Position::empty(state.turn.into());
        for (square, stack) in Square::ALL.into_iter().zip(&state.board) {
            if let Some(Stack { team, stack }) = *stack {
                position.add_bots(team.into(), square, stack)?;
            }
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_convert_both_ways() {
        for text in ["aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w", "8/8/8/4a3/3B4/8/8/A7 b"] {
            let position: Position = text.parse().unwrap();
            let state = State::from(&position);
            assert_eq!(state.position, text);
            assert_eq!(Position::try_from(&state).unwrap(), position);
        }
    }

    #[test]
    fn squares_are_numbered_by_rows() {
        let position: Position = "8/8/8/8/8/8/1a6/B7 w".parse().unwrap();
        let state = State::from(&position);
        assert_eq!(state.board[0], Some(Stack { team: Team::White, stack: 2 }));
        assert_eq!(state.board[9], Some(Stack { team: Team::Black, stack: 1 }));
    }

    #[test]
    fn impossible_boards_are_refused() {
        let state = State { turn: Team::White, board: vec![None; 63], position: String::new() };
        assert!(matches!(Position::try_from(&state), Err(StateError::Squares { found: 63 })));
        let tall = Some(Stack { team: Team::White, stack: 17 });
        let state = State { board: vec![tall; 64], ..state };
        assert!(matches!(Position::try_from(&state), Err(StateError::Position(_))));
    }
}
