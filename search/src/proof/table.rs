//! What a proof search remembers: numbers of open positions, and every proof.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::packed_action::PackedAction;

/// The effort a proof and a disproof still seem to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// 0 where the win is proved.
    pub(crate) proof: u32,
    /// 0 where there is no win within the plies looked at.
    pub(crate) disproof: u32,
}

/// No effort suffices.
pub(crate) const NEVER: u32 = 1 << 28;

impl Numbers {
    pub(crate) const PROVED: Self = Self { proof: 0, disproof: NEVER };
    pub(crate) const DISPROVED: Self = Self { proof: NEVER, disproof: 0 };

    pub(crate) const fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A proved position: the win is at most so many plies of search from an end of the game or a
/// table. Whatever a proof rests on was proved before it, with fewer plies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proved {
    pub(crate) plies: u8,
    /// The winning action; none where the loser moves.
    pub(crate) action: PackedAction,
}

/// Open positions with their numbers, bounded; the least work is forgotten first.
#[derive(Debug)]
pub(crate) struct OpenTable {
    buckets: Vec<[Entry; WAYS]>,
    age: u16,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    proof: u32,
    disproof: u32,
    work: u32,
    age: u16,
}

const WAYS: usize = 4;

impl OpenTable {
    pub(crate) fn new(mebibytes: usize) -> Self {
        let buckets = (mebibytes << 20) / size_of::<[Entry; WAYS]>();
        Self { buckets: vec![[Entry::default(); WAYS]; buckets.max(1)], age: 0 }
    }

    /// Entries of earlier searches are from now on forgotten first.
    pub(crate) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    pub(crate) fn get(&self, key: u64) -> Option<Numbers> {
        let entry = self.buckets[self.place(key)].iter().find(|entry| entry.key == key)?;
        (entry.work > 0).then_some(Numbers { proof: entry.proof, disproof: entry.disproof })
    }

    pub(crate) fn put(&mut self, key: u64, numbers: Numbers, work: u64) {
        let age = self.age;
        let place = self.place(key);
        let bucket = &mut self.buckets[place];
        let worth = |entry: &Entry| match entry {
            entry if entry.key == key => (0, 0),
            entry => (1 + u8::from(entry.age == age), entry.work),
        };
        let chosen = bucket.iter_mut().min_by_key(|entry| worth(entry));
        let Some(chosen) = chosen else { return };
        let work = work.clamp(1, u64::from(u32::MAX)) as u32;
        let before = if chosen.key == key { chosen.work } else { 0 };
        *chosen = Entry {
            key,
            proof: numbers.proof,
            disproof: numbers.disproof,
            work: before.saturating_add(work),
            age,
        };
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// Every proof found, until there are too many.
#[derive(Debug, Default)]
pub(crate) struct ProvedPositions {
    proofs: HashMap<u64, Proved, BuildHasherDefault<Hashed>>,
}

impl ProvedPositions {
    pub(crate) fn get(&self, key: u64) -> Option<Proved> {
        self.proofs.get(&key).copied()
    }

    /// Keeps a proof, unless a shorter one is known.
    pub(crate) fn put(&mut self, key: u64, proved: Proved) {
        let known = self.proofs.entry(key).or_insert(proved);
        if proved.plies < known.plies {
            *known = proved;
        }
    }

    /// Forgets all where there are more than so many.
    pub(crate) fn bound(&mut self, most: usize) {
        if self.proofs.len() > most {
            self.proofs.clear();
        }
    }
}

/// Keys are well mixed already.
#[derive(Clone, Copy, Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
