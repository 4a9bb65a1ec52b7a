//! Deep analyses: positions that are worked on for as long as somebody looks.
//!
//! Each position is worked on once, whoever looks at it: by the cluster where there is one, and
//! otherwise here, whenever no bot needs the processor.

mod cluster;
mod own;
mod shown;

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use boombots_protocol::{DeepAnalysis, DeepAnalysisState, ErrorCode, ServerMessage};
use boombots_rules::Position;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use self::own::OwnAnalyst;
use crate::bots::BotPool;
use crate::coordinator::CoordinatorLink;
use crate::ids::ConnectionId;
use crate::outbox::Outbox;
use crate::refusal::Refusal;
use crate::tables::TableService;

/// The deep analyses that somebody looks at.
pub(crate) struct DeepAnalyses {
    analyst: Analyst,
    running: HashMap<Position, Running>,
    watchers: HashMap<ConnectionId, Watcher>,
}

/// Who can analyse.
#[derive(Clone)]
struct Analyst {
    bots: Arc<BotPool>,
    tables: Arc<TableService>,
    /// A coordinator that does what this server asks.
    cluster: Option<Arc<CoordinatorLink>>,
}

/// An analysis that goes on until nobody holds its guard.
struct Running {
    shown: watch::Receiver<DeepAnalysis>,
    guard: Weak<DropGuard>,
}

/// A connection that looks at an analysis.
struct Watcher {
    forwarding: AbortHandle,
    _guard: Arc<DropGuard>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.forwarding.abort();
    }
}

impl DeepAnalyses {
    /// A coordinator is asked to analyse only if the link may change something.
    pub(crate) fn new(
        bots: Arc<BotPool>,
        tables: Arc<TableService>,
        cluster: Option<Arc<CoordinatorLink>>,
    ) -> DeepAnalyses {
        let cluster = cluster.filter(|link| link.is_admin());
        let analyst = Analyst { bots, tables, cluster };
        DeepAnalyses { analyst, running: HashMap::new(), watchers: HashMap::new() }
    }

    /// Shows a connection the analysis of a position, in place of the one it looked at.
    pub(crate) fn begin(
        &mut self,
        connection: ConnectionId,
        position: Position,
        outbox: Outbox,
    ) -> Result<(), Refusal> {
        self.end(connection);
        self.running.retain(|_, running| running.guard.strong_count() > 0);
        let known = self.running.get(&position).and_then(|running| {
            let is_useful = running.shown.borrow().state == DeepAnalysisState::Running;
            Some((running.shown.clone(), running.guard.upgrade().filter(|_| is_useful)?))
        });
        let (shown, guard) = match known {
            Some(known) => known,
            None if self.running.len() >= MOST_RUNNING => {
                let message = "as many positions are analysed as can be; try again in a moment";
                return Err(Refusal::new(ErrorCode::Busy, message));
            }
            None => {
                let stop = CancellationToken::new();
                let guard = Arc::new(stop.clone().drop_guard());
                let (sender, shown) = watch::channel(shown::nothing_yet(&position));
                tokio::spawn(self.analyst.clone().analyse(position, sender, stop));
                metrics::counter!("boombots_deep_analyses_total").increment(1);
                let running = Running { shown: shown.clone(), guard: Arc::downgrade(&guard) };
                self.running.insert(position, running);
                (shown, guard)
            }
        };
        let forwarding = tokio::spawn(forward(shown, outbox)).abort_handle();
        self.watchers.insert(connection, Watcher { forwarding, _guard: guard });
        Ok(())
    }

    /// A connection looks no more.
    pub(crate) fn end(&mut self, connection: ConnectionId) {
        self.watchers.remove(&connection);
    }
}

impl Analyst {
    async fn analyse(
        self,
        position: Position,
        shown: watch::Sender<DeepAnalysis>,
        stop: CancellationToken,
    ) {
        if let Some(cluster) = &self.cluster {
            match cluster::follow(cluster, &position, &shown, &stop).await {
                Ok(()) => return,
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "no deep analysis by the cluster");
                    let problem = format!("{error:#}; the server goes on by itself");
                    shown.send_modify(|shown| shown.problem = Some(problem));
                }
            }
        }
        OwnAnalyst::new(self.bots, self.tables, position).work(&shown, &stop).await;
    }
}

/// Tells a connection how an analysis stands, until it has ended.
async fn forward(mut shown: watch::Receiver<DeepAnalysis>, outbox: Outbox) {
    loop {
        let now = shown.borrow_and_update().clone();
        let is_over = now.state != DeepAnalysisState::Running;
        outbox.tell(&ServerMessage::DeepAnalysis(now));
        if is_over {
            return;
        }
        tokio::time::sleep(TELL_EVERY).await;
        if shown.changed().await.is_err() {
            return;
        }
    }
}

/// Positions analysed at a time.
const MOST_RUNNING: usize = 8;

/// How long an analysis goes on at most.
const LONGEST: Duration = Duration::from_secs(600);

/// Best lines of each.
const LINES: usize = 5;

const TELL_EVERY: Duration = Duration::from_millis(250);
