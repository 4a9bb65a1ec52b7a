//! How strong a level plays.

use std::time::Duration;

use boombots_protocol::BOT_LEVELS;
use boombots_search::{Limits, Report};

/// How strong a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The most positions it looks at.
    nodes: Option<u64>,
    /// How much worse than the best an action may be and still be played, in centibots.
    margin: i32,
    /// Whether it may use the tables.
    pub(crate) tables: bool,
}

impl Strength {
    /// The strength of a level: the last searches as long as it may and always plays the best it finds; those below
    /// look at ten times fewer positions every two levels, and the lowest also play what is worse.
    pub fn of_level(level: u8) -> Strength {
        let level = level.clamp(*BOT_LEVELS.start(), *BOT_LEVELS.end());
        let nodes = [40, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 400_000];
        let margins = [150, 100, 70, 45, 25, 10];
        let index = usize::from(level - 1);
        Strength {
            nodes: nodes.get(index).copied(),
            margin: margins.get(index).copied().unwrap_or(0),
            tables: level >= FIRST_LEVEL_WITH_TABLES,
        }
    }

    /// When its search ends.
    pub(crate) fn limits(self, budget: Duration) -> Limits {
        Limits { nodes: self.nodes, ..Limits::time(budget) }
    }

    /// How many actions it compares.
    pub(crate) fn lines(self) -> usize {
        if self.margin > 0 { COMPARED_ACTIONS } else { 1 }
    }

    /// Which of a report's lines it plays; `lot` is any number.
    pub(crate) fn choose(self, report: &Report, lot: u64) -> usize {
        let best = report.score().value();
        let near = |score: i32| score >= best.saturating_sub(self.margin);
        let choices = report.lines.iter().take_while(|line| near(line.score.value())).count();
        (lot % choices.max(1) as u64) as usize
    }
}

/// Below it a bot would play endgames far better than everything before.
const FIRST_LEVEL_WITH_TABLES: u8 = 6;

const COMPARED_ACTIONS: usize = 4;

#[cfg(test)]
mod tests {
    use boombots_search::{Line, Score};

    use super::*;

    #[test]
    fn levels_differ_only_upwards() {
        let strengths: Vec<Strength> = BOT_LEVELS.map(Strength::of_level).collect();
        for pair in strengths.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes || pair[1].nodes.is_none());
            assert!(pair[0].margin >= pair[1].margin);
        }
        let full = strengths[9];
        assert_eq!((full.nodes, full.margin, full.tables), (None, 0, true));
    }

    #[test]
    fn only_what_is_near_the_best_is_chosen() {
        let line = |score| Line { score: Score::new(score), actions: Vec::new() };
        let report = Report {
            depth: 1,
            selective_depth: 1,
            nodes: 1,
            table_hits: 0,
            hash_permille: 0,
            time: Duration::ZERO,
            lines: vec![line(50), line(0), line(-90), line(-200)],
        };
        let choices = |level| {
            let strength = Strength::of_level(level);
            (0..60).map(|lot| strength.choose(&report, lot)).max()
        };
        assert_eq!(choices(1), Some(2));
        assert_eq!(choices(3), Some(1));
        assert_eq!(choices(10), Some(0));
    }
}
