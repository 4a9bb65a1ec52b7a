//! What a build will take, from costs measured on this machine.
//!
//! Solving costs about the same for a cell (eight positions) in every class, which makes the cost of
//! a large class that of a small one times its cells. Files and deltas depend on how much of a class
//! is decided: classes of equal sides are mostly draws, the others mostly not, so each kind is
//! measured by itself, on 3v3 and 3v2.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use boombots_probe::{Class, Compression, Material, Metric, OrbitTables, SideLayout};
use thiserror::Error;

use crate::encode::{SideEncoder, TableCoding};
use crate::folder::{FolderError, TableFolder};
use crate::journal::{Journal, JournalError};
use crate::kernels::Level;
use crate::memory::BuildNeeds;
use crate::plane::Storage;
use crate::solve::{SolveError, SolveEvent, SolveOptions, solve, solve_journaled};
use crate::solved::{SolvedClass, SolvedSide};

/// Costs of this machine with the threads of the current rayon pool.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Seconds for each byte of the tables of moves and blasts and the sources of booms.
    setup: f64,
    equal: ClassCosts,
    unequal: ClassCosts,
}

/// Costs for each cell of a kind of class: seconds and bytes.
#[derive(Clone, Copy, Debug)]
struct ClassCosts {
    booms: f64,
    plies: f64,
    writing: f64,
    table_bytes: f64,
    delta_bytes: f64,
}

/// Why the costs were not measured.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A class was not solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The folder for the measurement cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The journal of the measurement failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Something else of the system failed.
    #[error("cannot measure: {0}")]
    Io(#[from] io::Error),
}

impl Costs {
    /// Builds small classes in an empty folder and takes the time; seconds.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn measure(folder: &Path, level: Level) -> Result<Self, PlanError> {
        let measurement = Measurement {
            folder: TableFolder::new(folder),
            orbits: OrbitTables::for_solving(),
            level,
        };
        for class in equal().foundation() {
            if class != unequal() {
                measurement.build(class)?;
            }
        }
        let (unequal, _) = measurement.costs(unequal())?;
        let (equal, setup) = measurement.costs(equal())?;
        Ok(Self { setup, equal, unequal })
    }
}

struct Measurement {
    folder: TableFolder,
    orbits: OrbitTables,
    level: Level,
}

impl Measurement {
    fn options(&self, shards: usize) -> SolveOptions {
        SolveOptions { level: self.level, shards, storage: Storage::Heap }
    }

    fn build(&self, class: Class) -> Result<(), PlanError> {
        let beneath = |side| Ok(Arc::new(self.folder.load(side, &self.orbits, self.level)?));
        let sides = solve(class, &self.orbits, &beneath, &self.options(1), &|_| {})?;
        self.write(class, sides)
    }

    fn write(&self, class: Class, sides: Vec<SolvedSide>) -> Result<(), PlanError> {
        let solved = SolvedClass::new(class, sides, &self.orbits);
        let (orbits, level) = (&self.orbits, self.level);
        let coding = TableCoding { orbits, level, compression: Compression::FAST };
        Ok(self.folder.write(&solved, &coding, &mut || {})?)
    }

