//! The engine's own position: one cache line, copied for every action.

use std::fmt;

use boombots_probe::Configuration;
use boombots_rules::{Color, Outcome, Position, Setup, Square, SquareSet};

use crate::packed_action::PackedAction;
use crate::pair::Pair;
use crate::tapered::Tapered;
use crate::{weights, zobrist};

/// A position as the search holds it: bit sets of stacks, their heights in bit
/// slices, the hash and the placement score, kept up to date by
/// every action. 64 bytes.
///
/// Always made from a [`Position`] and changed by legal actions only, so it
/// never has to check anything again.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Board {
    /// Squares with stacks by [`Color::index`].
    stacks: [u64; 2],
    /// Bit i of a stack's height less one, on the squares of either colour's
    /// stacks; zero elsewhere.
    planes: [u64; 4],
    hash: u64,
    /// Sum of [`weights::placement`] over all stacks, White's less Black's.
    placement: Tapered,
    /// Bots by [`Color::index`].
    bots: [u8; 2],
    /// [`Color::index`] of the side to move.
    turn: u8,
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        let mut board = Board {
            stacks: [0; 2],
            planes: [0; 4],
            hash: if position.turn() == Color::Black { zobrist::BLACK_TO_MOVE } else { 0 },
            placement: Tapered::default(),
            bots: Color::ALL.map(|color| position.bots(color)),
            turn: position.turn().index() as u8,
        };
        for color in Color::ALL {
            for square in position.stacks(color) {
                board.put(color.index(), square.index(), position.height(square));
            }
        }
        board
    }
}

impl Board {
    /// The position in the form of the rules.
    pub fn position(&self) -> Position {
        let mut setup = Setup::empty(Color::ALL[self.mover()]);
        for color in Color::ALL {
            for square in SquareSet::from_bits(self.stacks[color.index()]) {
                setup = setup.put(color, square, self.height(square.index()));
            }
        }
        Position::from_setup(&setup).expect("a board is made from a position")
    }

    /// Where the bots of a colour index stand, as the tables number it.
    ///
    /// # Panics
    /// If there are more of them than a table has.
    #[inline]
    pub(crate) fn configuration(&self, color: usize) -> Configuration {
        let mut configuration = Configuration::EMPTY;
        for square in SquareSet::from_bits(self.stacks[color & 1]) {
            for _ in 0..self.height(square.index()) {
                configuration.insert(square.index() as u8);
            }
        }
        configuration
    }

    /// [`Color::index`] of the side to move.
    #[inline]
    pub(crate) const fn mover(&self) -> usize {
        (self.turn & 1) as usize
    }

    /// Squares of the side to move.
    #[inline]
    pub(crate) const fn own(&self) -> u64 {
        self.stacks[self.mover()]
    }

    /// Squares of the side that waits.
    #[inline]
    pub(crate) const fn other(&self) -> u64 {
        self.stacks[self.mover() ^ 1]
    }

    /// Squares of a colour index.
    #[inline]
    pub(crate) const fn stacks(&self, color: usize) -> u64 {
        self.stacks[color & 1]
    }

    /// Squares with stacks.
    #[inline]
    pub(crate) const fn occupied(&self) -> u64 {
        self.stacks[0] | self.stacks[1]
    }

    /// Bots of a colour index.
    #[inline]
    pub(crate) const fn bots(&self, color: usize) -> i32 {
        self.bots[color & 1] as i32
    }

    /// Bots of both sides.
    #[inline]
    pub(crate) const fn all_bots(&self) -> i32 {
        self.bots(0) + self.bots(1)
    }

    /// The key of the position, the side to move included.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The sum of [`weights::placement`] over all stacks, White's less Black's.
    #[inline]
    pub(crate) const fn placement(&self) -> Tapered {
        self.placement
    }

    /// The height of the stack on an occupied square.
    #[inline]
    pub(crate) const fn height(&self, square: usize) -> u8 {
        let square = square as u32 & 63;
        let [p0, p1, p2, p3] = self.planes;
        let bits = (p0 >> square & 1)
            | (p1 >> square & 1) << 1
            | (p2 >> square & 1) << 2
            | (p3 >> square & 1) << 3;
        bits as u8 + 1
    }

