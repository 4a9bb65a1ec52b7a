//! Certificates: proofs of results that rest on the rules and on tables alone.
//!
//! A certificate is text. Its lines, each ended by one line feed:
//!
//! ```text
//! boombots certificate 1
//! position POSITION
//! claim win PLIES | claim loss PLIES | claim draw
//! steps COUNT
//! PLIES POSITION ACTION        as often as COUNT says
//! blake3 DIGEST                of all bytes before this line, in 64 lower-case digits
//! ```
//!
//! The claim is of the side to move. A step says that White, to move, wins its position in at most
//! so many plies by its action; steps are in the order of their plies, positions in the form of
//! [`canonical`] (the least of the symmetric ones with White to move), none twice. After the action
//! the game is won, or a table says that it is lost for Black, or each of Black's actions leads to a
//! won end, to a table's win or to a step, and by plies everything fits: a step is two more
//! than whatever follows it at least, so nothing rests on itself.

use std::collections::HashMap;
use std::fmt::Write as _;

use boombots_rules::{Outcome, Position};
use thiserror::Error;

use crate::canonical::canonical;
use crate::error::ProbeError;
use crate::proof_step::{ProofStep, ProofStepError};
use crate::tables::Tables;
use crate::value::{Plies, Value};

/// What a certificate claims of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It wins in at most so many plies.
    Win(u16),
    /// It loses in at most so many plies.
    Loss(u16),
    /// Neither wins; only tables can show that.
    Draw,
}

/// A claim with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The position.
    pub position: Position,
    /// What is claimed.
    pub claim: Claim,
    /// What it rests on.
    pub steps: Vec<ProofStep>,
}

