//! Retrograde analysis of Boombots: solves material classes exactly.

mod booms;
mod chains;
mod code;
mod delta;
mod exchange;
mod kernels;
mod mover;
mod opponent;
mod plane;
mod shard;
mod solve;
mod solved;
mod sources;
mod statistics;
mod sweep;
mod tile;

pub use delta::{Delta, SparseTiles, StripDelta};
pub use kernels::{Level, LevelError};
pub use plane::{Plane, Storage};
pub use solve::{SolveError, SolveEvent, SolveOptions, solve};
pub use solved::{SolvedSide, SolvedStrips, StripView};
pub use sources::SourceError;
pub use statistics::statistics;
pub use tile::{TILE_POSITIONS, Tile, TileBytes};