    /// Bit i of the heights less one, on the squares of stacks.
    #[inline]
    pub(crate) const fn planes(&self) -> [u64; 4] {
        self.planes
    }

    /// The squares of stacks of at least two to seven bots.
    #[inline]
    pub(crate) const fn taller(&self) -> [u64; 6] {
        let [p0, p1, p2, p3] = self.planes;
        let (four, eight) = (p2 | p3, p3);
        [p0 | p1 | four, p1 | four, p0 & p1 | four, four, eight | p2 & (p0 | p1), eight | p2 & p1]
    }

    /// How many bots each colour index has on the given squares.
    #[inline]
    pub(crate) fn bots_of_each_on(&self, squares: u64) -> [i32; 2] {
        (Pair::of(self.stacks) & Pair::both(squares)).bots(&self.planes)
    }

    /// How the game ended, `None` while it goes on.
    #[inline]
    pub(crate) const fn outcome(&self) -> Option<Outcome> {
        match (self.stacks[0] == 0, self.stacks[1] == 0) {
            (false, false) => None,
            (false, true) => Some(Outcome::Win(Color::White)),
            (true, false) => Some(Outcome::Win(Color::Black)),
            (true, true) => Some(Outcome::Draw),
        }
    }

    /// The stacks a boom of the square removes.
    #[inline]
    pub(crate) const fn explosion(&self, square: usize) -> u64 {
        flooded(1 << (square & 63), self.occupied())
    }

    /// The board after an action.
    ///
    /// Contract: the action is legal here.
    #[inline]
    #[must_use]
    pub(crate) fn apply(&self, action: PackedAction) -> Board {
        if action.is_boom() {
            return self.after_removal(self.explosion(action.source()));
        }
        let (source, target, count) = (action.source(), action.target(), action.count());
        let color = self.mover();
        let height = self.height(source);
        let there = self.height(target) * (self.own() >> target & 1) as u8;
        // What is left at the source, and what stands on the target then: without
        // branches, as a stack of no height has no bits, key or worth.
        let (left, together) = (height - count, there + count);
        let own = self.own() & !(1 << source) | u64::from(left != 0) << source | 1 << target;
        let change = Change::of(color, source, height, left);
        let change = change.and(Change::of(color, target, there, together));
        let [p0, p1, p2, p3] = self.planes;
        let [c0, c1, c2, c3] = change.planes;
        Board {
            stacks: if color == 0 { [own, self.stacks[1]] } else { [self.stacks[0], own] },
            planes: [p0 ^ c0, p1 ^ c1, p2 ^ c2, p3 ^ c3],
            hash: self.hash ^ change.hash ^ zobrist::BLACK_TO_MOVE,
            placement: self.placement + change.placement,
            bots: self.bots,
            turn: self.turn ^ 1,
        }
    }

    /// Centibots the mover gains by where stacks stand and how tall they are when
    /// `count` bots of a stack move.
    #[inline]
    pub(crate) fn placement_gain(
        &self,
        source: usize,
        target: usize,
        height: u8,
        count: u8,
    ) -> i32 {
        let color = self.mover();
        let there = self.height(target) * (self.own() >> target & 1) as u8;
        let worth = |square, height| weights::placement(color, square, height);
        let left = worth(source, height - count) - worth(source, height);
        let gain = left + worth(target, there + count) - worth(target, there);
        let white = gain.at(self.all_bots());
        if color == 0 { white } else { -white }
    }

    /// The board after a boom that removes the given stacks.
    #[must_use]
    pub(crate) fn after_removal(&self, squares: u64) -> Board {
        let mut next = *self;
        for color in 0..2 {
            let mut left = squares & self.stacks[color];
            while left != 0 {
                let square = left.trailing_zeros() as usize;
                left &= left - 1;
                let height = self.height(square);
                next.hash ^= zobrist::stack(color, square, height);
                next.placement -= weights::placement(color, square, height);
                next.bots[color] -= height;
            }
            next.stacks[color] &= !squares;
        }
        for plane in &mut next.planes {
            *plane &= !squares;
        }
        next.pass_turn();
        next
    }

