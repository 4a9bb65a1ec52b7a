//! A solver without symmetry and without bits, and every position compared with it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::sync::Arc;

use boombots_probe::{Class, Configuration, Material, OrbitTables, Plies, Value};
use boombots_retrograde::{Level, SolveOptions, SolvedSide, Storage, solve};

/// Bots of one side: a sorted list of squares.
type Bots = Vec<usize>;

/// What a position's value is known by: mover's bots, opponent's bots.
type Key = (u32, u32);

/// Every configuration of one bot count, and the number of each.
struct Configurations {
    lists: Vec<Bots>,
    numbers: HashMap<Bots, u32>,
}

impl Configurations {
    fn new(bots: usize) -> Self {
        let mut lists: Vec<Bots> = vec![Vec::new()];
        for _ in 0..bots {
            let longer = lists.iter().flat_map(|list| {
                let least = list.last().copied().unwrap_or(0);
                (least..64).map(move |square| [list.as_slice(), &[square]].concat())
            });
            lists = longer.collect();
        }
        let numbers = lists.iter().cloned().zip(0..).collect();
        Self { lists, numbers }
    }
}

/// A value as a number: n for a win in n plies, −n for a loss, 0 for a draw or the unknown.
type Score = i16;

struct Naive {
    configurations: Vec<Configurations>,
    /// By material, then `mover * opponents + opponent`.
    scores: HashMap<(usize, usize), Vec<Score>>,
}

/// What an action leads to.
#[derive(Clone, Copy)]
enum Reply {
    /// A position of the same bots, the other side to move.
    Position(u32),
    /// A settled score for the side that acted.
    Settled(Score),
}

impl Naive {
    fn new(most: usize) -> Self {
        let configurations = (0..=most).map(Configurations::new).collect();
        Self { configurations, scores: HashMap::new() }
    }

    fn number(&self, bots: &Bots) -> u32 {
        self.configurations[bots.len()].numbers[bots]
    }

    /// Solves both sides to move of a class whose smaller classes are solved.
    fn solve(&mut self, one: usize, other: usize) {
        let sides =
            if one == other { vec![(one, other)] } else { vec![(one, other), (other, one)] };
        let mut scores: Vec<Vec<Score>> = Vec::new();
        let mut replies: Vec<Vec<Vec<Reply>>> = Vec::new();
        for &(mover, opponent) in &sides {
            let all = self.every_position(mover, opponent);
            scores.push(vec![0; all.len()]);
            replies.push(all.iter().map(|position| self.replies(position.as_ref())).collect());
        }
        let last = sides.len() - 1;
        let deepest_boom = replies.iter().flatten().flatten().map(|reply| match reply {
            Reply::Settled(score) => score.abs(),
            Reply::Position(_) => 0,
        });
        let deepest_boom = deepest_boom.max().unwrap_or(0);
        for ply in 1.. {
            let mut decided: Vec<(usize, usize, Score)> = Vec::new();
            for (side, replies) in replies.iter().enumerate() {
                let theirs = &scores[last - side];
                for (at, replies) in replies.iter().enumerate() {
                    if scores[side][at] == 0 && !replies.is_empty() {
                        decided.extend(judge(replies, theirs, ply).map(|score| (side, at, score)));
                    }
                }
            }
            if decided.is_empty() && ply > deepest_boom {
                break;
            }
            for (side, at, score) in decided {
                scores[side][at] = score;
            }
        }
        self.scores.extend(sides.into_iter().zip(scores));
    }

    /// `None` where both sides claim a square.
    fn every_position(&self, mover: usize, opponent: usize) -> Vec<Option<(Bots, Bots)>> {
        let pairs = self.configurations[mover].lists.iter().flat_map(|mover| {
            self.configurations[opponent].lists.iter().map(move |opponent| (mover, opponent))
        });
        pairs
            .map(|(mover, opponent)| {
                let apart = mover.iter().all(|square| !opponent.contains(square));
                apart.then(|| (mover.clone(), opponent.clone()))
            })
            .collect()
    }

    fn replies(&self, position: Option<&(Bots, Bots)>) -> Vec<Reply> {
        let Some((mover, opponent)) = position else { return Vec::new() };
        let mut replies = Vec::new();
        let mut sources = mover.clone();
        sources.dedup();
        for &source in &sources {
            let height = mover.iter().filter(|&&square| square == source).count();
            for target in targets(source, height) {
                if opponent.contains(&target) {
                    continue;
                }
                for count in 1..=height {
                    let mut moved = mover.clone();
                    for _ in 0..count {
                        let at = moved.iter().position(|&square| square == source).unwrap();
                        moved[at] = target;
                    }
                    moved.sort_unstable();
                    let theirs = self.configurations[moved.len()].lists.len() as u32;
                    let number = self.number(opponent) * theirs + self.number(&moved);
                    replies.push(Reply::Position(number));
                }
            }
            replies.push(Reply::Settled(self.boom(mover, opponent, source)));
        }
        replies
    }

