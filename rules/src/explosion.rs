//! What a boom takes with it.

use crate::{Color, Position, Square, SquareSet};

/// How many bots each side loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Losses {
    /// Bots lost by White.
    pub white: u8,
    /// Bots lost by Black.
    pub black: u8,
}

impl Losses {
    /// Bots lost by the side.
    #[inline]
    pub const fn of(self, color: Color) -> u8 {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

impl Position {
    /// The stacks a boom of the square would remove: the one on it and every
    /// stack of either colour connected to it through adjacent squares. Whose
    /// turn it is does not matter; an empty square gives the empty set.
    #[inline]
    pub const fn explosion(&self, square: Square) -> SquareSet {
        SquareSet::of(square).flooded(self.occupied())
    }

    /// How many bots each side would lose to a boom of the square; none when
    /// the square is empty.
    pub fn after_explosion(&self, square: Square) -> Losses {
        let removed = self.explosion(square);
        let [white, black] = Color::ALL.map(|color| {
            (removed & self.stacks(color)).iter().map(|square| self.height(square)).sum()
        });
        Losses { white, black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_count_bots_not_stacks() {
        let position: Position = "8/8/8/3c4/2BA4/8/8/A6b b".parse().unwrap();
        let c4: Square = "c4".parse().unwrap();
        assert_eq!(format!("{:?}", position.explosion(c4)), "{c4, d4, d5}");
        let losses = position.after_explosion(c4);
        assert_eq!(losses, Losses { white: 3, black: 3 });
        assert_eq!(losses.of(Color::White), 3);
    }

    #[test]
    fn empty_square_explodes_nothing() {
        let position: Position = "8/8/8/8/8/8/8/A6b w".parse().unwrap();
        let b1: Square = "b1".parse().unwrap();
        assert_eq!(position.explosion(b1), SquareSet::EMPTY);
        assert_eq!(position.after_explosion(b1), Losses::default());
    }
}
