//! What a position is worth when nobody looks further.
//!
//! Material, plus a linear sum of the features of [`WEIGHTS`](crate::weights),
//! each tapered by the bots on the board. The same code extracts the features
//! for the tuner and adds them up for the search.

use boombots_rules::Position;

use crate::blasts::Blasts;
use crate::board::{Board, dilated, flooded};
use crate::pair::Pair;
use crate::tapered::Tapered;
use crate::weights::{self, BLAST_BOUND, WEIGHT_COUNT, WEIGHTS};

/// The value for the side to move in centibots, of a game that goes on.
///
/// `blasts` are the board's.
pub(crate) fn evaluate(board: &Board, blasts: &Blasts) -> i32 {
    let mut sum = Sum(board.placement());
    extract(board, blasts, &mut sum);
    let lead = board.bots(0) - board.bots(1);
    let white = lead * weights::BOT + sum.0.at(board.all_bots());
    if board.mover() == 0 { white } else { -white }
}

/// The evaluation of a position without any search, for its side to move.
pub fn static_value(position: &Position) -> i32 {
    let board = Board::from(position);
    evaluate(&board, &Blasts::of(&board))
}

/// The count of every feature of a position, White's less Black's, by the
/// indices of [`WEIGHTS`].
pub fn features(position: &Position) -> [i32; WEIGHT_COUNT] {
    let board = &Board::from(position);
    let mut counts = Counts([0; WEIGHT_COUNT]);
    for color in 0..2 {
        let mut left = board.stacks(color);
        while left != 0 {
            let square = left.trailing_zeros() as usize;
            left &= left - 1;
            let feature = weights::placement_feature(color, square, board.height(square));
            counts.add(feature, if color == 0 { 1 } else { -1 });
        }
    }
    extract(board, &Blasts::of(board), &mut counts);
    counts.0
}

/// Takes the features in.
trait Sink {
    /// `count` units of the feature for White.
    fn add(&mut self, feature: usize, count: i32);
}

struct Sum(Tapered);

impl Sink for Sum {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        self.0 += WEIGHTS[feature] * count;
    }
}

struct Counts([i32; WEIGHT_COUNT]);

impl Sink for Counts {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count;
    }
}

/// Passes every feature but those of placement to the sink.
#[inline]
fn extract(board: &Board, blasts: &Blasts, sink: &mut impl Sink) {
    let stacks = Pair::of([board.stacks(0), board.stacks(1)]);
    let lead = |[white, black]: [i32; 2]| white - black;
    let sign = if board.mover() == 0 { 1 } else { -1 };
    sink.add(weights::TEMPO, sign);
    sink.add(weights::LEAD, board.bots(0) - board.bots(1));
    sink.add(weights::ADJACENT, lead(stacks.adjacent_pairs()));

    let reached = stacks.reach(&board.taller());
    let beside = stacks.dilated();
    let landing = reached & beside.swapped() & Pair::both(!board.occupied());
    let [reach_counts, landing_counts] = [reached, landing].map(Pair::counts);
    sink.add(weights::REACH, lead(reach_counts));
    sink.add(weights::LANDING, lead(landing_counts.map(|count| count.min(BLAST_BOUND))));

    let clean = landing & !beside;
    let [white, black] = clean.squares();
    let free = !blasts.squares();
    let attacks = [
        best_attack(board, white, board.stacks(1) & free),
        best_attack(board, black, board.stacks(0) & free),
    ];
    let (mover, waiting) = (board.mover(), board.mover() ^ 1);
    sink.add(weights::ATTACK_MOVER, sign * attacks[mover]);
    sink.add(weights::ATTACK_WAITING, -sign * attacks[waiting]);

    if blasts.is_empty() {
        return;
    }
    let [mine, theirs] = [mover, waiting].map(|color| blasts.gains(color));
    sink.add(weights::BOOM_MOVER, sign * mine[0].min(BLAST_BOUND));
    sink.add(weights::BOOM_MOVER_SECOND, sign * mine[1].min(BLAST_BOUND));
    sink.add(weights::BOOM_WAITING, -sign * theirs[0].min(BLAST_BOUND));
    sink.add(weights::BOOM_WAITING_SECOND, -sign * theirs[1].min(BLAST_BOUND));
}

/// The most bots that can be netted by sending one bot to a square of `clean`,
/// none of which touches the side's own stacks, and booming it: those of the
/// opposing group it lands beside, less itself. `defenders` are the opposing
/// stacks outside mixed groups: to blow up one of those is no attack but a boom.
#[inline]
fn best_attack(board: &Board, clean: u64, defenders: u64) -> i32 {
    if clean == 0 {
        return 0;
    }
    let mut seeds = dilated(clean) & defenders;
    let mut best = 0;
    while seeds != 0 {
        let group = flooded(seeds & seeds.wrapping_neg(), defenders);
        seeds &= !group;
        best = best.max(board.bots_on(group) - 1);
    }
    best.min(BLAST_BOUND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::reach;

    fn board(text: &str) -> Board {
        Board::from(&text.parse::<Position>().unwrap())
    }

    fn value(text: &str) -> i32 {
        static_value(&text.parse().unwrap())
    }

    #[test]
    fn colours_are_worth_the_same() {
        for (white, black) in [
            (
                "aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w",
                "aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA b",
            ),
            ("1a2b3/8/3c4/8/2B1C3/8/8/2AA3A w", "2aa3a/8/8/2b1c3/8/3C4/8/1A2B3 b"),
            ("8/1a1A1a2/2A1a3/8/4aA2/3A1a2/8/8 b", "8/8/3a1A2/4Aa2/8/2a1A3/1A1a1A2/8 w"),
        ] {
            assert_eq!(value(white), value(black), "{white}");
        }
    }

    #[test]
    fn features_and_sum_agree() {
        for text in ["1a2b3/8/3c4/8/2B1C3/8/8/2AA3A w", "8/1a1A1a2/2A1a3/8/4aA2/3A1a2/8/8 b"] {
            let board = board(text);
            let mut sum = Tapered::default();
            for (count, weight) in features(&text.parse().unwrap()).into_iter().zip(&WEIGHTS) {
                sum += *weight * count;
            }
            let lead = board.bots(0) - board.bots(1);
            let white = lead * weights::BOT + sum.at(board.all_bots());
            assert_eq!(value(text), if board.mover() == 0 { white } else { -white });
        }
    }

    #[test]
    fn attacks_count_the_group_less_the_lander() {
        let board = board("8/8/8/2aaa3/8/8/3B4/8 w");
        let landing = reach(&board.at_least(board.own())) & dilated(board.other());
        assert_eq!(best_attack(&board, landing & !board.occupied(), board.other()), 2);
    }
}
