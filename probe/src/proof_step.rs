//! Steps of proofs: won positions, each with an action that wins.

use std::fmt;
use std::io::Read as _;
use std::str::FromStr;

use boombots_rules::{Action, Position};
use thiserror::Error;

use crate::canonical::{canonical, carried};

/// A position whose side to move wins, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofStep {
    /// The position, in its canonical form: White is to move.
    pub position: Position,
    /// White wins in at most so many plies.
    pub plies: u16,
    /// What White plays.
    pub action: Action,
}

/// Why bytes hold no steps.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProofStepError {
    /// A line is no step.
    #[error("`{0}` is no step of a proof: plies, a position and an action, each after one space")]
    Line(String),
    /// The bytes cannot be read.
    #[error("the steps of a proof are damaged")]
    Damaged,
}

impl ProofStep {
    /// The step for a position in any form.
    pub fn new(position: &Position, plies: u16, action: Action) -> Self {
        let (position, symmetry) = canonical(position);
        Self { position, plies, action: carried(action, symmetry) }
    }

    /// Many steps as bytes: compressed lines of text.
    ///
    /// # Errors
    /// If they cannot be compressed.
    pub fn pack(steps: &[Self]) -> std::io::Result<Vec<u8>> {
        let mut text = String::new();
        for step in steps {
            text.push_str(&step.to_string());
            text.push('\n');
        }
        zstd::encode_all(text.as_bytes(), LEVEL)
    }

    /// The steps of [`ProofStep::pack`].
    ///
    /// # Errors
    /// If the bytes hold none.
    pub fn unpack(bytes: &[u8]) -> Result<Vec<Self>, ProofStepError> {
        let mut text = String::new();
        let decoder = zstd::Decoder::new(bytes).map_err(|_| ProofStepError::Damaged)?;
        let read = decoder.take(MOST_TEXT).read_to_string(&mut text);
        if read.map_err(|_| ProofStepError::Damaged)? as u64 == MOST_TEXT {
            return Err(ProofStepError::Damaged);
        }
        text.lines().map(str::parse).collect()
    }
}

/// `17 8/8/8/8/8/1a6/8/A2A4 w 1d1d2`.
impl fmt::Display for ProofStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.plies, self.position, self.action)
    }
}

impl FromStr for ProofStep {
    type Err = ProofStepError;

    fn from_str(line: &str) -> Result<Self, ProofStepError> {
        let read = || {
            let (plies, rest) = line.split_once(' ')?;
            let (position, action) = rest.rsplit_once(' ')?;
            let step = Self {
                position: position.parse().ok()?,
                plies: plies.parse().ok()?,
                action: action.parse().ok()?,
            };
            // One way to write each.
            (step.to_string() == line && canonical(&step.position).0 == step.position)
                .then_some(step)
        };
        read().ok_or_else(|| ProofStepError::Line(line.chars().take(100).collect()))
    }
}

const LEVEL: i32 = 3;

/// Text past this is no proof of a search's.
const MOST_TEXT: u64 = 1 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
        let position: Position = "8/8/8/8/8/1a6/8/A2A4 b".parse().unwrap();
        let step = ProofStep::new(&position, 17, "1b3b4".parse().unwrap());
        assert_eq!(step.to_string().parse(), Ok(step));
        let packed = ProofStep::pack(&[step, step]).unwrap();
        assert_eq!(ProofStep::unpack(&packed), Ok(vec![step, step]));
        assert_eq!(ProofStep::unpack(&packed[1..]), Err(ProofStepError::Damaged));
        for wrong in
            ["", "17", "17  x", "017 8/8/8/8/8/1a6/8/A2A4 w 1d1d2", "17 8/8/8/8/8/1a6/8/A2A4 b xb3"]
        {
            assert!(wrong.parse::<ProofStep>().is_err(), "{wrong}");
        }
    }
}
