//! The local driver: solves one class with all its shards in this process.

use std::io;

use boombots_probe::{Class, Material, OrbitTables, SideLayout};
use rayon::prelude::*;
use thiserror::Error;

use crate::delta::Delta;
use crate::journal::{Journal, JournalError};
use crate::kernels::Level;
use crate::plane::Storage;
use crate::shard::{Shard, SideTables};
use crate::solved::SolvedSide;
use crate::sources::{BoomSources, SmallerSides, SourceError};

/// How a class is solved; none of it changes the result.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Which vector instructions are used.
    pub level: Level,
    /// Shards each side is cut into; at most one for each strip.
    pub shards: usize,
    /// Where the planes live.
    pub storage: Storage,
}

/// What a build reports while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveEvent {
    /// The boom pass starts; it will go over so many rows of tiles.
    BoomsStarted {
        /// Rows of tiles in all.
        tiles: u64,
    },
    /// The boom pass has gone over so many more rows of tiles.
    BoomsAdvanced {
        /// Rows of tiles since the last event.
        tiles: u64,
    },
    /// Every boom is settled; the first ply starts.
    BoomsEnded,
    /// A ply was taken over from the journal of a build that did not finish.
    PlyReplayed {
        /// The ply.
        ply: u8,
        /// Positions it decided, counted up to symmetry.
        decided: u64,
    },
    /// Each side has taken over what the other decided at a ply.
    Exchanged {
        /// The ply.
        ply: u8,
    },
    /// What a ply decided is in the journal.
    PlyRecorded {
        /// The ply.
        ply: u8,
    },
    /// A ply has been swept.
    PlySwept {
        /// The ply.
        ply: u8,
        /// Positions it decided, counted up to symmetry.
        decided: u64,
    },
}

/// Why a class was not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// A smaller class cannot be built upon.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Planes could not be had.
    #[error("no room for the planes of {class}: {source}")]
    Storage {
        /// The class being solved.
        class: Class,
        /// What the system said.
        source: io::Error,
    },
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A distance does not fit a byte.
    #[error("{class} has positions more than 255 plies from the end, which its tables cannot hold")]
    TooDeep {
        /// The class being solved.
        class: Class,
    },
}

/// Solves a class. `solved` gives the solved sides of the classes beneath it.
///
/// Runs on the current rayon pool.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    class: Class,
    orbits: &OrbitTables,
    solved: SmallerSides<'_>,
    options: &SolveOptions,
    observe: &(dyn Fn(SolveEvent) + Sync),
) -> Result<Vec<SolvedSide>, SolveError> {
    solve_on(class, orbits, solved, options, None, observe)
}

/// As [`solve`], going on where a build that did not finish stopped. The journal is kept up to
/// date, so this one may be killed as well.
///
/// # Errors
/// See [`SolveError`].
///
/// # Panics
/// If the journal is of another class.
pub fn solve_journaled(
    class: Class,
    orbits: &OrbitTables,
    solved: SmallerSides<'_>,
    options: &SolveOptions,
    journal: &mut Journal,
    observe: &(dyn Fn(SolveEvent) + Sync),
) -> Result<Vec<SolvedSide>, SolveError> {
    assert_eq!(journal.class(), class, "the journal is of this class");
    solve_on(class, orbits, solved, options, Some(journal), observe)
}