    /// The costs of a class, and what a byte of its side tables takes to make.
    fn costs(&self, class: Class) -> Result<(ClassCosts, f64), PlanError> {
        let times = Mutex::new((Instant::now(), [Duration::ZERO; 3]));
        let observe = |event| {
            let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
            let phase = match event {
                SolveEvent::BoomsStarted { .. } => 0,
                SolveEvent::BoomsEnded => 1,
                SolveEvent::PlySwept { .. } | SolveEvent::Exchanged { .. } => 2,
                _ => return,
            };
            let now = Instant::now();
            let since = now - times.0;
            times.1[phase] += since;
            times.0 = now;
        };
        let beneath = |side| Ok(Arc::new(self.folder.load(side, &self.orbits, self.level)?));
        let path = self.folder.path().join("journal");
        let mut journal = Journal::open(&path, class)?;
        let options = self.options(SAMPLES);
        let sides =
            solve_journaled(class, &self.orbits, &beneath, &options, &mut journal, &observe)?;
        let delta_bytes = path.metadata()?.len() as f64;
        journal.remove()?;

        let (mut sampled, mut table_bytes) = (0, 0);
        let started = Instant::now();
        for side in &sides {
            // Parts in the middle of each half, so that small and large orbits both count.
            for part in [side.parts().len() / 4, side.parts().len() * 3 / 4] {
                let part = &side.parts()[part..=part];
                let (layout, orbits) = (side.layout(), &self.orbits);
                sampled += part[0].strips().len() * layout.rows;
                let encoder = SideEncoder::of_strips(layout, part, orbits, self.level);
                for metric in Metric::ALL {
                    encoder.encode(metric, Compression::DEFAULT.level(metric), |block| {
                        table_bytes += block.bytes.len();
                        Ok::<(), PlanError>(())
                    })?;
                }
            }
        }
        let sampled_cells = sampled as f64 * boombots_probe::TILE_CELLS as f64;
        let writing = started.elapsed().as_secs_f64() / sampled_cells;
        let table_bytes = table_bytes as f64 / sampled_cells;
        if class == unequal() {
            self.write(class, sides)?;
        }
        let [setup, booms, plies] = times.into_inner().unwrap_or_else(PoisonError::into_inner).1;
        let cells = cells(class);
        let costs = ClassCosts {
            booms: booms.as_secs_f64() / cells,
            plies: plies.as_secs_f64() / cells,
            writing,
            table_bytes,
            delta_bytes: delta_bytes / cells,
        };
        Ok((costs, setup.as_secs_f64() / BuildNeeds::of(class).side_tables as f64))
    }
}

/// The machines of a build.
#[derive(Clone, Copy, Debug)]
pub struct Machines {
    /// How many there are, each as fast as this one; one works without a coordinator.
    pub workers: u32,
    /// The memory that each may take, in bytes.
    pub memory: u64,
    /// What the coordinator's link carries, in bits a second.
    pub link: f64,
}

/// What a build takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildPlan {
    /// The class.
    pub class: Class,
    /// Positions, counted up to symmetry; those that cannot occur among them.
    pub positions: u64,
    /// Placements, as statistics count them.
    pub placements: u128,
    /// Memory of a machine that keeps its planes in memory, in bytes.
    pub memory: u64,
    /// Memory of a machine that keeps them in files, in bytes.
    pub memory_spilling: u64,
    /// Whether the planes fit the memory of the machines.
    pub fits: bool,
    /// The finished tables, in bytes.
    pub table_bytes: f64,
    /// Disk of a worker while it builds: the journal or deltas, and planes that do not fit memory.
    pub disk: f64,
    /// Bytes over the coordinator's link: deltas and tables, each there and back.
    pub wire: f64,
    /// Seconds of solving.
    pub solving: f64,
    /// Seconds of compressing and writing.
    pub writing: f64,
    /// Seconds that the coordinator's link is busy.
    pub sending: f64,
}

