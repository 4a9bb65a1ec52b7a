//! A folder of tables, open for probing.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use boombots_rules::{Color, Position};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use thiserror::Error;

use crate::class::{Class, MAX_CLASS_BOTS, Material};
use crate::configuration::{Configuration, MAX_BOTS};
use crate::error::{ProbeError, TableError, TableProblem};
use crate::layout::{CellPlace, Metric};
use crate::orbit::{OrbitIndex, OrbitTables};
use crate::symmetry::Symmetry;
use crate::table::{Part, Table};
use crate::value::{Plies, Value, Wdl};

/// How a folder of tables is opened.
#[derive(Clone, Debug)]
pub struct TablesOptions {
    /// Bytes of decoded blocks kept in memory.
    pub cache_bytes: u64,
}

impl Default for TablesOptions {
    /// 512 MiB of decoded blocks.
    fn default() -> Self {
        Self { cache_bytes: 512 << 20 }
    }
}

/// The tables of a folder. Shared between threads by reference or in an [`Arc`].
///
/// A damaged table is set aside and listed by [`Tables::problems`]; the others go on.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    orbits: Arc<OrbitTables>,
    parts: Vec<OpenPart>,
    /// `slots[mover][opponent][metric]` is the index in `parts`.
    slots: [[[Option<u16>; 2]; MAX_BOTS + 1]; MAX_BOTS + 1],
    cache: Cache<BlockKey, Arc<[u8]>, BlockWeighter>,
    problems: Mutex<Vec<Arc<TableError>>>,
}

#[derive(Debug)]
struct OpenPart {
    table: Arc<Table>,
    part: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct BlockKey {
    part: u16,
    block: u32,
}

#[derive(Clone, Debug)]
struct BlockWeighter;

impl Weighter<BlockKey, Arc<[u8]>> for BlockWeighter {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        block.len() as u64
    }
}

/// A position as the tables number it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    material: Material,
    row: OrbitIndex,
    column: OrbitIndex,
    symmetry: Symmetry,
}

