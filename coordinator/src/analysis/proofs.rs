//! What a certificate is made of: the steps of the graph, and the blobs with those of jobs.

use std::collections::HashSet;

use boombots_cluster_protocol::BlobRef;
use boombots_probe::{Claim, ProofStep};
use boombots_rules::Position;

use super::graph::{NodeId, Settled, Target};
use super::{Analyses, AnalysisError};

/// Everything that a certificate needs but for the tables.
#[derive(Clone, Debug)]
pub struct ProofSources {
    /// The position.
    pub position: Position,
    /// What is claimed of it.
    pub claim: Claim,
    /// Steps that follow from what follows them.
    pub steps: Vec<ProofStep>,
    /// Blobs of packed steps.
    pub blobs: Vec<BlobRef>,
}

impl Analyses {
    /// What the proof of an analysis's result rests on; `None` where there is no result yet.
    ///
    /// # Errors
    /// If there is no such analysis.
    pub fn proof_sources(&self, id: u32) -> Result<Option<ProofSources>, AnalysisError> {
        let analysis = self.analyses.get(&id).ok_or(AnalysisError::Unknown(id))?;
        let claim = match self.graph.node(analysis.root).settled {
            Some(Settled::Win(plies)) => Claim::Win(plies),
            Some(Settled::Draw) => Claim::Draw,
            Some(Settled::Loss(plies)) => Claim::Loss(plies),
            None => return Ok(None),
        };
        let mut sources = ProofSources {
            position: analysis.position,
            claim,
            steps: Vec::new(),
            blobs: Vec::new(),
        };
        let mut seen = HashSet::from([analysis.root]);
        let mut waiting = vec![analysis.root];
        while let Some(id) = waiting.pop() {
            self.gather(id, &mut sources, |child| {
                if seen.insert(child) {
                    waiting.push(child);
                }
            });
        }
        Ok(Some(sources))
    }

    /// Adds what a settled position rests on, and calls `visit` with the positions it rests on.
    fn gather(&self, id: NodeId, sources: &mut ProofSources, mut visit: impl FnMut(NodeId)) {
        let node = self.graph.node(id);
        if node.is_exact {
            return;
        }
        if let Some(blob) = node.proof
            && !sources.blobs.contains(&blob)
        {
            sources.blobs.push(blob);
        }
        match node.settled {
            Some(Settled::Win(plies)) => {
                let wins = node.edges.iter().filter_map(|edge| {
                    match self.graph.settled_by(edge.target)? {
                        Settled::Win(plies) => Some((plies, edge)),
                        _ => None,
                    }
                });
                let Some((least, edge)) = wins.min_by_key(|(plies, _)| *plies) else { return };
                if least <= plies {
                    let action = edge.action;
                    sources.steps.push(ProofStep { position: node.position, plies: least, action });
                }
                if let Target::Node(child) = edge.target {
                    visit(child);
                }
            }
            Some(Settled::Loss(_)) => {
                for edge in &node.edges {
                    if let Target::Node(child) = edge.target {
                        visit(child);
                    }
                }
            }
            _ => {}
        }
    }
}
