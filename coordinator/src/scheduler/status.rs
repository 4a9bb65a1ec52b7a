//! How everything stands, for people and programs.

use std::collections::BTreeMap;
use std::time::Duration;

use boombots_cluster_protocol::WorkerId;
use serde::{Deserialize, Serialize};

use super::record::{Ban, BuildState, Phase};
use super::{Scheduler, text_of};
use crate::analysis::AnalysisCounters;

/// Everything that is going on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Seconds since the coordinator started.
    pub uptime_seconds: f64,
    /// Builds, oldest first.
    pub builds: Vec<BuildStatus>,
    /// Classes under way.
    pub classes: Vec<ClassStatus>,
    /// Classes that are published.
    pub published: Vec<String>,
    /// Workers.
    pub workers: Vec<WorkerStatus>,
    /// Totals since the start.
    pub counters: Counters,
    /// Totals of search jobs since the start.
    #[serde(default)]
    pub searches: AnalysisCounters,
    /// What happened last, oldest first.
    pub events: Vec<String>,
    /// What is wrong with the store, if anything is.
    pub store_problem: Option<String>,
    /// Connections that were refused lately, and why.
    pub refused: Vec<String>,
    /// Bytes received and sent on bulk streams since the start.
    pub bulk_bytes: (u64, u64),
}

/// A build.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildStatus {
    /// Its number.
    pub id: u32,
    /// The class asked for.
    pub class: String,
    /// `running`, `done`, `cancelled` or `failed`.
    pub state: String,
    /// Why it failed.
    pub reason: Option<String>,
}

/// A class under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClassStatus {
    /// The class.
    pub class: String,
    /// `booms`, `plies`, `encoding`, `verifying`, `auditing` or `publishing`.
    pub phase: String,
    /// Shards in all.
    pub shards: u32,
    /// Shards leased now.
    pub leased: u32,
    /// The ply being swept.
    pub ply: u8,
    /// The plies that the classes beneath make likely.
    pub expected_plies: u8,
    /// Positions decided so far, counted up to symmetry.
    pub decided: u64,
    /// Done in this phase.
    pub done: u64,
    /// All of this phase.
    pub all: u64,
    /// Seconds since it was started or taken up again.
    pub elapsed_seconds: f64,
    /// Why nothing happens, where nothing does.
    pub waiting: Option<String>,
}

/// A worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerStatus {
    /// Who it is.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `working`, `idle`, `dead`, `left` or `banned`.
    pub state: String,
    /// Why it idles, is dead or banned.
    pub reason: Option<String>,
    /// Its threads.
    pub threads: u16,
    /// The memory it may use, in bytes.
    pub memory_limit: u64,
    /// The memory in use, in bytes.
    pub memory: u64,
    /// Bytes it received and sent on bulk streams since it was started, wherever they went.
    pub bulk: (u64, u64),
    /// What it says it does.
    pub note: String,
    /// Shards it has, as `class/shard`.
    pub shards: Vec<String>,
    /// Search jobs it has.
    #[serde(default)]
    pub searches: u32,
    /// Seconds since it was last heard.
    pub seen_seconds: f64,
    /// The program's version.
    pub version: String,
}

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    /// Leases given out.
    pub leases: u64,
    /// Leases taken away from workers that died or stalled.
    pub leases_lost: u64,
    /// Boom passes reported.
    pub booms: u64,
    /// Of those, passes over shards that had been through one.
    pub booms_again: u64,
    /// Sweeps reported and put on record.
    pub steps: u64,
    /// Sweeps of shards taken up again, whose deltas were on record already.
    pub steps_again: u64,
    /// Reports refused since they came under a lease that had ended.
    pub stale: u64,
    /// Bytes of deltas.
    pub delta_bytes: u64,
    /// Bytes of coded shards.
    pub segment_bytes: u64,
    /// Positions checked by the rules.
    pub positions_checked: u64,
    /// Checks that failed.
    pub problems: u64,
    /// Classes begun anew.
    pub restarts: u64,
}

impl Scheduler {
    /// How everything stands.
    pub fn status(&self, now: Duration) -> Status {
        Status {
            uptime_seconds: now.saturating_sub(self.started).as_secs_f64(),
            builds: self.builds.values().map(build_status).collect(),
            classes: self.classes.values().map(|class| self.class_status(class, now)).collect(),
            published: self.published.keys().map(|&name| text_of(name)).collect(),
            workers: {
                let leases = self.leases_by_worker();
                let status = |worker: &super::worker::WorkerState| {
                    let leases = leases.get(&worker.record.id).map_or(&[][..], Vec::as_slice);
                    self.worker_status(worker, leases, now)
                };
                self.workers.values().map(status).collect()
            },
            counters: self.counters,
            searches: AnalysisCounters::default(),
            events: self.events.clone(),
            store_problem: None,
            refused: Vec::new(),
            bulk_bytes: (0, 0),
        }
    }

    /// Whether a build is still under way; `None` where there is no such build.
    pub fn build_state(&self, id: u32) -> Option<&BuildState> {
        self.builds.get(&id).map(|build| &build.state)
    }

    /// The published tables of a class.
    pub fn published_tables(
        &self,
        class: boombots_cluster_protocol::ClassName,
    ) -> Option<&[boombots_cluster_protocol::TableRef]> {
        self.published.get(&class).map(|published| &published.tables[..])
    }

