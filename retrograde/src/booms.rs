//! The boom pass: before the first ply, every position's best boom.
//!
//! The groups of the mover and of the opponents are known from rows and columns. What remains is
//! which of them touch, and that is a bit plane for each pair: the union, over the squares near the
//! one, of the planes of the other's squares. Chains are then closed on bit planes, 512 positions at a
//! time, and the positions in which the same groups explode share one look-up a cell.

use std::ops::Range;

use boombots_probe::{MAX_BOTS, OrbitIndex};

use crate::code;
use crate::kernels::{Kernel, Simd};
use crate::mover::{MoverTables, Rest};
use crate::opponent::{Occupancy, StripGroups};
use crate::shard::Wake;
use crate::sources::BoomSources;
use crate::tile::{Tile, TileBytes};

/// The boom pass over some rows of one strip.
///
/// Afterwards `undecided` holds the positions that can occur, `won` those with a winning boom, and
/// the bytes the distance of the best boom: of a win where `won`, else of a loss, or 0 where the
/// best boom draws.
pub(crate) struct BoomRows<'a> {
    pub(crate) rows: Range<usize>,
    pub(crate) mover: &'a MoverTables,
    pub(crate) sources: &'a BoomSources,
    pub(crate) strip: &'a BoomStrip<'a>,
    pub(crate) undecided: &'a mut [Tile],
    pub(crate) won: &'a mut [Tile],
    pub(crate) distances: &'a mut [TileBytes],
    pub(crate) wakes: &'a mut [Wake],
}

/// What the boom pass needs to know of a strip.
pub(crate) struct BoomStrip<'a> {
    pub(crate) columns: Range<usize>,
    pub(crate) mask: Tile,
    pub(crate) occupancy: &'a Occupancy,
    pub(crate) groups: StripGroups,
}

impl Kernel for BoomRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (i, row) in self.rows.clone().enumerate() {
            let representative = self.mover.orbits.representative(OrbitIndex::new(row as u32));
            let mut possible = simd.load(&self.strip.mask);
            for &square in representative.squares() {
                let occupied = simd.load(&self.strip.occupancy.0[usize::from(square & 63)]);
                possible = simd.without(possible, occupied);
            }
            let mut codes = TileBytes::ZERO;
            let (near, rests) = self.mover.blasts.row(row);
            let booms = RowBooms { simd, sources: self.sources, strip: self.strip, rests };
            booms.raise(near, possible, &mut codes);

            let not_winning = simd.at_most(&codes, code::LEAST_WIN - 1);
            let winning = simd.without(possible, not_winning);
            let distances = &mut self.distances[i];
            for (distance, &code) in distances.0.iter_mut().zip(&codes.0) {
                *distance = code::distance(code);
            }
            self.undecided[i] = simd.store(possible);
            self.won[i] = simd.store(winning);
            self.wakes[i].win =
                if simd.is_none(winning) { 0 } else { simd.least(distances, winning) };
        }
    }
}

struct RowBooms<'a, S> {
    simd: S,
    sources: &'a BoomSources,
    strip: &'a BoomStrip<'a>,
    rests: &'a [Rest],
}

/// Which groups of the opponents each group of the mover touches.
type Contacts<M> = [[M; MAX_BOTS]; MAX_BOTS];