fn solve_on(
    class: Class,
    orbits: &OrbitTables,
    solved: SmallerSides<'_>,
    options: &SolveOptions,
    mut journal: Option<&mut Journal>,
    observe: &(dyn Fn(SolveEvent) + Sync),
) -> Result<Vec<SolvedSide>, SolveError> {
    let no_room = |source| SolveError::Storage { class, source };
    let mut sides = Vec::new();
    for material in class.sides() {
        let side = Side::new(material, orbits, solved, options)?;
        sides.push(side.map_err(no_room)?);
    }
    let tiles = sides.iter().map(|side| side.layout.strips() * side.layout.rows);
    observe(SolveEvent::BoomsStarted { tiles: tiles.sum::<usize>() as u64 });
    for side in &mut sides {
        side.boom_pass(orbits, observe);
    }
    observe(SolveEvent::BoomsEnded);
    let mut ply = match &mut journal {
        Some(journal) => replay(class, &mut sides, journal, observe)?,
        None => 1,
    };
    loop {
        let deltas: Vec<Vec<Delta>> = sides.iter_mut().map(|side| side.sweep(ply)).collect();
        let decided = positions(&deltas);
        observe(SolveEvent::PlySwept { ply, decided });
        if let Some(journal) = &mut journal {
            journal.write(ply, &deltas)?;
            observe(SolveEvent::PlyRecorded { ply });
        }
        // Each side looks at what the other decided; a class with one side looks at itself.
        for (side, deltas) in sides.iter_mut().zip(deltas.iter().rev()) {
            side.apply(deltas);
        }
        observe(SolveEvent::Exchanged { ply });
        let next = if decided > 0 {
            Some(after(ply, class)?)
        } else {
            sides.iter().filter_map(|side| side.next_wake(ply)).min()
        };
        match next {
            Some(next) => ply = next,
            None => break,
        }
    }
    Ok(sides.into_iter().map(Side::finish).collect())
}

/// Takes over the plies on record, and returns the first that is not.
fn replay(
    class: Class,
    sides: &mut [Side],
    journal: &mut Journal,
    observe: &(dyn Fn(SolveEvent) + Sync),
) -> Result<u8, SolveError> {
    let mut next = 1;
    while let Some(recorded) = journal.read()? {
        let ply = recorded.ply;
        for (side, deltas) in sides.iter_mut().zip(&recorded.sides) {
            side.replay(ply, deltas);
        }
        for (side, deltas) in sides.iter_mut().zip(recorded.sides.iter().rev()) {
            side.apply(deltas);
        }
        observe(SolveEvent::PlyReplayed { ply, decided: positions(&recorded.sides) });
        next = after(ply, class)?;
    }
    if next > 1 {
        sides.iter_mut().flat_map(|side| &mut side.shards).for_each(|shard| shard.resume(next));
    }
    Ok(next)
}

fn after(ply: u8, class: Class) -> Result<u8, SolveError> {
    ply.checked_add(1).ok_or(SolveError::TooDeep { class })
}

fn positions(sides: &[Vec<Delta>]) -> u64 {
    sides.iter().flatten().map(Delta::positions).sum()
}

/// The shards of one side.
struct Side {
    layout: SideLayout,
    sources: BoomSources,
    shards: Vec<Shard>,
}

impl Side {
    fn new(
        material: Material,
        orbits: &OrbitTables,
        solved: SmallerSides<'_>,
        options: &SolveOptions,
    ) -> Result<io::Result<Self>, SourceError> {
        let tables = SideTables::new(material, orbits);
        let layout = tables.layout;
        let sources = BoomSources::new(material, solved)?;
        let shards = layout.shards(options.shards).into_iter();
        let shards = shards
            .map(|strips| Shard::new(tables.clone(), strips, options.level, &options.storage));
        Ok(shards.collect::<io::Result<_>>().map(|shards| Self { layout, sources, shards }))
    }

    fn boom_pass(&mut self, orbits: &OrbitTables, observe: &(dyn Fn(SolveEvent) + Sync)) {
        let advance = |tiles| observe(SolveEvent::BoomsAdvanced { tiles });
        for shard in &mut self.shards {
            shard.boom_pass(&self.sources, orbits, &advance);
        }
    }

    fn sweep(&mut self, ply: u8) -> Vec<Delta> {
        self.shards.iter_mut().map(|shard| shard.sweep(ply)).collect()
    }

    fn replay(&mut self, ply: u8, deltas: &[Delta]) {
        for shard in &mut self.shards {
            deltas.iter().for_each(|delta| shard.replay(ply, delta));
        }
    }

    fn apply(&mut self, deltas: &[Delta]) {
        self.shards.par_iter_mut().for_each(|shard| shard.apply(deltas));
    }

    fn next_wake(&self, ply: u8) -> Option<u8> {
        self.shards.iter().filter_map(|shard| shard.next_wake(ply)).min()
    }

    fn finish(self) -> SolvedSide {
        SolvedSide::new(self.layout, self.shards.into_iter().map(Shard::finish).collect())
    }
}
