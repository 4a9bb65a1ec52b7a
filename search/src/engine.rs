//! The engine: what persists between searches, and how threads share one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use boombots_rules::{Action, Position};

use crate::board::Board;
use crate::busy::Busy;
use crate::history::History;
use crate::limits::{Limits, StopSwitch};
use crate::lines::{Patience, TableRoot, scored_lines, table_root};
use crate::packed_action::PackedAction;
use crate::reductions::Reductions;
use crate::root::Root;
use crate::score::{MAX_PLY, Score};
use crate::tables::EndgameTables;
use crate::transposition::TranspositionTable;
use crate::worker::{Memory, Shared, Worker};

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Mebibytes of the transposition table.
    pub hash_mebibytes: usize,
    /// Threads that search together.
    pub threads: usize,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { hash_mebibytes: 64, threads: 1 }
    }
}

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position to find an action for.
    pub position: Position,
    /// The positions before it in the game, oldest first: returning to one of
    /// them counts as a draw.
    pub history: Vec<Position>,
    /// When to end.
    pub limits: Limits,
    /// How many actions to score, best first.
    pub lines: usize,
    /// Whether to ask the endgame tables, where the engine has some.
    pub use_tables: bool,
}

impl Request {
    /// The best action of a position without a past, with tables if there are.
    pub fn new(position: Position, limits: Limits) -> Request {
        Request { position, history: Vec::new(), limits, lines: 1, use_tables: true }
    }
}

/// An action with its score and the play that follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// For the side to move at the root.
    pub score: Score,
    /// Best play, the action itself first; every action is legal in its turn.
    pub actions: Vec<Action>,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Iterations finished.
    pub depth: u32,
    /// The deepest ply looked at in the last iteration.
    pub selective_depth: u32,
    /// Positions made, by all threads.
    pub nodes: u64,
    /// Answers of the endgame tables, to all threads.
    pub table_hits: u64,
    /// How full the transposition table is, in thousandths.
    pub hash_permille: u32,
    /// Since the search began.
    pub time: Duration,
    /// The best actions, as many as were asked for; none in a finished game.
    pub lines: Vec<Line>,
}

impl Report {
    /// The best action; `None` in a finished game.
    pub fn best(&self) -> Option<Action> {
        self.lines.first().and_then(|line| line.actions.first()).copied()
    }

    /// The score of the best action; a draw in a finished game.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::DRAW, |line| line.score)
    }

    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// A search engine for Boombots.
///
/// With one thread and no limit of time the same requests in the same order
/// give the same reports.
#[derive(Debug)]
pub struct Engine {
    table: TranspositionTable,
    memories: Vec<Memory>,
    reductions: Reductions,
    busy: Busy,
    endgames: Option<Arc<EndgameTables>>,
    contempt: i32,
}

impl Engine {
    /// An engine that has seen nothing yet.
    pub fn new(options: &EngineOptions) -> Engine {
        Engine {
            table: TranspositionTable::new(options.hash_mebibytes),
            memories: memories(options.threads.max(1)),
            reductions: Reductions::new(),
            busy: Busy::new(),
            endgames: None,
            contempt: 0,
        }
    }

    /// Gives the engine endgame tables, or takes them away.
    pub fn set_tables(&mut self, tables: Option<Arc<EndgameTables>>) {
        self.endgames = tables;
    }

    /// Makes the engine value a draw as so many centibots less for the side to
    /// move at the root, from -1000 to 1000; more are taken as these. 0, as an
    /// engine begins, values positions as they are.
    pub fn set_contempt(&mut self, centibots: i32) {
        self.contempt = centibots.clamp(-MOST_CONTEMPT, MOST_CONTEMPT);
    }

    /// Forgets all earlier searches, as before another game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories = memories(self.memories.len());
    }

    /// Searches until a limit is reached, the stop switch is pressed or there is
    /// nothing more to find. `on_report` is called after each iteration.
    pub fn search(
        &mut self,
        request: &Request,
        stop: &StopSwitch,
        mut on_report: impl FnMut(&Report),
    ) -> Report {
        let start = Instant::now();
        let board = Board::from(&request.position);
        let path: Vec<u64> = recurrable(request).map(|board| board.hash()).collect();
        let endgames = self.endgames.as_deref().filter(|_| request.use_tables);
        let patience = Patience::new(stop, &request.limits, start);
        let root = endgames.and_then(|endgames| table_root(endgames, request, &patience));
        self.table.grow_older();
        self.memories[0].history.fade();
        // An analysis without end wants the truth.
        let contempt = if request.limits.infinite { 0 } else { self.contempt };
        let shared = Shared {
            table: &self.table,
            // A drawn root is played on by judgement among the drawing actions.
            endgames: endgames.filter(|_| root.is_none()),
            reading_depth: reading_depth(&request.limits),
            limits: &request.limits,
            stop,
            finished: AtomicBool::new(false),
            start,
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(0),
            is_alone: self.memories.len() == 1,
            reductions: &self.reductions,
            busy: &self.busy,
            depth: AtomicI32::new(1),
            draws: if board.mover() == 0 { [-contempt, contempt] } else { [contempt, -contempt] },
        };
        let allowed = match root {
            Some(TableRoot::Decided(lines)) => {
                let report = decided(&shared, lines);
                on_report(&report);
                wait(&shared, &request.limits);
                return report;
            }
            Some(TableRoot::Drawn(actions)) => actions,
            None => Vec::new(),
        };
        let (first, helpers) =
            self.memories.split_first_mut().expect("an engine has at least one thread");
        std::thread::scope(|scope| {
            for memory in helpers {
                let (shared, path, allowed) = (&shared, &path, &allowed);
                scope.spawn(move || {
                    let mut worker = Worker::new(shared, memory, path);
                    help(&mut worker, board, allowed);
                });
            }
            let mut worker = Worker::new(&shared, first, &path);
            let report = lead(&mut worker, board, request, &allowed, &mut on_report);
            shared.finished.store(true, Ordering::Relaxed);
            report
        })
    }
}

