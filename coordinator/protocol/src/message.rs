//! The messages of the control stream. Enums only ever grow at their end.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::identity::Fingerprint;
use crate::job::{JobId, JobProgress, JobResult, SearchJob};

/// Who a worker is: the fingerprint of its key.
pub type WorkerId = Fingerprint;

/// A class by its bot counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClassName {
    /// The larger bot count.
    pub larger: u8,
    /// The smaller one.
    pub smaller: u8,
}

/// A side by its bot counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Material {
    /// Bots of the side to move.
    pub mover: u8,
    /// Bots of the other side.
    pub opponent: u8,
}

/// A shard of one attempt at a class. Attempts are numbered over the whole life of a coordinator,
/// so nothing of an attempt given up is ever taken for a later one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShardId {
    /// The attempt.
    pub attempt: u32,
    /// The shard, counted through the sides of the class.
    pub shard: u16,
}

/// A run of strips of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StripRange {
    /// The first strip.
    pub start: u32,
    /// The strip after the last.
    pub end: u32,
}

/// Bytes in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlobRef {
    /// Their digest.
    pub digest: Digest,
    /// How many there are.
    pub len: u64,
}

/// A run of bytes of a blob, with a digest of its own: what one shard decided for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeltaRef {
    /// The digest of the run.
    pub digest: Digest,
    /// Its length; 0 where nothing was decided.
    pub len: u32,
}

/// A delta that a shard must take in before its next sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputSlice {
    /// The blob of which it is a run.
    pub blob: Digest,
    /// Where in the blob it starts.
    pub offset: u64,
    /// The run.
    pub slice: DeltaRef,
    /// The strips that decided it.
    pub strips: StripRange,
}

/// A finished table of a smaller class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRef {
    /// The class.
    pub class: ClassName,
    /// Whether it holds distances; values otherwise.
    pub distances: bool,
    /// The file.
    pub file: BlobRef,
}

/// The tables that work on a class needs.
pub type BuildTables = Vec<TableRef>;

/// Solve a shard: settle its booms, then wait for steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assign {
    /// The shard.
    pub id: ShardId,
    /// The lease.
    pub epoch: u32,
    /// The side it is of.
    pub side: Material,
    /// Its strips.
    pub strips: StripRange,
    /// The shards of the side it sends deltas to, in order.
    pub destinations: Vec<StripRange>,
    /// The zstd levels of values and distances.
    pub compression: (i32, i32),
    /// The tables of the classes beneath.
    pub tables: BuildTables,
    /// Whether every delta is to be coded and compared with what is on record.
    pub audit: bool,
}

/// Take in the deltas of the step before, then sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The shard.
    pub id: ShardId,
    /// The lease.
    pub epoch: u32,
    /// Counts the plies swept in this class; some are left out where nothing can happen.
    pub step: u16,
    /// The ply to sweep.
    pub ply: u8,
    /// What the other side decided in the step before.
    pub inputs: Vec<InputSlice>,
    /// The shard's own delta of this step, where it is on record already: it is taken over, not
    /// swept for again.
    pub known: Option<KnownDelta>,
}

/// A delta that is on record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownDelta {
    /// All of it; of length 0 where nothing was decided.
    pub blob: BlobRef,
    /// Its runs, one for each destination.
    pub slices: Vec<DeltaRef>,
}

/// Nothing is left to decide: code the shard's part of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// The shard.
    pub id: ShardId,
    /// The lease.
    pub epoch: u32,
    /// How many steps there are in all.
    pub steps: u16,
}

/// How thoroughly a shard is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckKind {
    /// So many positions, chosen by a seed.
    Sample {
        /// How many.
        positions: u32,
        /// The seed.
        seed: u64,
    },
    /// Every position.
    Full,
}

/// Check a shard of another worker by the plain rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verify {
    /// The shard.
    pub id: ShardId,
    /// The lease.
    pub epoch: u32,
    /// The class.
    pub class: ClassName,
    /// The side the shard is of.
    pub side: Material,
    /// Its strips.
    pub strips: StripRange,
    /// How thoroughly.
    pub kind: CheckKind,
    /// The sides of the class and the shards of each.
    pub sides: Vec<(Material, Vec<StripRange>)>,
    /// Every shard's segment, in order.
    pub segments: Vec<SegmentRef>,
    /// The tables of the classes beneath.
    pub tables: BuildTables,
}

/// A shard's part of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentRef {
    /// The coded blocks.
    pub blob: BlobRef,
    /// The counts of the shard.
    pub counts: SideCounts,
}

/// Placements of a shard, each counted eight times over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideCounts {
    /// Won for the mover.
    pub wins: u64,
    /// Lost for the mover.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// Plies of the longest win, 0 for none.
    pub longest_win: u8,
    /// Plies of the longest loss, 0 for none.
    pub longest_loss: u8,
}