impl Tables {
    /// Opens every table (`*.bbtb`) of a folder. Orbit tables are made for the bot counts found.
    ///
    /// # Errors
    /// If the folder cannot be read. What is wrong with a single table is no error here; see
    /// [`Tables::problems`].
    pub fn open(folder: &Path, options: TablesOptions) -> Result<Self, OpenError> {
        let unreadable = |source| OpenError { folder: folder.to_owned(), source };
        let mut files: Vec<PathBuf> = folder
            .read_dir()
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .map_err(unreadable)?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == EXTENSION));
        files.sort();
        let mut tables = Self {
            folder: folder.to_owned(),
            orbits: Arc::new(OrbitTables::new()),
            parts: Vec::new(),
            slots: Default::default(),
            cache: Cache::with_weighter(
                (options.cache_bytes >> 16) as usize,
                options.cache_bytes,
                BlockWeighter,
            ),
            problems: Mutex::default(),
        };
        for file in files {
            match Table::open(&file).and_then(named_as_it_is) {
                Ok(table) => tables.add(table),
                Err(error) => {
                    tables.report(error);
                }
            }
        }
        Ok(tables)
    }

    fn add(&mut self, table: Table) {
        let table = Arc::new(table);
        for (part, found) in table.parts().iter().enumerate() {
            let Material { mover, opponent } = found.layout().material;
            let slot = &mut self.slots[usize::from(mover)][usize::from(opponent)];
            slot[found.metric() as usize] = Some(self.parts.len() as u16);
            self.orbits.get(usize::from(mover));
            self.orbits.get(usize::from(opponent));
            self.parts.push(OpenPart { table: Arc::clone(&table), part });
        }
    }

    fn report(&self, error: TableError) -> Arc<TableError> {
        let error = Arc::new(error);
        if !matches!(error.problem, TableProblem::SetAside) {
            let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
            problems.push(Arc::clone(&error));
        }
        error
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The classes with values for every side to move, smallest first.
    pub fn classes(&self) -> Vec<Class> {
        let mut classes: Vec<Class> = self
            .parts
            .iter()
            .map(|part| part.table.class())
            .filter(|&class| self.has(class))
            .collect();
        classes.sort();
        classes.dedup();
        classes
    }

    /// Whether a class has values for every side to move.
    pub fn has(&self, class: Class) -> bool {
        class.sides().into_iter().all(|side| self.slot(side, Metric::Wdl).is_some())
    }

    /// Whether a class has values and distances for every side to move.
    pub fn has_distances(&self, class: Class) -> bool {
        self.has(class)
            && class.sides().into_iter().all(|side| self.slot(side, Metric::Dtm).is_some())
    }

    /// What was found wrong with tables of the folder, on opening and since.
    pub fn problems(&self) -> Vec<Arc<TableError>> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Win, draw or loss for the side to move.
    ///
    /// # Errors
    /// See [`ProbeError`].
    #[inline]
    pub fn wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        let (mover, opponent) = configurations(position)?;
        if wins_at_once(position) {
            // The tables hold anything here.
            self.slot_of(mover.len(), opponent.len(), Metric::Wdl)?;
            return Ok(Wdl::Win);
        }
        self.stored_wdl(&self.cell(&mover, &opponent))
    }

    /// The same of bots that stand so, if that takes no reading and decoding, which is hundreds of
    /// times as long; `None` if it would.
    ///
    /// Contract: the mover has no boom that wins at once. The tables hold anything there.
    ///
    /// # Errors
    /// If there is no table; see [`ProbeError`].
    #[inline]
    pub fn wdl_at_hand(
        &self,
        mover: &Configuration,
        opponent: &Configuration,
    ) -> Result<Option<Wdl>, ProbeError> {
        let slot = self.slot_of(mover.len(), opponent.len(), Metric::Wdl)?;
        let cell = self.cell(mover, opponent);
        let place = self.place(slot, &cell);
        let block = self.cache.get(&BlockKey { part: slot, block: place.block as u32 });
        Ok(block.map(|block| cell.wdl(&block, place)))
    }

    /// Win, draw or loss for the side to move, with the exact distance to the end in plies.
    ///
    /// # Errors
    /// See [`ProbeError`].
    #[inline]
    pub fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        let (mover, opponent) = configurations(position)?;
        if wins_at_once(position) {
            self.slot_of(mover.len(), opponent.len(), Metric::Dtm)?;
            return Ok(Value::Win(Plies(1)));
        }
        let cell = self.cell(&mover, &opponent);
        match self.stored_wdl(&cell)? {
            Wdl::Draw => Ok(Value::Draw),
            Wdl::Win => self.stored_plies(&cell).map(Value::Win),
            Wdl::Loss => self.stored_plies(&cell).map(Value::Loss),
        }
    }

    /// The values of many positions, in their order. Positions are looked up block by block, so
    /// that each block is decoded once even where the cache is small.
    pub fn values(&self, positions: &[Position]) -> Vec<Result<Value, ProbeError>> {
        let mut order: Vec<(Option<(u16, usize)>, usize)> = positions
            .iter()
            .enumerate()
            .map(|(at, position)| (self.block_of(position), at))
            .collect();
        order.sort_unstable();
        let mut values: Vec<Option<Result<Value, ProbeError>>> =
            positions.iter().map(|_| None).collect();
        for (_, at) in order {
            values[at] = Some(self.value(&positions[at]));
        }
        values.into_iter().map(|value| value.expect("every index occurs once")).collect()
    }

    fn block_of(&self, position: &Position) -> Option<(u16, usize)> {
        let (mover, opponent) = configurations(position).ok()?;
        let slot = self.slot_of(mover.len(), opponent.len(), Metric::Wdl).ok()?;
        let cell = self.cell(&mover, &opponent);
        Some((slot, self.place(slot, &cell).block))
    }

    fn cell(&self, mover: &Configuration, opponent: &Configuration) -> Cell {
        let row = self.orbits.get(mover.len()).place(mover);
        let column = self.orbits.get(opponent.len()).place(opponent);
        Cell {
            material: Material { mover: mover.len() as u8, opponent: opponent.len() as u8 },
            row: row.orbit,
            column: column.orbit,
            // Turn the board so that the mover stands as its representative does.
            symmetry: row.symmetry.inverse().after(column.symmetry),
        }
    }

    fn stored_wdl(&self, cell: &Cell) -> Result<Wdl, ProbeError> {
        self.read(cell, Metric::Wdl, |block, place| cell.wdl(block, place))
    }

    fn stored_plies(&self, cell: &Cell) -> Result<Plies, ProbeError> {
        self.read(cell, Metric::Dtm, |block, place| {
            let at = place.tile * Metric::Dtm.tile_bytes() + place.cell * Symmetry::COUNT;
            Plies(block[at + cell.symmetry.index()])
        })
    }

    fn read<T>(
        &self,
        cell: &Cell,
        metric: Metric,
        read: impl FnOnce(&[u8], CellPlace) -> T,
    ) -> Result<T, ProbeError> {
        let Material { mover, opponent } = cell.material;
        let slot = self.slot_of(usize::from(mover), usize::from(opponent), metric)?;
        let place = self.place(slot, cell);
        let key = BlockKey { part: slot, block: place.block as u32 };
        if let Some(block) = self.cache.get(&key) {
            return Ok(read(&block, place));
        }
        let open = &self.parts[usize::from(slot)];
        let block = self
            .cache
            .get_or_insert_with(&key, || {
                let block = open.table.block(open.part(), place.block)?;
                Ok(match metric {
                    Metric::Wdl => interleaved(&block),
                    Metric::Dtm => Arc::from(block),
                })
            })
            .map_err(|error| self.report(error))?;
        Ok(read(&block, place))
    }

    fn place(&self, slot: u16, cell: &Cell) -> CellPlace {
        let part = self.parts[usize::from(slot)].part();
        part.layout().place(part.metric(), cell.row, cell.column)
    }

    fn slot(&self, side: Material, metric: Metric) -> Option<u16> {
        self.slots[usize::from(side.mover)][usize::from(side.opponent)][metric as usize]
    }

    fn slot_of(&self, mover: usize, opponent: usize, metric: Metric) -> Result<u16, ProbeError> {
        self.slots[mover][opponent][metric as usize].ok_or_else(|| ProbeError::NoTable {
            class: Material { mover: mover as u8, opponent: opponent as u8 }.class(),
            metric,
        })
    }
}

