//! Backing results up: scores by minimax, proof numbers, and what is settled.
//!
//! What is settled rests only on what was settled before, with fewer plies, so that positions that
//! lead to each other never prove each other.

use std::collections::{HashMap, VecDeque};

use super::graph::{Graph, MOVER, NEVER, NodeId, Numbers, OPPONENT, Settled, Target};

/// A score at or past this, either way, is that of a win.
pub(super) const DECIDED: i32 = 900_000;

const LOST: i32 = -DECIDED;

/// The score of a win in no plies.
const WIN: i32 = 1_000_000;

impl Settled {
    /// The score for the side to move.
    pub(super) fn score(self) -> i32 {
        match self {
            Self::Win(plies) => WIN - i32::from(plies),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(plies) - WIN,
        }
    }

    /// For the side that acted before, with one ply more.
    fn before(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
        }
    }
}

/// The score for the side that acted before.
pub(super) fn score_before(score: i32) -> i32 {
    // One ply further from the end.
    match score {
        DECIDED.. => 1 - score,
        ..=LOST => -1 - score,
        _ => -score,
    }
}

impl Graph {
    /// What an action is certain to lead to, for whoever acts.
    pub(super) fn settled_by(&self, target: Target) -> Option<Settled> {
        match target {
            Target::End(end) => Some(end),
            Target::Node(id) => self.node(id).settled.map(Settled::before),
        }
    }

    /// The score of an action for whoever acts, as far as there is one.
    pub(super) fn score_of(&self, target: Target) -> Option<i32> {
        if let Some(settled) = self.settled_by(target) {
            return Some(settled.score());
        }
        let Target::Node(id) = target else { return None };
        let node = self.node(id);
        node.score.or(node.prior).map(score_before)
    }

    /// The numbers of an action for a win of a side, as seen from the position before it.
    pub(super) fn numbers_of(&self, target: Target, party: usize) -> Numbers {
        match self.settled_by(target) {
            Some(Settled::Win(_)) if party == MOVER => return Numbers::PROVED,
            Some(Settled::Loss(_)) if party == OPPONENT => return Numbers::PROVED,
            Some(_) => return Numbers::REFUTED,
            None => {}
        }
        let Target::Node(id) = target else { return Numbers::REFUTED };
        // Who moves here does not move there.
        self.numbers_at(id, 1 - party)
    }

    /// The numbers of a position.
    pub(super) fn numbers_at(&self, id: NodeId, party: usize) -> Numbers {
        let node = self.node(id);
        node.numbers[party].or(node.first[party]).unwrap_or(match party {
            MOVER => Numbers { proof: 1, disproof: 1 },
            _ => Numbers { proof: 8, disproof: 1 },
        })
    }

    /// Takes over what has changed at a position, and in everything above it.
    pub(super) fn back_up(&mut self, id: NodeId) {
        let mut waiting = VecDeque::from([id]);
        // Numbers and scores of positions that lead to each other need not come to rest.
        let mut turns: HashMap<NodeId, u32> = HashMap::new();
        while let Some(id) = waiting.pop_front() {
            let turns = turns.entry(id).or_default();
            *turns += 1;
            let was_settled = self.node(id).settled;
            let changed = self.refresh(id);
            let news = self.node(id).settled != was_settled;
            if changed && (*turns <= MOST_TURNS || news) || *turns == 1 {
                let parents = self.node(id).parents.iter();
                waiting.extend(parents.filter(|parent| !self.is_at_rest(**parent)));
            }
        }
    }

    /// Whether nothing can change a position any more.
    fn is_at_rest(&self, id: NodeId) -> bool {
        self.node(id).is_exact
    }

    /// Computes a position's values from what follows it; whether any has changed.
    fn refresh(&mut self, id: NodeId) -> bool {
        let node = self.node(id);
        let before = (node.settled, node.score, node.numbers);
        let settled = if node.is_exact { node.settled } else { self.settle(id) };
        let (score, numbers) = match settled {
            Some(settled) => {
                let numbers = match settled {
                    Settled::Win(_) => [Numbers::PROVED, Numbers::REFUTED],
                    Settled::Draw => [Numbers::REFUTED, Numbers::REFUTED],
                    Settled::Loss(_) => [Numbers::REFUTED, Numbers::PROVED],
                };
                (Some(settled.score()), numbers.map(Some))
            }
            None => (self.best_score(id), [self.join(id, MOVER), self.join(id, OPPONENT)]),
        };
        let node = self.node_mut(id);
        (node.settled, node.score, node.numbers) = (settled, score, numbers);
        before != (settled, score, numbers)
    }

    fn settle(&self, id: NodeId) -> Option<Settled> {
        let node = self.node(id);
        let known = node.settled;
        if node.edges.is_empty() {
            return known;
        }
        let mut best: Option<Settled> = None;
        let mut all = true;
        for edge in &node.edges {
            match self.settled_by(edge.target) {
                Some(settled) => {
                    best = Some(best.map_or(settled, |best| better(best, settled)));
                }
                None => all = false,
            }
        }
        let found = match best {
            Some(Settled::Win(plies)) => Some(Settled::Win(plies)),
            Some(Settled::Draw | Settled::Loss(_)) if all => best,
            _ => None,
        };
        match (known, found) {
            // A win by fewer plies, or a loss that is known to come sooner.
            (Some(Settled::Win(known)), Some(Settled::Win(found))) => {
                Some(Settled::Win(known.min(found)))
            }
            (Some(Settled::Loss(known)), Some(Settled::Loss(found))) => {
                Some(Settled::Loss(known.min(found)))
            }
            (Some(known), _) => Some(known),
            (None, Some(found)) => Some(found),
            (None, None) => {
                let refuted = |party| self.join(id, party).is_some_and(|n| n.disproof == 0);
                (refuted(MOVER) && refuted(OPPONENT)).then_some(Settled::Draw)
            }
        }
    }

    fn best_score(&self, id: NodeId) -> Option<i32> {
        let node = self.node(id);
        let below = node.edges.iter().filter_map(|edge| self.score_of(edge.target)).max();
        // Before a job scored the position itself, what is known below may be the worst of it.
        match node.evaluation {
            Some(evaluation) => Some(below.unwrap_or(evaluation)),
            None => node.prior,
        }
    }

    /// The numbers of a position, from those after its actions.
    fn join(&self, id: NodeId, party: usize) -> Option<Numbers> {
        let node = self.node(id);
        let refuted = node.first[party].filter(|numbers| numbers.disproof == 0);
        if node.edges.is_empty() || refuted.is_some() || !node.worked.contains(&true) {
            return node.first[party];
        }
        let one = |numbers: Numbers| match party {
            MOVER => numbers.proof,
            _ => numbers.disproof,
        };
        let all = |numbers: Numbers| match party {
            MOVER => numbers.disproof,
            _ => numbers.proof,
        };
        let (mut least, mut most, mut open) = (NEVER, 0, 0);
        for edge in &node.edges {
            let numbers = self.numbers_of(edge.target, party);
            least = least.min(one(numbers));
            most = most.max(all(numbers));
            open += u32::from(all(numbers) > 0);
        }
        let sum = if most == 0 { 0 } else { (most + open - 1).min(NEVER) };
        Some(match party {
            MOVER => Numbers { proof: least, disproof: sum },
            _ => Numbers { proof: sum, disproof: least },
        })
    }
}

/// The one that the side to move prefers.
fn better(one: Settled, other: Settled) -> Settled {
    if other.score() > one.score() { other } else { one }
}

/// How often one result may change a position that leads back to itself.
const MOST_TURNS: u32 = 4;
