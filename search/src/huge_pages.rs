//! Large pages for the transposition table.
//!
//! A probe of the table is a miss of the processor's address cache as well as of
//! its memory caches when the table lies in pages of 4 KiB, and even a prefetch
//! waits for the address. Where the system does not offer large pages this does
//! nothing, and nothing ever depends on it but speed.

/// Asks the system to hold the room reserved by a list in large pages, as soon
/// as it is written to.
#[cfg_attr(target_os = "linux", allow(unsafe_code, reason = "advice on memory"))]
pub(crate) fn advise<T>(reserved: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 1 << 21;
        let bytes = reserved.capacity() * size_of::<T>();
        let start = reserved.as_mut_ptr().cast::<u8>();
        // Only whole large pages within the list's own room.
        let skipped = start.align_offset(PAGE);
        let Some(whole) = bytes.checked_sub(skipped).map(|left| left / PAGE * PAGE) else {
            return;
        };
        if whole == 0 {
            return;
        }
        // SAFETY: the range lies within the allocation of `reserved`, which is
        // borrowed for the call. This advice only tells the system how large the
        // pages behind the range may be: it never changes what they hold, how
        // they may be accessed or where they are. That it is refused does no harm.
        let _ = unsafe { madvise(start.add(skipped).cast(), whole, Advice::LinuxHugepage) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = reserved;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_changes_nothing() {
        let mut list: Vec<u64> = Vec::with_capacity(1 << 20);
        list.push(7);
        advise(&mut list);
        list.resize(1 << 20, 3);
        assert_eq!((list[0], list[1], list[(1 << 20) - 1]), (7, 3, 3));
        advise(&mut Vec::<u8>::new());
    }
}