impl Cell {
    /// What its block says of it.
    fn wdl(&self, block: &[u8], place: CellPlace) -> Wdl {
        let at = place.tile * Metric::Wdl.tile_bytes() + place.cell * 2;
        let bit = |byte: u8| byte >> self.symmetry.index() & 1 != 0;
        // A decoded block never has both bits.
        match (bit(block[at]), bit(block[at + 1])) {
            (true, _) => Wdl::Win,
            (false, true) => Wdl::Loss,
            (false, false) => Wdl::Draw,
        }
    }
}

impl OpenPart {
    fn part(&self) -> &Part {
        &self.table.parts()[self.part]
    }
}

/// A block of values with the bytes of wins and losses of each cell side by side, so that a probe
/// touches one cache line and not two.
fn interleaved(block: &[u8]) -> Arc<[u8]> {
    let (won, lost) = block.split_at(block.len() / 2);
    let mut pairs = vec![0; block.len()];
    for (pair, (&won, &lost)) in pairs.chunks_exact_mut(2).zip(won.iter().zip(lost)) {
        pair.copy_from_slice(&[won, lost]);
    }
    pairs.into()
}

/// Where the bots of the mover and of the other side stand.
///
/// # Errors
/// If the game is over, or a side has more bots than any table.
pub fn configurations(position: &Position) -> Result<(Configuration, Configuration), ProbeError> {
    if position.is_over() {
        return Err(ProbeError::Finished);
    }
    let (white, black) = (position.bots(Color::White), position.bots(Color::Black));
    if usize::from(white) + usize::from(black) > MAX_CLASS_BOTS {
        return Err(ProbeError::TooManyBots { white, black });
    }
    let of = |color| Configuration::of(position, color);
    Ok((of(position.turn()), of(position.turn().opposite())))
}

/// Whether a boom wins the game now: it takes every opponent and leaves the mover something.
#[inline]
pub fn wins_at_once(position: &Position) -> bool {
    let mover = position.stacks(position.turn());
    let opponent = position.stacks(position.turn().opposite());
    let occupied = mover | opponent;
    // The boom must reach every opponent, so it is enough to let one of them explode.
    let Some(square) = opponent.first() else { return false };
    let blast = boombots_rules::SquareSet::from(square).flooded(occupied);
    (opponent - blast).is_empty() && !(mover & blast).is_empty() && !(mover - blast).is_empty()
}

/// Refuses a table whose name promises another class or metric.
fn named_as_it_is(table: Table) -> Result<Table, TableError> {
    let name = table.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let class = table.class().to_string();
    let promised = name.trim_end_matches(".bbtb");
    let holds = |metric: Metric| table.parts().iter().any(|part| part.metric() == metric);
    let matches = match promised.split_once('.') {
        None => promised == class,
        Some((first, rest)) => {
            first == class
                && Metric::ALL.into_iter().any(|metric| metric.name() == rest && holds(metric))
        }
    };
    if matches {
        Ok(table)
    } else {
        let problem = TableProblem::Misnamed { found: table.class() };
        Err(TableError { file: table.path().to_owned(), problem })
    }
}

/// The name of the file for a class and metric: `3v2.wdl.bbtb`.
pub fn table_file_name(class: Class, metric: Metric) -> String {
    format!("{class}.{}.{EXTENSION}", metric.name())
}

/// Why a folder of tables was not opened.
#[derive(Debug, Error)]
#[error("cannot read the table folder {}: {source}", folder.display())]
pub struct OpenError {
    /// The folder.
    pub folder: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

const EXTENSION: &str = "bbtb";
