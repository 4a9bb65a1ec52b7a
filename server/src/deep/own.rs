//! Deep analyses without a cluster: in turns of searching and proving, when no bot thinks.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boombots_protocol::{DeepAnalysis, DeepAnalysisState, ProvedValue, TableResult};
use boombots_rules::{Action, Color, Position};
use boombots_search::{
    Engine, EngineOptions, Limits, ProofLimits, ProofReport, ProofSearch, Report, Request, Score,
    StopSwitch, Verdict,
};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::{LINES, LONGEST, shown};
use crate::bots::{BotPool, Spare};
use crate::tables::{TableService, table_value};

/// Analyses one position.
pub(super) struct OwnAnalyst {
    bots: Arc<BotPool>,
    tables: Arc<TableService>,
    position: Position,
    /// What searches and proves; with a thread during a turn.
    mind: Option<Box<Mind>>,
    /// What is certain of actions.
    proved: HashMap<Action, ProvedValue>,
    /// How much a search and a proof may take next.
    time: [Duration; 2],
    /// Positions looked at in the turns that are over.
    nodes: u64,
}

/// What an analysis remembers from turn to turn.
struct Mind {
    engine: Engine,
    proofs: ProofSearch,
}

/// What a turn is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Best lines.
    Search,
    /// A proof that a side wins.
    Prove(Color),
}

/// What a thread says of a turn.
enum News {
    Begun,
    Progress(Report),
    Searched(Box<Mind>, Report),
    Proved(Box<Mind>, ProofReport),
}

impl OwnAnalyst {
    pub(super) fn new(
        bots: Arc<BotPool>,
        tables: Arc<TableService>,
        position: Position,
    ) -> OwnAnalyst {
        let hash_mebibytes = bots.hash_mebibytes();
        let engine = Engine::new(&EngineOptions { hash_mebibytes, threads: 1 });
        let mind = Box::new(Mind { engine, proofs: ProofSearch::new(hash_mebibytes) });
        OwnAnalyst {
            bots,
            tables,
            position,
            mind: Some(mind),
            proved: HashMap::new(),
            time: [SHORTEST_TURN; 2],
            nodes: 0,
        }
    }

    /// Works until it is decided who wins, time is over or nobody looks any more.
    pub(super) async fn work(
        mut self,
        shown: &watch::Sender<DeepAnalysis>,
        stop: &CancellationToken,
    ) {
        let begun = Instant::now();
        let mut task = Task::Search;
        loop {
            let left = LONGEST.saturating_sub(begun.elapsed());
            if left.is_zero() {
                break;
            }
            let switch = StopSwitch::new();
            let taken = self.take_turn(task, left, &switch, begun, shown);
            let taken = tokio::select! {
                taken = taken => taken,
                () = stop.cancelled() => {
                    switch.stop();
                    return;
                }
            };
            // Without a result the server stops, or the turn panicked.
            if taken.is_none() || shown.borrow().proved.is_some() {
                break;
            }
            task = self.next_task(task, shown.borrow().white_score);
        }
        shown.send_modify(|shown| {
            shown.state = DeepAnalysisState::Done;
            shown.time_ms = begun.elapsed().as_millis() as u64;
            shown.waiting = None;
        });
    }

    /// A proof is looked for after each search that leaves little doubt who would win.
    fn next_task(&self, last: Task, white_score: Option<i32>) -> Task {
        match (last, white_score) {
            (Task::Search, Some(score)) if score >= LIKELY => Task::Prove(Color::White),
            (Task::Search, Some(score)) if score <= -LIKELY => Task::Prove(Color::Black),
            _ => Task::Search,
        }
    }

