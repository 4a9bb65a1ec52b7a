//! The programs themselves, as they run on machines of their own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod analyses;
mod apart;
mod bucket;
mod chaos;
mod equality;
mod programs;
