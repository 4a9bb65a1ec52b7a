//! Which groups explode together, on bit planes.
//!
//! The groups of the mover and of the opponents are known from rows and columns. What remains is
//! which of them touch, and that is a bit plane for each pair: the union, over the squares near the
//! one, of the planes of the other's squares. Chains are then closed on bit planes, 512 positions
//! at a time.

use boombots_probe::MAX_BOTS;

use crate::kernels::Simd;
use crate::opponent::StripGroups;
use crate::tile::Tile;

/// Which groups of the opponents each group of the mover touches.
pub(crate) struct Contacts<M> {
    groups: usize,
    slots: usize,
    pairs: [[M; MAX_BOTS]; MAX_BOTS],
    /// Where each group touches an opponent at all.
    pub(crate) touching: [M; MAX_BOTS],
}

/// Where each group explodes when a certain one of the mover's does.
pub(crate) struct Chain<M> {
    /// For each group of the mover.
    pub(crate) mover: [M; MAX_BOTS],
    /// For each slot of the opponents.
    pub(crate) opponent: [M; MAX_BOTS],
}

impl<M: Copy> Contacts<M> {
    /// The contacts of a row's groups, given by the squares near each, in a strip. Only `possible`
    /// positions are looked at.
    #[inline(always)]
    pub(crate) fn new<S: Simd<Mask = M>>(
        simd: S,
        near: &[u64],
        strip: &StripGroups,
        possible: M,
    ) -> Self {
        let none = simd.load(&Tile::NONE);
        let mut contacts = Self {
            groups: near.len(),
            slots: strip.slots.len(),
            pairs: [[none; MAX_BOTS]; MAX_BOTS],
            touching: [none; MAX_BOTS],
        };
        for (i, &near) in near.iter().enumerate() {
            for (slot, pair) in strip.slots.iter().zip(&mut contacts.pairs[i]) {
                *pair = simd.and(possible, on_any(simd, near, slot));
                contacts.touching[i] = simd.or(contacts.touching[i], *pair);
            }
        }
        contacts
    }

    /// The chain that starts with group i, where that touches an opponent.
    #[inline(always)]
    pub(crate) fn chain<S: Simd<Mask = M>>(&self, simd: S, i: usize) -> Chain<M> {
        let none = simd.load(&Tile::NONE);
        let mut chain = Chain { mover: [none; MAX_BOTS], opponent: [none; MAX_BOTS] };
        chain.mover[i] = self.touching[i];
        // A chain alternates between the sides and enters each group once.
        for round in 0..self.groups.min(self.slots) {
            for (j, blown) in chain.opponent[..self.slots].iter_mut().enumerate() {
                for (mover, pairs) in chain.mover.iter().zip(&self.pairs).take(self.groups) {
                    *blown = simd.or(*blown, simd.and(*mover, pairs[j]));
                }
            }
            if round + 1 < self.groups {
                for (blown, pairs) in chain.mover.iter_mut().zip(&self.pairs).take(self.groups) {
                    for (opponent, &pair) in chain.opponent.iter().zip(pairs).take(self.slots) {
                        *blown = simd.or(*blown, simd.and(*opponent, pair));
                    }
                }
            }
        }
        chain
    }
}

/// The positions with one of the opponents of a slot on any of these squares.
#[inline(always)]
fn on_any<S: Simd>(simd: S, mut squares: u64, slot: &[Tile; 64]) -> S::Mask {
    let mut on_any = simd.load(&Tile::NONE);
    while squares != 0 {
        let square = squares.trailing_zeros() as usize & 63;
        squares &= squares - 1;
        on_any = simd.or(on_any, simd.load(&slot[square]));
    }
    on_any
}
