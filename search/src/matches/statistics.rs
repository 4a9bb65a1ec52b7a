//! What a match says of the engines' strength.
//!
//! Games come in pairs from the same opening with colours changed, and pairs
//! are the unit of chance: the five possible results of a pair make the
//! variance, so that a lopsided opening counts for little.

/// Results of a match from the first engine's point of view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    /// Pairs by half points, 0–4.
    pub(crate) pairs: [u32; 5],
}

/// A strength in Elo with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Elo {
    pub(crate) difference: f64,
    pub(crate) margin: f64,
}

impl Tally {
    /// Adds a pair by the half points of its games.
    pub(crate) fn add(&mut self, half_points: [usize; 2]) {
        for points in half_points {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        self.pairs[half_points[0] + half_points[1]] += 1;
    }

    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, 0–1.
    pub(crate) fn score(&self) -> f64 {
        self.moments().0
    }

    /// Mean and variance of a pair's share of its points.
    fn moments(&self) -> (f64, f64) {
        let count: u32 = self.pairs.iter().sum();
        if count == 0 {
            return (0.5, 0.0);
        }
        let mean_of = |f: &dyn Fn(f64) -> f64| {
            let sum: f64 = (0..5).map(|i| f64::from(self.pairs[i]) * f(i as f64 / 4.0)).sum();
            sum / f64::from(count)
        };
        let mean = mean_of(&|share| share);
        (mean, mean_of(&|share| (share - mean).powi(2)))
    }

    /// The difference in strength and its error at 95 %.
    pub(crate) fn elo(&self) -> Elo {
        let count = f64::from(self.pairs.iter().sum::<u32>().max(1));
        let (mean, variance) = self.moments();
        let margin = 1.96 * (variance / count).sqrt();
        let (low, high) = (elo_of(mean - margin), elo_of(mean + margin));
        Elo { difference: elo_of(mean), margin: (high - low) / 2.0 }
    }

    /// The log-likelihood ratio of the first hypothesis, a difference of `elo1`,
    /// over that of `elo0`, by the normal approximation of the generalised test.
    pub(crate) fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let count = f64::from(self.pairs.iter().sum::<u32>());
        let (mean, variance) = self.moments();
        if variance <= 0.0 {
            return 0.0;
        }
        let (s0, s1) = (share_of(elo0), share_of(elo1));
        count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }
}

/// A sequential test of whether an engine is `elo1` stronger rather than
/// `elo0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

impl Sprt {
    /// Whether the test accepts the stronger hypothesis; `None` while it is
    /// open.
    pub(crate) fn verdict(&self, tally: &Tally) -> Option<bool> {
        let ratio = tally.log_likelihood_ratio(self.elo0, self.elo1);
        let (low, high) = self.bounds();
        if ratio >= high {
            Some(true)
        } else if ratio <= low {
            Some(false)
        } else {
            None
        }
    }

    pub(crate) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
}

fn elo_of(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    -400.0 * (1.0 / share - 1.0).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u32; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    #[test]
    fn pairs_add_up() {
        let mut tally = Tally::default();
        tally.add([2, 1]);
        tally.add([0, 2]);
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.pairs, [0, 0, 1, 1, 0]);
        assert!((tally.score() - 0.625).abs() < 1e-12);
    }

    #[test]
    fn elo_of_known_scores() {
        let level = tally([10, 20, 40, 20, 10]).elo();
        assert!(level.difference.abs() < 1e-9 && level.margin > 0.0);
        let strong = tally([0, 0, 0, 100, 0]).elo();
        assert!((strong.difference - 190.85).abs() < 0.01);
        assert!(strong.margin.abs() < 1e-9);
    }

    #[test]
    fn sequential_test_decides() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(sprt.verdict(&tally([1, 2, 4, 2, 1])), None);
        assert_eq!(sprt.verdict(&tally([50, 100, 400, 300, 150])), Some(true));
        assert_eq!(sprt.verdict(&tally([150, 300, 400, 100, 50])), Some(false));
    }
}
