//! The booms that matter: connected groups that hold stacks of both sides.
//!
//! Whoever booms such a group, the same stacks go, so one boom stands for all
//! of them, and each group is worth doing to one side at most.

use crate::board::{Board, dilated, flooded};

/// A connected group with stacks of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blast {
    /// The stacks that go.
    pub(crate) squares: u64,
    /// Bots that go, by [`Color::index`](boombots_rules::Color::index).
    bots: [i32; 2],
}

impl Blast {
    /// Bots a colour index nets.
    #[inline]
    pub(crate) const fn net(&self, color: usize) -> i32 {
        self.bots[color & 1 ^ 1] - self.bots[color & 1]
    }

    /// A mover's stack to boom.
    #[inline]
    pub(crate) const fn source(&self, board: &Board) -> usize {
        (self.squares & board.own()).trailing_zeros() as usize
    }

    /// How the game ends for the side to move when it goes, if it does.
    #[inline]
    pub(crate) const fn end(&self, board: &Board) -> Option<BlastEnd> {
        end_of(board, self.squares)
    }
}

/// How a boom ends the game for the side to move, if it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlastEnd {
    /// Only the mover has bots left.
    Win,
    /// Nobody has.
    Draw,
    /// Only the other side has.
    Loss,
}

/// All groups of a board that hold stacks of both sides, and what they offer,
/// whoever is to move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blasts {
    blasts: [Blast; Blasts::CAPACITY],
    len: usize,
    /// The stacks of all of them.
    squares: u64,
    /// Bots a colour index nets by its two most profitable groups; 0 for none.
    gains: [[i32; 2]; 2],
    /// One more than the index of the group by which a colour index wins the
    /// game, 0 for none.
    winners: [u8; 2],
}

impl Blasts {
    /// The most such groups a board has: two stacks in contact and the empty
    /// squares that part them from the next group above and to the right take up
    /// six squares or more of nine by nine, the board and a rim.
    pub(crate) const CAPACITY: usize = 13;

    /// The groups of a board.
    #[inline]
    pub(crate) fn of(board: &Board) -> Blasts {
        let mut found = Blasts::default();
        found.fill(board);
        found
    }

    /// Fills itself with the groups of a board.
    ///
    /// Contract: there are none yet.
    #[inline]
    pub(crate) fn fill(&mut self, board: &Board) {
        debug_assert!(self.is_empty());
        let seeds = board.own() & dilated(board.other());
        if seeds != 0 {
            self.collect(board, seeds);
        }
    }

    fn collect(&mut self, board: &Board, mut seeds: u64) {
        while seeds != 0 {
            let squares = flooded(seeds & seeds.wrapping_neg(), board.occupied());
            seeds &= !squares;
            let bots = board.bots_of_each_on(squares);
            self.push(board, Blast { squares, bots });
        }
    }

    #[inline]
    fn push(&mut self, board: &Board, blast: Blast) {
        self.blasts[self.len] = blast;
        self.len += 1;
        self.squares |= blast.squares;
        for color in 0..2 {
            rank(&mut self.gains[color], blast.net(color));
        }
        let takes_all = [blast.bots[0] == board.bots(0), blast.bots[1] == board.bots(1)];
        if takes_all[0] != takes_all[1] {
            self.winners[usize::from(takes_all[0])] = self.len as u8;
        }
    }

    /// Whether a move of these boards, which have these groups, leaves them as
    /// they are: it neither takes from one of them nor lands beside one, and
    /// makes no other.
    #[inline]
    pub(crate) const fn outlast(&self, board: &Board, source: usize, target: usize) -> bool {
        let beside = dilated(1 << target);
        (1 << source | beside) & self.squares == 0 && beside & board.other() == 0
    }

    /// The groups of `board`, which a boom of the given stacks has led to from
    /// the position of these.
    #[inline]
    pub(crate) fn after_removal(&self, board: &Board, squares: u64) -> Blasts {
        let mut left = Blasts::default();
        left.fill_after_removal(board, self, squares);
        left
    }

    /// Fills itself with those of the groups of a position that a boom of the
    /// given stacks leaves, which led to `board`.
    ///
    /// Contract: there are none yet.
    pub(crate) fn fill_after_removal(&mut self, board: &Board, before: &Blasts, squares: u64) {
        debug_assert!(self.is_empty());
        for blast in before.iter().filter(|blast| blast.squares & squares == 0) {
            self.push(board, *blast);
        }
    }

    /// Whether the sides touch nowhere.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The groups, in no particular order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Blast> {
        self.blasts[..self.len].iter()
    }

    /// The stacks of all groups.
    #[inline]
    pub(crate) const fn squares(&self) -> u64 {
        self.squares
    }

    /// Bots a colour index nets by its two most profitable groups; 0 for none.
    #[inline]
    pub(crate) const fn gains(&self, color: usize) -> [i32; 2] {
        self.gains[color & 1]
    }

    /// The group that wins the game for the side to move, if any.
    #[inline]
    pub(crate) fn winning(&self, board: &Board) -> Option<&Blast> {
        let number = usize::from(self.winners[board.mover()]);
        self.blasts[..self.len].get(number.wrapping_sub(1))
    }

    /// Whether the side that waits has a boom that wins the game.
    #[inline]
    pub(crate) const fn is_losing(&self, board: &Board) -> bool {
        self.winners[board.mover() ^ 1] != 0
    }
}

