//! A placement that may hold anything.

use crate::{Color, Position, Square};

/// An unchecked placement: any height of either colour, even of both, on any
/// square. [`Position::from_setup`] says whether it is a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Bots by [`Color::index`] and [`Square::index`].
    pub heights: [[u8; Square::COUNT]; 2],
    /// The side to move.
    pub turn: Color,
}

impl Setup {
    /// The board without bots.
    pub const fn empty(turn: Color) -> Setup {
        Setup { heights: [[0; Square::COUNT]; 2], turn }
    }

    /// The placement with `height` bots of `color` on `square` instead of the
    /// bots of that colour that stood there; 0 clears them.
    #[must_use]
    pub const fn put(mut self, color: Color, square: Square, height: u8) -> Setup {
        self.heights[color.index()][square.index()] = height;
        self
    }

    /// The placement with another side to move.
    #[must_use]
    pub const fn with_turn(mut self, turn: Color) -> Setup {
        self.turn = turn;
        self
    }

    /// How many bots of the colour stand on the square.
    pub const fn height(&self, color: Color, square: Square) -> u8 {
        self.heights[color.index()][square.index()]
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut setup = Setup::empty(position.turn());
        for color in Color::ALL {
            for square in position.stacks(color) {
                setup = setup.put(color, square, position.height(square));
            }
        }
        setup
    }
}
