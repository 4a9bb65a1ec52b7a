//! Bulk streams: one request at its start, then a reply, and the bytes in the direction asked for.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// The longest blob that is accepted, in bytes.
pub const MAX_BULK: u64 = 64 << 30;

/// Bulk transfers that either end sends at a time. A stream holds at most as much unacknowledged as
/// the other end's window for one, so with this few there is always room for the control stream
/// within what a connection holds in all.
pub const BULK_SENDS: usize = 4;

/// The priority of the control stream; that of bulk streams is 0.
pub const CONTROL_PRIORITY: i32 = 1;

/// What a worker opens a bulk stream for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BulkRequest {
    /// Store the bytes that follow.
    Put {
        /// Their digest.
        digest: Digest,
        /// How many there are.
        len: u64,
    },
    /// Send a run of a blob's bytes.
    Get {
        /// The blob.
        digest: Digest,
        /// Where the run starts.
        offset: u64,
        /// Its length.
        len: u64,
    },
    /// Say where the bytes can be put without passing through the coordinator.
    Place {
        /// Their digest.
        digest: Digest,
        /// How many there are.
        len: u64,
    },
    /// The bytes were put there.
    Placed {
        /// Their digest.
        digest: Digest,
        /// How many there are.
        len: u64,
    },
}

/// What the coordinator answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BulkReply {
    /// Stored, or there already.
    Stored,
    /// The bytes follow.
    Bytes,
    /// There is no such blob.
    Missing,
    /// The bytes had another digest or length.
    Mismatch,
    /// Not now: the store has no room or does not answer. Worth trying again.
    Unavailable(String),
    /// The bytes move between the worker and a bucket: an HTTP GET or PUT of this address, which
    /// holds its own permission and is good for some minutes.
    Elsewhere {
        /// The address.
        url: String,
    },
}
