//! Between plies: what one side decided becomes what the other looks at.

use crate::delta::SparseTiles;
use crate::kernels::{Kernel, Simd};
use crate::tile::Tile;
use boombots_probe::TILE_CELLS;

/// Adds 64 rows of one strip of the deciding side to one strip of the other side's replies.
///
/// A column of the one is a row of the other, and `g` becomes `g⁻¹`.
pub(crate) struct AddBlock<'a> {
    pub(crate) decided: &'a SparseTiles,
    /// The first of the 64 rows; it is where the other side's strip starts.
    pub(crate) first_row: usize,
    /// The replies' rows that the deciding strip's columns are.
    pub(crate) replies: &'a mut [Tile],
}

impl Kernel for AddBlock<'_> {
    /// A bit for each of the replies' rows that changed.
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        let mut block = [Tile::NONE; TILE_CELLS];
        let mut any = false;
        for (row, tile) in self.decided.block(self.first_row) {
            block[row - self.first_row] = simd.store(simd.invert(simd.load(tile)));
            any = true;
        }
        if !any {
            return 0;
        }
        simd.transpose(&mut block);
        let mut changed = 0;
        for (i, (reply, tile)) in self.replies.iter_mut().zip(&block).enumerate() {
            let tile = simd.load(tile);
            if !simd.is_none(tile) {
                *reply = simd.store(simd.or(simd.load(reply), tile));
                changed |= 1 << i;
            }
        }
        changed
    }
}
