//! `build`: solves classes and writes their tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use boombots_probe::{Class, Metric, table_file_name};
use boombots_retrograde::{
    BuildNeeds, Journal, SideLayout, SolveOptions, SolvedClass, Storage, TableCoding, solve,
    solve_journaled,
};
use bytesize::ByteSize;
use serde::Serialize;

use crate::arguments::{BuildOptions, JournalChoice};
use crate::progress::ClassProgress;
use crate::workspace::Workspace;

pub(crate) fn run(
    workspace: &Workspace,
    class: Class,
    target: Option<PathBuf>,
    options: &BuildOptions,
) -> anyhow::Result<()> {
    let _lock = workspace.folder.lock()?;
    build_foundation(workspace, class, options)?;
    match target {
        None => build_missing(workspace, class, options),
        Some(target) => {
            let Solve { solved, progress, took, journal } = solve_class(workspace, class, options)?;
            let files = output_files(&target, class);
            let started = Instant::now();
            for (path, metrics) in &files {
                write(workspace, &solved, path, metrics, options, &progress)?;
            }
            progress.finish();
            journal.map_or(Ok(()), Journal::remove)?;
            let took = Took { writing: started.elapsed(), ..took };
            let files: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
            report(workspace, class, took, &files)
        }
    }
}

/// Builds every missing class beneath one.
pub(crate) fn build_foundation(
    workspace: &Workspace,
    class: Class,
    options: &BuildOptions,
) -> anyhow::Result<()> {
    // The needs of the largest class are known before the first is built.
    storage_for(workspace, class, options)?;
    class.foundation().into_iter().try_for_each(|class| build_missing(workspace, class, options))
}

fn build_missing(
    workspace: &Workspace,
    class: Class,
    options: &BuildOptions,
) -> anyhow::Result<()> {
    match workspace.folder.class_tables(class) {
        Ok(Some(_)) => {
            workspace.folder.enter(class)?;
            // A build may have been killed after it wrote the tables.
            let _ = std::fs::remove_file(journal_path(workspace, class));
            if !workspace.json {
                println!("{class}: already built");
            }
            return Ok(());
        }
        Ok(None) => {}
        Err(damaged) => eprintln!("warning: {damaged}; building it again"),
    }
    let Solve { solved, progress, took, journal } = solve_class(workspace, class, options)?;
    let started = Instant::now();
    let coding = coding(workspace, options);
    progress.start("writing", block_count(class, &Metric::ALL), "blocks");
    let written = workspace.folder.write(&solved, &coding, &mut || progress.advance(1));
    progress.finish();
    written?;
    journal.map_or(Ok(()), Journal::remove)?;
    let folder = workspace.folder.path();
    let files = Metric::ALL.map(|metric| folder.join(table_file_name(class, metric)));
    let took = Took { writing: started.elapsed(), ..took };
    report(workspace, class, took, &[&files[0], &files[1]])
}

/// What solving and writing took.
#[derive(Clone, Copy)]
pub(crate) struct Took {
    solving: Duration,
    writing: Duration,
}

/// A class solved, and its tables yet to be written.
pub(crate) struct Solve {
    pub(crate) solved: SolvedClass,
    pub(crate) progress: ClassProgress,
    pub(crate) took: Took,
    /// To be removed when the tables are there.
    pub(crate) journal: Option<Journal>,
}

/// Solves one class from the tables beneath it.
pub(crate) fn solve_class(
    workspace: &Workspace,
    class: Class,
    options: &BuildOptions,
) -> anyhow::Result<Solve> {
    let storage = storage_for(workspace, class, options)?;
    let started = Instant::now();
    let progress = ClassProgress::new(class);
    progress.start("reading the classes beneath", 0, "");
    let expected = expected_plies(workspace, class);
    let shards = usize::from(options.shards.get());
    let level = workspace.level;
    let options_of_solve = SolveOptions { level, shards, storage };
    let orbits = &workspace.orbits;
    let beneath = |side| Ok(Arc::new(workspace.folder.load(side, orbits, level)?));
    let observe = |event| progress.solve_event(event, expected);
    let mut journal = journal_for(workspace, class, options)?;
    let solved = match &mut journal {
        None => solve(class, orbits, &beneath, &options_of_solve, &observe),
        Some(journal) => {
            solve_journaled(class, orbits, &beneath, &options_of_solve, journal, &observe)
        }
    };
    if solved.is_err() {
        progress.finish();
    }
    let solved = SolvedClass::new(class, solved?, orbits);
    let took = Took { solving: started.elapsed(), writing: Duration::ZERO };
    Ok(Solve { solved, progress, took, journal })
}

/// The journal of a class, where its build is so long that it should survive being killed.
fn journal_for(
    workspace: &Workspace,
    class: Class,
    options: &BuildOptions,
) -> anyhow::Result<Option<Journal>> {
    let wanted = match options.journal {
        JournalChoice::Always => true,
        JournalChoice::Never => false,
        JournalChoice::Large => BuildNeeds::of(class).is_long(),
    };
    let path = journal_path(workspace, class);
    Ok(wanted.then(|| Journal::open(&path, class)).transpose()?)
}

