//! How the positions of one side of a class are shared out between win, loss and draw.

use crate::value::Plies;

/// Counts of one side of a class, as placements without symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideStatistics {
    /// Placements won for the mover.
    pub wins: u64,
    /// Placements lost for the mover.
    pub losses: u64,
    /// Placements drawn.
    pub draws: u64,
    /// The longest win, if there is any.
    pub longest_win: Option<Plies>,
    /// The longest loss, if there is any.
    pub longest_loss: Option<Plies>,
}

impl SideStatistics {
    /// All placements.
    pub fn placements(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}
