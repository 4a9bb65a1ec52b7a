//! What a build will take, from costs measured on this machine.
//!
//! Solving costs about the same for a cell (eight positions) in every class, which makes the cost of
//! a large class that of a small one times its cells. Files and deltas depend on how a class is
//! decided: mostly draws where the sides are equal, slow wins where one is a robot ahead, quick
//! ones against a single robot. Each kind is measured by itself, on 3v3, 3v2 and 4v1.

mod measure;

use boombots_probe::{Class, Material, SideLayout, TILE_CELLS};

pub use self::measure::PlanError;
use crate::memory::BuildNeeds;

/// Costs of this machine with the threads of the current rayon pool.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Seconds for each byte of the tables of moves and blasts and the sources of booms.
    setup: f64,
    /// Seconds for each byte of the planes of smaller classes, read from their tables.
    reading: f64,
    /// Seconds of counting for each stored cell.
    counting: f64,
    /// Of classes with as many robots on both sides.
    equal: ClassCosts,
    /// Of those with one more, against two at least.
    one_ahead: ClassCosts,
    /// Of those against a single one.
    lone: ClassCosts,
}

/// Costs of a kind of class: seconds and bytes.
#[derive(Clone, Copy, Debug)]
struct ClassCosts {
    /// Seconds of booms and plies for each cell of whole tiles.
    solving: f64,
    /// Seconds of keeping the journal for each cell of whole tiles.
    recording: f64,
    /// Bytes of deltas for each cell of whole tiles.
    delta_bytes: f64,
    /// Seconds of compressing and writing for each stored cell.
    writing: f64,
    /// Bytes of the tables for each stored cell.
    table_bytes: f64,
}

impl Costs {
    fn of(&self, class: Class) -> ClassCosts {
        match (class.larger() - class.smaller(), class.smaller()) {
            (0, _) => self.equal,
            (_, 1) => self.lone,
            (1, _) => self.one_ahead,
            // 4v2 and 5v2 are solved like those one ahead and compressed as quickly as those against
            // a single robot; their files lie between.
            _ => ClassCosts {
                delta_bytes: f64::midpoint(self.one_ahead.delta_bytes, self.lone.delta_bytes),
                writing: self.lone.writing,
                table_bytes: f64::midpoint(self.one_ahead.table_bytes, self.lone.table_bytes),
                ..self.one_ahead
            },
        }
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
        let per_cell = costs.of(class);
        let workers = f64::from(machines.workers);
        let (swept, stored) = (swept_cells(class), stored_cells(class));
        let is_cluster = machines.workers > 1;
        let memory = needs.planes / u64::from(machines.workers) + needs.resident;
        let fits = memory <= machines.memory;
        let table_bytes = per_cell.table_bytes * stored as f64;
        let deltas = per_cell.delta_bytes * swept;
        // A worker keeps its own shards' deltas in its cache and needs everybody else's.
        let others = (workers - 1.0) / workers;
        // Deltas go to the coordinator once and from there to all who need them; so do tables, which
        // another worker checks.
        let wire =
            if is_cluster { deltas * (1.0 + others) + table_bytes * (1.0 + others) } else { 0.0 };
        // Workers pack all deltas, a process alone those of its journal.
        let recorded = if !is_cluster && needs.is_long() { per_cell.recording } else { 0.0 };
        let overhead = if is_cluster { CLUSTER_OVERHEAD } else { 1.0 };
        let counting = costs.counting * stored as f64 / workers;
        let solving = costs.setup * needs.side_tables as f64
            + costs.reading * needs.beneath as f64
            + (per_cell.solving * overhead + recorded) * swept / workers
            + counting;
        let spilled = if fits { 0.0 } else { needs.planes as f64 / workers };
        Self {
            class,
            positions: 8 * stored,
            placements: class.sides().into_iter().map(placements).sum(),
            memory,
            memory_spilling: needs.resident,
            fits,
            table_bytes,
            disk: deltas + table_bytes + spilled,
            wire,
            solving,
            writing: per_cell.writing * stored as f64 * overhead / workers,
            sending: wire * 8.0 / machines.link,
        }
    }

    /// Seconds in all: a worker waits for the deltas of a ply before the next.
    pub fn seconds(&self) -> f64 {
        self.solving + self.writing + self.sending
    }
}

/// Cells that a build goes over: those of whole tiles.
fn swept_cells(class: Class) -> f64 {
    let tiles = class.sides().into_iter().map(|side| SideLayout::new(side).tiles() as f64);
    tiles.sum::<f64>() * TILE_CELLS as f64
}

/// Cells that its tables hold.
fn stored_cells(class: Class) -> u64 {
    class.sides().into_iter().map(|side| side.rows() * side.columns()).sum()
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

    fn costs() -> Costs {
        let kind = ClassCosts {
            solving: 5e-8,
            recording: 8e-8,
            delta_bytes: 3.0,
            writing: 1e-7,
            table_bytes: 2.0,
        };
        let lone = ClassCosts { table_bytes: 1.0, ..kind };
        Costs { setup: 1e-9, reading: 1e-9, counting: 1e-9, equal: kind, one_ahead: kind, lone }
    }

    #[test]
    fn files_of_a_class_far_ahead_lie_between_those_measured() {
        let bytes = |class: &str| costs().of(class.parse().unwrap()).table_bytes;
        assert_eq!(["3v3", "4v3", "5v2", "6v1"].map(bytes), [2.0, 2.0, 1.5, 1.0]);
    }

    #[test]
    fn only_long_builds_and_those_alone_keep_a_journal() {
        let one = Machines { workers: 1, memory: 16 << 30, link: 1e9 };
        let solving =
            |class: &str, costs: &Costs| BuildPlan::of(class.parse().unwrap(), costs, &one).solving;
        let costs = costs();
        let mut slow_disk = costs;
        slow_disk.one_ahead.recording *= 2.0;
        assert_eq!(solving("3v2", &costs), solving("3v2", &slow_disk));
        assert!(solving("4v3", &costs) < solving("4v3", &slow_disk));
    }

    #[test]
    fn more_workers_take_less_time_and_more_wire() {
        let costs = costs();
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
