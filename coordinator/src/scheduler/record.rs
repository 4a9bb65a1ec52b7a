//! What the scheduler keeps on disk: enough to go on after any restart.

use boombots_cluster_protocol::{
    BlobRef, ClassName, DeltaRef, Material, SegmentRef, StripRange, TableRef, WorkerId,
};
use serde::{Deserialize, Serialize};

/// A build that somebody asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildRecord {
    /// Its number.
    pub id: u32,
    /// The class asked for; those beneath it are built first.
    pub class: ClassName,
    /// How it is to be built.
    pub options: BuildOptions,
    /// How it stands.
    pub state: BuildState,
}

/// How a class is to be built. None of it changes the tables, but for the compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildOptions {
    /// Shards each side is cut into; chosen by size and workers where `None`.
    pub shards: Option<u16>,
    /// The zstd levels of values and distances.
    pub compression: (i32, i32),
    /// How thoroughly shards are checked.
    pub check: Check,
}

/// How thoroughly each shard is checked by another worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Check {
    /// So many positions of each class, chosen anew each time.
    Sample(u32),
    /// Every position.
    Full,
}

/// How a build stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BuildState {
    /// Under way.
    Running,
    /// All tables are published.
    Done,
    /// Given up by request.
    Cancelled,
    /// Given up for this reason.
    Failed(String),
}

/// One attempt at a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRecord {
    /// The class.
    pub class: ClassName,
    /// The number of the attempt.
    pub attempt: u32,
    /// How it is built.
    pub options: BuildOptions,
    /// How far it is.
    pub phase: Phase,
    /// The sides and their shards.
    pub sides: Vec<SideRecord>,
    /// The ply of each step begun.
    pub plies: Vec<u8>,
    /// The newest lease of each shard.
    pub epochs: Vec<u32>,
    /// The coded part of each shard, and who made it.
    pub segments: Vec<Option<(SegmentRef, WorkerId)>>,
    /// Which shards were checked.
    pub verified: Vec<bool>,
    /// Who said that the tables are wrong, if anybody did.
    pub accuser: Option<WorkerId>,
    /// Restarts of the class so far.
    pub restarts: u32,
}

/// A side of a class and the shards it is cut into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideRecord {
    /// The side.
    pub material: Material,
    /// The strips of each shard.
    pub shards: Vec<StripRange>,
    /// Tiles of the side.
    pub tiles: u64,
}

/// How far a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Booms and plies.
    Solving,
    /// Coding the parts of the tables.
    Encoding,
    /// Each shard is checked by another worker.
    Verifying,
    /// A check failed: every shard is made a second time, by another worker.
    Auditing,
    /// The tables are put together.
    Publishing,
}

/// What a shard decided in one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeltaRecord {
    /// All of it.
    pub blob: BlobRef,
    /// The runs for each destination.
    pub slices: Vec<DeltaRef>,
    /// Positions decided.
    pub decided: u64,
    /// The nearest later ply at which something may be decided although nothing changed.
    pub next_wake: Option<u8>,
    /// Who made it.
    pub maker: WorkerId,
}

/// Finished tables of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedRecord {
    /// The class.
    pub class: ClassName,
    /// Its files.
    pub tables: Vec<TableRef>,
    /// The deepest value, in plies.
    pub deepest: u8,
}

/// A worker that was admitted once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRecord {
    /// Who it is.
    pub id: WorkerId,
    /// Its name.
    pub name: String,
    /// Why it gets no work any more, if so.
    pub banned: Option<Ban>,
}

/// Why a worker gets no work any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ban {
    /// Somebody revoked it.
    Revoked,
    /// Two others agreed that its results were wrong.
    WrongResults(String),
}

/// A change of what is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A build is new or changed.
    Build(BuildRecord),
    /// An attempt is new or changed.
    Class(ClassRecord),
    /// A delta is on record.
    Delta {
        /// The attempt.
        attempt: u32,
        /// The step.
        step: u16,
        /// The shard.
        shard: u16,
        /// The delta.
        record: DeltaRecord,
    },
    /// An attempt is over; its deltas go too.
    AttemptEnded {
        /// The attempt.
        attempt: u32,
    },
    /// A class is published.
    Published(PublishedRecord),
    /// A worker is new or changed.
    Worker(WorkerRecord),
    /// The number of the next attempt.
    NextAttempt(u32),
}

/// Everything on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// Builds.
    pub builds: Vec<BuildRecord>,
    /// Attempts under way.
    pub classes: Vec<ClassRecord>,
    /// Deltas: attempt, step, shard.
    pub deltas: Vec<((u32, u16, u16), DeltaRecord)>,
    /// Published classes.
    pub published: Vec<PublishedRecord>,
    /// Workers.
    pub workers: Vec<WorkerRecord>,
    /// The number of the next attempt.
    pub next_attempt: u32,
}

impl ClassRecord {
    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.epochs.len()
    }

    /// The side of a shard, its place among the side's shards, and its strips.
    pub fn place(&self, shard: usize) -> (usize, usize, StripRange) {
        let mut within = shard;
        for (side, record) in self.sides.iter().enumerate() {
            if let Some(&strips) = record.shards.get(within) {
                return (side, within, strips);
            }
            within -= record.shards.len();
        }
        (0, 0, StripRange { start: 0, end: 0 })
    }

    /// The other side: the class's only one where both are the same.
    pub fn other(&self, side: usize) -> usize {
        self.sides.len() - 1 - side
    }

    /// The shards of a side.
    pub fn shards_of(&self, side: usize) -> std::ops::Range<usize> {
        let first = self.sides[..side].iter().map(|side| side.shards.len()).sum::<usize>();
        first..first + self.sides[side].shards.len()
    }
}
