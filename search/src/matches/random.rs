//! Random openings and placements, equal for equal seeds.

use boombots_rules::{Color, Position, Setup, Square, Start};

/// The SplitMix64 generator (Steele, Lea, Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// A start after so many random moves, none of them a boom; `None` when a side
/// has no move left but booms.
pub(crate) fn opening(start: Start, plies: usize, random: &mut Random) -> Option<Position> {
    let mut position = Position::start(start);
    for _ in 0..plies {
        let actions = position.legal_actions();
        let moves: Vec<_> = actions.iter().filter(|action| !action.is_boom()).collect();
        let action = *moves.get(random.below(moves.len().max(1)))?;
        position = position.apply_unchecked(*action);
    }
    Some(position)
}

/// Bots of each side on random squares, in stacks where they meet.
pub(crate) fn placement(bots: [u8; 2], turn: Color, random: &mut Random) -> Position {
    let mut setup = Setup::empty(turn);
    for color in Color::ALL {
        let mut left = bots[color.index()];
        while left > 0 {
            let square = Square::ALL[random.below(Square::COUNT)];
            if setup.height(!color, square) == 0 {
                let height = setup.height(color, square) + 1;
                setup = setup.put(color, square, height);
                left -= 1;
            }
        }
    }
    Position::from_setup(&setup).expect("no square is shared and no side has over 16 bots")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_decide_everything() {
        let make = |seed| {
            let mut random = Random::new(seed);
            let opening = opening(Start::Standard, 8, &mut random);
            (opening, placement([4, 6], Color::Black, &mut random))
        };
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
        let (_, placement) = make(3);
        assert_eq!(Color::ALL.map(|color| placement.bots(color)), [4, 6]);
        assert_eq!(placement.turn(), Color::Black);
    }
}
