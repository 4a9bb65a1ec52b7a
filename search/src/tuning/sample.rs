//! Positions of games with what became of them, as lines of text.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Error, Result};
use boombots_rules::Position;

/// A position, what a search said of it and how its game ended.
///
/// As text: position, White's score in centibots and White's result, separated
/// by `;`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) position: Position,
    /// White's score in centibots by search.
    pub(crate) score: i32,
    /// White's result: 1, 0.5 or 0.
    pub(crate) result: f64,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};{};{}", self.position, self.score, self.result)
    }
}

impl FromStr for Sample {
    type Err = Error;

    fn from_str(line: &str) -> Result<Sample> {
        let mut fields = line.split(';');
        let mut field = || fields.next().context("a sample is position;score;result");
        Ok(Sample {
            position: field()?.parse()?,
            score: field()?.parse().context("the score")?,
            result: field()?.parse().context("the result")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_read_and_print() {
        let text = "8/8/8/3a4/3A4/8/8/8 w;-12;0.5";
        let sample: Sample = text.parse().unwrap();
        assert_eq!(sample.to_string(), text);
        assert!("8/8/8/3a4/3A4/8/8/8 w;-12".parse::<Sample>().is_err());
    }
}
