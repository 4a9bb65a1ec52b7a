//! How analyses stand, for people and programs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use boombots_cluster_protocol::{
    AnalysisExport, AnalysisLine, AnalysisState, AnalysisStatus, ExportChild, ExportNode,
    GameResult, ProvedResult,
};
use boombots_probe::canonical;
use boombots_rules::Position;

use super::graph::{Edge, Graph, MOVER, NodeId, Numbers, OPPONENT, Settled, Target};
use super::{Analyses, Analysis};

impl Analyses {
    /// How an analysis stands.
    pub fn status(&self, id: u32, now: Duration) -> Option<AnalysisStatus> {
        self.analyses.get(&id).map(|analysis| self.status_of(analysis, now))
    }

    /// How all analyses stand, oldest first.
    pub fn statuses(&self, now: Duration) -> Vec<AnalysisStatus> {
        self.analyses.values().map(|analysis| self.status_of(analysis, now)).collect()
    }

    /// The revision of an analysis: what it shows changes with it.
    pub fn revision(&self, id: u32) -> Option<u64> {
        self.analyses.get(&id).map(|analysis| analysis.revision)
    }

    /// The jobs that each worker has.
    pub fn jobs_by_worker(&self) -> BTreeMap<boombots_cluster_protocol::WorkerId, u32> {
        let mut counts = BTreeMap::new();
        for job in self.jobs.values() {
            if let Some(lease) = job.lease {
                *counts.entry(lease.worker).or_default() += 1;
            }
        }
        counts
    }

    fn status_of(&self, analysis: &Analysis, now: Duration) -> AnalysisStatus {
        let record = &analysis.record;
        let node = self.graph.node(analysis.root);
        let jobs = self.jobs.values().filter(|job| job.analysis == record.id);
        let leases: Vec<_> = jobs.clone().filter_map(|job| job.lease).collect();
        let workers: BTreeSet<String> = leases
            .iter()
            .filter_map(|lease| self.workers.get(&lease.worker))
            .map(|slot| slot.worker.name.clone())
            .collect();
        let mut lines = self.lines(analysis);
        let mut score = node.score;
        if let Some(line) = analysis.partial.as_ref().and_then(|partial| partial.line.as_ref())
            && node.evaluation.is_none()
            && node.settled.is_none()
        {
            score = score.or(Some(line.score));
            let actions = carried_back(&analysis.position, &line.actions);
            lines = vec![AnalysisLine { score: Some(line.score), proved: None, actions }];
        }
        let running = record.state == AnalysisState::Running;
        let waiting = match () {
            () if !running || !leases.is_empty() => None,
            () if self.workers.is_empty() => Some("no worker is there"),
            () if self.workers.values().all(|slot| now < slot.resting_until) => {
                Some("every worker failed or stalled a moment ago")
            }
            () => Some("other analyses go before it, or there is nothing left to look at"),
        };
        let numbers = |party| proof_number(self.graph.numbers_at(analysis.root, party));
        AnalysisStatus {
            id: record.id,
            position: record.position.clone(),
            goal: record.goal.into(),
            priority: record.priority,
            state: record.state,
            revision: analysis.revision,
            score,
            proved: node.settled.map(|settled| proved(settled, node.is_exact)),
            proof_numbers: (numbers(MOVER), numbers(OPPONENT)),
            lines,
            jobs: record.jobs,
            nodes: record.nodes,
            graph: self.graph.len() as u64,
            in_flight: leases.len() as u32,
            workers: workers.into_iter().collect(),
            elapsed_seconds: analysis.spent(now) as f64 / 1_000.0,
            waiting: waiting.map(str::to_owned),
        }
    }

    /// The best lines, as they are played from the analysis's own position.
    fn lines(&self, analysis: &Analysis) -> Vec<AnalysisLine> {
        let graph = &self.graph;
        let mut edges = graph.edges_of(&analysis.position);
        graph.sort(&mut edges);
        let shown = usize::from(analysis.record.lines);
        let edges = edges.into_iter().take(shown);
        let lines = edges.map(|first| {
            let mut actions = vec![first.action.to_string()];
            let mut position = analysis.position.apply_unchecked(first.action);
            let mut seen = HashSet::from([canonical(&analysis.position).0]);
            while !position.is_over()
                && actions.len() < LONGEST_LINE
                && seen.insert(canonical(&position).0)
            {
                let mut edges = graph.edges_of(&position);
                graph.sort(&mut edges);
                // An action of which nothing is known is no line's.
                let next = edges.first().filter(|edge| graph.is_known(edge.target));
                let Some(next) = next else { break };
                actions.push(next.action.to_string());
                position = position.apply_unchecked(next.action);
            }
            let is_exact = match first.target {
                Target::End(_) => true,
                Target::Node(id) => graph.node(id).is_exact,
            };
            AnalysisLine {
                score: graph.score_of(first.target),
                proved: graph.settled_by(first.target).map(|settled| proved(settled, is_exact)),
                actions,
            }
        });
        lines.collect()
    }

