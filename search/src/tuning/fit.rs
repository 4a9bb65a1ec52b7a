//! Logistic regression of results on features.

use boombots_search::{WEIGHT_COUNT, WEIGHTS, features};

use super::sample::Sample;

/// What a bot is worth; the unit everything else is fitted in.
const BOT: f64 = 100.0;
/// Bots on the full board.
const FULL: f64 = 32.0;
/// How much of the target is the game's result; the rest is the search's score.
const RESULT_SHARE: f64 = 0.6;
/// How strongly weights are drawn to where they were, per squared centibot.
const PULL: f64 = 2e-9;

/// The lead's weight on the full board stays 0, so that a bot is worth about 100
/// there (what it changes of the lead's share comes on top) and the scale is
/// fitted instead.
const ANCHOR: (usize, usize) = (0, 0);

/// Weights by index, for the full board and the nearly empty one.
pub(crate) type Fitted = [[f64; 2]; WEIGHT_COUNT];

/// A sample in numbers.
struct Row {
    /// The features it has, and how much of each.
    features: Box<[(u16, i8)]>,
    lead: f64,
    /// Share of the opening's weights.
    opening: f64,
    score: f64,
    result: f64,
}

/// A fit in progress.
pub(crate) struct Fit {
    rows: Vec<Row>,
    prior: Fitted,
    weights: Fitted,
    /// Centibots that make the odds e to 1, of the searches' scores.
    score_scale: f64,
    /// The same of the evaluation being fitted.
    scale: f64,
}

impl Fit {
    /// Begins with the engine's weights and the scale that fits them best.
    pub(crate) fn new(samples: &[Sample]) -> Fit {
        let rows = samples.iter().map(row).collect();
        let mut prior = [[0.0; 2]; WEIGHT_COUNT];
        for (pair, weight) in prior.iter_mut().zip(&WEIGHTS) {
            *pair = [weight.opening().into(), weight.ending().into()];
        }
        prior[ANCHOR.0][ANCHOR.1] = 0.0;
        let mut fit = Fit { rows, prior, weights: prior, score_scale: 200.0, scale: 200.0 };
        let error = |scale: f64| {
            fit.rows
                .iter()
                .map(|row| (row.result - sigmoid(row.score / scale)).powi(2))
                .sum::<f64>()
        };
        let scales = (4..100).map(|step| f64::from(step) * 10.0);
        let best = scales.min_by(|a, b| error(*a).total_cmp(&error(*b)));
        fit.score_scale = best.unwrap_or(200.0);
        fit.scale = fit.score_scale;
        fit
    }

    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    pub(crate) fn weights(&self) -> &Fitted {
        &self.weights
    }

    /// The mean squared error of the predicted results.
    pub(crate) fn error(&self) -> f64 {
        let sum: f64 =
            self.rows.iter().map(|row| (self.target(row) - self.predict(row)).powi(2)).sum();
        sum / self.rows.len().max(1) as f64
    }

    /// Descends so many steps by Adam (Kingma and Ba 2014).
    pub(crate) fn descend(&mut self, steps: usize, mut on_step: impl FnMut(usize, &Fit)) {
        let (mut mean, mut square) = ([[0.0; 2]; WEIGHT_COUNT], [[0.0; 2]; WEIGHT_COUNT]);
        let (mut scale_mean, mut scale_square) = (0.0, 0.0);
        for step in 1..=steps {
            let (gradient, scale_slope) = self.gradient();
            let rate = if step * 3 > steps * 2 { 0.1 } else { 0.5 };
            scale_mean = 0.9 * scale_mean + 0.1 * scale_slope;
            scale_square = 0.999 * scale_square + 0.001 * scale_slope * scale_slope;
            self.scale -= rate * corrected(scale_mean, scale_square, step);
            for index in 0..WEIGHT_COUNT {
                for half in 0..2 {
                    if (index, half) == ANCHOR {
                        continue;
                    }
                    let slope = gradient[index][half]
                        + 2.0 * PULL * (self.weights[index][half] - self.prior[index][half]);
                    let m = &mut mean[index][half];
                    let v = &mut square[index][half];
                    *m = 0.9 * *m + 0.1 * slope;
                    *v = 0.999 * *v + 0.001 * slope * slope;
                    self.weights[index][half] -= rate * corrected(*m, *v, step);
                }
            }
            on_step(step, self);
        }
    }

    /// The slopes of the error along the weights and along the scale.
    fn gradient(&self) -> (Fitted, f64) {
        let mut gradient = [[0.0; 2]; WEIGHT_COUNT];
        let mut scale_slope = 0.0;
        for row in &self.rows {
            let value = self.value(row);
            let predicted = sigmoid(value / self.scale);
            let slope =
                2.0 * (predicted - self.target(row)) * predicted * (1.0 - predicted) / self.scale;
            scale_slope -= slope * value / self.scale;
            for &(feature, count) in &row.features {
                let slope = slope * f64::from(count);
                let pair = &mut gradient[usize::from(feature)];
                pair[0] += slope * row.opening;
                pair[1] += slope * (1.0 - row.opening);
            }
        }
        let count = self.rows.len().max(1) as f64;
        (gradient.map(|pair| pair.map(|slope| slope / count)), scale_slope / count)
    }

    fn target(&self, row: &Row) -> f64 {
        RESULT_SHARE * row.result + (1.0 - RESULT_SHARE) * sigmoid(row.score / self.score_scale)
    }

    fn predict(&self, row: &Row) -> f64 {
        sigmoid(self.value(row) / self.scale)
    }

    /// The evaluation of a row for White, in centibots.
    fn value(&self, row: &Row) -> f64 {
        let mut value = row.lead * BOT;
        for &(feature, count) in &row.features {
            let pair = &self.weights[usize::from(feature)];
            value += (pair[0] * row.opening + pair[1] * (1.0 - row.opening)) * f64::from(count);
        }
        value
    }
}

/// A step of Adam before the rate, of the running mean and mean square of a
/// slope.
fn corrected(mean: f64, square: f64, step: usize) -> f64 {
    let mean = mean / (1.0 - 0.9_f64.powi(step as i32));
    let square = square / (1.0 - 0.999_f64.powi(step as i32));
    mean / (square.sqrt() + 1e-12)
}

fn row(sample: &Sample) -> Row {
    use boombots_rules::Color;
    let bots = |color| f64::from(sample.position.bots(color));
    let (white, black) = (bots(Color::White), bots(Color::Black));
    let counts = (0_u16..).zip(features(&sample.position));
    let counts = counts.filter(|(_, count)| *count != 0);
    Row {
        features: counts.map(|(index, count)| (index, count.clamp(-127, 127) as i8)).collect(),
        lead: white - black,
        opening: (white + black) / FULL,
        score: f64::from(sample.score),
        result: sample.result,
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
