//! The vector leaf: what a sweep, a boom pass and an exchange do to tiles, for each instruction set.
//!
//! Algorithms are written once against [`Simd`]; the level is chosen once and the whole algorithm
//! is compiled for it through [`Level::run`]. The scalar level is the reference the others are
//! tested against.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use boombots_probe::{Symmetry, TILE_CELLS};
use thiserror::Error;

use crate::tile::{Tile, TileBytes};

/// The operations an instruction set must offer. A value of the type proves that the processor has
/// the instructions.
pub(crate) trait Simd: Copy {
    /// A tile in registers.
    type Mask: Copy;

    fn load(self, tile: &Tile) -> Self::Mask;
    fn store(self, mask: Self::Mask) -> Tile;
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a` without `b`.
    fn without(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn is_none(self, a: Self::Mask) -> bool;

    /// In every cell `out[g] = in[h⁻¹·g]`, h being the symmetry.
    fn permute(self, a: Self::Mask, symmetry: Symmetry) -> Self::Mask;
    /// In every cell `out[g] = in[g⁻¹]`.
    fn invert(self, a: Self::Mask) -> Self::Mask;

    /// Sets the masked bytes to a value.
    fn set(self, bytes: &mut TileBytes, mask: Self::Mask, value: u8);
    /// Where a byte equals a value.
    fn equal(self, bytes: &TileBytes, value: u8) -> Self::Mask;
    /// Where a byte is at most a value.
    fn at_most(self, bytes: &TileBytes, value: u8) -> Self::Mask;
    /// The least masked byte, 255 where none is masked.
    fn least(self, bytes: &TileBytes, mask: Self::Mask) -> u8;

    /// Raises masked bytes to a value.
    fn raise(self, bytes: &mut TileBytes, mask: Self::Mask, value: u8);
    /// Raises masked bytes to those of `cells` (a word for each cell, in step), permuted by the symmetry as in
    /// [`Simd::permute`].
    fn raise_to_row(
        self,
        bytes: &mut TileBytes,
        mask: Self::Mask,
        cells: &[u64],
        symmetry: Symmetry,
    );
    /// Raises masked bytes to those of the cells that `picks` names: `pick >> 3` is the index into
    /// `source` and `pick & 7` the symmetry k, so that `out[g] = source[pick >> 3][h⁻¹·g·k]`.
    fn raise_to_picks(
        self,
        bytes: &mut TileBytes,
        mask: Self::Mask,
        source: &[u64],
        picks: &[u32; TILE_CELLS],
        symmetry: Symmetry,
    );

    /// Transposes 64 × 64 bytes.
    fn transpose(self, block: &mut [Tile; 64]);
}

/// An algorithm over tiles, to be compiled for each instruction set.
pub(crate) trait Kernel {
    type Output;

    /// Must be `#[inline(always)]`, or it is compiled for no instruction set in particular.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Which vector instructions are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Plain 64-bit words.
    Scalar,
    /// 256-bit AVX2.
    Avx2,
    /// 512-bit AVX-512 (F, BW, VL, VBMI) with GFNI.
    Avx512,
}

impl Level {
    /// Every level, slowest first.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Avx2, Self::Avx512];

    /// Whether this processor has the instructions.
    pub fn is_supported(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => scalar::has_avx2(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The best level of this processor.
    pub fn best() -> Self {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| {
            let mut levels = Self::ALL.into_iter().rev();
            levels.find(|level| level.is_supported()).unwrap_or(Self::Scalar)
        })
    }

    /// The level that the environment variable `BOOMBOTS_SIMD` forces, or the best.
    ///
    /// # Errors
    /// If the variable names no level, or one this processor lacks.
    pub fn from_environment() -> Result<Self, LevelError> {
        match std::env::var(ENVIRONMENT) {
            Ok(name) if !name.is_empty() => {
                let level: Self = name.parse()?;
                if level.is_supported() { Ok(level) } else { Err(LevelError::Unsupported(level)) }
            }
            _ => Ok(Self::best()),
        }
    }

    /// Runs an algorithm compiled for this level, or for scalar words where the processor lacks it.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Scalar => {}
            Self::Avx2 => {
                if scalar::has_avx2() {
                    return scalar::run_avx2(kernel);
                }
            }
            Self::Avx512 => {
                if let Some(avx512) = avx512::Avx512::detect() {
                    return avx512.run(kernel);
                }
            }
        }
        kernel.run(scalar::Scalar)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(name: &str) -> Result<Self, LevelError> {
        let mut levels = Self::ALL.into_iter();
        levels
            .find(|level| level.to_string() == name)
            .ok_or_else(|| LevelError::Unknown { name: name.chars().take(20).collect() })
    }
}

/// Why the environment forces no level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LevelError {
    /// No level has the name.
    #[error("{ENVIRONMENT}={name}: no such level; it is scalar, avx2 or avx512")]
    Unknown {
        /// The name's first characters.
        name: String,
    },
    /// The processor lacks the instructions.
    #[error("{ENVIRONMENT}={0}: this processor has no such instructions")]
    Unsupported(Level),
}

/// The environment variable that forces a level.
const ENVIRONMENT: &str = "BOOMBOTS_SIMD";

/// Which bit of a cell each bit comes from under [`Simd::permute`]: `h⁻¹·g`.
pub(crate) const PERMUTED_FROM: [[u8; 8]; 8] = {
    let mut table = [[0; 8]; 8];
    let mut h = 0;
    while h < 8 {
        let mut g = 0;
        while g < 8 {
            let from = Symmetry::from_index(h).inverse().after(Symmetry::from_index(g));
            table[h][g] = from.index() as u8;
            g += 1;
        }
        h += 1;
    }
    table
};

/// Which bit of a cell each bit comes from when multiplied by k on the right: `g·k`.
pub(crate) const RIGHT_FROM: [[u8; 8]; 8] = {
    let mut table = [[0; 8]; 8];
    let mut k = 0;
    while k < 8 {
        let mut g = 0;
        while g < 8 {
            table[k][g] = Symmetry::from_index(g).after(Symmetry::from_index(k)).index() as u8;
            g += 1;
        }
        k += 1;
    }
    table
};

/// Which bit of a cell each bit comes from under [`Simd::invert`]: `g⁻¹`.
pub(crate) const INVERTED_FROM: [u8; 8] = {
    let mut table = [0; 8];
    let mut g = 0;
    while g < 8 {
        table[g] = Symmetry::from_index(g).inverse().index() as u8;
        g += 1;
    }
    table
};