    /// The same stacks with the other side to move.
    #[inline]
    #[must_use]
    pub(crate) fn passed(&self) -> Board {
        let mut next = *self;
        next.pass_turn();
        next
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.turn ^= 1;
        self.hash ^= zobrist::BLACK_TO_MOVE;
    }

    /// Puts a stack on an empty square; the bot count is the caller's.
    fn put(&mut self, color: usize, square: usize, height: u8) {
        let change = Change::of(color, square, 0, height);
        self.stacks[color] |= 1 << square;
        for (plane, flips) in self.planes.iter_mut().zip(change.planes) {
            *plane ^= flips;
        }
        self.hash ^= change.hash;
        self.placement += change.placement;
    }
}

/// What changes about a board, but for the set of stacks, when stacks change
/// their heights.
struct Change {
    /// The bits of the planes that flip.
    planes: [u64; 4],
    /// What the hash is to be xored with.
    hash: u64,
    placement: Tapered,
}

impl Change {
    /// That of one stack; heights are 0 where there is none.
    #[inline]
    fn of(color: usize, square: usize, from: u8, to: u8) -> Change {
        let ([f0, f1, f2, f3], [t0, t1, t2, t3]) =
            (BITS[(from & 31) as usize], BITS[(to & 31) as usize]);
        let here = 1 << square;
        Change {
            planes: [(f0 ^ t0) & here, (f1 ^ t1) & here, (f2 ^ t2) & here, (f3 ^ t3) & here],
            hash: zobrist::stack(color, square, from) ^ zobrist::stack(color, square, to),
            placement: weights::placement(color, square, to)
                - weights::placement(color, square, from),
        }
    }

    /// Both changes, of two squares.
    #[inline]
    fn and(self, other: Change) -> Change {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.planes, other.planes);
        Change {
            planes: [a0 | b0, a1 | b1, a2 | b2, a3 | b3],
            hash: self.hash ^ other.hash,
            placement: self.placement + other.placement,
        }
    }
}

/// All ones for every bit set in a height less one, by height; none for 0.
static BITS: [[u64; 4]; 32] = {
    let mut bits = [[0; 4]; 32];
    let mut height = 1;
    while height <= 16 {
        let mut i = 0;
        while i < 4 {
            bits[height][i] = if (height - 1) >> i & 1 != 0 { !0 } else { 0 };
            i += 1;
        }
        height += 1;
    }
    bits
};

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.position())
    }
}

/// The squares together with all adjacent ones.
#[inline]
pub(crate) const fn dilated(squares: u64) -> u64 {
    SquareSet::from_bits(squares).dilated().bits()
}

/// The squares of `within` connected to `squares`.
#[inline]
pub(crate) const fn flooded(squares: u64, within: u64) -> u64 {
    SquareSet::from_bits(squares).flooded(SquareSet::from_bits(within)).bits()
}

/// Squares with at least k columns to their right, by k.
pub(crate) const RIGHT_ROOM: [u64; 8] = rooms(true);
/// Squares with at least k columns to their left, by k.
pub(crate) const LEFT_ROOM: [u64; 8] = rooms(false);

const fn rooms(right: bool) -> [u64; 8] {
    let mut rooms = [0; 8];
    let mut k = 0;
    while k < 8 {
        let mut square = 0;
        while square < Square::COUNT {
            let x = square % 8;
            if (right && x + k < 8) || (!right && x >= k) {
                rooms[k] |= 1 << square;
            }
            square += 1;
        }
        k += 1;
    }
    rooms
}

#[cfg(test)]
mod tests {
    use boombots_rules::{Action, Start, perft};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_board_is_one_cache_line() {
        assert_eq!((size_of::<Board>(), align_of::<Board>()), (64, 64));
    }

