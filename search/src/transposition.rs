//! The transposition table: bounded, shared by threads, without locks.
//!
//! An entry is two words, the data and the key xored with the data. A reader
//! that meets the halves of two writes gets a key that fits no position, so a
//! torn entry is a missing one (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::huge_pages;
use crate::packed_action::PackedAction;
use crate::prefetch::prefetch;

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is at most the stored one.
    Upper,
    /// The true score is at least the stored one.
    Lower,
    /// The stored score is the true one at its depth.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The best action found, or [`PackedAction::NONE`].
    pub(crate) action: PackedAction,
    /// In the table's own form: distances count from the entry's position.
    pub(crate) score: i32,
    /// Plies searched below the position, 0–255.
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

/// The table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// Searches so far, modulo 64.
    age: AtomicU8,
}

/// Entries a bucket of one cache line holds.
const WAYS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

#[derive(Debug, Default)]
struct Slot {
    /// The hash xored with `data`.
    key: AtomicU64,
    data: AtomicU64,
}

impl TranspositionTable {
    /// A table of at most so many mebibytes, at least one bucket.
    pub(crate) fn new(mebibytes: usize) -> TranspositionTable {
        let buckets = (mebibytes << 20) / size_of::<Bucket>();
        let mut table = TranspositionTable { buckets: Vec::new(), age: AtomicU8::new(0) };
        table.buckets.reserve_exact(buckets.max(1));
        huge_pages::advise(&mut table.buckets);
        table.buckets.resize_with(buckets.max(1), Bucket::default);
        table
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for slot in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *slot = Slot::default();
        }
        *self.age.get_mut() = 0;
    }

    /// Tells the entries of searches to come from those there are.
    pub(crate) fn grow_older(&self) {
        self.age.store(self.age.load(Ordering::Relaxed).wrapping_add(1) & 63, Ordering::Relaxed);
    }

    /// What is known of the position of a hash.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let key = slot.key.load(Ordering::Relaxed);
            (key ^ data == hash && data != 0).then(|| unpacked(data))
        })
    }

    /// Starts to bring what is known of a position nearer to the processor.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// Keeps an entry, in place of the one least worth keeping.
    #[inline]
    pub(crate) fn put(&self, hash: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let bucket = self.bucket(hash);
        let mut chosen = &bucket.0[0];
        let mut lowest = i32::MAX;
        let mut entry = entry;
        for slot in &bucket.0 {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                chosen = slot;
                break;
            }
            let old = unpacked(data);
            if slot.key.load(Ordering::Relaxed) ^ data == hash {
                if age_of(data) == age && entry.bound != Bound::Exact && old.depth > entry.depth + 3
                {
                    return;
                }
                if entry.action.is_none() {
                    entry.action = old.action;
                }
                chosen = slot;
                break;
            }
            let worth = old.depth - 4 * i32::from(age.wrapping_sub(age_of(data)) & 63);
            if worth < lowest {
                (chosen, lowest) = (slot, worth);
            }
        }
        let data = packed(&entry, age);
        chosen.key.store(hash ^ data, Ordering::Relaxed);
        chosen.data.store(data, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths of a
    /// sample.
    pub(crate) fn permille_full(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.len().min(1_000);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let data = slot.data.load(Ordering::Relaxed);
                data != 0 && age_of(data) == age
            })
            .count();
        (used * 1_000 / (sample * WAYS)) as u32
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        // The high half of the product spreads hashes over any number of
        // buckets.
        let index = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// Score bits 0–20 (two's complement), action 21–37, depth 38–45, bound and one
/// 46–47, age 48–53. Never 0, because the bound's bits are not.
#[inline]
fn packed(entry: &Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    (entry.score as u64 & 0x1F_FFFF)
        | u64::from(entry.action.bits()) << 21
        | (entry.depth.clamp(0, 255) as u64) << 38
        | bound << 46
        | u64::from(age) << 48
}

#[inline]
fn unpacked(data: u64) -> Entry {
    Entry {
        // Moving the sign bit to the top and back extends it.
        score: ((data << 43) as i64 >> 43) as i32,
        action: PackedAction::from_bits((data >> 21) as u32),
        depth: (data >> 38 & 0xFF) as i32,
        bound: match data >> 46 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 48 & 63) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i32, depth: i32) -> Entry {
        let action = PackedAction::moving(63, 7, 16);
        Entry { action, score, depth, bound: Bound::Lower }
    }

    #[test]
    fn entries_survive_packing() {
        for score in [0, -1, 999_999, -999_999, 35] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                let entry = Entry { bound, ..entry(score, 255) };
                assert_eq!(unpacked(packed(&entry, 63)), entry);
                assert_eq!(age_of(packed(&entry, 63)), 63);
            }
        }
    }

    #[test]
    fn puts_gets_and_clears() {
        let mut table = TranspositionTable::new(1);
        table.put(0xDEAD_BEEF, entry(5, 3));
        assert_eq!(table.get(0xDEAD_BEEF), Some(entry(5, 3)));
        assert_eq!(table.get(0xDEAD_BEEE), None);
        assert!(table.permille_full() > 0 || table.buckets.len() > 1_000);
        table.clear();
        assert_eq!(table.get(0xDEAD_BEEF), None);
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let table = TranspositionTable::new(0);
        for hash in 1..=4 {
            table.put(hash, entry(0, 10 + hash as i32));
        }
        table.put(5, entry(0, 1));
        assert_eq!(table.get(1), None);
        assert!(table.get(2).is_some());
        table.grow_older();
        table.put(6, entry(0, 12));
        table.put(7, entry(0, 11));
        assert!(table.get(4).is_some() && table.get(6).is_some() && table.get(7).is_some());
    }

    #[test]
    fn an_action_outlives_a_result_without_one() {
        let table = TranspositionTable::new(0);
        table.put(9, entry(0, 4));
        table.put(9, Entry { action: PackedAction::NONE, ..entry(7, 4) });
        assert_eq!(table.get(9), Some(entry(7, 4)));
    }
}
