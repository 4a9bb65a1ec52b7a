//! One byte for the outcome of a boom, ordered by the booming side's preference, so that the best
//! of several booms is the largest byte.
//!
//! | byte | meaning |
//! |---|---|
//! | 0 | no boom |
//! | 1–126 | loss in so many plies |
//! | 127 | draw |
//! | 129–254 | win in 255 − byte plies |
//!
//! Booms lead to smaller classes, of seven bots at the most, whose distances reach 74 plies; one
//! past [`DEEPEST`] is refused when the sources of a build are made.

/// The deepest distance of a boom that has a code, in plies.
pub(crate) const DEEPEST: u8 = 126;

/// A drawing boom.
pub(crate) const DRAW: u8 = 127;

/// The least code that wins.
pub(crate) const LEAST_WIN: u8 = 128;

/// A boom that wins in so many plies.
#[inline(always)]
pub(crate) const fn win(plies: u8) -> u8 {
    255 - plies
}

/// A boom that loses in so many plies.
#[inline(always)]
pub(crate) const fn loss(plies: u8) -> u8 {
    plies
}

/// The distance of a code, 0 for a draw.
#[inline(always)]
pub(crate) const fn distance(code: u8) -> u8 {
    if code >= LEAST_WIN {
        255 - code
    } else if code == DRAW {
        0
    } else {
        code
    }
}
