//! Retrograde analysis of Boombots: solves material classes exactly.

mod booms;
mod code;
mod delta;
mod exchange;
mod kernels;
mod layout;
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
pub use layout::SideLayout;
pub use plane::{Plane, Storage};
pub use solve::{SolveError, SolveEvent, SolveOptions, solve};
pub use solved::{SolvedSide, SolvedStrips, StripView};
pub use sources::SourceError;
pub use statistics::SideStatistics;
pub use tile::{TILE_CELLS, TILE_POSITIONS, Tile, TileBytes};
