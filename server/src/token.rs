//! Secrets by which users are known again.

use std::fmt;

use data_encoding::BASE32_NOPAD;

/// The secret itself: 128 bits, told to its user and nobody else.
#[derive(Clone, PartialEq, Eq)]
pub struct ResumeToken(String);

/// What the server keeps of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenDigest([u8; 32]);

impl ResumeToken {
    /// A new one, of the system's randomness.
    ///
    /// # Errors
    /// If the system has none.
    pub fn random() -> std::io::Result<ResumeToken> {
        let mut bytes = [0; 16];
        let mut filled = 0;
        while filled < bytes.len() {
            filled += rustix::rand::getrandom(
                &mut bytes[filled..],
                rustix::rand::GetRandomFlags::empty(),
            )?;
        }
        Ok(ResumeToken(BASE32_NOPAD.encode(&bytes)))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the server keeps of it.
    pub fn digest(&self) -> TokenDigest {
        TokenDigest::of(&self.0)
    }
}

impl TokenDigest {
    /// The digest of a token's text.
    pub fn of(text: &str) -> TokenDigest {
        TokenDigest(*blake3::hash(text.as_bytes()).as_bytes())
    }

    /// From what was stored.
    pub fn from_bytes(bytes: &[u8]) -> Option<TokenDigest> {
        Some(TokenDigest(bytes.try_into().ok()?))
    }

    /// To be stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The secret does not get into logs.
impl fmt::Debug for ResumeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResumeToken")
    }
}
