//! An action as JSON.

use boombots_rules::{MissingTarget, Square};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A square by its coordinates, both 0–7: `{"x":0,"y":1}` is a2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Point {
    /// The column, 0 is `a`.
    pub x: u8,
    /// The row, 0 is White's first.
    pub y: u8,
}

/// One turn: a move of `count` bots, or with count 0 the boom of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Action {
    /// The stack that acts.
    pub source: Point,
    /// Where the bots go; of a boom the source, and then it need not be given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub target: Option<Point>,
    /// How many bots go; 0 is a boom.
    pub count: u8,
}

/// JSON that has the shape of an action and is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ActionError {
    /// A square off the board.
    #[error("({x}, {y}) is off the board; x and y are 0 to 7")]
    OffBoard {
        /// The column.
        x: u8,
        /// The row.
        y: u8,
    },
    /// A move without a target.
    #[error(transparent)]
    MissingTarget(#[from] MissingTarget),
}

impl From<Square> for Point {
    fn from(square: Square) -> Point {
        Point { x: square.x(), y: square.y() }
    }
}

impl TryFrom<Point> for Square {
    type Error = ActionError;

    fn try_from(Point { x, y }: Point) -> Result<Square, ActionError> {
        Square::new(x, y).ok_or(ActionError::OffBoard { x, y })
    }
}

impl From<boombots_rules::Action> for Action {
    fn from(action: boombots_rules::Action) -> Action {
        Action {
            source: action.source().into(),
            target: Some(action.target().into()),
            count: action.count(),
        }
    }
}

impl TryFrom<Action> for boombots_rules::Action {
    type Error = ActionError;

    /// The target of a boom is ignored, wherever it is.
    fn try_from(action: Action) -> Result<boombots_rules::Action, ActionError> {
        let source = Square::try_from(action.source)?;
        let target = match action.target.filter(|_| action.count > 0) {
            Some(target) => Some(Square::try_from(target)?),
            None => None,
        };
        Ok(boombots_rules::Action::from_parts(source, target, action.count)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<boombots_rules::Action, ActionError> {
        let action: Action = serde_json::from_str(json).unwrap();
        action.try_into()
    }

    #[test]
    fn moves_and_booms_convert_both_ways() {
        for text in ["1a2a3", "3d4g4", "xd4"] {
            let action: boombots_rules::Action = text.parse().unwrap();
            assert_eq!(Action::from(action).try_into(), Ok(action));
        }
        let boom = read(r#"{"source":{"x":3,"y":3},"target":{"x":9,"y":9},"count":0}"#);
        assert_eq!(boom, Ok("xd4".parse().unwrap()));
        assert_eq!(read(r#"{"source":{"x":3,"y":3},"count":0}"#), boom);
    }

    #[test]
    fn what_is_off_the_board_is_said() {
        let error = read(r#"{"source":{"x":8,"y":0},"count":0}"#).unwrap_err();
        assert_eq!(error.to_string(), "(8, 0) is off the board; x and y are 0 to 7");
        let error = read(r#"{"source":{"x":0,"y":0},"count":2}"#).unwrap_err();
        assert_eq!(error.to_string(), "a move of 2 needs a target; only a boom, count 0, has none");
    }
}