/// How the game ends for the side to move when the given stacks go.
#[inline]
pub(crate) const fn end_of(board: &Board, squares: u64) -> Option<BlastEnd> {
    match (board.own() & !squares == 0, board.other() & !squares == 0) {
        (false, true) => Some(BlastEnd::Win),
        (true, true) => Some(BlastEnd::Draw),
        (true, false) => Some(BlastEnd::Loss),
        (false, false) => None,
    }
}

/// Keeps the two largest positive gains.
#[inline]
fn rank(gains: &mut [i32; 2], gain: i32) {
    let [first, second] = *gains;
    *gains = [first.max(gain), second.max(gain.min(first))];
}

#[cfg(test)]
mod tests {
    use boombots_rules::{Color, Position, Start};
    use proptest::prelude::*;

    use super::*;
    use crate::packed_action::PackedAction;

    fn board(text: &str) -> Board {
        Board::from(&text.parse::<Position>().unwrap())
    }

    #[test]
    fn each_group_is_found_once() {
        let board = board("Aa6/a6A/7a/2B5/3c4/8/8/A5aA w");
        let blasts = Blasts::of(&board);
        let mut nets: Vec<i32> = blasts.iter().map(|blast| blast.net(0)).collect();
        nets.sort_unstable();
        assert_eq!(nets, [0, 0, 1, 1]);
        assert_eq!((blasts.gains(0), blasts.gains(1)), ([1, 1], [0, 0]));
    }

    #[test]
    fn as_many_groups_fit_as_a_board_has() {
        let board = board("A1A1A1A1/a1a1a1a1/8/Aa1Aa1Aa/8/Aa1Aa1Aa/8/Aa1Aa1Aa w");
        assert_eq!(Blasts::of(&board).iter().count(), Blasts::CAPACITY);
    }

    #[test]
    fn ends_are_seen_from_the_mover() {
        let end = |text: &str| {
            let board = board(text);
            let blasts = Blasts::of(&board);
            let blast = blasts.iter().next().unwrap();
            assert!(board.own() >> blast.source(&board) & 1 == 1);
            end_of(&board, blast.squares)
        };
        assert_eq!(end("8/8/8/3Aa3/8/8/8/A7 w"), Some(BlastEnd::Win));
        assert_eq!(end("8/8/8/3Aa3/8/8/8/A7 b"), Some(BlastEnd::Loss));
        assert_eq!(end("8/8/8/3Aa3/8/8/8/8 b"), Some(BlastEnd::Draw));
        assert_eq!(end("a7/8/8/3Aa3/8/8/8/A7 b"), None);
    }

    /// The groups in an order that does not depend on how they were found.
    fn sorted(blasts: &Blasts) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut list = blasts.blasts[..blasts.len].to_vec();
        list.sort_by_key(|blast| blast.squares);
        let winners = blasts
            .winners
            .map(|number| (number > 0).then(|| blasts.blasts[usize::from(number) - 1].squares));
        (list, blasts.squares, blasts.gains, winners)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// What is handed on to a child is what it would find itself.
        #[test]
        fn children_inherit_what_they_would_find(
            picks in prop::collection::vec(any::<prop::sample::Index>(), 1..80),
        ) {
            let mut position = Position::start(Start::Standard);
            for pick in picks {
                let board = Board::from(&position);
                let blasts = Blasts::of(&board);
                prop_assert_eq!(sorted(&blasts), sorted(&Blasts::of(&board.passed())));
                let upper = !0xFF_FFFF_FFFF;
                let bots = Color::ALL.map(|color| {
                    let stacks = position.stacks(color).iter();
                    let stacks = stacks.filter(|square| upper >> square.index() & 1 != 0);
                    stacks.map(|square| i32::from(position.height(square))).sum::<i32>()
                });
                prop_assert_eq!(board.bots_of_each_on(upper), bots);
                let legal = position.legal_actions();
                for action in &legal {
                    let packed = PackedAction::from(*action);
                    let child = board.apply(packed);
                    let found = Blasts::of(&child);
                    if packed.is_boom() {
                        let squares = board.explosion(packed.source());
                        let kept = blasts.after_removal(&child, squares);
                        prop_assert_eq!(sorted(&kept), sorted(&found));
                    } else if blasts.outlast(&board, packed.source(), packed.target()) {
                        prop_assert_eq!(sorted(&blasts), sorted(&found));
                    }
                }
                // Mostly moves, or the games end before they have begun.
                let Some(mut action) = legal.get(pick.index(legal.len().max(1))).copied() else {
                    break;
                };
                if action.is_boom() && pick.index(8) > 0 {
                    action = legal[0];
                }
                position = position.play(action).unwrap();
            }
        }
    }
}