/// What so many threads keep between searches.
fn memories(threads: usize) -> Vec<Memory> {
    let history = History::new();
    (0..threads).map(|_| Memory::new(history.clone())).collect()
}

/// The thread that decides: deepens until the end and reports.
fn lead(
    worker: &mut Worker<'_>,
    board: Board,
    request: &Request,
    allowed: &[PackedAction],
    on_report: &mut impl FnMut(&Report),
) -> Report {
    let limits = &request.limits;
    let lines = request.lines.max(1);
    let mut root = Root::new(board, worker, allowed);
    let mut report = report(worker, &root, board, 0, lines);
    if root.actions.is_empty() {
        wait(worker.shared, limits);
        return report;
    }
    let most = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
    for depth in 1..=most {
        let best_before = root.actions[0].action;
        worker.shared.depth.store(depth as i32, Ordering::Relaxed);
        root.iterate(worker, depth as i32, lines);
        let finished = if worker.is_stopped { depth - 1 } else { depth };
        root.complete(worker, lines);
        let is_stopped = worker.is_stopped;
        worker.report();
        report = self::report(worker, &root, board, finished, lines);
        on_report(&report);
        if is_stopped {
            return report;
        }
        if limits.infinite {
            continue;
        }
        let has_changed = root.actions[0].action != best_before;
        let is_forced = root.actions.len() == 1;
        let soft = limits.soft_time.map(|time| if has_changed { time * 2 } else { time });
        let is_late = soft.is_some_and(|time| worker.shared.start.elapsed() >= time);
        if is_late
            || root.is_settled(depth as i32, lines)
            || (is_forced && limits.soft_time.is_some())
        {
            return report;
        }
    }
    wait(worker.shared, limits);
    report
}

/// A draw may be worth a few bots more or less, no end of the game.
const MOST_CONTEMPT: i32 = 1_000;

/// The least depth left at which a search with these limits reads tables. One by
/// the clock leaves to its judgement what would take too long to look up. Those by
/// nodes or depth and those without end read everything, so that they depend on
/// nothing but what the engine was asked before.
fn reading_depth(limits: &Limits) -> i32 {
    let is_timed = limits.time.is_some() && limits.nodes.is_none() && limits.depth.is_none();
    if is_timed { TIMED_READING_DEPTH } else { i32::MIN }
}

/// Reading and decoding a block takes as long as some hundreds of nodes: it pays
/// where the search beneath would take as many.
const TIMED_READING_DEPTH: i32 = 4;

/// The report of a root that the tables decide.
fn decided(shared: &Shared<'_>, lines: Vec<Line>) -> Report {
    let length = lines.first().map_or(0, |line| line.actions.len() as u32);
    Report {
        depth: length,
        selective_depth: length,
        nodes: 0,
        table_hits: 1,
        hash_permille: shared.table.permille_full(),
        time: shared.start.elapsed(),
        lines,
    }
}

/// With nothing left to find, an infinite search still lasts until it is
/// stopped.
fn wait(shared: &Shared<'_>, limits: &Limits) {
    while limits.infinite && !shared.stop.is_stopped() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The other threads: deepen with the leading one, or ahead of it when it falls
/// behind, and so fill the table.
fn help(worker: &mut Worker<'_>, board: Board, allowed: &[PackedAction]) {
    let mut root = Root::new(board, worker, allowed);
    if root.actions.is_empty() {
        return;
    }
    let mut depth = 0;
    while depth < MAX_PLY as i32 - 1 {
        depth = (depth + 1).max(worker.shared.depth.load(Ordering::Relaxed));
        root.iterate(worker, depth, 1);
        if worker.is_stopped {
            break;
        }
    }
    worker.report();
}

/// The boards of the game so far that can recur: those since the last boom.
fn recurrable(request: &Request) -> impl Iterator<Item = Board> {
    let bots = |position: &Position| boombots_rules::Color::ALL.map(|color| position.bots(color));
    let now = bots(&request.position);
    let gone = request.history.iter().rposition(|position| bots(position) != now);
    request.history[gone.map_or(0, |index| index + 1)..].iter().map(Board::from)
}

fn report(worker: &Worker<'_>, root: &Root, board: Board, depth: u32, lines: usize) -> Report {
    let shared = worker.shared;
    Report {
        depth,
        selective_depth: worker.deepest_ply as u32,
        nodes: shared.nodes.load(Ordering::Relaxed),
        table_hits: shared.table_hits.load(Ordering::Relaxed),
        hash_permille: shared.table.permille_full(),
        time: shared.start.elapsed(),
        lines: scored_lines(shared, root, board, depth as usize, lines),
    }
}
