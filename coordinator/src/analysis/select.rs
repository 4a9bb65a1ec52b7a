//! Which position a job is worth most at.
//!
//! From the root the most promising action is followed down to a position where no such job was
//! done. A position that a worker has already is passed over, and the search steps back to the
//! nearest choice: several workers are always on different positions, as near to each other as can
//! be.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::graph::{Graph, MOVER, NodeId, Target};

/// The positions that are taken.
pub(super) type Taken = HashSet<NodeId>;

struct Selection<'a> {
    graph: &'a Graph,
    taken: &'a Taken,
    /// Positions with nothing to do in them or below, or that lead here.
    passed: HashSet<NodeId>,
}

impl Graph {
    /// Where to work on the proof of a side's win, and the side as seen from there; given is the side
    /// as seen from the root.
    pub(super) fn most_proving(
        &self,
        root: NodeId,
        party: usize,
        taken: &Taken,
    ) -> Option<(NodeId, usize)> {
        let mut selection = Selection { graph: self, taken, passed: HashSet::new() };
        selection.prove(root, party)
    }

    /// Where to score a position.
    pub(super) fn most_promising(&self, root: NodeId, taken: &Taken) -> Option<NodeId> {
        let mut selection = Selection { graph: self, taken, passed: HashSet::new() };
        selection.score(root).map(|(node, _)| node)
    }
}

impl Selection<'_> {
    fn prove(&mut self, root: NodeId, party: usize) -> Option<(NodeId, usize)> {
        let graph = self.graph;
        self.descend((root, party), |node, party| {
            let known = graph.node(node);
            if known.settled.is_some() || graph.numbers_at(node, party).is_settled() {
                return Choice::Nothing;
            }
            if !known.worked[party] {
                return Choice::Here;
            }
            let mut choices: Vec<(u32, Reverse<u32>, NodeId)> = known
                .edges
                .iter()
                .filter_map(|edge| {
                    let Target::Node(child) = edge.target else { return None };
                    let numbers = graph.numbers_of(edge.target, party);
                    // The winner tries what seems least work; for the loser the reply that is
                    // the likeliest to hold is looked at first.
                    Some(match party {
                        MOVER => (numbers.proof, Reverse(numbers.disproof), child),
                        _ => (numbers.disproof, Reverse(numbers.proof), child),
                    })
                })
                .collect();
            choices.sort_unstable();
            Choice::Below(choices.into_iter().map(|(_, _, child)| (child, 1 - party)).collect())
        })
    }

    fn score(&mut self, root: NodeId) -> Option<(NodeId, usize)> {
        let graph = self.graph;
        self.descend((root, MOVER), |node, party| {
            let known = graph.node(node);
            if known.settled.is_some() {
                return Choice::Nothing;
            }
            if known.evaluation.is_none() {
                return Choice::Here;
            }
            let scores = known.edges.iter().filter_map(|edge| graph.score_of(edge.target));
            // An action that no line began with is taken for a little worse than those that did.
            let unseen = scores.min().unwrap_or(0) - UNSEEN;
            let all = f64::from(known.visits.max(1)).ln();
            let mut choices: Vec<(Reverse<i64>, NodeId)> = known
                .edges
                .iter()
                .filter_map(|edge| {
                    let Target::Node(child) = edge.target else { return None };
                    let score = graph.score_of(edge.target).unwrap_or(unseen);
                    let visits = f64::from(graph.node(child).visits);
                    let uncertain = UNCERTAINTY * (all / (1.0 + visits)).sqrt();
                    Some((Reverse(i64::from(score) + uncertain as i64), child))
                })
                .collect();
            choices.sort_unstable();
            Choice::Below(choices.into_iter().map(|(_, child)| (child, 1 - party)).collect())
        })
    }

    /// Goes down by the best choice, and back to the next best where there is nothing below.
    fn descend(
        &mut self,
        root: (NodeId, usize),
        choose: impl Fn(NodeId, usize) -> Choice,
    ) -> Option<(NodeId, usize)> {
        let mut path = vec![vec![root].into_iter()];
        while let Some(choices) = path.last_mut() {
            let Some((node, party)) = choices.next() else {
                path.pop();
                continue;
            };
            if self.passed.len() >= MOST_PASSED || !self.passed.insert(node) {
                continue;
            }
            match choose(node, party) {
                Choice::Nothing => {}
                Choice::Here if self.taken.contains(&node) => {}
                Choice::Here => return Some((node, party)),
                Choice::Below(children) => path.push(children.into_iter()),
            }
        }
        None
    }
}

enum Choice {
    /// Nothing is to be done here or below.
    Nothing,
    /// A job here.
    Here,
    /// One of these, the best first.
    Below(Vec<(NodeId, usize)>),
}

/// Centibots that an action is taken to be worth less than the least of those with a score.
const UNSEEN: i32 = 50;

/// Centibots by which an action that was looked at little is preferred.
const UNCERTAINTY: f64 = 40.0;

/// A selection that has passed over so many positions gives up.
const MOST_PASSED: usize = 50_000;
