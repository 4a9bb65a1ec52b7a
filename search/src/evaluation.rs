//! What a position is worth when nobody looks further.
//!
//! Material, plus a linear sum of the features of [`WEIGHTS`](crate::weights),
//! each tapered by the bots on the board. The same code extracts the features
//! for the tuner and adds them up for the search.

use boombots_rules::Position;

use crate::blasts::Blasts;
use crate::board::Board;
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
    let sign = if board.mover() == 0 { 1 } else { -1 };
    let bots = board.bots(0) - board.bots(1);
    sink.add(weights::TEMPO, sign);
    sink.add(weights::LEAD, bots);
    sink.add(weights::SHARE, 64 * bots / board.all_bots().max(1));
    sink.add(weights::AHEAD, bots.signum());
    sink.add(weights::ADJACENT, stacks.lead_in_pairs());

    let reached = stacks.reach(&board.taller());
    let beside = stacks.dilated();
    let beside_others = beside.swapped();
    let landing = reached & beside_others & Pair::both(!board.occupied());
    sink.add(weights::REACH, reached.lead());
    sink.add(weights::SAFE_REACH, (reached & !beside_others).lead());
    let [white, black] = landing.counts().map(|count| count.min(BLAST_BOUND));
    sink.add(weights::LANDING, white - black);
    sink.add(weights::EXPOSED, (stacks & reached.swapped().dilated()).lead());
    sink.add(weights::CONTACT, (stacks & beside_others).lead());

    // Groups one can land beside, on squares out of contact, and that are not
    // mixed: to blow up one of those is no attack but a boom.
    let targets = stacks.swapped() & Pair::both(!blasts.squares());
    let attacked = ((landing & !beside).dilated() & targets).flooded(targets);
    let attacks = attacked.bots(&board.planes());
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

#[cfg(test)]
mod tests {
    use boombots_rules::{Color, Setup};

    use super::*;

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
    fn an_empty_board_is_worth_nothing_but_the_move() {
        let empty = Position::from_setup(&Setup::empty(Color::White)).unwrap();
        assert_eq!(static_value(&empty), WEIGHTS[weights::TEMPO].at(0));
    }

    #[test]
    fn attacks_count_the_groups_in_reach() {
        let attacks = |text: &str| {
            let counts = features(&text.parse().unwrap());
            (counts[weights::ATTACK_MOVER], counts[weights::ATTACK_WAITING])
        };
        // The three in a row by the two from below, and not the other way round.
        assert_eq!(attacks("8/8/8/2aaa3/8/8/3B4/8 w"), (3, 0));
        assert_eq!(attacks("8/8/8/2aaa3/8/8/3B4/8 b"), (0, 3));
        // Each the other.
        assert_eq!(attacks("8/8/8/2aab3/8/8/3B4/8 w"), (4, -2));
        // In contact there is nothing to land beside.
        assert_eq!(attacks("8/8/8/2aaa3/3B4/8/8/8 w"), (0, 0));
    }
}
