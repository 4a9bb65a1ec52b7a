//! A checked position.

use thiserror::Error;

use crate::{Action, Color, IllegalAction, Outcome, Setup, Square, SquareSet, Start};

/// The most bots a side can have, and so the tallest a stack can be.
pub const MAX_BOTS: u8 = 16;

/// A position: stacks of one colour a square, at most [`MAX_BOTS`] bots a side,
/// and the side to move.
///
/// A side may be without bots; then the game is over. Equal positions are equal
/// in every field, so `Eq` and `Hash` mean the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Occupied squares by [`Color::index`]; the two sets are disjoint.
    stacks: [SquareSet; 2],
    /// Bots by [`Square::index`], 0 exactly on the unoccupied squares.
    heights: [u8; Square::COUNT],
    /// Sums of `heights` by [`Color::index`], at most [`MAX_BOTS`].
    bots: [u8; 2],
    turn: Color,
}

impl Position {
    /// A named starting position.
    pub fn start(start: Start) -> Position {
        start.position()
    }

    /// Checks a placement.
    ///
    /// # Errors
    ///
    /// When both colours share a square or a side has more than [`MAX_BOTS`]
    /// bots.
    pub fn from_setup(setup: &Setup) -> Result<Position, PositionError> {
        let mut position = Position::empty(setup.turn);
        for square in Square::ALL {
            let [white, black] = Color::ALL.map(|color| setup.height(color, square));
            if white > 0 && black > 0 {
                return Err(PositionError::SharedSquare { square });
            }
        }
        for color in Color::ALL {
            let heights = &setup.heights[color.index()];
            let bots: u32 = heights.iter().map(|height| u32::from(*height)).sum();
            if bots > u32::from(MAX_BOTS) {
                return Err(PositionError::TooManyBots { color, bots });
            }
            for square in Square::ALL {
                let height = heights[square.index()];
                if height > 0 {
                    position.place_unchecked(color, square, height);
                }
            }
        }
        Ok(position)
    }

    /// The board without bots, to be filled by [`Position::add_bots`].
    pub const fn empty(turn: Color) -> Position {
        Position { stacks: [SquareSet::EMPTY; 2], heights: [0; Square::COUNT], bots: [0; 2], turn }
    }

    /// Puts more bots on the board: a new stack, or a higher one.
    ///
    /// # Errors
    ///
    /// When the other colour stands on the square or the side would have more
    /// than [`MAX_BOTS`] bots. The position is then as it was.
    #[inline]
    pub fn add_bots(
        &mut self,
        color: Color,
        square: Square,
        count: u8,
    ) -> Result<(), PositionError> {
        if self.stacks[color.opposite().index()].contains(square) && count > 0 {
            return Err(PositionError::SharedSquare { square });
        }
        let bots = u32::from(self.bots[color.index()]) + u32::from(count);
        if bots > u32::from(MAX_BOTS) {
            return Err(PositionError::TooManyBots { color, bots });
        }
        if count > 0 {
            self.stacks[color.index()].insert(square);
            self.heights[square.index()] += count;
            self.bots[color.index()] += count;
        }
        Ok(())
    }

    /// Puts a new stack on the board.
    ///
    /// Contract: the square is empty, the height is not 0 and the side keeps to
    /// [`MAX_BOTS`].
    pub(crate) const fn place_unchecked(&mut self, color: Color, square: Square, height: u8) {
        self.stacks[color.index()].insert(square);
        self.heights[square.index()] = height;
        self.bots[color.index()] += height;
    }

    /// The side to move, also after the end of the game.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The same bots with another side to move.
    #[inline]
    #[must_use]
    pub const fn with_turn(mut self, turn: Color) -> Position {
        self.turn = turn;
        self
    }

    /// The squares on which the side has stacks.
    #[inline]
    pub const fn stacks(&self, color: Color) -> SquareSet {
        self.stacks[color.index()]
    }

