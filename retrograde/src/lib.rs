//! Retrograde analysis of Boombots: solves material classes exactly.

mod booms;
mod chains;
mod code;
mod delta;
mod encode;
mod exchange;
mod kernels;
mod load;
mod memory;
mod mover;
mod opponent;
mod plane;
mod raw;
mod shard;
mod solve;
mod solved;
mod sources;
mod statistics;
mod sweep;
mod tile;
mod verify;

pub use delta::{Delta, SparseTiles, StripDelta};
pub use encode::SideEncoder;
pub use kernels::{Level, LevelError};
pub use load::{LoadError, load_side};
pub use memory::BuildNeeds;
pub use plane::{Plane, Storage};
pub use raw::{RawError, RawProblem, raw_len, read_raw, write_raw};
pub use solve::{SolveError, SolveEvent, SolveOptions, solve};
pub use solved::{SolvedSide, SolvedStrips, StripView};
pub use sources::{SmallerSides, SourceError};
pub use statistics::statistics;
pub use tile::{TILE_POSITIONS, Tile, TileBytes};
pub use verify::{Mismatch, SolvedSides, sides_to_verify, verify_side};
