//! Endgame tables as the search asks them.

use boombots_probe::{Value, Wdl};

use crate::board::Board;

/// Tables opened from a folder, shared by threads.
#[derive(Debug, Default)]
pub struct EndgameTables {
    /// Whether a table is there, by bots of each side.
    covered: [u32; 17],
}

impl EndgameTables {
    /// Whether a table covers the position.
    #[inline]
    pub(crate) fn covers(&self, board: &Board) -> bool {
        self.covered[board.bots(0) as usize] >> board.bots(1) & 1 != 0
    }

    /// Who wins, from the mover's side; `None` when the table fails.
    pub(crate) fn wdl(&self, _board: &Board) -> Option<Wdl> {
        None
    }

    /// Who wins and in how many plies; `None` when the table fails.
    pub(crate) fn value(&self, _board: &Board) -> Option<Value> {
        None
    }
}