fn journal_path(workspace: &Workspace, class: Class) -> PathBuf {
    workspace.folder.path().join(format!("{class}.journal"))
}

/// Writes one file of a solved class.
pub(crate) fn write(
    workspace: &Workspace,
    solved: &SolvedClass,
    path: &Path,
    metrics: &[Metric],
    options: &BuildOptions,
    progress: &ClassProgress,
) -> anyhow::Result<()> {
    progress.start("writing", block_count(solved.class(), metrics), "blocks");
    let written =
        coding(workspace, options).write(path, metrics, solved, &mut || progress.advance(1));
    if written.is_err() {
        progress.finish();
    }
    Ok(written?)
}

fn coding<'a>(workspace: &'a Workspace, options: &BuildOptions) -> TableCoding<'a> {
    TableCoding {
        orbits: &workspace.orbits,
        level: workspace.level,
        compression: options.compression.compression(),
    }
}

/// The files that an output path stands for, with the metrics of each.
pub(crate) fn output_files(target: &Path, class: Class) -> Vec<(PathBuf, Vec<Metric>)> {
    if target.is_dir() {
        let file = |metric| (target.join(table_file_name(class, metric)), vec![metric]);
        return Metric::ALL.map(file).into();
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let named = |metric: &Metric| name.ends_with(&format!(".{}.bbtb", metric.name()));
    let metrics = match Metric::ALL.into_iter().find(named) {
        Some(metric) => vec![metric],
        None => Metric::ALL.into(),
    };
    vec![(target.to_owned(), metrics)]
}

pub(crate) fn block_count(class: Class, metrics: &[Metric]) -> u64 {
    let sides = class.sides().into_iter().map(SideLayout::new);
    sides.flat_map(|side| metrics.iter().map(move |&metric| side.block_count(metric) as u64)).sum()
}

/// Where the planes of a class go: to memory where the limit allows it, else to files.
fn storage_for(
    workspace: &Workspace,
    class: Class,
    options: &BuildOptions,
) -> anyhow::Result<Storage> {
    let needs = BuildNeeds::of(class);
    let free = free_memory()?;
    let limit = options.memory_limit.map_or(free / 4 * 3, |limit| limit.as_u64());
    if needs.memory() <= limit {
        return Ok(Storage::Heap);
    }
    let size = |bytes: u64| ByteSize(bytes).display().si();
    let folder = workspace.folder.path();
    let disk = free_disk(folder)
        .with_context(|| format!("cannot tell how much room there is in {}", folder.display()))?;
    if needs.disk_spilling() > disk || needs.resident > free {
        bail!(
            "{class} needs {} of memory, or {} of memory and {} of disk; the memory limit is {}, \
             {} of memory are free, and {} has {} left",
            size(needs.memory()),
            size(needs.resident),
            size(needs.disk_spilling()),
            size(limit),
            size(free),
            folder.display(),
            size(disk),
        );
    }
    Ok(Storage::Spill(folder.to_owned()))
}

pub(crate) fn free_memory() -> anyhow::Result<u64> {
    let mut system = sysinfo::System::new().context("cannot tell how much memory is free")?;
    system.refresh_memory();
    let limits = system.cgroup_limits().map(|limits| limits.free_memory);
    Ok(limits.map_or(system.available_memory(), |free| free.min(system.available_memory())))
}

fn free_disk(folder: &Path) -> std::io::Result<u64> {
    let room = rustix::fs::statvfs(folder)?;
    Ok(room.f_bavail * room.f_frsize)
}

/// How many plies a class may take: one more than the deepest of the classes beneath it.
fn expected_plies(workspace: &Workspace, class: Class) -> u64 {
    let beneath = class.beneath().into_iter();
    let tables = beneath.filter_map(|class| workspace.folder.class_tables(class).ok().flatten());
    let deepest = tables.flat_map(|tables| {
        let parts = tables.distances.parts().iter();
        let plies = |part: &boombots_probe::Part| {
            let statistics = *part.statistics();
            statistics.longest_win.max(statistics.longest_loss).map_or(0, |plies| plies.0)
        };
        parts.map(plies).max()
    });
    u64::from(deepest.max().unwrap_or(0)) + 2
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Built {
    class: String,
    solve_seconds: f64,
    write_seconds: f64,
    files: Vec<BuiltFile>,
}

#[derive(Serialize)]
struct BuiltFile {
    path: String,
    bytes: u64,
}

fn report(workspace: &Workspace, class: Class, took: Took, files: &[&Path]) -> anyhow::Result<()> {
    let file = |path: &&Path| {
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        BuiltFile { path: path.display().to_string(), bytes }
    };
    let built = Built {
        class: class.to_string(),
        solve_seconds: took.solving.as_secs_f64(),
        write_seconds: took.writing.as_secs_f64(),
        files: files.iter().map(file).collect(),
    };
    if workspace.json {
        return workspace.print_json(&built);
    }
    let sizes: Vec<String> = built
        .files
        .iter()
        .map(|file| format!("{} ({})", file.path, ByteSize(file.bytes).display().si()))
        .collect();
    println!(
        "{class}: solved in {:.1} s, written in {:.1} s: {}",
        built.solve_seconds,
        built.write_seconds,
        sizes.join(", ")
    );
    Ok(())
}
