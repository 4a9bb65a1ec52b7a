//! Hash keys of stacks: one per colour, square and height.

use boombots_rules::{MAX_BOTS, Square};

/// The key that tells the sides to move apart.
pub(crate) const BLACK_TO_MOVE: u64 = splitmix(0xB00B_0750);

/// The key of a stack of `height` 1–16 of the colour index on the square index,
/// 0 for a height of 0.
#[inline]
pub(crate) fn stack(color: usize, square: usize, height: u8) -> u64 {
    // The masks change nothing for valid arguments and drop the bounds checks.
    STACKS[(height & 31) as usize][color & 1][square & 63]
}

/// By height first: most stacks are low, so few cache lines are hot.
static STACKS: [[[u64; Square::COUNT]; 2]; 32] = keys();

const fn keys() -> [[[u64; Square::COUNT]; 2]; 32] {
    let mut table = [[[0; Square::COUNT]; 2]; 32];
    let mut index = 0;
    while index < MAX_BOTS as usize * 2 * Square::COUNT {
        table[index / 128 + 1][index / 64 % 2][index % 64] = splitmix(index as u64 + 1);
        index += 1;
    }
    table
}

/// One output of the SplitMix64 generator (Steele, Lea, Flood 2014), counted
/// from a seed of its own.
const fn splitmix(count: u64) -> u64 {
    let mut z = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(count).wrapping_add(0x5EED_B007_B0B5);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_are_distinct() {
        let mut seen = HashSet::from([0, BLACK_TO_MOVE]);
        for key in STACKS[1..=MAX_BOTS as usize].as_flattened().as_flattened() {
            assert!(seen.insert(*key));
        }
        assert!(STACKS[0].as_flattened().iter().all(|key| *key == 0));
    }
}