    async fn take_turn(
        &mut self,
        task: Task,
        left: Duration,
        switch: &StopSwitch,
        begun: Instant,
        shown: &watch::Sender<DeepAnalysis>,
    ) -> Option<()> {
        let time = &mut self.time[usize::from(task != Task::Search)];
        let budget = (*time).min(left);
        let mind = self.mind.take()?;
        let (sender, mut news) = mpsc::channel(NEWS);
        let (position, tables, stop) = (self.position, self.tables.current(), switch.clone());
        let work = move || {
            let mut mind = mind;
            let _ = sender.try_send(News::Begun);
            let told = match task {
                Task::Search => {
                    mind.engine.set_tables(Some(tables));
                    let request =
                        Request { lines: LINES, ..Request::new(position, Limits::time(budget)) };
                    let report = mind.engine.search(&request, &stop, |report| {
                        // What finds no room is followed by something newer.
                        let _ = sender.try_send(News::Progress(report.clone()));
                    });
                    News::Searched(mind, report)
                }
                Task::Prove(winner) => {
                    let limits = ProofLimits { nodes: None, time: Some(budget) };
                    let report =
                        mind.proofs.prove(&position, winner, Some(&tables), &limits, &stop);
                    News::Proved(mind, report)
                }
            };
            // Nobody may look any more.
            let _ = sender.blocking_send(told);
        };
        let spare = Spare { stop: switch.clone(), work: Box::new(work) };
        self.bots.submit_spare(spare);
        let mut next = match tokio::time::timeout(WAITS_AFTER, news.recv()).await {
            Ok(next) => next,
            Err(_) => {
                let waiting = Some("bots and other analyses come first".to_owned());
                shown.send_modify(|shown| shown.waiting = waiting);
                news.recv().await
            }
        };
        loop {
            match next? {
                News::Begun => shown.send_modify(|shown| shown.waiting = None),
                News::Progress(report) => self.show(&report, begun, shown),
                News::Searched(mind, report) => {
                    self.mind = Some(mind);
                    self.show(&report, begun, shown);
                    self.nodes += report.nodes;
                    break;
                }
                News::Proved(mind, report) => {
                    self.mind = Some(mind);
                    self.nodes += report.nodes;
                    self.learn(task, &report, shown);
                    break;
                }
            }
            next = news.recv().await;
        }
        if !switch.is_stopped() {
            let time = &mut self.time[usize::from(task != Task::Search)];
            *time = (*time * 2).min(LONGEST_TURN);
        }
        shown.send_modify(|shown| {
            shown.jobs += 1;
            shown.nodes = self.nodes;
            shown.time_ms = begun.elapsed().as_millis() as u64;
        });
        Some(())
    }

    /// Shows what a search has found.
    fn show(&self, report: &Report, begun: Instant, shown: &watch::Sender<DeepAnalysis>) {
        if report.lines.is_empty() {
            return;
        }
        let turn = self.position.turn();
        let tables = self.tables.current();
        let exact = table_value(tables.tables().value(&self.position).ok());
        let exact = exact.map(|value| ProvedValue {
            value: value.value,
            plies: value.plies.map(u16::from),
            exact: true,
        });
        let lines = report.lines.iter().filter_map(|line| {
            let action = *line.actions.first()?;
            let text = line.actions.iter().map(ToString::to_string).collect();
            let proved = self.proved.get(&action).copied();
            Some(shown::line(turn, Some(line.score), proved, action, text))
        });
        let lines: Vec<_> = lines.collect();
        let best: Option<Score> = report.lines.first().map(|line| line.score);
        let (white_score, mate_in) = shown::score(best, turn);
        shown.send_modify(|shown| {
            shown.lines = lines;
            (shown.white_score, shown.mate_in) = (white_score, mate_in);
            shown.proved = exact.or(shown.proved);
            shown.nodes = self.nodes + report.nodes;
            shown.time_ms = begun.elapsed().as_millis() as u64;
        });
    }

    /// Takes over what a proof search is certain of.
    fn learn(&mut self, task: Task, report: &ProofReport, shown: &watch::Sender<DeepAnalysis>) {
        let Task::Prove(winner) = task else { return };
        let value = match winner == self.position.turn() {
            true => TableResult::Win,
            false => TableResult::Loss,
        };
        for child in &report.children {
            if let Verdict::Proved { plies } = child.verdict {
                let proved = ProvedValue { value, plies: Some(plies + 1), exact: false };
                self.proved.insert(child.action, proved);
            }
        }
        shown.send_modify(|shown| {
            if let Verdict::Proved { plies } = report.verdict {
                shown.proved = Some(ProvedValue { value, plies: Some(plies), exact: false });
            }
            for line in &mut shown.lines {
                let action = Action::try_from(line.action).ok();
                let proved = action.and_then(|action| self.proved.get(&action).copied());
                line.proved = proved.or(line.proved);
            }
        });
    }
}

/// A turn's time at first, and at most.
const SHORTEST_TURN: Duration = Duration::from_millis(500);
const LONGEST_TURN: Duration = Duration::from_secs(8);

/// A score past this leaves little doubt.
const LIKELY: i32 = 100;

/// Iterations that may wait to be shown.
const NEWS: usize = 4;

/// After how much time in the queue it is said who comes first.
const WAITS_AFTER: Duration = Duration::from_secs(2);