/// Why a certificate does not hold.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// It is no certificate of this version.
    #[error("this is no certificate: {0}")]
    Form(&'static str),
    /// Bytes were changed.
    #[error("the certificate was changed: its digest is another")]
    Digest,
    /// A step is none.
    #[error(transparent)]
    Step(#[from] ProofStepError),
    /// Something does not follow.
    #[error("the proof fails at {position}: {reason}")]
    Gap {
        /// Where.
        position: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A table cannot be asked.
    #[error("a table fails: {0}")]
    Table(#[from] ProbeError),
}

impl Certificate {
    /// The certificate of a claim, from the steps that may be of use.
    ///
    /// # Errors
    /// If the steps and tables do not prove it.
    pub fn build(
        position: &Position,
        claim: Claim,
        steps: impl IntoIterator<Item = ProofStep>,
        tables: &Tables,
    ) -> Result<Self, CertificateError> {
        let known = shortest(steps);
        let mut used = HashMap::new();
        let mut waiting = successors(position, claim);
        while let Some(position) = waiting.pop() {
            if position.is_over() || value(tables, &position)?.is_some() {
                continue;
            }
            let form = canonical(&position).0;
            if used.contains_key(&form) {
                continue;
            }
            let step = known.get(&form).ok_or_else(|| gap(&position, "it was never proved"))?;
            let next = played(step)?;
            if !next.is_over() && value(tables, &next)?.is_none() {
                waiting.extend(replies(&next));
            }
            used.insert(form, *step);
        }
        let mut steps: Vec<ProofStep> = used.into_values().collect();
        steps.sort_by_cached_key(|step| (step.plies, step.to_string()));
        let certificate = Self { position: *position, claim, steps };
        certificate.check(tables)?;
        Ok(certificate)
    }

    /// Reads a certificate. That its claim holds is for [`Certificate::check`] to say.
    ///
    /// # Errors
    /// If it is none or was changed.
    pub fn read(bytes: &[u8]) -> Result<Self, CertificateError> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| CertificateError::Form("it is no text"))?;
        let cut = text.rfind("\nblake3 ").ok_or(CertificateError::Form("it has no digest"))? + 1;
        let (body, last) = text.split_at(cut);
        if last != digest_line(body) {
            return Err(CertificateError::Digest);
        }
        let mut lines = body.split('\n');
        let mut field = |name: &str| lines.next().and_then(|line| line.strip_prefix(name));
        if field("boombots certificate ") != Some("1") {
            return Err(CertificateError::Form("it does not begin as one of version 1"));
        }
        let position = field("position ").and_then(|text| text.parse().ok());
        let position = position.ok_or(CertificateError::Form("it has no position"))?;
        let claim = field("claim ").and_then(claim_of);
        let claim = claim.ok_or(CertificateError::Form("it has no claim"))?;
        let count = field("steps ").and_then(|count| count.parse().ok());
        let count: usize = count.ok_or(CertificateError::Form("it has no count of steps"))?;
        let lines: Vec<&str> = lines.collect();
        let Some(("", lines)) = lines.split_last().map(|(last, lines)| (*last, lines)) else {
            return Err(CertificateError::Form("its last line has no end"));
        };
        if lines.len() != count {
            return Err(CertificateError::Form("it has another number of steps than it says"));
        }
        let steps: Result<Vec<ProofStep>, _> = lines.iter().map(|line| line.parse()).collect();
        Ok(Self { position, claim, steps: steps? })
    }

    /// The text.
    pub fn write(&self) -> String {
        let mut text = format!("boombots certificate 1\nposition {}\n", self.position);
        // Writing to a string cannot fail.
        let _ = match self.claim {
            Claim::Win(plies) => writeln!(text, "claim win {plies}"),
            Claim::Loss(plies) => writeln!(text, "claim loss {plies}"),
            Claim::Draw => writeln!(text, "claim draw"),
        };
        let _ = writeln!(text, "steps {}", self.steps.len());
        for step in &self.steps {
            let _ = writeln!(text, "{step}");
        }
        let last = digest_line(&text);
        text + &last
    }

    /// Checks that the claim follows from the rules and the tables.
    ///
    /// # Errors
    /// If it does not, or a table fails.
    pub fn check(&self, tables: &Tables) -> Result<(), CertificateError> {
        if self.position.is_over() {
            return Err(gap(&self.position, "the game is over"));
        }
        let mut proved: HashMap<Position, u16> = HashMap::new();
        let mut before = 0;
        for step in &self.steps {
            if step.plies < before {
                return Err(gap(&step.position, "the steps are out of order"));
            }
            before = step.plies;
            if step.position.is_over() {
                return Err(gap(&step.position, "the game is over"));
            }
            let next = played(step)?;
            let needed = lost_in(&next, tables, &proved)?;
            if needed.is_none_or(|plies| plies >= step.plies) {
                return Err(gap(&step.position, "its action does not win in time"));
            }
            if proved.insert(step.position, step.plies).is_some() {
                return Err(gap(&step.position, "it occurs twice"));
            }
        }
        let holds = match self.claim {
            Claim::Win(plies) => {
                won_in(&self.position, tables, &proved)?.is_some_and(|found| found <= plies)
            }
            Claim::Loss(plies) => {
                lost_in(&self.position, tables, &proved)?.is_some_and(|found| found <= plies)
            }
            Claim::Draw => value(tables, &self.position)? == Some(Value::Draw),
        };
        if holds { Ok(()) } else { Err(gap(&self.position, "the claim does not follow")) }
    }
}

/// The plies within which the side to move wins, as far as is proved.
fn won_in(
    position: &Position,
    tables: &Tables,
    proved: &HashMap<Position, u16>,
) -> Result<Option<u16>, CertificateError> {
    if let Some(outcome) = position.outcome() {
        return Ok((outcome == Outcome::Win(position.turn())).then_some(0));
    }
    match value(tables, position)? {
        Some(Value::Win(Plies(plies))) => Ok(Some(u16::from(plies))),
        Some(_) => Ok(None),
        None => Ok(proved.get(&canonical(position).0).copied()),
    }
}

/// The plies within which the side to move loses, as far as is proved.
fn lost_in(
    position: &Position,
    tables: &Tables,
    proved: &HashMap<Position, u16>,
) -> Result<Option<u16>, CertificateError> {
    if let Some(outcome) = position.outcome() {
        return Ok((outcome == Outcome::Win(!position.turn())).then_some(0));
    }
    match value(tables, position)? {
        Some(Value::Loss(Plies(plies))) => return Ok(Some(u16::from(plies))),
        Some(_) => return Ok(None),
        None => {}
    }
    let mut longest = 0;
    for reply in replies(position) {
        match won_in(&reply, tables, proved)? {
            Some(plies) => longest = longest.max(plies),
            None => return Ok(None),
        }
    }
    Ok(longest.checked_add(1))
}

/// The table's value, `None` where no table holds the position.
fn value(tables: &Tables, position: &Position) -> Result<Option<Value>, CertificateError> {
    match tables.value(position) {
        Ok(value) => Ok(Some(value)),
        Err(ProbeError::NoTable { .. } | ProbeError::TooManyBots { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn replies(position: &Position) -> impl Iterator<Item = Position> + '_ {
    let actions = position.legal_actions();
    (0..actions.len()).map(move |at| position.apply_unchecked(actions[at]))
}

fn successors(position: &Position, claim: Claim) -> Vec<Position> {
    match claim {
        Claim::Win(_) => vec![*position],
        Claim::Loss(_) => replies(position).collect(),
        Claim::Draw => Vec::new(),
    }
}

fn played(step: &ProofStep) -> Result<Position, CertificateError> {
    let next = step.position.play(step.action);
    next.map_err(|_| gap(&step.position, "its action is not legal"))
}

/// Of several steps for a position the one with the fewest plies.
fn shortest(steps: impl IntoIterator<Item = ProofStep>) -> HashMap<Position, ProofStep> {
    let mut known: HashMap<Position, ProofStep> = HashMap::new();
    for step in steps {
        let kept = known.entry(step.position).or_insert(step);
        if step.plies < kept.plies {
            *kept = step;
        }
    }
    known
}

fn claim_of(text: &str) -> Option<Claim> {
    let number = |text: &str| {
        let plies: u16 = text.parse().ok()?;
        (plies.to_string() == text).then_some(plies)
    };
    match text.split_once(' ') {
        Some(("win", plies)) => number(plies).map(Claim::Win),
        Some(("loss", plies)) => number(plies).map(Claim::Loss),
        None if text == "draw" => Some(Claim::Draw),
        _ => None,
    }
}

fn digest_line(body: &str) -> String {
    format!("blake3 {}\n", blake3::hash(body.as_bytes()).to_hex())
}

fn gap(position: &Position, reason: &'static str) -> CertificateError {
    CertificateError::Gap { position: position.to_string(), reason }
}
