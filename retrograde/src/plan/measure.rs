//! The costs of small classes on this machine, which stand for those of large ones.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use boombots_probe::{Class, Compression, Material, Metric, OrbitTables};
use thiserror::Error;

use super::{ClassCosts, Costs, stored_cells, swept_cells};
use crate::encode::{SideEncoder, TableCoding};
use crate::folder::{FolderError, TableFolder};
use crate::journal::{Journal, JournalError};
use crate::kernels::Level;
use crate::memory::BuildNeeds;
use crate::plane::Storage;
use crate::solve::{SolveError, SolveEvent, SolveOptions, solve, solve_journaled};
use crate::solved::{SolvedClass, SolvedSide};

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
        let class = |larger, smaller| Class::new(larger, smaller).expect("a class");
        // All that 4v1 needs is among what 3v3 needs.
        for class in class(3, 3).foundation() {
            measurement.build(class)?;
        }
        let one_ahead = measurement.costs(class(3, 2), RUNS)?;
        let lone = measurement.costs(class(4, 1), RUNS)?;
        let equal = measurement.costs(class(3, 3), 1)?;
        Ok(Self {
            // The largest of the three, whose side tables take longest.
            setup: equal.setup,
            reading: equal.reading,
            counting: equal.counting,
            equal: equal.class,
            one_ahead: one_ahead.class,
            lone: lone.class,
        })
    }
}

struct Measurement {
    folder: TableFolder,
    orbits: OrbitTables,
    level: Level,
}

/// What one class costs.
struct Measured {
    setup: f64,
    reading: f64,
    counting: f64,
    class: ClassCosts,
}

/// What the parts of a solution took.
#[derive(Clone, Copy, Default)]
struct Times {
    setup: Duration,
    reading: Duration,
    booms: Duration,
    plies: Duration,
    recording: Duration,
}

impl Measurement {
    fn options(&self, shards: usize) -> SolveOptions {
        SolveOptions { level: self.level, shards, storage: Storage::Heap }
    }

    fn build(&self, class: Class) -> Result<(), PlanError> {
        let beneath = |side| Ok(Arc::new(self.folder.load(side, &self.orbits, self.level)?));
        let sides = solve(class, &self.orbits, &beneath, &self.options(1), &|_| {})?;
        let solved = SolvedClass::new(class, sides, &self.orbits);
        let (orbits, level) = (&self.orbits, self.level);
        let coding = TableCoding { orbits, level, compression: Compression::FAST };
        Ok(self.folder.write(&solved, &coding, &mut || {})?)
    }

    /// The costs of a class: of so many runs the one in the middle.
    fn costs(&self, class: Class, runs: usize) -> Result<Measured, PlanError> {
        let mut all = (0..runs).map(|_| self.run(class)).collect::<Result<Vec<_>, _>>()?;
        all.sort_by(|one, other| one.class.seconds().total_cmp(&other.class.seconds()));
        Ok(all.swap_remove(runs / 2))
    }

    /// Builds a class once.
    fn run(&self, class: Class) -> Result<Measured, PlanError> {
        let (times, delta_bytes, sides) = self.solve(class, true)?;
        drop(sides);
        // A journal also takes the processors out of their stride between plies.
        let recorded = times.booms + times.plies + times.recording;
        let (times, _, sides) = self.solve(class, false)?;
        let solving = times.booms + times.plies;
        let started = Instant::now();
        let solved = SolvedClass::new(class, sides, &self.orbits);
        let counting = started.elapsed();
        let (writing, table_bytes) = self.compress(&solved)?;
        let (swept, stored) = (swept_cells(class), stored_cells(class) as f64);
        let needs = BuildNeeds::of(class);
        Ok(Measured {
            setup: times.setup.as_secs_f64() / needs.side_tables as f64,
            reading: times.reading.as_secs_f64() / needs.beneath as f64,
            counting: counting.as_secs_f64() / stored,
            class: ClassCosts {
                solving: solving.as_secs_f64() / swept,
                recording: recorded.saturating_sub(solving).as_secs_f64() / swept,
                delta_bytes: delta_bytes / swept,
                writing,
                table_bytes,
            },
        })
    }

