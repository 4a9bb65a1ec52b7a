//! Building one class in the background.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use anyhow::Context as _;
use boombots_probe::{Class, Compression, Metric, OrbitTables, SideLayout};
use boombots_protocol::ClassBuild;
use boombots_retrograde::{
    BuildNeeds, Level, SolveEvent, SolveOptions, SolvedClass, Storage, TableCoding, TableFolder,
    solve,
};
use rayon::ThreadPool;

use super::service::TableService;
use crate::priority::Priority;

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Built {
    /// The class is there.
    Done,
    /// The server stops.
    Stopped,
}

/// The classes up to one, smallest first, and it.
pub(super) fn classes_up_to(top: Class) -> Vec<Class> {
    let mut classes = top.foundation();
    classes.push(top);
    classes
}

/// Solves a class from those beneath it and writes its tables.
pub(super) fn build(class: Class, service: &TableService) -> anyhow::Result<Built> {
    if service.is_closed() {
        return Ok(Built::Stopped);
    }
    let folder = TableFolder::new(service.folder());
    let _lock = folder.lock()?;
    let level = Level::from_environment()?;
    let orbits = OrbitTables::new();
    let now = Instant::now();
    let progress = Progress { service, started: now, phase_started: Mutex::new(now), class };
    progress.phase("reading", 0, 0);
    let options = SolveOptions { level, shards: 1, storage: storage(class, &folder)? };
    let solved = pool()?.install(|| {
        let sides = solve(
            class,
            &orbits,
            &|side| Ok(Arc::new(folder.load(side, &orbits, level)?)),
            &options,
            &|event| progress.solve_event(event),
        )?;
        anyhow::Ok(SolvedClass::new(class, sides, &orbits))
    })?;
    if service.is_closed() {
        return Ok(Built::Stopped);
    }
    progress.phase("writing", 0, block_count(class));
    let coding = TableCoding { orbits: &orbits, level, compression: Compression::DEFAULT };
    pool()?.install(|| folder.write(&solved, &coding, &mut || progress.advance(1)))?;
    Ok(Built::Done)
}

/// Where the planes live: in memory where there is plenty, else in the folder.
fn storage(class: Class, folder: &TableFolder) -> anyhow::Result<Storage> {
    let mut system = sysinfo::System::new().context("cannot tell how much memory is free")?;
    system.refresh_memory();
    let limits = system.cgroup_limits().map(|limits| limits.free_memory);
    let free = limits.map_or(system.available_memory(), |free| free.min(system.available_memory()));
    let needs = BuildNeeds::of(class);
    match needs.memory() <= free / 2 {
        true => Ok(Storage::Heap),
        false => Ok(Storage::Spill(folder.path().to_owned())),
    }
}

fn block_count(class: Class) -> u64 {
    let sides = class.sides().into_iter().map(SideLayout::new);
    let blocks = |side: SideLayout| Metric::ALL.map(|metric| side.block_count(metric) as u64);
    sides.flat_map(blocks).sum()
}

/// The threads that build, at the lowest priority.
fn pool() -> anyhow::Result<&'static ThreadPool> {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    if let Some(pool) = POOL.get() {
        return Ok(pool);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .thread_name(|index| format!("build {index}"))
        .start_handler(|_| Priority::Build.apply())
        .build()
        .context("cannot start the threads that build tables")?;
    Ok(POOL.get_or_init(|| pool))
}

/// Tells of a class under way.
struct Progress<'a> {
    service: &'a TableService,
    started: Instant,
    phase_started: Mutex<Instant>,
    class: Class,
}

impl Progress<'_> {
    fn phase(&self, phase: &str, done: u64, all: u64) {
        *self.phase_started.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.service.report(|builds| {
            let current = builds.current.get_or_insert_default();
            current.class = self.class.to_string();
            current.phase = phase.to_owned();
            current.done = done as f64;
            current.all = all as f64;
            self.rate(current);
        });
    }

    fn advance(&self, units: u64) {
        self.service.report(|builds| {
            if let Some(current) = &mut builds.current {
                current.done += units as f64;
                self.rate(current);
            }
        });
    }

    fn rate(&self, current: &mut ClassBuild) {
        current.elapsed_seconds = self.started.elapsed().as_secs_f64();
        let phase = self.phase_started.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = phase.elapsed().as_secs_f64();
        let rate = (current.done > 0.0 && elapsed > 0.0).then(|| current.done / elapsed);
        current.rate = rate;
        current.remaining_seconds = rate.map(|rate| (current.all - current.done).max(0.0) / rate);
    }

    fn solve_event(&self, event: SolveEvent) {
        match event {
            SolveEvent::BoomsStarted { tiles } => self.phase("booms", 0, tiles),
            SolveEvent::BoomsAdvanced { tiles } => self.advance(tiles),
            SolveEvent::BoomsEnded => self.phase("plies", 0, 0),
            SolveEvent::Exchanged { .. }
            | SolveEvent::PlyRecorded { .. }
            | SolveEvent::PlyReplayed { .. } => {}
            SolveEvent::PlySwept { ply, decided } => self.service.report(|builds| {
                if let Some(current) = &mut builds.current {
                    current.ply = u32::from(ply);
                    current.decided += decided as f64;
                    current.done = f64::from(ply);
                    current.elapsed_seconds = self.started.elapsed().as_secs_f64();
                }
            }),
        }
    }
}
