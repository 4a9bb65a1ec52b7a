//! Fitting the evaluation's weights to the results of self-play games.

pub(crate) mod fit;
pub(crate) mod sample;
pub(crate) mod self_play;
