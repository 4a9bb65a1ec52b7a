//! Checks a shard against the plain rules, from the very files that will be published.

use std::path::Path;
use std::sync::Arc;

use boombots_cluster_protocol::{CheckKind, Purpose, SegmentRef, StripRange, Verify, assemble};
use boombots_probe::{
    Class, Material, Metric, OrbitIndex, OrbitTables, Plies, SideLayout, Symmetry, Table, Tables,
    TablesOptions, Value, table_file_name,
};
use boombots_retrograde::{
    Level, LookupSide, LookupSides, load_side, sides_to_verify, verify_columns,
};
use boombots_rules::{Color, Outcome, Position, Square};

use crate::board::Meter;
use crate::cache::Cache;

/// Returns how many positions were checked, or what is wrong with one.
pub(crate) fn verify(
    task: &Verify,
    cache: &Cache,
    orbits: &OrbitTables,
    level: Level,
    meter: &Meter,
    kept: &mut Option<Checked>,
) -> anyhow::Result<Result<u64, String>> {
    let class = Class::new(task.class.larger, task.class.smaller)?;
    let material = Material { mover: task.side.mover, opponent: task.side.opponent };
    if kept.as_ref().is_none_or(|kept| kept.segments != task.segments) {
        *kept = None;
        match prepare(task, class, cache)? {
            Ok(prepared) => *kept = Some(prepared),
            Err(problem) => return Ok(Err(problem)),
        }
    }
    let Some(Checked { folder, tables, .. }) = kept else { anyhow::bail!("nothing to check") };
    let layout = SideLayout::new(material);
    let columns = layout.strip_columns(task.strips.start as usize).start
        ..layout.strip_columns(task.strips.end as usize - 1).end;
    match task.kind {
        CheckKind::Full => {
            let rows: Vec<usize> = (0..layout.rows).collect();
            meter.start(rows.len() as u64);
            let mut sides = LookupSides::new();
            for side in sides_to_verify(class) {
                let open = |metric| {
                    Table::open(&folder.path().join(table_file_name(side.class(), metric)))
                };
                let (values, distances) = (open(Metric::Wdl)?, open(Metric::Dtm)?);
                let loaded = load_side(side, &values, &distances, orbits, level)?;
                sides.insert(side, Arc::new(LookupSide::new(&loaded)?));
            }
            let advance = |rows| meter.advance(rows);
            let checked = verify_columns(material, &rows, columns, &sides, orbits, &advance);
            Ok(checked.map_err(|mismatch| mismatch.to_string()))
        }
        CheckKind::Sample { positions, seed } => {
            meter.start(u64::from(positions));
            let sample = Sample { material, columns, layout, orbits, state: seed };
            let positions: Vec<Position> = sample.take(positions as usize).collect();
            let mut checked = 0;
            for some in positions.chunks(4096) {
                if let Some(problem) = check(some, tables, class) {
                    return Ok(Err(problem));
                }
                checked += some.len() as u64;
                meter.advance(some.len() as u64);
            }
            Ok(Ok(checked))
        }
    }
}

/// A class's files, put together for checking and kept from shard to shard.
#[derive(Debug)]
pub(crate) struct Checked {
    segments: Vec<SegmentRef>,
    folder: tempfile::TempDir,
    tables: Tables,
}

/// Puts the files of a class together beside those of the classes beneath it.
fn prepare(task: &Verify, class: Class, cache: &Cache) -> anyhow::Result<Result<Checked, String>> {
    let folder = cache.checking_folder()?;
    for table in &task.tables {
        let metric = if table.distances { Metric::Dtm } else { Metric::Wdl };
        let class = Class::new(table.class.larger, table.class.smaller)?;
        let name = folder.path().join(table_file_name(class, metric));
        std::fs::hard_link(cache.path(table.file.digest), name)?;
    }
    if let Err(error) = assemble_class(task, class, cache, folder.path()) {
        return Ok(Err(format!("the shards of {class} make no table: {error}")));
    }
    let tables = Tables::open(folder.path(), TablesOptions { cache_bytes: 128 << 20 })?;
    if let Some(problem) = tables.problems().first() {
        return Ok(Err(problem.to_string()));
    }
    Ok(Ok(Checked { segments: task.segments.clone(), folder, tables }))
}

