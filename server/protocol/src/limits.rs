//! What both ends rely on.

/// The version of the protocol. A server answers clients of its own version; fields and message
/// types may be added within one, so what is unknown is to be ignored.
pub const PROTOCOL_VERSION: u32 = 1;

/// The longest message in either direction's text, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// The longest name, in characters.
pub const MAX_NAME_CHARACTERS: usize = 32;

/// The most positions of one `POST /api/tablebase`.
pub const MAX_BATCH_POSITIONS: usize = 1_000;

/// The levels of bots; the last is full strength.
pub const BOT_LEVELS: std::ops::RangeInclusive<u8> = 1..=10;

/// The game that is meant where none is named.
pub const DEFAULT_GAME: &str = "boombots";