    /// The squares on which either side has a stack.
    #[inline]
    pub const fn occupied(&self) -> SquareSet {
        SquareSet::from_bits(self.stacks[0].bits() | self.stacks[1].bits())
    }

    /// How many bots stand on the square, of whichever colour; 0 when it is
    /// empty.
    #[inline]
    pub const fn height(&self, square: Square) -> u8 {
        self.heights[square.index()]
    }

    /// Whose stack stands on the square.
    #[inline]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        if self.stacks(Color::White).contains(square) {
            Some(Color::White)
        } else if self.stacks(Color::Black).contains(square) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// How many bots the side has, at most [`MAX_BOTS`].
    #[inline]
    pub const fn bots(&self, color: Color) -> u8 {
        self.bots[color.index()]
    }

    /// How the game ended: a win when only one side has bots, a draw when
    /// neither has, `None` while it goes on.
    #[inline]
    pub const fn outcome(&self) -> Option<Outcome> {
        match (self.stacks[0].is_empty(), self.stacks[1].is_empty()) {
            (false, false) => None,
            (false, true) => Some(Outcome::Win(Color::White)),
            (true, false) => Some(Outcome::Win(Color::Black)),
            (true, true) => Some(Outcome::Draw),
        }
    }

    /// Whether the game has ended.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.stacks[0].is_empty() || self.stacks[1].is_empty()
    }

    /// The position after an action of the side to move.
    ///
    /// # Errors
    ///
    /// When the action is illegal, the reason.
    pub fn play(&self, action: Action) -> Result<Position, IllegalAction> {
        self.legality(action)?;
        Ok(self.apply_unchecked(action))
    }

    /// The position after an action that is known to be legal.
    ///
    /// Contract: [`Position::legality`] accepts the action. Any other action
    /// gives a meaningless position or panics; it is never undefined behaviour.
    #[inline]
    #[must_use]
    pub const fn apply_unchecked(&self, action: Action) -> Position {
        let mut next = *self;
        match action {
            Action::Move { source, target, count } => {
                let own = &mut next.stacks[self.turn.index()];
                next.heights[source.index()] -= count;
                if next.heights[source.index()] == 0 {
                    own.remove(source);
                }
                own.insert(target);
                next.heights[target.index()] += count;
            }
            Action::Boom { source } => next.clear(self.explosion(source)),
        }
        next.turn = self.turn.opposite();
        next
    }

    /// Takes every stack on the given occupied squares off the board.
    #[inline]
    const fn clear(&mut self, squares: SquareSet) {
        let white = self.stacks[0].bits();
        let mut left = squares.bits();
        while left != 0 {
            let square = Square::of_lowest_bit_unchecked(left);
            let color = (white >> square.index() & 1 == 0) as usize;
            self.bots[color] -= self.heights[square.index()];
            self.heights[square.index()] = 0;
            left &= left - 1;
        }
        self.stacks[0] = SquareSet::from_bits(white & !squares.bits());
        self.stacks[1] = SquareSet::from_bits(self.stacks[1].bits() & !squares.bits());
    }
}

impl TryFrom<&Setup> for Position {
    type Error = PositionError;

    fn try_from(setup: &Setup) -> Result<Position, PositionError> {
        Position::from_setup(setup)
    }
}