impl<S: Simd> RowBooms<'_, S> {
    /// Raises the codes to those of every boom of the row.
    #[inline(always)]
    fn raise(&self, near: &[u64], possible: S::Mask, codes: &mut TileBytes) {
        let simd = self.simd;
        let none = simd.load(&Tile::NONE);
        let slots = self.strip.groups.slots.len();
        let mut contacts: Contacts<S::Mask> = [[none; MAX_BOTS]; MAX_BOTS];
        let mut touching = [none; MAX_BOTS];
        for (i, &near) in near.iter().enumerate() {
            for (slot, contact) in self.strip.groups.slots.iter().zip(&mut contacts[i]) {
                *contact = simd.and(possible, self.on_any(near, slot));
                touching[i] = simd.or(touching[i], *contact);
            }
            self.raise_untouched(i, simd.without(possible, touching[i]), codes);
        }
        for i in 0..near.len() {
            if !simd.is_none(touching[i]) {
                self.raise_chains(i, touching[i], &contacts, near.len(), slots, codes);
            }
        }
    }

    /// The positions with one of the opponents of a slot on any of these squares.
    #[inline(always)]
    fn on_any(&self, mut squares: u64, slot: &[Tile; 64]) -> S::Mask {
        let mut on_any = self.simd.load(&Tile::NONE);
        while squares != 0 {
            let square = squares.trailing_zeros() as usize & 63;
            squares &= squares - 1;
            on_any = self.simd.or(on_any, self.simd.load(&slot[square]));
        }
        on_any
    }

    /// Group i explodes alone: the opponents stay as they are, so cells map to cells.
    #[inline(always)]
    fn raise_untouched(&self, i: usize, alone: S::Mask, codes: &mut TileBytes) {
        if self.simd.is_none(alone) {
            return;
        }
        let rest = &self.rests[1 << i];
        if rest.bots == 0 {
            self.simd.raise(codes, alone, code::loss(1));
        } else {
            let columns = &self.strip.columns;
            let start = self.sources.untouched() + columns.start;
            let cells = &self.sources.row(rest)[start..start + columns.len()];
            self.simd.raise_to_row(codes, alone, cells, rest.place.symmetry());
        }
    }

    /// Group i explodes with opponents, and through them perhaps with others of the mover's groups.
    #[inline(always)]
    fn raise_chains(
        &self,
        i: usize,
        touching: S::Mask,
        contacts: &Contacts<S::Mask>,
        groups: usize,
        slots: usize,
        codes: &mut TileBytes,
    ) {
        let simd = self.simd;
        let none = simd.load(&Tile::NONE);
        let mut mover_blown = [none; MAX_BOTS];
        let mut opponent_blown = [none; MAX_BOTS];
        mover_blown[i] = touching;
        // A chain alternates between the sides and enters each group once.
        for round in 0..groups.min(slots) {
            for (j, blown) in opponent_blown[..slots].iter_mut().enumerate() {
                for k in 0..groups {
                    *blown = simd.or(*blown, simd.and(mover_blown[k], contacts[k][j]));
                }
            }
            if round + 1 < groups {
                for (k, blown) in mover_blown[..groups].iter_mut().enumerate() {
                    for j in 0..slots {
                        *blown = simd.or(*blown, simd.and(opponent_blown[j], contacts[k][j]));
                    }
                }
            }
        }
        // A chain is looked at once, from the first of its groups.
        let mut chains = touching;
        for blown in &mover_blown[..i] {
            chains = simd.without(chains, *blown);
        }
        if simd.is_none(chains) {
            return;
        }
        // Parts the positions by which groups explode: opponents in the low bits of a subset,
        // the mover's groups above them.
        let mut parts = Parts::new(chains, none);
        while let Some((mask, subset, depth)) = parts.pop() {
            let (blown, bit) = match depth.checked_sub(slots) {
                None => (opponent_blown[depth], depth),
                Some(k) if i + 1 + k < groups => (mover_blown[i + 1 + k], MAX_BOTS + i + 1 + k),
                Some(_) => {
                    let rest = &self.rests[1 << i | subset >> MAX_BOTS];
                    let picks = &self.strip.groups.rests[subset & ((1 << MAX_BOTS) - 1)];
                    let row = self.sources.row(rest);
                    simd.raise_to_picks(codes, mask, row, picks, rest.place.symmetry());
                    continue;
                }
            };
            for (mask, subset) in [
                (simd.without(mask, blown), subset),
                (simd.and(mask, blown), subset | 1 << bit),
            ] {
                if !simd.is_none(mask) {
                    parts.push(mask, subset, depth + 1);
                }
            }
        }
    }
}

/// Sets of positions yet to be parted further. Going deep first keeps at most one more than there
/// are conditions.
struct Parts<M> {
    masks: [M; PARTS],
    subsets: [usize; PARTS],
    depths: [usize; PARTS],
    len: usize,
}

impl<M: Copy> Parts<M> {
    #[inline(always)]
    fn new(all: M, none: M) -> Self {
        let mut masks = [none; PARTS];
        masks[0] = all;
        Self { masks, subsets: [0; PARTS], depths: [0; PARTS], len: 1 }
    }

    #[inline(always)]
    fn push(&mut self, mask: M, subset: usize, depth: usize) {
        self.masks[self.len] = mask;
        self.subsets[self.len] = subset;
        self.depths[self.len] = depth;
        self.len += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(M, usize, usize)> {
        self.len = self.len.checked_sub(1)?;
        Some((self.masks[self.len], self.subsets[self.len], self.depths[self.len]))
    }
}

/// Eight bots make at most eight groups, one of which starts the chain: seven conditions.
const PARTS: usize = 8 + 1;
