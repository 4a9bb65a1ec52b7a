//! Material classes: which bot counts a table is for.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::configuration::{Configuration, MAX_BOTS};
use crate::orbit::orbit_count;

/// The most bots a class may have, both sides together.
pub const MAX_CLASS_BOTS: usize = MAX_BOTS + 1;

/// An unordered pair of bot counts, larger first: `3v2`. A class holds both sides to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    larger: u8,
    smaller: u8,
}

/// The bot counts of a position seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Bots of the side to move.
    pub mover: u8,
    /// Bots of the other side.
    pub opponent: u8,
}

impl Class {
    /// The class of two bot counts, in either order.
    ///
    /// # Errors
    /// If a side has none or both together have more than [`MAX_CLASS_BOTS`].
    pub fn new(one: u8, other: u8) -> Result<Self, ClassError> {
        let (larger, smaller) = (one.max(other), one.min(other));
        if smaller == 0 {
            return Err(ClassError::NoBots);
        }
        if usize::from(larger) + usize::from(smaller) > MAX_CLASS_BOTS {
            return Err(ClassError::TooManyBots { larger, smaller });
        }
        Ok(Self { larger, smaller })
    }

    /// The larger bot count.
    pub fn larger(self) -> u8 {
        self.larger
    }

    /// The smaller bot count.
    pub fn smaller(self) -> u8 {
        self.smaller
    }

    /// Bots of both sides together.
    pub fn bots(self) -> u8 {
        self.larger + self.smaller
    }

    /// The sides to move: larger first, and only one where both are equal.
    pub fn sides(self) -> Vec<Material> {
        let first = Material { mover: self.larger, opponent: self.smaller };
        if self.larger == self.smaller { vec![first] } else { vec![first, first.flipped()] }
    }

    /// Every class a boom can lead to, smallest first; a boom takes at least one of the mover's bots.
    pub fn beneath(self) -> Vec<Self> {
        let mut classes: Vec<Self> = Vec::new();
        for side in self.sides() {
            for rest in side.after_booms() {
                let class = rest.class();
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        classes.sort();
        classes
    }
}

impl Class {
    /// Every class that must be solved before this one, smallest first.
    pub fn foundation(self) -> Vec<Self> {
        let mut classes = self.beneath();
        let mut at = 0;
        while let Some(class) = classes.get(at) {
            for beneath in class.beneath() {
                if !classes.contains(&beneath) {
                    classes.push(beneath);
                }
            }
            at += 1;
        }
        classes.sort();
        classes
    }
}

/// Classes are ordered so that every class comes after those its booms lead to.
impl Ord for Class {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.bots(), self.larger).cmp(&(other.bots(), other.larger))
    }
}

impl PartialOrd for Class {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Material {
    /// The class this belongs to.
    ///
    /// # Panics
    /// If the counts are not those of a class.
    pub fn class(self) -> Class {
        Class::new(self.mover, self.opponent).expect("material of a class")
    }

    /// The same bots with the other side to move.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }

    /// What can be left of both sides by a boom of the mover that leaves both some bots, seen from
    /// the booming side: fewer of its own, at most as many of the other.
    pub fn after_booms(self) -> Vec<Self> {
        (1..self.mover)
            .flat_map(|mover| (1..=self.opponent).map(move |opponent| Self { mover, opponent }))
            .collect()
    }

    /// Orbits of the mover: the rows of the side's matrix.
    pub fn rows(self) -> u64 {
        orbit_count(usize::from(self.mover))
    }

    /// Orbits of the opponent: the columns of the side's matrix.
    pub fn columns(self) -> u64 {
        orbit_count(usize::from(self.opponent))
    }

    /// Pairs of configurations, overlapping ones included: an upper bound on the placements.
    pub fn pairs(self) -> u128 {
        let side = |bots: u8| u128::from(Configuration::count(usize::from(bots)));
        side(self.mover) * side(self.opponent)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.larger, self.smaller)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.mover, self.opponent)
    }
}

impl FromStr for Class {
    type Err = ClassError;

    fn from_str(text: &str) -> Result<Self, ClassError> {
        let malformed = || ClassError::Malformed { text: text.chars().take(20).collect() };
        let (one, other) = text.split_once('v').ok_or_else(malformed)?;
        let count = |digits: &str| match digits.as_bytes() {
            [digit @ b'0'..=b'9'] => Ok(digit - b'0'),
            _ => Err(malformed()),
        };
        Self::new(count(one)?, count(other)?)
    }
}

/// Why two bot counts, or a text, name no class.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClassError {
    /// The text is not two counts joined by a `v`.
    #[error("{text:?} is no class: write both bot counts joined by v, as in 3v2")]
    Malformed {
        /// The text's first characters.
        text: String,
    },
    /// A side has no bots.
    #[error("a class has at least one bot on each side")]
    NoBots,
    /// More than eight bots.
    #[error("{larger}v{smaller} has more than {MAX_CLASS_BOTS} bots, the most a class may have")]
    TooManyBots {
        /// The larger count.
        larger: u8,
        /// The smaller count.
        smaller: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(classes: &[Class]) -> Vec<String> {
        classes.iter().map(Class::to_string).collect()
    }

    #[test]
    fn text_reads_in_either_order() {
        assert_eq!("2v3".parse::<Class>(), Class::new(3, 2));
        assert_eq!("3v2".parse::<Class>().unwrap().to_string(), "3v2");
    }

    #[test]
    fn bad_text_says_why() {
        for text in ["", "3", "3x2", "33v2", "v", "-1v2", "3v2 "] {
            assert!(matches!(text.parse::<Class>(), Err(ClassError::Malformed { .. })), "{text}");
        }
        assert_eq!("3v0".parse::<Class>(), Err(ClassError::NoBots));
        assert!(matches!("5v4".parse::<Class>(), Err(ClassError::TooManyBots { .. })));
    }

    #[test]
    fn booms_lead_to_smaller_classes_only() {
        let class: Class = "3v3".parse().unwrap();
        assert_eq!(names(&class.beneath()), ["1v1", "2v1", "2v2", "3v1", "3v2"]);
        let class: Class = "4v1".parse().unwrap();
        assert_eq!(names(&class.beneath()), ["1v1", "2v1", "3v1"]);
        let class: Class = "1v1".parse().unwrap();
        assert!(class.beneath().is_empty());
        let class: Class = "4v1".parse().unwrap();
        assert_eq!(names(&class.foundation()), ["1v1", "2v1", "3v1"]);
        let class: Class = "4v2".parse().unwrap();
        assert_eq!(names(&class.foundation()), ["1v1", "2v1", "2v2", "3v1", "3v2", "4v1"]);
        for larger in 1..8 {
            for smaller in 1..=larger.min(8 - larger) {
                let class = Class::new(larger, smaller).unwrap();
                assert!(class.beneath().iter().all(|beneath| beneath < &class));
            }
        }
    }
}
