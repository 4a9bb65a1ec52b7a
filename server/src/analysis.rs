//! Searches of positions that users ask for: one at a time each.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boombots_protocol::{Analysis, AnalysisLine, ErrorCode, ServerMessage};
use boombots_rules::Position;
use boombots_search::{Limits, Report, Request, StopSwitch};

use crate::bots::{BotPool, Search, white_view};
use crate::ids::ConnectionId;
use crate::outbox::Outbox;
use crate::refusal::Refusal;
use crate::tables::{TableService, table_value};

/// The searches under way, by connection.
pub(crate) struct Analyses {
    bots: Arc<BotPool>,
    tables: Arc<TableService>,
    running: HashMap<ConnectionId, StopSwitch>,
}

impl Analyses {
    pub(crate) fn new(bots: Arc<BotPool>, tables: Arc<TableService>) -> Analyses {
        Analyses { bots, tables, running: HashMap::new() }
    }

    /// Searches a position, in place of the connection's last one.
    pub(crate) fn begin(
        &mut self,
        connection: ConnectionId,
        position: Position,
        lines: Option<u8>,
        budget_ms: Option<u32>,
        outbox: Outbox,
    ) -> Result<(), Refusal> {
        self.end(connection);
        if self.bots.business().queued >= MOST_QUEUED {
            let message = "the bots are busy; try again in a moment";
            return Err(Refusal::new(ErrorCode::Busy, message));
        }
        let stop = StopSwitch::new();
        self.running.insert(connection, stop.clone());
        let budget = Duration::from_millis(budget_ms.unwrap_or(2_000).clamp(1, 10_000).into());
        let lines = usize::from(lines.unwrap_or(3).clamp(1, 10));
        let limits = Limits::time(budget);
        let request = Request { lines, ..Request::new(position, limits) };
        let table = table_value(self.tables.current().tables().value(&position).ok());
        let message = move |report: &Report, done| {
            ServerMessage::Analysis(analysis(&position, report, table, done))
        };
        let progress = outbox.clone();
        let mut told: Option<Instant> = None;
        self.bots.submit(Search {
            request,
            stop,
            begun: Box::new(|| {}),
            progress: Some(Box::new(move |report| {
                if told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
                    told = Some(Instant::now());
                    progress.tell(&message(report, false));
                }
            })),
            ended: Box::new(move |report| {
                if let Some(report) = report {
                    outbox.tell(&message(&report, true));
                }
            }),
        });
        Ok(())
    }

    /// Ends a connection's search.
    pub(crate) fn end(&mut self, connection: ConnectionId) {
        if let Some(stop) = self.running.remove(&connection) {
            stop.stop();
        }
    }
}

fn analysis(
    position: &Position,
    report: &Report,
    table: Option<boombots_protocol::TableValue>,
    done: bool,
) -> Analysis {
    let line = |line: &boombots_search::Line| {
        let evaluation = white_view(line.score, position.turn());
        Some(AnalysisLine {
            white_score: evaluation.white_score,
            mate_in: evaluation.mate_in,
            action: (*line.actions.first()?).into(),
            line: line.actions.iter().map(ToString::to_string).collect(),
        })
    };
    Analysis {
        position: position.to_string(),
        depth: report.depth,
        nodes: report.nodes,
        time_ms: report.time.as_millis().try_into().unwrap_or(u32::MAX),
        lines: report.lines.iter().filter_map(line).collect(),
        table,
        done,
    }
}

const TELL_EVERY: Duration = Duration::from_millis(250);

/// Analyses wait behind bots, but not for ever.
const MOST_QUEUED: usize = 64;
