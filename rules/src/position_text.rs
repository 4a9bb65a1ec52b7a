//! The one-line text of a position.
//!
//! Ranks from `y = 7` down to `y = 0` separated by `/`, then a space and `w` or
//! `b` to move. Within a rank a digit 1–8 is that many empty squares, `A`–`P` a
//! white stack of 1–16 and `a`–`p` a black one. Runs of empty squares are
//! merged, so text and position are one to one.

use std::fmt::{self, Write};
use std::iter::Peekable;
use std::str::{Chars, FromStr};

use thiserror::Error;

use crate::{Color, MAX_BOTS, Position, Square};

/// Text that is not a position. Columns count characters from 1, and ranks are
/// those of the board: 8 is the first in the text, 1 the last.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// Something that is neither a run of empty squares nor a stack.
    #[error(
        "column {column}, rank {rank}: found {found:?}, expected a digit 1-8, a letter A-P or a-p"
    )]
    UnexpectedCharacter {
        /// Where it stands.
        column: usize,
        /// The rank it stands in.
        rank: u8,
        /// What it is.
        found: char,
    },
    /// Two runs of empty squares in a row, which are written as one.
    #[error("column {column}, rank {rank}: found {second} after {first}, expected one merged run")]
    SplitRun {
        /// Where the second run stands.
        column: usize,
        /// The rank it stands in.
        rank: u8,
        /// Length of the first run.
        first: u8,
        /// Length of the second run.
        second: u8,
    },
    /// A rank with more than eight squares.
    #[error(
        "column {column}, rank {rank}: found {found:?} that makes {squares} squares, expected 8"
    )]
    TooManySquares {
        /// Where the character that is too much stands.
        column: usize,
        /// The rank it stands in.
        rank: u8,
        /// What it is.
        found: char,
        /// How many squares the rank has with it.
        squares: u8,
    },
    /// A rank with fewer than eight squares.
    #[error("column {column}, rank {rank}: the rank ends after {squares} squares, expected 8")]
    TooFewSquares {
        /// Where the rank ends.
        column: usize,
        /// The rank.
        rank: u8,
        /// How many squares it has.
        squares: u8,
    },
    /// The board ends before rank 1.
    #[error("column {column}: the board ends, expected '/' and rank {rank}")]
    MissingRank {
        /// Where the board ends.
        column: usize,
        /// The first rank that is missing.
        rank: u8,
    },
    /// The board goes on after rank 1.
    #[error("column {column}: found '/' after rank 1, expected a space and the side to move")]
    TooManyRanks {
        /// Where the rank separator stands.
        column: usize,
    },
    /// More than 16 bots of one side.
    #[error(
        "column {column}, rank {rank}: {color} has {bots} bots here, at most {MAX_BOTS} are allowed"
    )]
    TooManyBots {
        /// Where the stack stands that is too much.
        column: usize,
        /// The rank it stands in.
        rank: u8,
        /// Whose it is.
        color: Color,
        /// How many bots the side has with it.
        bots: u8,
    },
    /// The text ends before the side to move.
    #[error("column {column}: the text ends, expected a space and the side to move, w or b")]
    MissingSide {
        /// Where the text ends.
        column: usize,
    },
    /// A side to move that is neither `w` nor `b`.
    #[error("column {column}: found {found:?}, expected the side to move, w or b")]
    InvalidSide {
        /// Where it stands.
        column: usize,
        /// What it is.
        found: char,
    },
    /// Something after the side to move.
    #[error("column {column}: found {found:?} after the side to move, expected the end")]
    TrailingText {
        /// Where it begins.
        column: usize,
        /// Its first character.
        found: char,
    },
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let mut reader = Reader { rest: text.chars().peekable(), column: 1 };
        let mut position = Position::empty(Color::White);
        for y in (0..8).rev() {
            reader.rank(y, &mut position)?;
            if y > 0 {
                reader.rank_separator(y)?;
            }
        }
        let turn = reader.side()?;
        match reader.rest.peek() {
            None => Ok(position.with_turn(turn)),
            Some(&found) => Err(ParsePositionError::TrailingText { column: reader.column, found }),
        }
    }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    /// Column of the next character, from 1.
    column: usize,
}