    /// Solves a class: what that took, the length of the journal, the sides.
    fn solve(
        &self,
        class: Class,
        has_journal: bool,
    ) -> Result<(Times, f64, Vec<SolvedSide>), PlanError> {
        let watch = Mutex::new((Instant::now(), Times::default()));
        // Adds what passed since the last event to a part.
        let lap = |part: fn(&mut Times) -> &mut Duration| {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let since = now - watch.0;
            *part(&mut watch.1) += since;
            watch.0 = now;
        };
        let observe = |event| match event {
            SolveEvent::BoomsStarted { .. } => lap(|times| &mut times.setup),
            SolveEvent::BoomsEnded => lap(|times| &mut times.booms),
            SolveEvent::PlySwept { .. } | SolveEvent::Exchanged { .. } => {
                lap(|times| &mut times.plies);
            }
            SolveEvent::PlyRecorded { .. } => lap(|times| &mut times.recording),
            SolveEvent::BoomsAdvanced { .. } | SolveEvent::PlyReplayed { .. } => {}
        };
        let beneath = |side: Material| {
            lap(|times| &mut times.setup);
            let side = self.folder.load(side, &self.orbits, self.level)?;
            lap(|times| &mut times.reading);
            Ok(Arc::new(side))
        };
        let options = self.options(if is_sampled(class) { SAMPLES } else { 1 });
        let mut delta_bytes = 0.0;
        let sides = if has_journal {
            let path = self.folder.path().join("journal");
            let mut journal = Journal::open(&path, class)?;
            let sides =
                solve_journaled(class, &self.orbits, &beneath, &options, &mut journal, &observe)?;
            delta_bytes = path.metadata()?.len() as f64;
            journal.remove()?;
            sides
        } else {
            solve(class, &self.orbits, &beneath, &options, &observe)?
        };
        let times = watch.into_inner().unwrap_or_else(PoisonError::into_inner).1;
        Ok((times, delta_bytes, sides))
    }

    /// Seconds and bytes for each cell of a compressed class, from parts of it where all would take
    /// seconds.
    fn compress(&self, solved: &SolvedClass) -> Result<(f64, f64), PlanError> {
        let (mut cells, mut bytes) = (0, 0);
        let file = tempfile::tempfile_in(self.folder.path())?;
        let started = Instant::now();
        for side in solved.sides() {
            let (layout, parts) = (side.layout(), side.parts());
            let sampled = if is_sampled(solved.class()) {
                // In the middle of each half, so that small and large orbits both count.
                [parts.len() / 4, parts.len() * 3 / 4].map(|part| &parts[part..=part]).into()
            } else {
                vec![parts]
            };
            for parts in sampled {
                let strips = parts.iter().flat_map(|part| part.strips());
                let columns = strips.map(|strip| layout.strip_columns(strip).len());
                cells += columns.sum::<usize>() * layout.rows;
                let encoder = SideEncoder::of_strips(layout, parts, &self.orbits, self.level);
                for metric in Metric::ALL {
                    encoder.encode(metric, Compression::DEFAULT.level(metric), |block| {
                        bytes += block.bytes.len();
                        io::Write::write_all(&mut &file, &block.bytes)
                    })?;
                }
            }
        }
        file.sync_all()?;
        let seconds = started.elapsed().as_secs_f64();
        Ok((seconds / cells as f64, bytes as f64 / cells as f64))
    }
}

impl ClassCosts {
    fn seconds(&self) -> f64 {
        self.solving + self.recording + self.writing
    }
}

/// Whether compressing the whole class would take seconds.
fn is_sampled(class: Class) -> bool {
    stored_cells(class) >= MANY_CELLS
}

/// How often a class that takes a fraction of a second is solved.
const RUNS: usize = 3;

/// Parts of a side, two of which are compressed to learn what compressing takes.
const SAMPLES: usize = 8;

/// Compressing so many cells takes seconds.
const MANY_CELLS: u64 = 10_000_000;