    /// The tree of an analysis: everything that was expanded below its position.
    pub fn export(&self, id: u32, now: Duration) -> Option<AnalysisExport> {
        let analysis = self.analyses.get(&id)?;
        let mut index: BTreeMap<NodeId, u32> = BTreeMap::from([(analysis.root, 0)]);
        let mut order = vec![analysis.root];
        let mut nodes = Vec::new();
        let mut at = 0;
        while at < order.len() && order.len() < MOST_EXPORTED {
            let node = self.graph.node(order[at]);
            let mut children = Vec::new();
            for edge in &node.edges {
                let to = match edge.target {
                    Target::End(_) => None,
                    Target::Node(id) => Some(*index.entry(id).or_insert_with(|| {
                        order.push(id);
                        order.len() as u32 - 1
                    })),
                };
                children.push(ExportChild { action: edge.action.to_string(), node: to });
            }
            nodes.push(self.exported(order[at], children));
            at += 1;
        }
        let rest = order[at..].iter().map(|id| self.exported(*id, Vec::new()));
        nodes.extend(rest);
        Some(AnalysisExport { analysis: self.status_of(analysis, now), nodes })
    }

    fn exported(&self, id: NodeId, children: Vec<ExportChild>) -> ExportNode {
        let node = self.graph.node(id);
        ExportNode {
            position: node.position.to_string(),
            score: node.score.or(node.prior),
            proved: node.settled.map(|settled| proved(settled, node.is_exact)),
            proof_numbers: (
                proof_number(self.graph.numbers_at(id, MOVER)),
                proof_number(self.graph.numbers_at(id, OPPONENT)),
            ),
            visits: node.visits,
            children,
        }
    }
}

impl Graph {
    /// Puts the actions into order, the best for whoever acts first.
    fn sort(&self, edges: &mut [Edge]) {
        edges.sort_by_cached_key(|edge| {
            let score = self.score_of(edge.target).unwrap_or(i32::MIN);
            let Numbers { proof, disproof } = self.numbers_of(edge.target, MOVER);
            (std::cmp::Reverse(score), proof, std::cmp::Reverse(disproof))
        });
    }

    fn is_known(&self, target: Target) -> bool {
        match target {
            Target::End(_) => true,
            Target::Node(id) => {
                let node = self.node(id);
                node.settled.is_some() || node.score.is_some() || node.worked.contains(&true)
            }
        }
    }
}

/// The actions of a line from the canonical form, as they are in the position itself.
fn carried_back(position: &Position, actions: &[String]) -> Vec<String> {
    let back = canonical(position).1.inverse();
    let actions = actions.iter().filter_map(|action| action.parse().ok());
    actions.map(|action| boombots_probe::carried(action, back).to_string()).collect()
}

fn proved(settled: Settled, exact: bool) -> ProvedResult {
    match settled {
        Settled::Win(plies) => ProvedResult { result: GameResult::Win, plies: Some(plies), exact },
        Settled::Draw => ProvedResult { result: GameResult::Draw, plies: None, exact },
        Settled::Loss(plies) => {
            ProvedResult { result: GameResult::Loss, plies: Some(plies), exact }
        }
    }
}

fn proof_number(numbers: Numbers) -> Option<u32> {
    (numbers.disproof > 0).then_some(numbers.proof)
}

pub(super) fn words(settled: Settled) -> String {
    match settled {
        Settled::Win(plies) => format!("won in at most {plies} plies"),
        Settled::Draw => "drawn".to_owned(),
        Settled::Loss(plies) => format!("lost in at most {plies} plies"),
    }
}

const LONGEST_LINE: usize = 64;

/// Positions of an export.
const MOST_EXPORTED: usize = 2_000_000;
