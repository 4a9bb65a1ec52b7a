//! What a table says of a position.

use std::fmt;

/// A distance in plies: actions of either side up to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Plies(pub u8);

/// Win, draw or loss for the side to move under best play, without history.
///
/// Ordered by preference: `Loss < Draw < Win`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

/// A [`Wdl`] with the exact distance to the end: the winner hastens, the loser delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in so many plies.
    Win(Plies),
    /// Neither side can win.
    Draw,
    /// The side to move loses in so many plies.
    Loss(Plies),
}

impl Value {
    /// The value without its distance.
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Win(_) => Wdl::Win,
            Self::Draw => Wdl::Draw,
            Self::Loss(_) => Wdl::Loss,
        }
    }

    /// The distance, where there is one.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The value, for the side that just moved, of leading to a position of this value: the other
    /// side's, one ply further off.
    ///
    /// `None` past 255 plies.
    #[must_use]
    pub fn before(self) -> Option<Self> {
        let one_more = |plies: Plies| plies.0.checked_add(1).map(Plies);
        Some(match self {
            Self::Win(plies) => Self::Loss(one_more(plies)?),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(one_more(plies)?),
        })
    }
}

/// Ordered by the mover's preference: a long loss, a longer one, a draw, a long win, a shorter one.
impl Ord for Value {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |value: &Self| match *value {
            Self::Loss(plies) => i16::from(plies.0) - 256,
            Self::Draw => 0,
            Self::Win(plies) => 256 - i16::from(plies.0),
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.0 == 1 { "ply" } else { "plies" };
        write!(f, "{} {noun}", self.0)
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.wdl()),
            None => write!(f, "{}", self.wdl()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_by_preference() {
        let best_first = [
            Value::Win(Plies(1)),
            Value::Win(Plies(255)),
            Value::Draw,
            Value::Loss(Plies(255)),
            Value::Loss(Plies(1)),
        ];
        assert!(best_first.is_sorted_by(|better, worse| better > worse));
    }

    #[test]
    fn leading_to_a_value_turns_it_round() {
        assert_eq!(Value::Loss(Plies(4)).before(), Some(Value::Win(Plies(5))));
        assert_eq!(Value::Win(Plies(255)).before(), None);
    }
}