impl Reader<'_> {
    fn advance(&mut self) {
        self.rest.next();
        self.column += 1;
    }

    /// Reads the squares of row `y` up to the separator, space or end after it.
    fn rank(&mut self, y: u8, position: &mut Position) -> Result<(), ParsePositionError> {
        let rank = y + 1;
        let mut x = 0;
        let mut last_run = None;
        while let Some(&found) = self.rest.peek() {
            let column = self.column;
            let width = match found {
                '/' | ' ' => break,
                '1'..='8' => found as u8 - b'0',
                'A'..='P' | 'a'..='p' => 1,
                _ => {
                    return Err(ParsePositionError::UnexpectedCharacter { column, rank, found });
                }
            };
            let is_run = found.is_ascii_digit();
            if let (true, Some(first)) = (is_run, last_run) {
                return Err(ParsePositionError::SplitRun { column, rank, first, second: width });
            }
            last_run = is_run.then_some(width);
            if x + width > 8 {
                return Err(ParsePositionError::TooManySquares {
                    column,
                    rank,
                    found,
                    squares: x + width,
                });
            }
            if let (false, Some(square)) = (is_run, Square::new(x, y)) {
                self.stack(found as u8, square, position)?;
            }
            x += width;
            self.advance();
        }
        if x < 8 {
            return Err(ParsePositionError::TooFewSquares {
                column: self.column,
                rank,
                squares: x,
            });
        }
        Ok(())
    }

    /// Places the stack of a letter that was found to be one.
    fn stack(
        &self,
        letter: u8,
        square: Square,
        position: &mut Position,
    ) -> Result<(), ParsePositionError> {
        let (color, first) =
            if letter.is_ascii_uppercase() { (Color::White, b'A') } else { (Color::Black, b'a') };
        let height = letter - first + 1;
        let bots = position.bots(color) + height;
        if bots > MAX_BOTS {
            return Err(ParsePositionError::TooManyBots {
                column: self.column,
                rank: square.y() + 1,
                color,
                bots,
            });
        }
        position.place_unchecked(color, square, height);
        Ok(())
    }

    /// Reads the `/` below row `y`; whatever else a rank ends with ends the board.
    fn rank_separator(&mut self, y: u8) -> Result<(), ParsePositionError> {
        if self.rest.peek() != Some(&'/') {
            return Err(ParsePositionError::MissingRank { column: self.column, rank: y });
        }
        self.advance();
        Ok(())
    }

    /// Reads the space after the board and the side to move.
    fn side(&mut self) -> Result<Color, ParsePositionError> {
        match self.rest.peek() {
            None => {
                return Err(ParsePositionError::MissingSide { column: self.column });
            }
            Some('/') => {
                return Err(ParsePositionError::TooManyRanks { column: self.column });
            }
            // A rank ends at nothing but a separator, a space or the end.
            Some(_) => self.advance(),
        }
        let turn = match self.rest.peek() {
            Some('w') => Color::White,
            Some('b') => Color::Black,
            Some(&found) => {
                return Err(ParsePositionError::InvalidSide { column: self.column, found });
            }
            None => {
                return Err(ParsePositionError::MissingSide { column: self.column });
            }
        };
        self.advance();
        Ok(turn)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..8).rev() {
            let mut run = 0;
            for x in 0..8 {
                let square = Square::new(x, y).expect("both coordinates are below 8");
                let Some(color) = self.color_at(square) else {
                    run += 1;
                    continue;
                };
                if run > 0 {
                    write!(f, "{run}")?;
                    run = 0;
                }
                let first = match color {
                    Color::White => b'A',
                    Color::Black => b'a',
                };
                f.write_char(char::from(first + self.height(square) - 1))?;
            }
            if run > 0 {
                write!(f, "{run}")?;
            }
            f.write_char(if y > 0 { '/' } else { ' ' })?;
        }
        f.write_char(match self.turn() {
            Color::White => 'w',
            Color::Black => 'b',
        })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
