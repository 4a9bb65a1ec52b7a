//! An explosion as it spreads.

use std::time::Duration;

use boombots_rules::{Position, Square, SquareSet};

/// An explosion as it spreads over the board, wave by wave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blast {
    /// The position before.
    pub before: Position,
    /// What goes in each wave: the stack that explodes, those next to it, those next to them.
    pub waves: Vec<SquareSet>,
    /// When it began.
    pub began: Duration,
}

impl Blast {
    /// The explosion of a stack.
    pub fn new(before: Position, source: Square, now: Duration) -> Blast {
        let all = before.explosion(source);
        let mut waves = vec![SquareSet::of(source)];
        let mut reached = SquareSet::of(source);
        loop {
            let wave = (reached.dilated() & all) - reached;
            if wave.is_empty() {
                break;
            }
            reached |= wave;
            waves.push(wave);
        }
        Blast { before, waves, began: now }
    }

    /// What has gone and what is going at a moment.
    pub fn at(&self, now: Duration) -> (SquareSet, SquareSet) {
        let step = self.step(now);
        let gone = self.waves.iter().take(step.saturating_sub(1));
        let gone = gone.fold(SquareSet::EMPTY, |all, &wave| all | wave);
        // A wave burns for two steps, so that two neighbouring ones are seen together.
        let burning = [step.checked_sub(1), Some(step)].into_iter().flatten();
        let burning = burning.filter_map(|index| self.waves.get(index));
        let burning = burning.fold(SquareSet::EMPTY, |all, &wave| all | wave);
        (gone, burning)
    }

    /// When it ends.
    pub fn ends(&self) -> Duration {
        self.began + STEP * (self.waves.len() as u32 + 1)
    }

    /// When it looks different next.
    pub fn next_step(&self, now: Duration) -> Duration {
        self.began + STEP * (self.step(now) as u32 + 1)
    }

    fn step(&self, now: Duration) -> usize {
        (now.saturating_sub(self.began).as_millis() / STEP.as_millis()) as usize
    }
}

const STEP: Duration = Duration::from_millis(110);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_spread_by_neighbours_and_take_what_the_rules_take() {
        let position: Position = "8/8/8/4a1a1/3B1A2/2a5/8/A7 w".parse().unwrap();
        let source = "d4".parse().unwrap();
        let began = Duration::from_secs(1);
        let blast = Blast::new(position, source, began);
        let sizes: Vec<usize> = blast.waves.iter().map(|wave| wave.len()).collect();
        assert_eq!(sizes, [1, 2, 1, 1]);
        let all = blast.waves.iter().fold(SquareSet::EMPTY, |all, &wave| all | wave);
        assert_eq!(all, position.explosion(source));
        assert_eq!(blast.at(began), (SquareSet::EMPTY, SquareSet::of(source)));
        assert_eq!(blast.at(blast.ends()), (all, SquareSet::EMPTY));
        assert!(blast.next_step(began) > began);
    }
}
