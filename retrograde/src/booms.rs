//! The boom pass: before the first ply, every position's best boom.
//!
//! A boom that touches no opponent keeps columns as they are, so a whole row of codes is copied
//! over. For the others the positions are parted by which groups explode, and those in which the
//! same groups do share one look-up a cell.

use std::ops::Range;

use boombots_probe::{MAX_BOTS, OrbitIndex, OrbitTable};

use crate::chains::Contacts;
use crate::code;
use crate::kernels::{Kernel, Simd};
use crate::mover::{BlastTable, Rest};
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
    pub(crate) movers: &'a OrbitTable,
    pub(crate) blasts: &'a BlastTable,
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
            let possible = possible(simd, self.strip, self.movers, row);
            let mut codes = TileBytes::ZERO;
            let (near, rests) = self.blasts.row(row);
            let contacts = Contacts::new(simd, near, &self.strip.groups, possible);
            let booms = RowBooms { simd, sources: self.sources, strip: self.strip, rests };
            for group in 0..near.len() {
                let touching = contacts.touching[group];
                booms.raise_untouched(group, simd.without(possible, touching), &mut codes);
                if !simd.is_none(touching) {
                    booms.raise_chains(group, near.len(), &contacts, &mut codes);
                }
            }

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

/// The booms that win at once, over some rows of one strip: those that take every opponent and leave
/// the mover something.
pub(crate) struct WinsAtOnce<'a> {
    pub(crate) rows: Range<usize>,
    pub(crate) movers: &'a OrbitTable,
    pub(crate) blasts: &'a BlastTable,
    pub(crate) strip: &'a BoomStrip<'a>,
    /// Takes each row, the positions that can occur, and those that win at once.
    pub(crate) each: &'a mut dyn FnMut(usize, Tile, Tile),
}

impl Kernel for WinsAtOnce<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let groups = &self.strip.groups;
        for row in self.rows {
            let possible = possible(simd, self.strip, self.movers, row);
            let (near, _) = self.blasts.row(row);
            let contacts = Contacts::new(simd, near, groups, possible);
            let mut winning = simd.load(&Tile::NONE);
            for group in 0..near.len() {
                let chain = contacts.chain(simd, group);
                let mut all_gone = contacts.touching[group];
                for (present, blown) in groups.present.iter().zip(chain.opponent) {
                    all_gone = simd.without(all_gone, simd.without(simd.load(present), blown));
                }
                for blown in &chain.mover[..near.len()] {
                    winning = simd.or(winning, simd.without(all_gone, *blown));
                }
            }
            (self.each)(row, simd.store(possible), simd.store(winning));
        }
    }
}

/// The positions of a row's tile that can occur: no square is held by both sides.
#[inline(always)]
fn possible<S: Simd>(simd: S, strip: &BoomStrip<'_>, movers: &OrbitTable, row: usize) -> S::Mask {
    let representative = movers.representative(OrbitIndex::new(row as u32));
    let mut possible = simd.load(&strip.mask);
    for &square in representative.squares() {
        possible = simd.without(possible, simd.load(&strip.occupancy.0[usize::from(square & 63)]));
    }
    possible
}

/// The booms of one row.
struct RowBooms<'a, S> {
    simd: S,
    sources: &'a BoomSources,
    strip: &'a BoomStrip<'a>,
    rests: &'a [Rest],
}

impl<S: Simd> RowBooms<'_, S> {
    /// A group explodes alone: the opponents stay as they are, so cells map to cells.
    #[inline(always)]
    fn raise_untouched(&self, group: usize, alone: S::Mask, codes: &mut TileBytes) {
        if self.simd.is_none(alone) {
            return;
        }
        let rest = &self.rests[1 << group];
        if rest.bots == 0 {
            self.simd.raise(codes, alone, code::loss(1));
        } else {
            let columns = &self.strip.columns;
            let start = self.sources.untouched() + columns.start;
            let cells = &self.sources.row(rest)[start..start + columns.len()];
            self.simd.raise_to_row(codes, alone, cells, rest.place.symmetry());
        }
    }

    /// A group explodes with opponents, and through them perhaps with others of the mover's
    /// groups.
    #[inline(always)]
    fn raise_chains(
        &self,
        group: usize,
        groups: usize,
        contacts: &Contacts<S::Mask>,
        codes: &mut TileBytes,
    ) {
        let simd = self.simd;
        let slots = self.strip.groups.slots.len();
        let chain = contacts.chain(simd, group);
        // A chain is looked at once, from the first of its groups.
        let mut first = contacts.touching[group];
        for blown in &chain.mover[..group] {
            first = simd.without(first, *blown);
        }
        if simd.is_none(first) {
            return;
        }
        // Parts the positions by which groups explode: opponents in the low bits of a subset,
        // the mover's groups above them.
        let mut parts = Parts::new(first, simd.load(&Tile::NONE));
        while let Some((mask, subset, depth)) = parts.pop() {
            let (blown, bit) = match depth.checked_sub(slots) {
                None => (chain.opponent[depth], depth),
                Some(k) if group + 1 + k < groups => {
                    (chain.mover[group + 1 + k], MAX_BOTS + group + 1 + k)
                }
                Some(_) => {
                    let rest = &self.rests[1 << group | subset >> MAX_BOTS];
                    let picks = &self.strip.groups.rests[subset & ((1 << MAX_BOTS) - 1)];
                    let row = self.sources.row(rest);
                    simd.raise_to_picks(codes, mask, row, picks, rest.place.symmetry());
                    continue;
                }
            };
            for (mask, subset) in
                [(simd.without(mask, blown), subset), (simd.and(mask, blown), subset | 1 << bit)]
            {
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
