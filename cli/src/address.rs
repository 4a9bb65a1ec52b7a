//! The address of a server.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use url::Url;

/// The address of a server's WebSocket: `ws` or `wss`, with a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

/// Text that is no address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// It is no URL at all.
    #[error("{text:?} is no address ({reason}); one looks like ws://127.0.0.1:8008")]
    NoUrl {
        /// The text.
        text: String,
        /// Why it is none.
        reason: String,
    },
    /// It is the URL of something else.
    #[error(
        "{text:?} begins with {scheme}:, but a game server's address begins with ws:// or wss://"
    )]
    Scheme {
        /// The text.
        text: String,
        /// How it begins.
        scheme: String,
    },
}

impl Address {
    /// The whole address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        let no_url = |reason: String| AddressError::NoUrl { text: text.to_owned(), reason };
        let url = Url::parse(text).map_err(|error| no_url(error.to_string()))?;
        if !matches!(url.scheme(), "ws" | "wss") {
            let scheme = url.scheme().to_owned();
            return Err(AddressError::Scheme { text: text.to_owned(), scheme });
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(no_url("it names no host".to_owned()));
        }
        Ok(Address(url))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_web_sockets_with_a_host() {
        for good in ["ws://127.0.0.1:8008", "wss://play.example/ws", "ws://[::1]:9"] {
            assert_eq!(good.parse::<Address>().unwrap().to_string(), good);
        }
        let error = "http://localhost:8008".parse::<Address>().unwrap_err().to_string();
        assert!(error.contains("ws://"), "{error}");
        for bad in ["", "localhost", "127.0.0.1:8008", "ws://", "ws://:8", "\u{1b}[31m"] {
            let error = bad.parse::<Address>().unwrap_err().to_string();
            assert!(!error.contains('\u{1b}'), "{error}");
        }
    }
}
