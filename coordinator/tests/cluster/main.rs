//! Real coordinators and workers on loopback, in one process.

mod builds;
mod hostile;
mod support;
