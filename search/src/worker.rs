//! One thread's search: what it owns and what it shares.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Instant;

use boombots_probe::{Value, Wdl};

use crate::action_list::ActionList;
use crate::blasts::Blasts;
use crate::board::Board;
use crate::busy::Busy;
use crate::evaluation::evaluate;
use crate::history::History;
use crate::limits::{Limits, StopSwitch};
use crate::packed_action::PackedAction;
use crate::principal_variation::VariationStack;
use crate::reductions::Reductions;
use crate::score::{MAX_PLY, TABLE_WIN, WIN};
use crate::tables::EndgameTables;
use crate::tapered::FULL_PHASE;
use crate::transposition::TranspositionTable;

/// What the threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) endgames: Option<&'a EndgameTables>,
    /// The least depth left at which a block of a table is read and decoded; below
    /// it only those that are decoded already are asked. Also the first iteration
    /// that reads distances.
    pub(crate) reading_depth: i32,
    pub(crate) limits: &'a Limits,
    pub(crate) stop: &'a StopSwitch,
    /// Set when a limit is reached.
    pub(crate) finished: AtomicBool,
    pub(crate) start: Instant,
    /// Nodes and table hits the threads have reported.
    pub(crate) nodes: AtomicU64,
    pub(crate) table_hits: AtomicU64,
    /// Whether there is but one thread, so that nodes are counted exactly.
    pub(crate) is_alone: bool,
    pub(crate) reductions: &'a Reductions,
    /// What the threads are at, where there are several.
    pub(crate) busy: &'a Busy,
    /// The depth of the leading thread's iteration.
    pub(crate) depth: AtomicI32,
    /// What a draw is worth to the side to move, by its [`Color::index`].
    ///
    /// [`Color::index`]: boombots_rules::Color::index
    pub(crate) draws: [i32; 2],
}

impl Shared<'_> {
    /// The key of a board in the transposition table: searches that value draws
    /// differently do not believe each other's entries.
    #[inline]
    pub(crate) fn key(&self, board: &Board) -> u64 {
        board.hash() ^ (self.draws[0] as u64).wrapping_mul(KEY_OF_DRAWS)
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub(crate) fn draw(&self, board: &Board) -> i32 {
        self.draws[board.mover()]
    }
}

/// An odd number whose bits are well mixed.
const KEY_OF_DRAWS: u64 = 0x9E37_79B9_7F4A_7C15;

/// What a thread keeps between searches.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) history: History,
    /// The actions of the positions of the current path, by ply.
    pub(crate) actions: Vec<ActionList>,
}

impl Memory {
    /// For a thread that learns with others.
    pub(crate) fn new(history: History) -> Memory {
        Memory { history, actions: (0..=MAX_PLY).map(|_| ActionList::new()).collect() }
    }
}

/// What a ply of the search remembers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) killers: [PackedAction; 2],
    /// The static value, [`UNKNOWN`] where there is none.
    pub(crate) value: i32,
    /// The action that leads to the next ply, [`PackedAction::NONE`] for a pass.
    pub(crate) action: PackedAction,
    /// Plies back to the last boom or pass: no position before it can recur.
    pub(crate) quiet_plies: usize,
}

/// No static value.
pub(crate) const UNKNOWN: i32 = i32::MIN;

impl Frame {
    const EMPTY: Frame = Frame {
        killers: [PackedAction::NONE; 2],
        value: UNKNOWN,
        action: PackedAction::NONE,
        quiet_plies: 0,
    };
}

/// A searching thread.
pub(crate) struct Worker<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory,
    pub(crate) frames: Vec<Frame>,
    pub(crate) variations: VariationStack,
    /// Hashes of the positions from the last boom before the root to the node.
    path: Vec<u64>,
    /// The depth of the current iteration.
    pub(crate) root_depth: i32,
    pub(crate) deepest_ply: usize,
    nodes: u64,
    table_hits: u64,
    reported_nodes: u64,
    reported_hits: u64,
    /// Nodes after which this thread pauses, whatever the limits say.
    last_node: u64,
    /// Nodes left until the limits are looked at.
    until_poll: u32,
    pub(crate) is_stopped: bool,
}

/// Nodes between looks at the clock and the stop switch: under a millisecond.
const POLL_INTERVAL: u32 = 512;

/// So many nodes a probe that may read a block counts for until the next look.
const READING_COST: u32 = 64;

