//! How hard table files are compressed.

use crate::layout::Metric;

/// How hard files are compressed, as zstd levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compression {
    /// The level for values.
    pub values: i32,
    /// The level for distances.
    pub distances: i32,
}

impl Compression {
    /// Least time: files about a ninth larger.
    pub const FAST: Self = Self { values: 3, distances: 3 };
    /// The levels at which compressing 3v3 takes about twice as long as solving it.
    pub const DEFAULT: Self = Self { values: 14, distances: 7 };
    /// Least space, at many times the time.
    pub const SMALL: Self = Self { values: 19, distances: 19 };

    /// The level for a metric.
    pub fn level(self, metric: Metric) -> i32 {
        match metric {
            Metric::Wdl => self.values,
            Metric::Dtm => self.distances,
        }
    }
}
