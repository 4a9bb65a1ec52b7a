//! Endgame tables of Boombots: how positions are numbered, how tables are stored, and probing them.

mod class;
mod configuration;
mod orbit;
mod symmetry;
mod value;

pub use class::{Class, ClassError, MAX_CLASS_BOTS, Material};
pub use configuration::{Configuration, MAX_BOTS};
pub use orbit::{DIRECT_BOTS, OrbitIndex, OrbitTable, OrbitTables, Placed, orbit_count};
pub use symmetry::Symmetry;
pub use value::{Plies, Value, Wdl};
