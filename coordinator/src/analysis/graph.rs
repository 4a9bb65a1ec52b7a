//! The graph of everything that analyses know: positions, how actions join them, what jobs found.
//!
//! A position is kept once, up to symmetry and the exchange of colours, with White to move.
//! Whatever is kept of a position holds of it however it is reached: no value rests on a line's
//! past.

use std::collections::HashMap;

use boombots_cluster_protocol::BlobRef;
use boombots_probe::{canonical, carried};
use boombots_rules::{Action, Outcome, Position};

/// A position of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

/// The effort that a proof and a refutation still seem to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// No effort suffices.
pub(super) const NEVER: u32 = 1 << 28;

impl Numbers {
    pub(super) const PROVED: Self = Self { proof: 0, disproof: NEVER };
    pub(super) const REFUTED: Self = Self { proof: NEVER, disproof: 0 };

    pub(super) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// How a position is certain to end, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// It wins in at most so many plies.
    Win(u16),
    /// Nobody wins.
    Draw,
    /// It loses in at most so many plies.
    Loss(u16),
}

/// Whose win is meant, as seen from a position: an index of arrays.
pub(super) const MOVER: usize = 0;
pub(super) const OPPONENT: usize = 1;

/// What is known of a position.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) parents: Vec<NodeId>,
    /// The actions that lead to positions that differ; none until a job was finished here.
    pub(super) edges: Vec<Edge>,
    pub(super) settled: Option<Settled>,
    /// Whether a table settles it.
    pub(super) is_exact: bool,
    /// The score of the job here, for the side to move.
    pub(super) evaluation: Option<i32>,
    /// The score that the job at a parent gave.
    pub(super) prior: Option<i32>,
    /// The score backed up from below.
    pub(super) score: Option<i32>,
    /// The numbers that a job here or at a parent gave, for a win of either side.
    pub(super) first: [Option<Numbers>; 2],
    /// The numbers backed up from below.
    pub(super) numbers: [Option<Numbers>; 2],
    /// Whose wins jobs were finished for here.
    pub(super) worked: [bool; 2],
    /// The steps that prove it, where a job did.
    pub(super) proof: Option<BlobRef>,
    /// Jobs finished here and below.
    pub(super) visits: u32,
}

/// An action and where it leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) action: Action,
    pub(super) target: Target,
}

/// Where an action leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To an end of the game, for whoever acted.
    End(Settled),
    /// To a position.
    Node(NodeId),
}

/// The graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    ids: HashMap<Position, NodeId>,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// The node of a position, if there is one.
    pub(super) fn find(&self, position: &Position) -> Option<NodeId> {
        self.ids.get(&canonical(position).0).copied()
    }

    /// The node of a position that is not over.
    pub(super) fn enter(&mut self, position: &Position) -> NodeId {
        let (form, _) = canonical(position);
        let next = NodeId(self.nodes.len() as u32);
        let id = *self.ids.entry(form).or_insert(next);
        if id == next {
            self.nodes.push(Node {
                position: form,
                parents: Vec::new(),
                edges: Vec::new(),
                settled: None,
                is_exact: false,
                evaluation: None,
                prior: None,
                score: None,
                first: [None; 2],
                numbers: [None; 2],
                worked: [false; 2],
                proof: None,
                visits: 0,
            });
        }
        id
    }

    /// Lists what can be played, where that was not done yet.
    pub(super) fn expand(&mut self, id: NodeId) {
        if !self.node(id).edges.is_empty() {
            return;
        }
        let position = self.node(id).position;
        let mut edges: Vec<Edge> = Vec::new();
        for &action in &*position.legal_actions() {
            let next = position.apply_unchecked(action);
            let target = match next.outcome() {
                None => Target::Node(self.enter(&next)),
                Some(Outcome::Draw) => Target::End(Settled::Draw),
                Some(Outcome::Win(color)) if color == position.turn() => {
                    Target::End(Settled::Win(1))
                }
                Some(Outcome::Win(_)) => Target::End(Settled::Loss(1)),
            };
            if edges.iter().any(|edge| edge.target == target) {
                continue;
            }
            edges.push(Edge { action, target });
            if let Target::Node(child) = target {
                let parents = &mut self.node_mut(child).parents;
                if !parents.contains(&id) {
                    parents.push(id);
                }
            }
        }
        self.node_mut(id).edges = edges;
    }

    /// The edge of an action of a position in its canonical form.
    pub(super) fn target_of(&self, id: NodeId, action: Action) -> Option<Target> {
        let node = self.node(id);
        if let Some(edge) = node.edges.iter().find(|edge| edge.action == action) {
            return Some(edge.target);
        }
        // Another action leads to the same position.
        let next = node.position.play(action).ok()?;
        self.find(&next).map(Target::Node)
    }

    /// The actions of a position as it is, with where they lead.
    pub(super) fn edges_of(&self, position: &Position) -> Vec<Edge> {
        let (form, symmetry) = canonical(position);
        let Some(id) = self.ids.get(&form) else { return Vec::new() };
        let back = symmetry.inverse();
        let edges = self.node(*id).edges.iter();
        edges.map(|edge| Edge { action: carried(edge.action, back), ..*edge }).collect()
    }

    /// Everything above a position, itself included, nearest first.
    pub(super) fn ancestors(&self, id: NodeId) -> Vec<NodeId> {
        let mut seen = std::collections::HashSet::from([id]);
        let mut found = vec![id];
        let mut at = 0;
        while at < found.len() && found.len() < MOST_ANCESTORS {
            for &parent in &self.node(found[at]).parents {
                if seen.insert(parent) {
                    found.push(parent);
                }
            }
            at += 1;
        }
        found
    }
}

/// Past so many the counts of visits are only nearly right.
const MOST_ANCESTORS: usize = 20_000;