    /// The score of a boom for the side that booms.
    fn boom(&self, mover: &Bots, opponent: &Bots, source: usize) -> Score {
        let mut blown = vec![source];
        let mut at = 0;
        while let Some(&square) = blown.get(at) {
            for other in mover.iter().chain(opponent) {
                let near =
                    (square % 8).abs_diff(other % 8) <= 1 && (square / 8).abs_diff(other / 8) <= 1;
                if near && !blown.contains(other) {
                    blown.push(*other);
                }
            }
            at += 1;
        }
        let left = |bots: &Bots| -> Bots {
            bots.iter().copied().filter(|square| !blown.contains(square)).collect()
        };
        let (mover, opponent) = (left(mover), left(opponent));
        match (mover.is_empty(), opponent.is_empty()) {
            (true, true) => 0,
            (false, true) => 1,
            (true, false) => -1,
            (false, false) => {
                let scores = &self.scores[&(opponent.len(), mover.len())];
                let columns = self.configurations[mover.len()].lists.len();
                let at = self.number(&opponent) as usize * columns + self.number(&mover) as usize;
                before(scores[at])
            }
        }
    }

    fn score(&self, mover: &Bots, opponent: &Bots) -> Score {
        let columns = self.configurations[opponent.len()].lists.len();
        let at = self.number(mover) as usize * columns + self.number(opponent) as usize;
        self.scores[&(mover.len(), opponent.len())][at]
    }
}

/// The score of acting into a position of this score.
fn before(score: Score) -> Score {
    match score {
        0 => 0,
        win if win > 0 => -(win + 1),
        loss => -loss + 1,
    }
}

/// The score that a position gets at a ply, if any.
fn judge(replies: &[Reply], theirs: &[Score], ply: Score) -> Option<Score> {
    // A score is known at a ply if the game is over by then.
    let known = |reply: &Reply| -> Score {
        let score = match *reply {
            Reply::Position(at) => before(theirs[at as usize]),
            Reply::Settled(score) => score,
        };
        if score.abs() <= ply { score } else { 0 }
    };
    if replies.iter().any(|reply| known(reply) > 0) {
        return Some(ply);
    }
    replies.iter().all(|reply| known(reply) < 0).then_some(-ply)
}

fn targets(source: usize, height: usize) -> Vec<usize> {
    let (x, y) = ((source % 8) as i32, (source / 8) as i32);
    let mut targets = Vec::new();
    for distance in 1..=height as i32 {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (x, y) = (x + dx * distance, y + dy * distance);
            if (0..8).contains(&x) && (0..8).contains(&y) {
                targets.push((y * 8 + x) as usize);
            }
        }
    }
    targets
}

#[test]
fn every_position_of_2v1_1v2_and_2v2_agrees() {
    let mut naive = Naive::new(2);
    naive.solve(1, 1);
    naive.solve(2, 1);
    naive.solve(2, 2);

    let orbits = OrbitTables::new();
    let mut solved = Solved::new();
    for class in ["1v1", "2v1", "2v2"] {
        let class: Class = class.parse().unwrap();
        let options = SolveOptions { level: Level::best(), shards: 1, storage: Storage::Heap };
        let sides =
            solve(class, &orbits, &|side| Ok(Arc::clone(&solved[&side])), &options, &|_| {});
        for side in sides.unwrap() {
            solved.insert(side.layout().material, Arc::new(side));
        }
    }

    let mut compared: HashMap<Key, u64> = HashMap::new();
    for (mover_bots, opponent_bots) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
        for position in naive.every_position(mover_bots, opponent_bots) {
            let Some((mover, opponent)) = position else { continue };
            let expected = match naive.score(&mover, &opponent) {
                0 => Value::Draw,
                win if win > 0 => Value::Win(Plies(win as u8)),
                loss => Value::Loss(Plies(-loss as u8)),
            };
            let value = value_of(&solved, &orbits, &mover, &opponent);
            assert_eq!(value, expected, "mover {mover:?}, opponent {opponent:?}");
            *compared.entry((mover_bots as u32, opponent_bots as u32)).or_default() += 1;
        }
    }
    assert_eq!(compared[&(2, 1)], 129_024);
    assert_eq!(compared[&(1, 2)], 129_024);
    assert_eq!(compared[&(2, 2)], 4_066_272);
}

type Solved = HashMap<Material, Arc<SolvedSide>>;

fn value_of(solved: &Solved, orbits: &OrbitTables, mover: &Bots, opponent: &Bots) -> Value {
    let place = |bots: &Bots| {
        let squares: Vec<u8> = bots.iter().map(|&square| square as u8).collect();
        orbits.get(bots.len()).place(&Configuration::new(&squares))
    };
    let (row, column) = (place(mover), place(opponent));
    let side = &solved[&Material { mover: mover.len() as u8, opponent: opponent.len() as u8 }];
    let symmetry = row.symmetry.inverse().after(column.symmetry);
    side.value(row.orbit.get(), column.orbit.get(), symmetry)
}
