//! What the host calls. It writes a question into memory from [`allocate`], asks, and reads the
//! answer: four bytes of length, little-endian, then the text. It gives both back by [`release`].

use crate::questions;

/// Memory for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; bytes].into_boxed_slice()).cast()
}

/// Takes memory back.
///
/// # Safety
///
/// The pointer is one that [`allocate`] gave for as many bytes, or that of an answer with its four
/// bytes of length counted, and it is given back once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(memory: *mut u8, bytes: usize) {
    let slice = std::ptr::slice_from_raw_parts_mut(memory, bytes);
    // SAFETY: both `allocate` and `reply` make the pointer from a boxed slice of exactly these
    // bytes, and the caller gives it back once.
    drop(unsafe { Box::from_raw(slice) });
}

macro_rules! export {
    ($($name:ident),*) => { $(
        /// Answers the question of the same name.
        ///
        /// # Safety
        ///
        /// `question` points at `bytes` bytes that [`allocate`] gave.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(question: *const u8, bytes: usize) -> *mut u8 {
            // SAFETY: the caller points at so many bytes, which were initialised when allocated and
            // which nobody writes while they are read, as the host has one thread.
            let question = unsafe { std::slice::from_raw_parts(question, bytes) };
            reply(question, questions::$name)
        }
    )* };
}

export!(describe, play, replay, place);

fn reply(question: &[u8], ask: fn(&str) -> String) -> *mut u8 {
    let answer = ask(&String::from_utf8_lossy(question));
    let mut memory = Vec::with_capacity(4 + answer.len());
    memory.extend_from_slice(&(answer.len() as u32).to_le_bytes());
    memory.extend_from_slice(answer.as_bytes());
    Box::into_raw(memory.into_boxed_slice()).cast()
}
