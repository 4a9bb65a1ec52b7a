//! Frames: a length of four little-endian bytes, then a message in postcard.
//!
//! A connection's control stream starts with a preamble that never changes, whatever the version:
//! the eight bytes of [`MAGIC`] and the version as two little-endian bytes, from both ends.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// What every control stream starts with.
pub const MAGIC: [u8; 8] = *b"BBclster";

/// The version of the messages.
pub const VERSION: u16 = 3;

/// The longest message, in bytes. A longer one is refused before anything is allocated.
pub const MAX_FRAME: usize = 1 << 20;

/// The start of a control stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preamble {
    /// The version of the messages that the other end speaks.
    pub version: u16,
}

/// Why nothing was read or written.
#[derive(Debug, Error)]
pub enum FrameError {
    /// The other end has closed the stream.
    #[error("the other end has closed the stream")]
    Closed,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[from] std::io::Error),
    /// The length is past what is allowed.
    #[error("a frame of {len} bytes is longer than the {MAX_FRAME} allowed")]
    Oversize {
        /// The length.
        len: usize,
    },
    /// The bytes are no message.
    #[error("a frame holds no message: {0}")]
    Malformed(#[from] postcard::Error),
    /// Bytes follow the message.
    #[error("a frame has bytes left over")]
    LeftOver,
    /// The other end is no Boombots cluster.
    #[error("the other end does not speak the Boombots cluster protocol")]
    Foreign,
    /// The other end speaks an older or newer version.
    #[error("{}", version_advice(*.theirs))]
    Version {
        /// What it speaks.
        theirs: u16,
    },
}

impl Preamble {
    /// Accepts the version that this program speaks.
    ///
    /// # Errors
    /// If it is another.
    pub fn check(self) -> Result<(), FrameError> {
        if self.version == VERSION {
            Ok(())
        } else {
            Err(FrameError::Version { theirs: self.version })
        }
    }
}

fn version_advice(theirs: u16) -> String {
    let which = if theirs > VERSION { "this one" } else { "the other end" };
    format!(
        "the other end speaks version {theirs} of the cluster protocol and this one {VERSION}: \
         upgrade {which}"
    )
}

/// Writes the start of a control stream.
///
/// # Errors
/// If the connection fails.
pub async fn write_preamble(
    stream: &mut (impl AsyncWrite + Unpin),
    version: u16,
) -> Result<(), FrameError> {
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..].copy_from_slice(&version.to_le_bytes());
    Ok(stream.write_all(&bytes).await?)
}

/// Reads the start of a control stream.
///
/// # Errors
/// If the connection fails or the other end is something else.
pub async fn read_preamble(stream: &mut (impl AsyncRead + Unpin)) -> Result<Preamble, FrameError> {
    let mut magic = [0; 8];
    stream.read_exact(&mut magic).await?;
    if magic != MAGIC {
        return Err(FrameError::Foreign);
    }
    Ok(Preamble { version: stream.read_u16_le().await? })
}

/// Writes one message.
///
/// # Errors
/// If the connection fails or the message is too long.
pub async fn write_frame(
    stream: &mut (impl AsyncWrite + Unpin),
    message: &impl Serialize,
) -> Result<(), FrameError> {
    Ok(stream.write_all(&encode_message(message)?).await?)
}

/// Reads one message.
///
/// # Errors
/// If the connection fails, or what comes is no message.
pub async fn read_frame<T: DeserializeOwned>(
    stream: &mut (impl AsyncRead + Unpin),
) -> Result<T, FrameError> {
    let len = match stream.read_u32_le().await {
        Ok(len) => len as usize,
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            return Err(FrameError::Closed);
        }
        Err(error) => return Err(error.into()),
    };
    if len > MAX_FRAME {
        return Err(FrameError::Oversize { len });
    }
    let mut bytes = vec![0; len];
    stream.read_exact(&mut bytes).await?;
    decode_message(&bytes)
}

/// A message with its length before it.
///
/// # Errors
/// If it is too long.
pub fn encode_message(message: &impl Serialize) -> Result<Vec<u8>, FrameError> {
    let mut bytes = postcard::to_extend(message, vec![0; 4])?;
    let len = bytes.len() - 4;
    if len > MAX_FRAME {
        return Err(FrameError::Oversize { len });
    }
    bytes[..4].copy_from_slice(&(len as u32).to_le_bytes());
    Ok(bytes)
}

/// A message without its length.
///
/// # Errors
/// If the bytes are not exactly one.
pub fn decode_message<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FrameError> {
    let (message, rest) = postcard::take_from_bytes(bytes)?;
    if rest.is_empty() { Ok(message) } else { Err(FrameError::LeftOver) }
}
