//! The weights of the evaluation: one table, in centibots.
//!
//! A bot is worth [`BOT`]; everything else is fitted to the results of
//! self-play games by `boombots-engine tune`, which prints this table.

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
/// Index of the weight of stacks of height 1; taller ones follow.
pub(crate) const HEIGHT: usize = 1;
/// How many heights have a weight of their own; taller stacks use the last.
pub(crate) const HEIGHTS: usize = 6;
/// Index of the weight of stacks on the home row; further rows follow.
pub(crate) const ROW: usize = HEIGHT + HEIGHTS;
/// Index of the weight of stacks on the outermost columns; inner ones follow.
pub(crate) const COLUMN: usize = ROW + 8;
/// Index of the weight of adjacent own stacks.
pub(crate) const ADJACENT: usize = COLUMN + 4;
/// Index of the weight of squares in reach.
pub(crate) const REACH: usize = ADJACENT + 1;
/// Index of the weight of squares in reach beside opposing stacks.
pub(crate) const LANDING: usize = REACH + 1;
/// Index of the weight of the best attack of the mover.
pub(crate) const ATTACK_MOVER: usize = LANDING + 1;
/// Index of the weight of the best attack of the side that waits.
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
/// How many weights there are.
pub const WEIGHT_COUNT: usize = TEMPO + 1;

/// The most bots an attack or boom counts for: the blast terms are bounded.
pub(crate) const BLAST_BOUND: i32 = 8;

/// The weights, by the indices above.
pub static WEIGHTS: [Weight; WEIGHT_COUNT] = TABLE;

const TABLE: [Weight; WEIGHT_COUNT] = [
    weight("lead", 0, 223, "bot of material lead, beyond the 100 of a bot"),
    weight("height 1", 30, -6, "stack of one bot"),
    weight("height 2", -10, -20, "stack of two bots"),
    weight("height 3", -19, 12, "stack of three bots"),
    weight("height 4", -35, 23, "stack of four bots"),
    weight("height 5", -65, 53, "stack of five bots"),
    weight("height 6+", -91, 69, "stack of six bots or more"),
    weight("row 1", -37, 11, "stack on the home row"),
    weight("row 2", -35, -2, "stack on the second row"),
    weight("row 3", -60, 9, "stack on the third row"),
    weight("row 4", -39, 8, "stack on the fourth row"),
    weight("row 5", -8, 2, "stack on the fifth row"),
    weight("row 6", 20, -5, "stack on the sixth row"),
    weight("row 7", 54, -13, "stack on the seventh row"),
    weight("row 8", 13, -1, "stack on the far row"),
    weight("column a", -15, 2, "stack on an outermost column"),
    weight("column b", -15, 3, "stack on a column next to the outermost"),
    weight("column c", -39, 7, "stack on a column next to the middle ones"),
    weight("column d", -35, 5, "stack on a middle column"),
    weight("adjacent", -23, -55, "pair of own stacks adjacent in a row, column or diagonal"),
    weight("reach", 3, 13, "square to which a stack can move, opposing ones included"),
    weight("landing", -1, -8, "square in reach beside an opposing stack, at most 8"),
    weight("attack, mover", 11, 38, "bot the mover nets by landing one and booming"),
    weight("attack, waiting", 7, 27, "the same for the side that waits"),
    weight("boom, mover", 22, 220, "bot the mover nets by its best boom"),
    weight("boom 2, mover", 23, 116, "bot the mover nets by its second best boom"),
    weight("boom, waiting", 21, 124, "bot the waiting side nets by its best boom"),
    weight("boom 2, waiting", 25, 162, "bot the waiting side nets by its second best boom"),
    weight("tempo", 57, -7, "having the move"),
];

/// What a stack of `height` 1–16 on a square is worth by where it stands and
/// how tall it is, positive for White's and negative for Black's; nothing for a
/// height of 0.
#[inline]
pub(crate) fn placement(color: usize, square: usize, height: u8) -> Tapered {
    // The masks change nothing for valid arguments and drop the bounds checks.
    PLACEMENT[(height & 31) as usize][color & 1][square & 63]
}

/// The weight indices that make up [`placement`], from White's point of view.
pub(crate) const fn placement_features(color: usize, square: usize, height: u8) -> [usize; 3] {
    let (x, y) = (square % 8, square / 8);
    let row = if color == 0 { y } else { 7 - y };
    let column = if x < 4 { x } else { 7 - x };
    let height = if height as usize > HEIGHTS { HEIGHTS } else { height as usize };
    [HEIGHT + height - 1, ROW + row, COLUMN + column]
}

static PLACEMENT: [[[Tapered; Square::COUNT]; 2]; 32] = placements();

const fn placements() -> [[[Tapered; Square::COUNT]; 2]; 32] {
    let mut table = [[[Tapered::new(0, 0); Square::COUNT]; 2]; 32];
    let mut index = 0;
    while index < MAX_BOTS as usize * 2 * Square::COUNT {
        let (height, color, square) = (index / 128 + 1, index / 64 % 2, index % 64);
        let features = placement_features(color, square, height as u8);
        let (mut opening, mut ending) = (0, 0);
        let mut i = 0;
        while i < features.len() {
            opening += TABLE[features[i]].value.opening();
            ending += TABLE[features[i]].value.ending();
            i += 1;
        }
        let sign = if color == 0 { 1 } else { -1 };
        table[height][color][square] =
            Tapered::new((sign * opening) as i16, (sign * ending) as i16);
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_at_their_indices() {
        assert_eq!(WEIGHTS[HEIGHT].name, "height 1");
        assert_eq!(WEIGHTS[ROW].name, "row 1");
        assert_eq!(WEIGHTS[COLUMN].name, "column a");
        assert_eq!(WEIGHTS[ADJACENT].name, "adjacent");
        assert_eq!(WEIGHTS[BOOM_MOVER].name, "boom, mover");
        assert_eq!(WEIGHTS[TEMPO].name, "tempo");
    }
}
