//! Asking the processor for memory before it is needed.
//!
//! Where it does not apply, the function does nothing, and nothing ever depends on it but speed.

/// Starts to bring the cache line of a value nearer. Has no effect that a
/// program could observe.
#[inline]
#[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of SSE, which every x86-64 processor
        // has. It neither reads nor writes as far as the program can tell, and
        // cannot fault whatever the address; this one is a valid reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
