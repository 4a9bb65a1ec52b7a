//! Builds of tables, here and on a cluster.

use serde::{Deserialize, Serialize};

/// What is being built.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Builds {
    /// By this server.
    pub local: LocalBuilds,
    /// By the cluster whose coordinator this server follows; `null` if it follows none.
    pub cluster: Option<ClusterBuilds>,
}

/// Builds by the server itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LocalBuilds {
    /// Whether missing classes are built.
    pub enabled: bool,
    /// Classes that answer, smallest first.
    pub ready: Vec<String>,
    /// Classes that wait for their turn.
    pub waiting: Vec<String>,
    /// The class under way.
    pub current: Option<ClassBuild>,
    /// Why the last build failed or waits.
    pub problem: Option<String>,
}

/// A class being built.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClassBuild {
    /// The class.
    pub class: String,
    /// What is being done: `reading`, `booms`, `plies`, `writing`; on a cluster also `encoding`,
    /// `verifying`, `auditing` and `publishing`.
    pub phase: String,
    /// Done in this phase.
    pub done: f64,
    /// All of this phase.
    pub all: f64,
    /// The ply being swept.
    pub ply: u32,
    /// Positions decided so far, counted up to symmetry.
    pub decided: f64,
    /// Seconds since the class was begun or taken up again.
    pub elapsed_seconds: f64,
    /// Units of the phase a second.
    pub rate: Option<f64>,
    /// Seconds the phase will still take at that rate.
    pub remaining_seconds: Option<f64>,
    /// Why nothing happens, where nothing does.
    pub waiting: Option<String>,
}

/// Builds by a cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClusterBuilds {
    /// Whether the coordinator answers.
    pub connected: bool,
    /// Why it does not.
    pub problem: Option<String>,
    /// Classes under way.
    pub classes: Vec<ClassBuild>,
    /// Classes that are published.
    pub published: Vec<String>,
    /// The workers.
    pub workers: Vec<ClusterWorker>,
    /// What happened last, oldest first.
    pub events: Vec<String>,
}

/// A worker of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClusterWorker {
    /// Its name.
    pub name: String,
    /// `working`, `idle`, `dead`, `left` or `banned`.
    pub state: String,
    /// Why it idles, is dead or banned.
    pub reason: Option<String>,
    /// Its threads.
    pub threads: u32,
    /// What it says it does.
    pub note: String,
    /// Shards it has, as `class/shard`.
    pub shards: Vec<String>,
}