/// Why a placement is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Both colours stand on a square.
    #[error("both colours have bots on {square}")]
    SharedSquare {
        /// The first such square.
        square: Square,
    },
    /// A side has more than [`MAX_BOTS`] bots.
    #[error("{color} has {bots} bots, at most {MAX_BOTS} are allowed")]
    TooManyBots {
        /// The side.
        color: Color,
        /// How many bots it has.
        bots: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn setup_with_shared_square_is_refused() {
        let setup = Setup::empty(Color::White).put(Color::White, square("c3"), 1).put(
            Color::Black,
            square("c3"),
            2,
        );
        assert_eq!(
            Position::from_setup(&setup),
            Err(PositionError::SharedSquare { square: square("c3") })
        );
    }

    #[test]
    fn setup_with_too_many_bots_is_refused() {
        let mut setup = Setup::empty(Color::White).put(Color::Black, square("h8"), 200);
        for square in Square::ALL.into_iter().take(30) {
            setup = setup.put(Color::Black, square, 1);
        }
        assert_eq!(
            Position::try_from(&setup),
            Err(PositionError::TooManyBots { color: Color::Black, bots: 230 })
        );
    }

    #[test]
    fn bots_are_added_one_by_one_or_refused() {
        let mut position = Position::empty(Color::White);
        position.add_bots(Color::White, square("a1"), 2).unwrap();
        position.add_bots(Color::White, square("a1"), 1).unwrap();
        position.add_bots(Color::Black, square("b1"), 1).unwrap();
        position.add_bots(Color::Black, square("a1"), 0).unwrap();
        let before = position;
        assert_eq!(
            position.add_bots(Color::Black, square("a1"), 1),
            Err(PositionError::SharedSquare { square: square("a1") })
        );
        assert_eq!(
            position.add_bots(Color::White, square("c1"), 14),
            Err(PositionError::TooManyBots { color: Color::White, bots: 17 })
        );
        assert_eq!(position, before);
        assert_eq!(position.to_string(), "8/8/8/8/8/8/8/Ca6 w");
    }

    #[test]
    fn setup_and_position_agree() {
        let setup = Setup::empty(Color::Black).put(Color::White, square("a1"), 16).put(
            Color::Black,
            square("b1"),
            3,
        );
        let position = Position::from_setup(&setup).unwrap();
        assert_eq!(Setup::from(&position), setup);
        assert_eq!(position.turn(), Color::Black);
        assert_eq!(position.bots(Color::White), 16);
        assert_eq!(position.bots(Color::Black), 3);
        assert_eq!(position.height(square("b1")), 3);
        assert_eq!(position.color_at(square("a1")), Some(Color::White));
        assert_eq!(position.color_at(square("b1")), Some(Color::Black));
        assert_eq!(position.color_at(square("c1")), None);
        assert_eq!(position.occupied().len(), 2);
        assert_eq!(position.with_turn(Color::White).turn(), Color::White);
    }

    #[test]
    fn outcome_follows_who_has_bots() {
        let outcome = |text: &str| text.parse::<Position>().unwrap().outcome();
        assert_eq!(outcome("8/8/8/8/8/8/8/Aa6 w"), None);
        assert_eq!(outcome("8/8/8/8/8/8/8/A7 w"), Some(Outcome::Win(Color::White)));
        assert_eq!(outcome("8/8/8/8/8/8/8/a7 w"), Some(Outcome::Win(Color::Black)));
        assert_eq!(outcome("8/8/8/8/8/8/8/8 w"), Some(Outcome::Draw));
    }

    #[test]
    fn moves_split_combine_and_pass_over_pieces() {
        let after = |text: &str, action: &str| {
            let position: Position = text.parse().unwrap();
            position.play(action.parse().unwrap()).unwrap().to_string()
        };
        assert_eq!(after("8/8/8/8/8/8/8/Ca1B4 w", "2a1d1"), "8/8/8/8/8/8/8/Aa1D4 b");
        assert_eq!(after("8/8/8/8/8/8/8/Ca1B4 w", "3a1a4"), "8/8/8/8/C7/8/8/1a1B4 b");
    }

    #[test]
    fn booms_take_whole_chains_of_both_colours() {
        let position: Position = "7a/8/8/3c4/2B5/8/8/A7 w".parse().unwrap();
        let next = position.play("xc4".parse().unwrap()).unwrap();
        assert_eq!(next.to_string(), "7a/8/8/8/8/8/8/A7 b");
        assert_eq!(next.bots(Color::White), 1);
        assert_eq!(next.bots(Color::Black), 1);
    }
}
