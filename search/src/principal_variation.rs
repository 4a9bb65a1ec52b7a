//! The line of best play, collected ply by ply.

use crate::packed_action::PackedAction;
use crate::score::MAX_PLY;

/// The best line found below each ply of the current path.
#[derive(Debug)]
pub(crate) struct VariationStack {
    lines: Vec<Vec<PackedAction>>,
}

impl VariationStack {
    pub(crate) fn new() -> VariationStack {
        VariationStack { lines: (0..=MAX_PLY + 1).map(|_| Vec::with_capacity(MAX_PLY)).collect() }
    }

    /// Nothing is known to follow this ply.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The action and the line below it are best at this ply.
    #[inline]
    pub(crate) fn raise(&mut self, ply: usize, action: PackedAction) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(action);
        line.extend_from_slice(&lower[0]);
    }

    /// The action ends the game, or nothing is known to follow it.
    #[inline]
    pub(crate) fn end(&mut self, ply: usize, action: PackedAction) {
        self.lines[ply].clear();
        self.lines[ply].push(action);
    }

    /// The line from this ply on.
    pub(crate) fn line(&self, ply: usize) -> &[PackedAction] {
        &self.lines[ply]
    }
}
