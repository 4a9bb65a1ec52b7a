//! Lines of play to report, to the end of the game where it is known.

use std::time::{Duration, Instant};

use boombots_probe::Value;
use boombots_rules::Action;

use crate::board::Board;
use crate::engine::{Line, Request};
use crate::limits::{Limits, StopSwitch};
use crate::packed_action::PackedAction;
use crate::root::Root;
use crate::score::Score;
use crate::tables::EndgameTables;
use crate::worker::Shared;

/// How long lines may be carried on through the tables. Each ply of a table line
/// takes a block of the table for every action, and many of them may have to be
/// read: without an end to it, that alone could overrun a limit of time.
pub(crate) struct Patience<'a> {
    stop: &'a StopSwitch,
    /// When the search must be over, if it must.
    deadline: Option<Instant>,
    /// So long it lasts at least: enough for lines whose blocks are at hand.
    least: Instant,
}

/// Lines may be carried on for so long after the search itself is over.
const GRACE: Duration = Duration::from_millis(5);

impl<'a> Patience<'a> {
    /// Patience from now on, in a search that began at `start`.
    pub(crate) fn new(stop: &'a StopSwitch, limits: &Limits, start: Instant) -> Patience<'a> {
        let deadline = limits.time.map(|time| start + time);
        Patience { stop, deadline, least: Instant::now() + GRACE }
    }

    /// Whether lines are to be left as they are.
    pub(crate) fn is_over(&self) -> bool {
        let now = Instant::now();
        now >= self.least
            && (self.stop.is_stopped() || self.deadline.is_some_and(|deadline| now >= deadline))
    }
}

/// What the tables say of the root.
pub(crate) enum TableRoot {
    /// It is decided, and these are the best actions with their play.
    Decided(Vec<Line>),
    /// It is drawn by these actions and no others are better.
    Drawn(Vec<PackedAction>),
}

/// Rates the root by the tables; `None` where they do not cover it.
pub(crate) fn table_root(
    endgames: &EndgameTables,
    request: &Request,
    patience: &Patience<'_>,
) -> Option<TableRoot> {
    let position = &request.position;
    let rated = endgames.rate_actions(position)?;
    let best = rated.first()?.value;
    if best == Value::Draw {
        let drawing = rated.iter().filter(|rated| rated.value == Value::Draw);
        return Some(TableRoot::Drawn(drawing.map(|rated| rated.action.into()).collect()));
    }
    let lines = rated.iter().take(request.lines.max(1)).map(|rated| {
        let mut actions = vec![rated.action];
        let next = position.apply_unchecked(rated.action);
        if !next.is_over() {
            actions.extend(endgames.line(&next, || patience.is_over()).unwrap_or_default());
        }
        let score = match rated.value {
            Value::Win(plies) => Score::win_in(u32::from(plies.0)),
            Value::Draw => Score::DRAW,
            Value::Loss(plies) => Score::loss_in(u32::from(plies.0)),
        };
        Line { score, actions }
    });
    Some(TableRoot::Decided(lines.collect()))
}

/// The best actions that have a score, and in any case the first.
pub(crate) fn scored_lines(
    shared: &Shared<'_>,
    root: &Root,
    board: Board,
    depth: usize,
    lines: usize,
) -> Vec<Line> {
    let mut scored = Vec::new();
    let patience = Patience::new(shared.stop, shared.limits, shared.start);
    for (index, action) in root.actions.iter().take(lines).enumerate() {
        let score = match action.known_score() {
            Some(score) => Score::new(score),
            None if index == 0 => Score::DRAW,
            None => break,
        };
        // A line that promises an end is carried on to it as far as is known.
        let plies = score.win_plies().or(score.loss_plies()).unwrap_or(0) as usize;
        let length = depth.max(plies);
        scored.push(Line {
            score,
            actions: whole_line(shared, board, &action.line, length, &patience),
        });
    }
    // A stopped iteration may have changed its mind about some of the lines only.
    if let Some(rest) = scored.get_mut(1..) {
        rest.sort_by_key(|line| std::cmp::Reverse(line.score));
    }
    scored
}

/// The line, carried on from the transposition table up to `length` actions and
/// from the endgame tables to the end of the game.
fn whole_line(
    shared: &Shared<'_>,
    mut board: Board,
    line: &[PackedAction],
    length: usize,
    patience: &Patience<'_>,
) -> Vec<Action> {
    let mut actions = Vec::with_capacity(line.len());
    let mut seen = vec![board.hash()];
    let mut known = line.iter().copied();
    loop {
        if !actions.is_empty() {
            let carried_on = shared
                .endgames
                .filter(|endgames| board.outcome().is_none() && endgames.covers(&board))
                .and_then(|endgames| endgames.line(&board.position(), || patience.is_over()));
            if let Some(rest) = carried_on {
                actions.extend(rest);
                return actions;
            }
        }
        let next = known.next().or_else(|| {
            let entry = shared.table.get(shared.key(&board)).filter(|_| actions.len() < length);
            entry.map(|entry| entry.action)
        });
        let Some((packed, action)) = next
            .filter(|packed| board.is_legal(*packed))
            .and_then(|packed| Some((packed, packed.action()?)))
        else {
            return actions;
        };
        actions.push(action);
        board = board.apply(packed);
        if seen.contains(&board.hash()) {
            return actions;
        }
        seen.push(board.hash());
    }
}
