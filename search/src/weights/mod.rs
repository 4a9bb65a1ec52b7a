//! The weights of the evaluation, in centibots.
//!
//! A bot is worth [`BOT`]; everything else is fitted to the results of
//! self-play games by `boombots-engine tune`, which prints [`table`].

mod table;

use boombots_rules::{MAX_BOTS, Square};

use crate::tapered::Tapered;

/// What a bot is worth.
pub(crate) const BOT: i32 = 100;

/// A weight: its name, what one unit of its feature is worth with the board
/// full and with it nearly empty, and the documentation of the feature.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The feature's name.
    pub name: &'static str,
    /// Centibots a unit at the start and towards the end.
    pub value: Tapered,
    /// What a unit of the feature is.
    pub meaning: &'static str,
}

const fn weight(name: &'static str, opening: i16, ending: i16, meaning: &'static str) -> Weight {
    Weight { name, value: Tapered::new(opening, ending), meaning }
}

/// Index of the weight of the material lead.
pub(crate) const LEAD: usize = 0;
/// Index of the weight of adjacent own stacks.
pub(crate) const ADJACENT: usize = LEAD + 1;
/// Index of the weight of squares in reach.
pub(crate) const REACH: usize = ADJACENT + 1;
/// Index of the weight of squares in reach beside opposing stacks.
pub(crate) const LANDING: usize = REACH + 1;
/// Index of the weight of the bots the mover can attack.
pub(crate) const ATTACK_MOVER: usize = LANDING + 1;
/// Index of the weight of the bots the side that waits can attack.
pub(crate) const ATTACK_WAITING: usize = ATTACK_MOVER + 1;
/// Index of the weight of the mover's most profitable boom.
pub(crate) const BOOM_MOVER: usize = ATTACK_WAITING + 1;
/// Index of the weight of the mover's second most profitable boom.
pub(crate) const BOOM_MOVER_SECOND: usize = BOOM_MOVER + 1;
/// Index of the weight of the waiting side's most profitable boom.
pub(crate) const BOOM_WAITING: usize = BOOM_MOVER_SECOND + 1;
/// Index of the weight of the waiting side's second most profitable boom.
pub(crate) const BOOM_WAITING_SECOND: usize = BOOM_WAITING + 1;
/// Index of the weight of having the move.
pub(crate) const TEMPO: usize = BOOM_WAITING_SECOND + 1;
/// Index of the weight of the lead's share of all bots.
pub(crate) const SHARE: usize = TEMPO + 1;
/// Index of the weight of stacks beside opposing ones.
pub(crate) const CONTACT: usize = SHARE + 1;
/// Index of the weight of squares in reach that are not beside opposing stacks.
pub(crate) const SAFE_REACH: usize = CONTACT + 1;
/// Index of the weight of stacks on or beside squares in the other side's reach.
pub(crate) const EXPOSED: usize = SAFE_REACH + 1;
/// Index of the weight of being ahead at all.
pub(crate) const AHEAD: usize = EXPOSED + 1;
/// How many weights have a name.
pub(crate) const NAMED_COUNT: usize = AHEAD + 1;
/// Index of the first weight of a stack by where it stands.
const PLACEMENT: usize = NAMED_COUNT;
/// How many heights have weights of their own; taller stacks use the last.
const HEIGHTS: usize = 6;
/// How many weights there are.
pub const WEIGHT_COUNT: usize = PLACEMENT + HEIGHTS * 8 * 4;

/// The most bots a boom counts for, and squares a landing: the blast terms are
/// bounded. Attacks are by the 16 bots of a side.
pub(crate) const BLAST_BOUND: i32 = 8;

/// What a stack is worth by its height less one, its row from its side's home
/// and its column from the nearer edge.
type Placement = [[[i16; 4]; 8]; HEIGHTS];

/// The weights that have names, by the indices above.
pub static NAMED_WEIGHTS: [Weight; NAMED_COUNT] = table::NAMED;

/// What a unit of every feature is worth: of the named ones, then of a stack by
/// height, row and column.
pub static WEIGHTS: [Tapered; WEIGHT_COUNT] = {
    let mut weights = [Tapered::new(0, 0); WEIGHT_COUNT];
    let mut index = 0;
    while index < WEIGHT_COUNT {
        weights[index] = if index < PLACEMENT {
            table::NAMED[index].value
        } else {
            let (height, row, column) = place_of(index);
            Tapered::new(table::OPENING[height][row][column], table::ENDING[height][row][column])
        };
        index += 1;
    }
    weights
};

/// Height less one, row and column of a weight of a stack.
const fn place_of(index: usize) -> (usize, usize, usize) {
    let index = index - PLACEMENT;
    (index / 32, index / 4 % 8, index % 4)
}

/// What a stack of `height` 1–16 on a square is worth by where it stands and
/// how tall it is, positive for White's and negative for Black's; nothing for a
/// height of 0.
#[inline]
pub(crate) fn placement(color: usize, square: usize, height: u8) -> Tapered {
    // The masks change nothing for valid arguments and drop the bounds checks.
    PLACEMENTS[(height & 31) as usize][color & 1][square & 63]
}

/// The index of the weight of a stack.
pub(crate) const fn placement_feature(color: usize, square: usize, height: u8) -> usize {
    let (x, y) = (square % 8, square / 8);
    let row = if color == 0 { y } else { 7 - y };
    let column = if x < 4 { x } else { 7 - x };
    let height = if height as usize > HEIGHTS { HEIGHTS } else { height as usize };
    PLACEMENT + (height - 1) * 32 + row * 4 + column
}

static PLACEMENTS: [[[Tapered; Square::COUNT]; 2]; 32] = {
    let mut table = [[[Tapered::new(0, 0); Square::COUNT]; 2]; 32];
    let mut index = 0;
    while index < MAX_BOTS as usize * 2 * Square::COUNT {
        let (height, color, square) = (index / 128 + 1, index / 64 % 2, index % 64);
        let worth = WEIGHTS[placement_feature(color, square, height as u8)];
        let sign = if color == 0 { 1 } else { -1 };
        table[height][color][square] =
            Tapered::new(sign * worth.opening() as i16, sign * worth.ending() as i16);
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_at_their_indices() {
        assert_eq!(NAMED_WEIGHTS[LEAD].name, "lead");
        assert_eq!(NAMED_WEIGHTS[ADJACENT].name, "adjacent");
        assert_eq!(NAMED_WEIGHTS[LANDING].name, "landing");
        assert_eq!(NAMED_WEIGHTS[ATTACK_WAITING].name, "attack, waiting");
        assert_eq!(NAMED_WEIGHTS[BOOM_MOVER].name, "boom, mover");
        assert_eq!(NAMED_WEIGHTS[BOOM_WAITING_SECOND].name, "boom 2, waiting");
        assert_eq!(NAMED_WEIGHTS[TEMPO].name, "tempo");
    }

    #[test]
    fn stacks_are_worth_what_the_table_says() {
        for (color, square, place) in
            [(0, 0, (0, 0)), (0, 63, (7, 0)), (1, 63, (0, 0)), (1, 12, (6, 3))]
        {
            for (height, class) in [(1, 0), (3, 2), (6, 5), (16, 5)] {
                let worth = placement(color, square, height);
                let sign = if color == 0 { 1 } else { -1 };
                let opening = i32::from(table::OPENING[class][place.0][place.1]);
                let ending = i32::from(table::ENDING[class][place.0][place.1]);
                assert_eq!((worth.opening(), worth.ending()), (sign * opening, sign * ending));
            }
        }
        assert_eq!(placement(0, 5, 0), Tapered::default());
    }
}
