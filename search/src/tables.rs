//! Endgame tables as the search asks them.

use std::path::Path;

use boombots_probe::{Class, OpenError, RatedAction, Tables, TablesOptions, Value, Wdl};
use boombots_rules::{Action, Position};

use crate::board::Board;

/// Endgame tables opened from a folder, to be shared by engines and threads.
#[derive(Debug)]
pub struct EndgameTables {
    tables: Tables,
    /// Bit b of `covered[a]`: a side of a bots meets one of b in a table.
    covered: [u32; 17],
}

impl EndgameTables {
    /// Opens every table of a folder. Damaged ones are set aside; see
    /// [`EndgameTables::problems`].
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn open(folder: &Path) -> Result<EndgameTables, OpenError> {
        Ok(EndgameTables::from(Tables::open(folder, TablesOptions::default())?))
    }

    /// The tables themselves, for questions that are no search's.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The classes that have a table, smallest first.
    pub fn classes(&self) -> Vec<Class> {
        self.tables.classes()
    }

    /// What is wrong with tables of the folder, a sentence each.
    pub fn problems(&self) -> Vec<String> {
        self.tables.problems().iter().map(ToString::to_string).collect()
    }

    /// Whether a table covers the position.
    #[inline]
    pub(crate) fn covers(&self, board: &Board) -> bool {
        self.covered[board.bots(0) as usize] >> board.bots(1) & 1 != 0
    }

    /// Who wins, from the mover's side; `None` when the table fails.
    pub(crate) fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.tables.wdl(&board.position()).ok()
    }

    /// The same where no block has to be read and decoded for it; `None` elsewhere,
    /// and when there is no table.
    ///
    /// Contract: the mover has no boom that wins at once.
    #[inline]
    pub(crate) fn wdl_at_hand(&self, board: &Board) -> Option<Wdl> {
        let (mover, opponent) = (board.mover(), board.mover() ^ 1);
        let configurations = (board.configuration(mover), board.configuration(opponent));
        self.tables.wdl_at_hand(&configurations.0, &configurations.1).ok().flatten()
    }

    /// Who wins and in how many plies; `None` when the table fails.
    pub(crate) fn value(&self, board: &Board) -> Option<Value> {
        self.tables.value(&board.position()).ok()
    }

    /// Every action of a covered position with its value, best first; `None`
    /// when a table is missing or fails.
    pub(crate) fn rate_actions(&self, position: &Position) -> Option<Vec<RatedAction>> {
        let covers = self.covers(&Board::from(position));
        covers.then(|| self.tables.rate_actions(position).ok()).flatten()
    }

    /// Best play from a covered position to the end of the game, or as far as it
    /// comes until `is_over` says so; `None` for a drawn position, or when a table
    /// is missing or fails.
    pub(crate) fn line(
        &self,
        position: &Position,
        is_over: impl Fn() -> bool,
    ) -> Option<Vec<Action>> {
        if !self.covers(&Board::from(position)) {
            return None;
        }
        let plies = self.tables.value(position).ok()?.plies()?;
        let mut line = Vec::new();
        let mut current = *position;
        while !current.is_over() && line.len() < usize::from(plies.0) && !is_over() {
            let best = self.tables.best_action(&current).ok()?.action;
            current = current.apply_unchecked(best);
            line.push(best);
        }
        Some(line)
    }
}

impl From<Tables> for EndgameTables {
    fn from(tables: Tables) -> EndgameTables {
        let mut covered = [0; 17];
        for class in tables.classes() {
            covered[usize::from(class.larger())] |= 1 << class.smaller();
            covered[usize::from(class.smaller())] |= 1 << class.larger();
        }
        EndgameTables { tables, covered }
    }
}