    /// Every published table.
    pub fn all_published_tables(&self) -> Vec<boombots_cluster_protocol::TableRef> {
        self.published.values().flat_map(|published| published.tables.iter().copied()).collect()
    }

    fn class_status(&self, class: &super::class::ClassState, now: Duration) -> ClassStatus {
        let record = &class.record;
        let leases = class.leases.iter().flatten();
        let settled = class.leases.iter().enumerate().filter(|(shard, lease)| {
            class.deltas[0][*shard].is_some() || lease.as_ref().is_some_and(|lease| lease.booms)
        });
        let settled = settled.count();
        let beneath =
            super::class_of(record.class).map(|class| class.beneath()).unwrap_or_default();
        let beneath =
            beneath.into_iter().filter_map(|class| self.published.get(&super::name_of(class)));
        let expected = beneath.map(|class| class.deepest).max().unwrap_or(0).saturating_add(2);
        let ply = record.plies.last().copied().unwrap_or(0);
        let tiles: u64 = record.sides.iter().map(|side| side.tiles).sum();
        let shards = record.shards() as u64;
        let verified = record.verified.iter().filter(|&&verified| verified).count() as u64;
        let (phase, done, all) = match record.phase {
            Phase::Solving if settled < record.shards() => {
                let under_way: u64 =
                    leases.clone().filter(|lease| !lease.booms).map(|lease| lease.done.0).sum();
                ("booms", (tiles * settled as u64 / shards + under_way).min(tiles), tiles)
            }
            Phase::Solving => {
                let ply = u64::from(ply);
                ("plies", ply - 1, u64::from(expected).max(ply))
            }
            Phase::Encoding => {
                let coded = record.segments.iter().flatten().count() as u64;
                ("encoding", coded, shards)
            }
            Phase::Verifying => ("verifying", verified, shards),
            Phase::Auditing => {
                let heard = class.opinions.iter().filter(|opinions| !opinions.is_empty());
                ("auditing", heard.count() as u64, shards)
            }
            Phase::Publishing => ("publishing", 0, 1),
        };
        ClassStatus {
            class: text_of(record.class),
            phase: phase.to_owned(),
            shards: shards as u32,
            leased: leases.count() as u32,
            ply,
            expected_plies: expected,
            decided: class.deltas.iter().flatten().flatten().map(|delta| delta.decided).sum(),
            done,
            all,
            elapsed_seconds: now.saturating_sub(class.started).as_secs_f64(),
            waiting: class.waiting.clone(),
        }
    }

    /// The shards that each worker has, by attempt and number.
    fn leases_by_worker(&self) -> BTreeMap<WorkerId, Vec<(u32, usize)>> {
        let mut leases: BTreeMap<WorkerId, Vec<(u32, usize)>> = BTreeMap::new();
        for class in self.classes.values() {
            for (shard, lease) in class.leases.iter().enumerate() {
                if let Some(lease) = lease {
                    leases.entry(lease.worker).or_default().push((class.record.attempt, shard));
                }
            }
        }
        leases
    }

    fn worker_status(
        &self,
        worker: &super::worker::WorkerState,
        leases: &[(u32, usize)],
        now: Duration,
    ) -> WorkerStatus {
        let idle_reason = || {
            if self.classes.is_empty() {
                "nothing is being built"
            } else if now < worker.resting_until {
                "it failed or stalled a moment ago"
            } else {
                "every shard is leased already"
            }
        };
        let (state, reason) = match (&worker.record.banned, worker.session) {
            (Some(Ban::Revoked), _) => ("banned", Some("revoked".to_owned())),
            (Some(Ban::WrongResults(why)), _) => ("banned", Some(why.clone())),
            (None, _) if worker.leaving => ("left", worker.gone.clone()),
            (None, None) => ("dead", worker.gone.clone()),
            (None, Some(_)) if leases.is_empty() => ("idle", Some(idle_reason().to_owned())),
            (None, Some(_)) => ("working", None),
        };
        let heartbeat = worker.heartbeat.as_ref();
        WorkerStatus {
            id: worker.record.id.to_string(),
            name: worker.record.name.clone(),
            state: state.to_owned(),
            reason,
            threads: worker.threads,
            memory_limit: worker.memory_limit,
            memory: heartbeat.map_or(0, |heartbeat| heartbeat.memory),
            bulk: heartbeat.map_or((0, 0), |heartbeat| heartbeat.bulk),
            note: heartbeat.map(|heartbeat| heartbeat.note.clone()).unwrap_or_default(),
            shards: leases
                .iter()
                .filter_map(|(attempt, shard)| {
                    let class = self.classes.get(attempt)?;
                    Some(format!("{}/{shard}", text_of(class.record.class)))
                })
                .collect(),
            searches: 0,
            seen_seconds: now.saturating_sub(worker.seen).as_secs_f64(),
            version: worker.version.clone(),
        }
    }
}

fn build_status(build: &super::BuildRecord) -> BuildStatus {
    let (state, reason) = match &build.state {
        BuildState::Running => ("running", None),
        BuildState::Done => ("done", None),
        BuildState::Cancelled => ("cancelled", None),
        BuildState::Failed(reason) => ("failed", Some(reason.clone())),
    };
    BuildStatus { id: build.id, class: text_of(build.class), state: state.to_owned(), reason }
}
