//! What coordinator and workers say to each other: messages, frames, digests, join tokens and
//! identities.
//!
//! The crate owns the wire and nothing else: it neither schedules nor solves.

mod analysis;
mod bulk;
mod digest;
mod frame;
mod identity;
mod job;
mod message;
mod segment;
mod tls;
mod token;

pub use analysis::{
    AnalysisExport, AnalysisGoal, AnalysisLine, AnalysisPriority, AnalysisRequest, AnalysisState,
    AnalysisStatus, ExportChild, ExportNode, GameResult, ProvedResult,
};
pub use bulk::{BULK_SENDS, BulkReply, BulkRequest, CONTROL_PRIORITY, MAX_BULK};
pub use digest::{Digest, DigestError};
pub use frame::{
    FrameError, MAGIC, MAX_FRAME, Preamble, VERSION, decode_message, encode_message, read_frame,
    read_preamble, write_frame, write_preamble,
};
pub use identity::{Fingerprint, Identity, IdentityError};
pub use job::{
    ExactValue, JobChild, JobId, JobKind, JobLine, JobOutcome, JobProgress, JobResult, Party,
    SearchJob, Standing, Urgency,
};
pub use message::{
    Assign, BlobRef, BuildTables, CheckKind, ClassName, DeltaRef, Finish, Heartbeat, Held, Hello,
    InputSlice, KnownDelta, Material, Refusal, SegmentRef, ShardId, ShardProgress, SideCounts,
    Step, StripRange, Swept, TableRef, ToCoordinator, ToWorker, Verify, WorkState, WorkerId,
};
pub use segment::{Purpose, SegmentError, SegmentWriter, assemble};
pub use tls::{ALPN, Limits, TlsError, client_config, peer_fingerprint, server_config};
pub use token::{JoinToken, TokenError};
