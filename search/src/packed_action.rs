//! An action in seventeen bits, as the search and its table keep it.

use std::fmt;

use boombots_rules::{Action, Square};

/// An action packed as source (bits 0–5), target (6–11) and count (12–16); a
/// boom has count 0 and its source as target.
///
/// [`PackedAction::NONE`] is all zeros but the target, which no action is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedAction(u32);

impl PackedAction {
    /// No action: count 0 with a target that is not the source.
    pub const NONE: PackedAction = PackedAction(1 << 6);

    /// How many bits the packed form takes.
    pub const BITS: u32 = 17;

    /// The move of `count` bots between two square indices below 64.
    #[inline]
    pub(crate) const fn moving(source: usize, target: usize, count: u8) -> PackedAction {
        PackedAction(source as u32 | (target as u32) << 6 | (count as u32) << 12)
    }

    /// The boom of the stack on a square index below 64.
    #[inline]
    pub(crate) const fn boom(source: usize) -> PackedAction {
        PackedAction::moving(source, source, 0)
    }

    /// Index of the square of the stack that acts.
    #[inline]
    pub const fn source(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Index of the square the bots go to; the source for a boom.
    #[inline]
    pub const fn target(self) -> usize {
        (self.0 >> 6 & 63) as usize
    }

    /// How many bots go; 0 for a boom.
    #[inline]
    pub const fn count(self) -> u8 {
        (self.0 >> 12 & 31) as u8
    }

    /// Whether this is a boom (or [`PackedAction::NONE`]).
    #[inline]
    pub const fn is_boom(self) -> bool {
        self.0 >> 12 == 0
    }

    /// Whether this is no action at all.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == PackedAction::NONE.0
    }

    /// The packed bits.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// The action of bits that came from [`PackedAction::bits`]; higher bits
    /// are dropped.
    #[inline]
    pub(crate) const fn from_bits(bits: u32) -> PackedAction {
        PackedAction(bits & ((1 << PackedAction::BITS) - 1))
    }

    /// The action in the words of the rules; `None` for [`PackedAction::NONE`].
    pub fn action(self) -> Option<Action> {
        if self.is_none() {
            return None;
        }
        let square =
            |index: usize| Square::from_index(index as u8).expect("six bits name a square");
        let (source, target) = (square(self.source()), square(self.target()));
        Some(match self.count() {
            0 => Action::Boom { source },
            count => Action::Move { source, target, count },
        })
    }
}

impl From<Action> for PackedAction {
    fn from(action: Action) -> PackedAction {
        PackedAction::moving(action.source().index(), action.target().index(), action.count())
    }
}

impl fmt::Debug for PackedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action() {
            Some(action) => write!(f, "{action}"),
            None => f.write_str("none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_and_unpacks() {
        for text in ["1a2a3", "16h8a8", "xd4", "xa1", "1a1b1"] {
            let action: Action = text.parse().unwrap();
            let packed = PackedAction::from(action);
            assert_eq!(packed.action(), Some(action));
            assert_eq!(PackedAction::from_bits(packed.bits()), packed);
            assert_eq!(packed.is_boom(), action.is_boom());
            assert!(!packed.is_none());
        }
        assert_eq!(PackedAction::NONE.action(), None);
    }
}
