//! Nothing to embed yet.

fn main() {}