fn assemble_class(task: &Verify, class: Class, cache: &Cache, folder: &Path) -> anyhow::Result<()> {
    let mut sides = Vec::new();
    let mut segments = task.segments.iter();
    for (_, shards) in &task.sides {
        let shards = shards.iter().zip(segments.by_ref());
        let shards = shards.map(|(&strips, segment): (&StripRange, _)| {
            (strips, cache.path(segment.blob.digest), segment.counts)
        });
        sides.push(shards.collect());
    }
    for (_, file) in assemble(folder, class, &sides, Purpose::Checking)? {
        // Should these be published, the worker has them already.
        let digest = cache.digest_of(&file)?;
        let kept = cache.path(digest);
        if !kept.exists() {
            std::fs::hard_link(&file, kept)?;
        }
    }
    Ok(())
}

/// Positions of some columns of a side, at random.
struct Sample<'a> {
    material: Material,
    columns: std::ops::Range<usize>,
    layout: SideLayout,
    orbits: &'a OrbitTables,
    state: u64,
}

impl Sample<'_> {
    /// Splitmix64, whose low bits are as good as its high ones.
    fn below(&mut self, end: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }
}

impl Iterator for Sample<'_> {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        // In every column some positions can occur, so this ends.
        loop {
            let row = self.below(self.layout.rows);
            let column = self.columns.start + self.below(self.columns.len());
            let symmetry = Symmetry::from_index(self.below(Symmetry::COUNT));
            let index = |at: usize| OrbitIndex::new(at as u32);
            let mover = self.orbits.get(usize::from(self.material.mover));
            let opponent = self.orbits.get(usize::from(self.material.opponent));
            let mover = mover.representative(index(row));
            let opponent = opponent.representative(index(column)).transformed(symmetry);
            if mover.occupied() & opponent.occupied() != 0 {
                continue;
            }
            let mut position = Position::empty(Color::White);
            for (color, bots) in [(Color::White, mover), (Color::Black, opponent)] {
                for &square in bots.squares() {
                    let square = Square::from_index(square)?;
                    position.add_bots(color, square, 1).ok()?;
                }
            }
            return Some(position);
        }
    }
}

/// What is wrong with the first position that is.
fn check(positions: &[Position], tables: &Tables, class: Class) -> Option<String> {
    let mut asked = positions.to_vec();
    // For each position its replies: finished games by value, others by where they are asked. Few
    // are the replies to several positions.
    let mut after: Vec<Vec<Result<Value, usize>>> = Vec::with_capacity(positions.len());
    for position in positions {
        let mut values = Vec::new();
        position.for_each_legal_action(|action| {
            let reply = position.apply_unchecked(action);
            values.push(match reply.outcome() {
                Some(Outcome::Draw) => Ok(Value::Draw),
                Some(Outcome::Win(winner)) if winner == reply.turn() => Ok(Value::Win(Plies(0))),
                Some(Outcome::Win(_)) => Ok(Value::Loss(Plies(0))),
                None => {
                    asked.push(reply);
                    Err(asked.len() - 1)
                }
            });
        });
        after.push(values);
    }
    let values = tables.values(&asked);
    let value = |at: usize| values[at].as_ref().map_err(|error| error.to_string());
    for (at, replies) in after.iter().enumerate() {
        let stored = match value(at) {
            Ok(stored) => *stored,
            Err(problem) => return Some(problem),
        };
        let mut best: Option<Value> = None;
        for reply in replies {
            let reply = match reply {
                Ok(finished) => *finished,
                Err(asked) => match value(*asked) {
                    Ok(value) => *value,
                    Err(problem) => return Some(problem),
                },
            };
            best = best.max(Some(reply.before().unwrap_or(Value::Draw)));
        }
        let expected = best.unwrap_or(Value::Draw);
        if stored != expected {
            let position = &positions[at];
            return Some(format!(
                "{position} of {class} is {stored} by the shards and {expected} by the rules"
            ));
        }
    }
    None
}
