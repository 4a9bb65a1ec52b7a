//! How much less deeply late actions are searched.

/// Plies by remaining depth and number of the action.
#[derive(Debug)]
pub(crate) struct Reductions([[u8; 64]; 64]);

impl Reductions {
    pub(crate) fn new() -> Reductions {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, plies) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *plies = (0.6 + product / 2.0) as u8;
            }
        }
        Reductions(table)
    }

    /// Plies to take off an action's depth.
    #[inline]
    pub(crate) fn plies(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}