/// What a worker is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToWorker {
    /// It is admitted. Heartbeats are due this often.
    Welcome {
        /// Milliseconds between heartbeats.
        heartbeat_ms: u32,
        /// Every fingerprint that the coordinator's key may have from now on.
        pins: Vec<Fingerprint>,
    },
    /// It is not admitted.
    Refused(Refusal),
    /// Solve a shard.
    Assign(Assign),
    /// Go on by one ply.
    Step(Step),
    /// Code the shard.
    Finish(Finish),
    /// Check a shard.
    Verify(Verify),
    /// Let go of a shard.
    Drop {
        /// The shard.
        id: ShardId,
        /// The lease that has ended.
        epoch: u32,
    },
    /// Nothing of an attempt is needed any more.
    Forget {
        /// The attempt.
        attempt: u32,
    },
    /// Work on leaving: leases were taken back.
    Goodbye,
    /// The coordinator's key is about to change.
    Pins(Vec<Fingerprint>),
    /// Look at a position.
    Search(SearchJob),
    /// Stop looking at a position.
    StopJob {
        /// The job.
        id: JobId,
        /// The lease that has ended.
        epoch: u32,
    },
}

/// Why a worker is not admitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Its secret is not the coordinator's.
    WrongSecret,
    /// It was revoked.
    Revoked,
    /// Another connection with the same key is open.
    Duplicate,
    /// There are too many workers.
    Full,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongSecret => "the join token's secret is wrong: get a new token",
            Self::Revoked => "this worker was revoked",
            Self::Duplicate => "another worker with the same key took its place",
            Self::Full => "the coordinator has as many workers as it admits",
        })
    }
}

/// What a worker says first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The secret of the join token.
    pub secret: [u8; 16],
    /// Its name.
    pub name: String,
    /// Its threads.
    pub threads: u16,
    /// The memory it may use, in bytes.
    pub memory: u64,
    /// The program's version.
    pub version: String,
    /// Shards whose state it still has.
    pub held: Vec<Held>,
}

/// A shard whose state a worker has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The shard.
    pub id: ShardId,
    /// The lease it has it under.
    pub epoch: u32,
    /// How far it is.
    pub state: WorkState,
}

/// How far a worker is with a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkState {
    /// Settling booms.
    Booms,
    /// It has been told to take so many steps, and will report those it did not yet.
    Steps(u16),
    /// Coding its part of the tables.
    Encoding,
    /// Checking another's shard.
    Verifying,
}

/// A worker is alive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Its memory in use, in bytes.
    pub memory: u64,
    /// Bytes read from and written to the wire by its bulk streams.
    pub bulk: (u64, u64),
    /// What it does, in words, where it does nothing why.
    pub note: String,
    /// How its shards come on.
    pub shards: Vec<ShardProgress>,
}

/// How one shard comes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardProgress {
    /// The shard.
    pub id: ShardId,
    /// The lease.
    pub epoch: u32,
    /// Grows whenever anything gets done.
    pub progress: u64,
    /// Of the phase it is in, how much is done.
    pub done: u64,
    /// And how much there is in all.
    pub all: u64,
}

/// A shard has swept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swept {
    /// The shard.
    pub id: ShardId,
    /// The lease.
    pub epoch: u32,
    /// The step.
    pub step: u16,
    /// Positions decided, counted up to symmetry.
    pub decided: u64,
    /// The nearest later ply at which something may be decided although nothing changed.
    pub next_wake: Option<u8>,
    /// All of the delta; of length 0 where nothing was decided.
    pub blob: BlobRef,
    /// The runs of the blob for each destination; they follow on one another.
    pub slices: Vec<DeltaRef>,
}

/// What the coordinator is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToCoordinator {
    /// The first message.
    Hello(Hello),
    /// The worker is alive.
    Heartbeat(Heartbeat),
    /// A shard's booms are settled.
    BoomsSettled {
        /// The shard.
        id: ShardId,
        /// The lease.
        epoch: u32,
    },
    /// A shard has swept; its delta is in the store.
    Swept(Swept),
    /// A shard's part of the tables is in the store.
    Encoded {
        /// The shard.
        id: ShardId,
        /// The lease.
        epoch: u32,
        /// Where and what.
        segment: SegmentRef,
    },
    /// A shard was checked.
    Verified {
        /// The shard.
        id: ShardId,
        /// The lease.
        epoch: u32,
        /// What is wrong, where something is.
        problem: Option<String>,
        /// Positions checked.
        positions: u64,
    },
    /// The worker cannot go on with a shard.
    Failed {
        /// The shard.
        id: ShardId,
        /// The lease.
        epoch: u32,
        /// Why.
        reason: String,
    },
    /// The worker hands its leases back and goes.
    Leaving,
    /// The worker cannot go on with a shard because a delta is no delta, although its digest is
    /// right: whoever made it is wrong.
    Unreadable {
        /// The shard.
        id: ShardId,
        /// The lease.
        epoch: u32,
        /// The delta.
        blob: Digest,
        /// What is wrong with it.
        reason: String,
    },
    /// A job comes on.
    JobProgress(JobProgress),
    /// A job is done; the proofs it found are in the store.
    JobDone(JobResult),
    /// The worker cannot do a job.
    JobFailed {
        /// The job.
        id: JobId,
        /// The lease.
        epoch: u32,
        /// Why.
        reason: String,
    },
}
