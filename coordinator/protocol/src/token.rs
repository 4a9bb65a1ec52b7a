//! The join token: all that a new machine needs.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE32_NOPAD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::identity::Fingerprint;

/// Where the coordinator is, how to know it, and the secret that admits a worker.
///
/// As text: `bbc1-` and, in base 32, the token in postcard followed by the first four bytes of its
/// BLAKE3 digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinToken {
    /// Host and port.
    pub address: String,
    /// The coordinator's key.
    pub fingerprint: Fingerprint,
    /// The secret.
    pub secret: [u8; 16],
}

/// A text is no join token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    /// It does not start like one.
    #[error("a join token starts with {PREFIX}; was all of it copied?")]
    Foreign,
    /// It was cut or mistyped.
    #[error("the join token is damaged; was all of it copied?")]
    Damaged,
}

impl fmt::Display for JoinToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = postcard::to_allocvec(self).map_err(|_| fmt::Error)?;
        let check = blake3::hash(&bytes);
        bytes.extend_from_slice(&check.as_bytes()[..CHECK]);
        write!(f, "{PREFIX}{}", BASE32_NOPAD.encode(&bytes).to_lowercase())
    }
}

impl FromStr for JoinToken {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let text = text.trim().strip_prefix(PREFIX).ok_or(TokenError::Foreign)?;
        let bytes = BASE32_NOPAD.decode(text.to_uppercase().as_bytes());
        let bytes = bytes.map_err(|_| TokenError::Damaged)?;
        let body = bytes.len().checked_sub(CHECK).ok_or(TokenError::Damaged)?;
        let (body, check) = bytes.split_at(body);
        if blake3::hash(body).as_bytes()[..CHECK] != *check {
            return Err(TokenError::Damaged);
        }
        postcard::from_bytes(body).map_err(|_| TokenError::Damaged)
    }
}

const PREFIX: &str = "bbc1-";
const CHECK: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_and_a_changed_one_is_refused() {
        let token = JoinToken {
            address: "10.0.0.1:9008".into(),
            fingerprint: Fingerprint([7; 32]),
            secret: [9; 16],
        };
        let text = token.to_string();
        assert_eq!(text.parse(), Ok(token));
        for at in PREFIX.len()..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'a' { b'b' } else { b'a' };
            let changed = String::from_utf8(bytes).unwrap();
            assert_eq!(changed.parse::<JoinToken>(), Err(TokenError::Damaged), "{at}");
            assert!(text[..at].parse::<JoinToken>().is_err());
        }
        assert_eq!("hello".parse::<JoinToken>(), Err(TokenError::Foreign));
    }
}
