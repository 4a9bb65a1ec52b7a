//! `plan`: what building a class will take.

use std::io::IsTerminal as _;
use std::num::{NonZeroU16, NonZeroU32};

use anyhow::Context as _;
use boombots_probe::Class;
use boombots_retrograde::{BuildPlan, Costs, Machines};
use bytesize::ByteSize;
use indicatif::HumanCount;
use serde::Serialize;

use super::build::free_memory;
use crate::workspace::Workspace;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Planned {
    class: String,
    workers: u16,
    positions: u64,
    placements: String,
    memory_bytes: u64,
    memory_spilling_bytes: u64,
    fits_memory: bool,
    disk_bytes: u64,
    table_bytes: u64,
    wire_bytes: u64,
    solve_seconds: f64,
    write_seconds: f64,
    wire_seconds: f64,
    seconds: f64,
}

pub(crate) fn run(
    workspace: &Workspace,
    class: Class,
    workers: NonZeroU16,
    memory: Option<ByteSize>,
    link: NonZeroU32,
) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder to measure in")?;
    if std::io::stderr().is_terminal() {
        eprintln!("building small classes to see what this machine takes: a few seconds");
    }
    let costs = Costs::measure(folder.path(), workspace.level)?;
    let memory = memory.map_or_else(free_memory, |memory| Ok(memory.as_u64()))?;
    let link = f64::from(link.get()) * 1e6;
    let machines = Machines { workers: workers.get().into(), memory, link };
    let plan = BuildPlan::of(class, &costs, &machines);
    let planned = Planned {
        class: class.to_string(),
        workers: workers.get(),
        positions: plan.positions,
        placements: plan.placements.to_string(),
        memory_bytes: plan.memory,
        memory_spilling_bytes: plan.memory_spilling,
        fits_memory: plan.fits,
        disk_bytes: plan.disk as u64,
        table_bytes: plan.table_bytes as u64,
        wire_bytes: plan.wire as u64,
        solve_seconds: plan.solving,
        write_seconds: plan.writing,
        wire_seconds: plan.sending,
        seconds: plan.seconds(),
    };
    if workspace.json {
        return workspace.print_json(&planned);
    }
    print(&planned, memory);
    Ok(())
}

fn print(plan: &Planned, memory: u64) {
    let size = |bytes: u64| ByteSize(bytes).display().si();
    let machines = match plan.workers {
        1 => "one machine like this".to_owned(),
        workers => format!("{workers} workers like this machine"),
    };
    println!("{} on {machines}", plan.class);
    println!("  positions   {} up to symmetry", HumanCount(plan.positions));
    println!("  placements  {}", plan.placements);
    let fits = match plan.fits_memory {
        true => String::new(),
        false => format!(
            ", more than {}: planes go to files, and it takes as long as the disk needs",
            size(memory)
        ),
    };
    println!(
        "  memory      {} each ({} with planes in files){fits}",
        size(plan.memory_bytes),
        size(plan.memory_spilling_bytes)
    );
    println!(
        "  disk        {} while building, {} in the end",
        size(plan.disk_bytes),
        size(plan.table_bytes)
    );
    if plan.workers > 1 {
        println!("  wire        {} over the coordinator's link", size(plan.wire_bytes));
    }
    println!(
        "  time        {} (solving {}, compressing {}, wire {})",
        time(plan.seconds),
        time(plan.solve_seconds),
        time(plan.write_seconds),
        time(plan.wire_seconds)
    );
}

fn time(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.1} s"),
        ..6_000.0 => format!("{:.1} min", seconds / 60.0),
        ..360_000.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}