impl<'a> Worker<'a> {
    /// A thread about to search; `path` are the hashes of the game so far that
    /// can still recur, without the root's.
    pub(crate) fn new(shared: &'a Shared<'a>, memory: &'a mut Memory, path: &[u64]) -> Worker<'a> {
        let mut frames = vec![Frame::EMPTY; MAX_PLY + 4];
        frames[0].quiet_plies = path.len();
        let mut hashes = Vec::with_capacity(path.len() + MAX_PLY + 2);
        hashes.extend_from_slice(path);
        Worker {
            shared,
            memory,
            frames,
            variations: VariationStack::new(),
            path: hashes,
            root_depth: 0,
            deepest_ply: 0,
            nodes: 0,
            table_hits: 0,
            reported_nodes: 0,
            reported_hits: 0,
            last_node: u64::MAX,
            until_poll: 0,
            is_stopped: false,
        }
    }

    /// Counts a node and looks at the limits now and then.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.until_poll == 0 {
            self.poll();
        }
        self.until_poll -= 1;
    }

    #[cold]
    fn poll(&mut self) {
        self.report();
        self.until_poll = POLL_INTERVAL;
        let shared = self.shared;
        let mut is_over = shared.stop.is_stopped() || shared.finished.load(Ordering::Relaxed);
        if let Some(limit) = shared.limits.nodes {
            let done = shared.nodes.load(Ordering::Relaxed);
            is_over |= done > limit;
            if shared.is_alone {
                let left = limit.saturating_sub(done).min(u64::from(POLL_INTERVAL));
                self.until_poll = left as u32 + 1;
            }
        }
        if let Some(limit) = shared.limits.time {
            is_over |= shared.start.elapsed() >= limit;
        }
        if self.nodes >= self.last_node {
            self.is_stopped = true;
        }
        if is_over {
            self.is_stopped = true;
            shared.finished.store(true, Ordering::Relaxed);
        }
    }

    /// Nodes this thread has counted.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Stops the thread after about so many more nodes, until
    /// [`Worker::allow_all`].
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.last_node = self.nodes.saturating_add(nodes);
    }

    /// Goes on after [`Worker::allow`], unless a limit of the search was reached.
    pub(crate) fn allow_all(&mut self) {
        self.last_node = u64::MAX;
        self.is_stopped = self.shared.finished.load(Ordering::Relaxed);
    }

    /// Adds the counts since the last report to the shared ones.
    pub(crate) fn report(&mut self) {
        let shared = self.shared;
        shared.nodes.fetch_add(self.nodes - self.reported_nodes, Ordering::Relaxed);
        shared.table_hits.fetch_add(self.table_hits - self.reported_hits, Ordering::Relaxed);
        self.reported_nodes = self.nodes;
        self.reported_hits = self.table_hits;
    }

    /// Enters a position; each has a matching [`Worker::leave`].
    #[inline]
    pub(crate) fn enter(&mut self, board: &Board) {
        self.path.push(board.hash());
    }

    /// Leaves the position entered last.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// Whether a position occurred before, `since` plies back at most.
    #[inline]
    pub(crate) fn has_occurred(&self, board: &Board, since: usize) -> bool {
        let hash = board.hash();
        if since < 4 {
            return false;
        }
        let recent = &self.path[self.path.len().saturating_sub(since)..];
        recent.rchunks_exact(2).skip(1).any(|pair| pair[0] == hash)
    }

    /// The static value of a board for its side to move. The fewer bots are left
    /// the nearer a draw is, and the more of its worth is counted.
    #[inline]
    pub(crate) fn judge(&self, board: &Board, blasts: &Blasts) -> i32 {
        let gone = FULL_PHASE - board.all_bots();
        evaluate(board, blasts) + self.shared.draw(board) * gone / FULL_PHASE
    }

    /// What the endgame tables say of a position, if that decides it within the
    /// window. Distances are looked up only where the sign alone does not.
    #[inline]
    pub(crate) fn probe(
        &mut self,
        board: &Board,
        alpha: i32,
        beta: i32,
        ply: usize,
        depth: i32,
    ) -> Option<i32> {
        let endgames = self.shared.endgames?;
        if ply == 0 || !endgames.covers(board) {
            return None;
        }
        self.probe_covered(endgames, board, alpha, beta, ply as i32, depth)
    }

    fn probe_covered(
        &mut self,
        endgames: &EndgameTables,
        board: &Board,
        alpha: i32,
        beta: i32,
        ply: i32,
        depth: i32,
    ) -> Option<i32> {
        let wdl = match endgames.wdl_at_hand(board) {
            Some(wdl) => wdl,
            None if depth < self.shared.reading_depth => return None,
            None => {
                self.until_poll = self.until_poll.saturating_sub(READING_COST);
                endgames.wdl(board)?
            }
        };
        self.table_hits += 1;
        match wdl {
            Wdl::Draw => return Some(self.shared.draw(board)),
            Wdl::Win if TABLE_WIN - ply >= beta => return Some(TABLE_WIN - ply),
            Wdl::Loss if ply - TABLE_WIN <= alpha => return Some(ply - TABLE_WIN),
            Wdl::Win | Wdl::Loss => {}
        }
        if self.root_depth < self.shared.reading_depth {
            // A slow disk must not keep the first iterations from finding an action.
            return None;
        }
        self.until_poll = self.until_poll.saturating_sub(READING_COST);
        Some(match endgames.value(board)? {
            Value::Win(plies) => WIN - ply - i32::from(plies.0),
            Value::Draw => self.shared.draw(board),
            Value::Loss(plies) => ply + i32::from(plies.0) - WIN,
        })
    }
}
