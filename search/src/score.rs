//! The scale of scores.

use std::fmt;

use boombots_rules::Color;

/// A win in p plies scores `WIN - p`, a loss `p - WIN`.
pub(crate) const WIN: i32 = 1_000_000;

/// The deepest ply a search reaches, counted from its root.
pub(crate) const MAX_PLY: usize = 128;

/// Scores from here up are wins in a known number of plies.
pub(crate) const SHORTEST_UNKNOWN_WIN: i32 = WIN - 1_000;

/// A win that a table knows of without its distance, less the plies to get to
/// the table.
pub(crate) const TABLE_WIN: i32 = 900_000;

/// Scores from here up are won by search or table.
pub(crate) const DECIDED: i32 = TABLE_WIN - 1_000;

/// The bound of every score.
pub(crate) const INFINITE: i32 = WIN + 1;

/// A score in centibots or as a distance to the end of the game, for the side to
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// No side is better.
    pub const DRAW: Score = Score(0);

    /// The score of a number on the scale of centibots and `1_000_000 - plies`.
    pub const fn new(centibots: i32) -> Score {
        Score(centibots)
    }

    /// The side to move wins in so many plies.
    pub const fn win_in(plies: u32) -> Score {
        Score(WIN - plies as i32)
    }

    /// The side to move loses in so many plies.
    pub const fn loss_in(plies: u32) -> Score {
        Score(plies as i32 - WIN)
    }

    /// The number on the scale.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// In how many plies the side to move wins, when it is known.
    pub const fn win_plies(self) -> Option<u32> {
        if self.0 >= SHORTEST_UNKNOWN_WIN { Some((WIN - self.0) as u32) } else { None }
    }

    /// In how many plies the side to move loses, when it is known.
    pub const fn loss_plies(self) -> Option<u32> {
        Score(-self.0).win_plies()
    }

    /// The moves the winning side still makes, positive when the side to move
    /// wins; never 0. `None` unless the distance is known.
    ///
    /// A win in an odd number of plies ends with a boom of the winner; one in an
    /// even number, or a loss in an odd one, with a boom of the loser that
    /// leaves him nothing.
    pub const fn mate_in(self) -> Option<i32> {
        match (self.win_plies(), self.loss_plies()) {
            (Some(plies), _) => Some(if plies < 2 { 1 } else { plies.div_ceil(2) as i32 }),
            (_, Some(plies)) => Some(if plies < 2 { -1 } else { -((plies / 2) as i32) }),
            (None, None) => None,
        }
    }

    /// [`Score::mate_in`] signed for White, given the side to move.
    pub fn mate_in_for_white(self, turn: Color) -> Option<i32> {
        self.mate_in().map(|moves| if turn == Color::White { moves } else { -moves })
    }
}

/// As in the protocol: `cp 35` or `mate -3`, for the side to move.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// The score as a table entry at `ply` keeps it: distances count from there.
#[inline]
pub(crate) const fn to_table(score: i32, ply: i32) -> i32 {
    if score >= DECIDED {
        score + ply
    } else if score <= -DECIDED {
        score - ply
    } else {
        score
    }
}

/// The inverse of [`to_table`].
#[inline]
pub(crate) const fn from_table(score: i32, ply: i32) -> i32 {
    if score >= DECIDED {
        score - ply
    } else if score <= -DECIDED {
        score + ply
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_the_winners_moves() {
        let mates = |score: fn(u32) -> Score| [1, 2, 3, 4, 5, 9].map(|p| score(p).mate_in());
        assert_eq!(mates(Score::win_in), [1, 1, 2, 2, 3, 5].map(Some));
        assert_eq!(mates(Score::loss_in), [-1, -1, -1, -2, -2, -4].map(Some));
        assert_eq!(Score::new(900_000).mate_in(), None);
        assert_eq!(Score::win_in(3).mate_in_for_white(Color::Black), Some(-2));
        assert_eq!(Score::loss_in(4).mate_in_for_white(Color::Black), Some(2));
        assert_eq!(Score::win_in(5).value(), 999_995);
        assert_eq!(Score::win_in(5).to_string(), "mate 3");
        assert_eq!(Score::new(-12).to_string(), "cp -12");
    }

    #[test]
    fn table_scores_are_relative() {
        for score in [WIN - 7, 7 - WIN, TABLE_WIN - 3, -120, 0] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
        assert_eq!(to_table(WIN - 7, 5), WIN - 2);
    }
}
