//! The two sides of the positions that are verified, with where their configurations are in the
//! tables: looked up once and not for every position.

use boombots_probe::{
    Configuration, MAX_BOTS, OrbitIndex, OrbitTable, OrbitTables, Placed, Symmetry,
};
use boombots_rules::{Action, Color, Position};

use super::add;

/// The mover of one row.
pub(super) struct Mover<'a> {
    orbits: &'a OrbitTable,
    pub(super) row: usize,
    bots: Configuration,
    pub(super) occupied: u64,
    /// The mover without opponents.
    pub(super) alone: Position,
    /// Where each move leads, in the order of the actions, which is that of
    /// [`Position::for_each_legal_action`].
    places: Vec<(Action, Placed)>,
    /// What is left after a boom, by what it takes.
    rests: Vec<(u64, Rest)>,
}

/// The opponents of one column, as a symmetry puts them.
pub(super) struct Standing {
    pub(super) symmetry: Symmetry,
    bots: Configuration,
    pub(super) occupied: u64,
    /// What is left after a boom, by which of the bots go, a bit for each.
    rests: [Option<Rest>; 1 << MAX_BOTS],
}

/// What a boom leaves of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    pub(super) bots: u8,
    pub(super) placed: Placed,
}

impl<'a> Mover<'a> {
    pub(super) fn new(orbits: &'a OrbitTable, row: usize) -> Self {
        let bots = orbits.representative(OrbitIndex::new(row as u32));
        let mut alone = Position::empty(Color::White);
        add(&mut alone, Color::White, &bots);
        let occupied = bots.occupied();
        Self { orbits, row, bots, occupied, alone, places: Vec::new(), rests: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn place_after(&mut self, action: Action, cursor: &mut usize) -> Placed {
        loop {
            match self.places.get(*cursor) {
                Some(&(known, placed)) if known == action => {
                    *cursor += 1;
                    return placed;
                }
                Some((known, _)) if *known < action => *cursor += 1,
                _ => {
                    let moved = self.alone.apply_unchecked(action);
                    let placed = self.orbits.place(&Configuration::of(&moved, Color::White));
                    self.places.insert(*cursor, (action, placed));
                }
            }
        }
    }

    /// What a boom leaves, which takes some of the bots and not all.
    #[inline(always)]
    pub(super) fn rest(&mut self, gone: u64, orbits: &OrbitTables) -> Rest {
        let gone = gone & self.occupied;
        if let Some((_, rest)) = self.rests.iter().find(|(known, _)| *known == gone) {
            return *rest;
        }
        let rest = Rest::of(&self.bots.without(gone), orbits);
        self.rests.push((gone, rest));
        rest
    }
}

impl Standing {
    pub(super) fn new(representative: &Configuration, symmetry: Symmetry) -> Self {
        let bots = representative.transformed(symmetry);
        Self { symmetry, bots, occupied: bots.occupied(), rests: [None; 1 << MAX_BOTS] }
    }

    pub(super) fn bots(&self) -> &Configuration {
        &self.bots
    }

    /// What a boom leaves, which does not take all of them.
    #[inline(always)]
    pub(super) fn rest(&mut self, gone: u64, orbits: &OrbitTables) -> Rest {
        let squares = self.bots.squares().iter().enumerate();
        let index = squares.fold(0, |index, (bot, square)| index | (gone >> square & 1) << bot);
        *self.rests[index as usize]
            .get_or_insert_with(|| Rest::of(&self.bots.without(gone), orbits))
    }
}

impl Rest {
    fn of(left: &Configuration, orbits: &OrbitTables) -> Self {
        Self { bots: left.len() as u8, placed: orbits.get(left.len()).place(left) }
    }
}
