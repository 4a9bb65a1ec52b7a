//! Endgame tables of Boombots: how positions are numbered, how tables are stored, and probing them.
//!
//! The crate reads and writes table files and answers questions from them; it never solves
//! anything. `probe/README.md` describes the format byte by byte.

mod best;
mod block;
mod canonical;
mod certificate;
mod class;
mod compression;
mod configuration;
mod error;
mod header;
mod layout;
mod manifest;
mod mapped;
mod marks;
mod orbit;
mod proof_step;
mod statistics;
mod symmetry;
mod table;
mod tables;
mod value;
mod writer;

pub use best::{DRAWN_LINE_ACTIONS, RatedAction};
pub use block::{BlockEncoder, EncodedBlock, TileBits, TileDistances};
pub use canonical::{canonical, carried};
pub use certificate::{Certificate, CertificateError, Claim};
pub use class::{Class, ClassError, MAX_CLASS_BOTS, Material};
pub use compression::Compression;
pub use configuration::{Configuration, MAX_BOTS};
pub use error::{ProbeError, TableError, TableProblem};
pub use layout::{CellPlace, Metric, SideLayout, TILE_CELLS};
pub use manifest::{Manifest, ManifestEntry, ManifestError};
pub use orbit::{
    DIRECT_BOTS, OrbitIndex, OrbitTable, OrbitTables, Placed, SOLVING_BOTS, orbit_count,
};
pub use proof_step::{ProofStep, ProofStepError};
pub use statistics::SideStatistics;
pub use symmetry::Symmetry;
pub use table::{Part, Table};
pub use tables::{OpenError, Tables, TablesOptions, configurations, table_file_name, wins_at_once};
pub use value::{Plies, Value, Wdl};
pub use writer::{NewFile, TableWriter, remove_leftovers};

/// The example of the crate's README, so that it is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