    #[test]
    fn counts_agree_with_the_rules() {
        for start in Start::ALL {
            let position = Position::start(start);
            for depth in 0..=4 {
                assert_eq!(Board::from(&position).perft(depth), perft(&position, depth));
            }
        }
    }

    #[test]
    fn counts_match_the_corpus_of_the_rules() {
        let corpus = include_str!("../../rules/data/perft/middle.txt");
        let mut entries = 0;
        for line in corpus.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut fields = line.split(';').map(str::trim);
            let position: Position = fields.next().unwrap().parse().unwrap();
            for (depth, count) in (1..).zip(fields) {
                assert_eq!(Board::from(&position).perft(depth).to_string(), count, "{position}");
                entries += 1;
            }
        }
        assert!(entries > 30);
    }

    #[test]
    fn reach_is_that_of_the_rules() {
        for square in Square::ALL {
            for height in 1..=16 {
                let setup = Setup::empty(Color::White).put(Color::White, square, height);
                let board = Board::from(&Position::from_setup(&setup).unwrap());
                assert_eq!(board.height(square.index()), height);
                assert_eq!(board.bots_of_each_on(!0), [i32::from(height), 0]);
                let reached = Pair::of(board.stacks).reach(&board.taller()).squares();
                assert_eq!(reached, [square.reach(height).bits(), 0], "{square} {height}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Along random games every incremental field is what it is from
        /// scratch, and the same actions are legal.
        #[test]
        fn random_games_agree_with_the_rules(
            expendibots in any::<bool>(),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 1..120),
        ) {
            let mut position = Position::start(Start::ALL[usize::from(expendibots)]);
            let mut board = Board::from(&position);
            for pick in picks {
                prop_assert_eq!(board.outcome(), position.outcome());
                let legal = position.legal_actions();
                if legal.is_empty() {
                    break;
                }
                let mut moves = Vec::new();
                board.for_each_move(|action| moves.extend(action.action()));
                moves.sort();
                let expected: Vec<Action> =
                    legal.iter().copied().filter(|action| !action.is_boom()).collect();
                prop_assert_eq!(moves, expected);
                // Mostly moves, or the games end before they have begun.
                let mut action = legal[pick.index(legal.len())];
                if action.is_boom() && pick.index(8) > 0 {
                    action = legal[0];
                }
                prop_assert!(board.is_legal(action.into()));
                if action.is_boom() {
                    let exploded = position.explosion(action.source()).bits();
                    prop_assert_eq!(board.explosion(action.source().index()), exploded);
                }
                position = position.play(action).unwrap();
                board = board.apply(action.into());
                prop_assert_eq!(board, Board::from(&position));
                prop_assert_eq!(board.position(), position);
            }
        }

        #[test]
        fn bots_stand_as_the_tables_have_them(
            white in prop::collection::vec(0..Square::ALL.len(), 1..=4),
            black in prop::collection::vec(0..Square::ALL.len(), 1..=4),
            turn in 0..2_usize,
        ) {
            let mut position = Position::empty(Color::ALL[turn]);
            for (color, squares) in [(Color::White, white), (Color::Black, black)] {
                for square in squares {
                    // The other colour may stand there.
                    let _ = position.add_bots(color, Square::ALL[square], 1);
                }
            }
            prop_assume!(!position.is_over());
            let board = Board::from(&position);
            prop_assert_eq!(
                (board.configuration(turn), board.configuration(turn ^ 1)),
                boombots_probe::configurations(&position).unwrap()
            );
        }

        #[test]
        fn legality_is_that_of_the_rules(
            bits in any::<u32>(),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        ) {
            let mut position = Position::start(Start::Standard);
            for pick in picks {
                let legal = position.legal_actions();
                if legal.is_empty() {
                    break;
                }
                position = position.apply_unchecked(legal[pick.index(legal.len())]);
            }
            let packed = PackedAction::from_bits(bits);
            let Some(action) = packed.action().filter(|action| PackedAction::from(*action) == packed)
            else {
                return Ok(());
            };
            let board = Board::from(&position);
            prop_assert_eq!(board.is_legal(packed), position.legality(action).is_ok());
        }
    }
}