impl BuildPlan {
    /// What a class takes on these machines.
    pub fn of(class: Class, costs: &Costs, machines: &Machines) -> Self {
        let needs = BuildNeeds::of(class);
        let per_cell = if class.larger() == class.smaller() { costs.equal } else { costs.unequal };
        let workers = f64::from(machines.workers);
        let cells = cells(class);
        let sides = || class.sides().into_iter();
        let stored: u64 = sides().map(|side| side.rows() * side.columns()).sum();
        let is_cluster = machines.workers > 1;
        let memory = needs.planes / u64::from(machines.workers) + needs.resident;
        let fits = memory <= machines.memory;
        let table_bytes = per_cell.table_bytes * stored as f64;
        let deltas = per_cell.delta_bytes * cells;
        // A worker keeps its own shards' deltas in its cache and needs everybody else's.
        let others = (workers - 1.0) / workers;
        // Deltas go to the coordinator once and from there to all who need them; so do tables, which
        // another worker checks.
        let wire =
            if is_cluster { deltas * (1.0 + others) + table_bytes * (1.0 + others) } else { 0.0 };
        let overhead = if is_cluster { CLUSTER_OVERHEAD } else { 1.0 };
        let solving = costs.setup * needs.side_tables as f64
            + (per_cell.booms + per_cell.plies) * cells * overhead / workers;
        let spilled = if fits { 0.0 } else { needs.planes as f64 / workers };
        Self {
            class,
            positions: 8 * stored,
            placements: sides().map(placements).sum(),
            memory,
            memory_spilling: needs.resident,
            fits,
            table_bytes,
            disk: deltas + table_bytes + spilled,
            wire,
            solving,
            writing: per_cell.writing * cells * overhead / workers,
            sending: wire * 8.0 / machines.link,
        }
    }

    /// Seconds in all: a worker waits for the deltas of a ply before the next.
    pub fn seconds(&self) -> f64 {
        self.solving + self.writing + self.sending
    }
}

/// Cells that a build goes over: those of whole tiles.
fn cells(class: Class) -> f64 {
    let tiles = class.sides().into_iter().map(|side| SideLayout::new(side).tiles() as f64);
    tiles.sum::<f64>() * boombots_probe::TILE_CELLS as f64
}

/// Placements of a side: pairs of configurations that share no square. On k squares stand
/// C(64, k) · C(n − 1, k − 1) configurations of n bots.
fn placements(side: Material) -> u128 {
    let choose = |n: u128, k: u128| (1..=k).fold(1, |all, i| all * (n + 1 - i) / i);
    let on = |free: u128, bots: u8, stacks: u8| {
        choose(free, stacks.into()) * choose((bots - 1).into(), (stacks - 1).into())
    };
    let mover = (1..=side.mover).map(|stacks| {
        let rest = 64 - u128::from(stacks);
        let opponents = (1..=side.opponent).map(|other| on(rest, side.opponent, other));
        on(64, side.mover, stacks) * opponents.sum::<u128>()
    });
    mover.sum()
}

/// The class that stands for those of equal sides.
fn equal() -> Class {
    Class::new(3, 3).expect("a class")
}

/// The class that stands for those of unequal sides.
fn unequal() -> Class {
    Class::new(3, 2).expect("a class")
}

/// Parts of a side, two of which are compressed to learn what compressing takes.
const SAMPLES: usize = 8;

/// Processor time of a build on the cluster against one without, for the same class:
/// docs/performance.md.
const CLUSTER_OVERHEAD: f64 = 1.4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_are_those_of_the_statistics() {
        let of = |mover, opponent| placements(Material { mover, opponent });
        assert_eq!(
            [of(1, 1), of(2, 1), of(1, 3), of(2, 2)],
            [4_032, 129_024, 2_795_520, 4_066_272]
        );
        assert_eq!(of(3, 3), 1_825_303_872);
    }

    #[test]
    fn more_workers_take_less_time_and_more_wire() {
        let kind = ClassCosts {
            booms: 1e-8,
            plies: 4e-8,
            writing: 1e-7,
            table_bytes: 2.0,
            delta_bytes: 3.0,
        };
        let costs = Costs { setup: 1e-9, equal: kind, unequal: kind };
        let class = "4v3".parse().unwrap();
        let plan = |workers, memory| {
            BuildPlan::of(class, &costs, &Machines { workers, memory, link: 1e12 })
        };
        let [one, eight, many] = [1, 8, 64].map(|workers| plan(workers, 16 << 30));
        assert_eq!((one.wire, one.fits), (0.0, true));
        assert!(one.seconds() > eight.seconds() && eight.seconds() > many.seconds());
        assert!(eight.wire < many.wire && eight.memory > many.memory);
        assert!(!plan(1, 8 << 30).fits && plan(1, 8 << 30).disk > one.disk);
    }
}
