//! The rules for the web client: JSON text in, JSON text out, compiled to WebAssembly.
//!
//! Four questions, one function each; every answer is `{"ok":…}` or `{"error":"a sentence"}`.
//! The crate knows no rule itself: it asks `boombots-rules` and speaks the types of
//! `boombots-protocol`. `exports.rs` is the border to the host.

mod answers;
#[allow(unsafe_code)]
pub mod exports;
mod questions;
#[cfg(test)]
mod typescript;

pub use answers::{Boom, Bots, Described, OwnStack, Played, Replayed};
pub use questions::{describe, place, play, replay};
