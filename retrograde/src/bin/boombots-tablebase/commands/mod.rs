//! One module for each command.

pub(crate) mod build;
pub(crate) mod check_certificate;
pub(crate) mod compress;
pub(crate) mod distances;
pub(crate) mod generate;
pub(crate) mod line;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod stats;
pub(crate) mod verify;
