//! AVX-512 with GFNI: a tile is one register, a symmetry one instruction.
#![allow(unsafe_code, reason = "vector intrinsics")]

use std::arch::x86_64::*;

use boombots_probe::{Symmetry, TILE_CELLS};

use super::{INVERTED_FROM, Kernel, PERMUTED_FROM, RIGHT_FROM, Simd};
use crate::tile::{Tile, TileBytes};

/// Proof that the processor has the instructions of this level; only [`Avx512::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        (std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vbmi")
            && std::is_x86_feature_detected!("gfni")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }

    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni,bmi1,bmi2,popcnt")]
        fn with_avx512<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` exists only where `detect` found every feature that the function is
        // compiled for.
        unsafe { with_avx512(self, kernel) }
    }
}

// SAFETY of every block below, besides what is said there: the intrinsics need the features that
// `self` proves, and the loads and stores go through references to values of 64 bytes (`Tile`,
// aligned) or to 64 bytes within a `TileBytes`.
impl Simd for Avx512 {
    type Mask = __m512i;

    #[inline(always)]
    fn load(self, tile: &Tile) -> __m512i {
        // SAFETY: see above; a `Tile` is aligned to 64.
        unsafe { _mm512_load_si512(tile.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, mask: __m512i) -> Tile {
        let mut tile = Tile::NONE;
        // SAFETY: see above; a `Tile` is aligned to 64.
        unsafe { _mm512_store_si512(tile.0.as_mut_ptr().cast(), mask) };
        tile
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn without(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_andnot_si512(b, a) }
    }

    #[inline(always)]
    fn is_none(self, a: __m512i) -> bool {
        // SAFETY: see above.
        unsafe { _mm512_test_epi64_mask(a, a) == 0 }
    }

    #[inline(always)]
    fn permute(self, a: __m512i, symmetry: Symmetry) -> __m512i {
        // SAFETY: see above.
        unsafe {
            let matrix = _mm512_set1_epi64(PERMUTE_MATRICES[symmetry.index()] as i64);
            _mm512_gf2p8affine_epi64_epi8::<0>(a, matrix)
        }
    }

    #[inline(always)]
    fn invert(self, a: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe {
            let matrix = _mm512_set1_epi64(bit_matrix(&INVERTED_FROM) as i64);
            _mm512_gf2p8affine_epi64_epi8::<0>(a, matrix)
        }
    }

    #[inline(always)]
    fn set(self, bytes: &mut TileBytes, mask: __m512i, value: u8) {
        for (word, bytes) in self.store(mask).0.into_iter().zip(bytes.0.chunks_exact_mut(64)) {
            // SAFETY: see above; each chunk has 64 bytes.
            unsafe {
                let value = _mm512_set1_epi8(value as i8);
                _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), word, value);
            }
        }
    }

    #[inline(always)]
    fn equal(self, bytes: &TileBytes, value: u8) -> __m512i {
        let mut tile = Tile::NONE;
        for (word, bytes) in tile.0.iter_mut().zip(bytes.0.chunks_exact(64)) {
            // SAFETY: see above; each chunk has 64 bytes.
            unsafe {
                let here = _mm512_loadu_si512(bytes.as_ptr().cast());
                *word = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8(value as i8));
            }
        }
        self.load(&tile)
    }

    #[inline(always)]
    fn at_most(self, bytes: &TileBytes, value: u8) -> __m512i {
        let mut tile = Tile::NONE;
        for (word, bytes) in tile.0.iter_mut().zip(bytes.0.chunks_exact(64)) {
            // SAFETY: see above; each chunk has 64 bytes.
            unsafe {
                let here = _mm512_loadu_si512(bytes.as_ptr().cast());
                *word = _mm512_cmple_epu8_mask(here, _mm512_set1_epi8(value as i8));
            }
        }
        self.load(&tile)
    }

    #[inline(always)]
    fn least(self, bytes: &TileBytes, mask: __m512i) -> u8 {
        let mut lanes = [u8::MAX; 64];
        for (word, bytes) in self.store(mask).0.into_iter().zip(bytes.0.chunks_exact(64)) {
            // SAFETY: see above; each chunk has 64 bytes, and so has `lanes`.
            unsafe {
                let here = _mm512_loadu_si512(bytes.as_ptr().cast());
                let least = _mm512_loadu_si512(lanes.as_ptr().cast());
                let least = _mm512_mask_min_epu8(least, word, least, here);
                _mm512_storeu_si512(lanes.as_mut_ptr().cast(), least);
            }
        }
        lanes.into_iter().fold(u8::MAX, u8::min)
    }

    #[inline(always)]
    fn raise(self, bytes: &mut TileBytes, mask: __m512i, value: u8) {
        for (word, bytes) in self.store(mask).0.into_iter().zip(bytes.0.chunks_exact_mut(64)) {
            // SAFETY: see above; each chunk has 64 bytes.
            unsafe { raise_64(bytes, word, _mm512_set1_epi8(value as i8)) };
        }
    }

    #[inline(always)]
    fn raise_to_row(self, bytes: &mut TileBytes, mask: __m512i, cells: &[u64], symmetry: Symmetry) {
        // SAFETY: see above.
        let shuffle = unsafe { byte_shuffle(&PERMUTED_FROM[symmetry.index()]) };
        let words = self.store(mask).0.into_iter().zip(cells.chunks(8));
        for ((word, cells), bytes) in words.zip(bytes.0.chunks_exact_mut(64)) {
            if word == 0 {
                continue;
            }
            let present = (u32::MAX >> (32 - cells.len())) as u8;
            // SAFETY: see above; the masked load reads only the words of `cells`, at most eight,
            // and each chunk of `bytes` has 64 bytes.
            unsafe {
                let values = _mm512_maskz_loadu_epi64(present, cells.as_ptr().cast());
                raise_64(bytes, word, _mm512_shuffle_epi8(values, shuffle));
            }
        }
    }

    #[inline(always)]
    fn raise_to_picks(
        self,
        bytes: &mut TileBytes,
        mask: __m512i,
        source: &[u64],
        picks: &[u32; TILE_CELLS],
        symmetry: Symmetry,
    ) {
        assert!(!source.is_empty() && source.len() <= i32::MAX as usize, "a source has cells");
        let last = (source.len() - 1) as i32;
        // SAFETY: see above.
        let left = unsafe { byte_shuffle(&PERMUTED_FROM[symmetry.index()]) };
        let words = self.store(mask).0.into_iter().zip(picks.chunks_exact(8));
        for ((word, picks), bytes) in words.zip(bytes.0.chunks_exact_mut(64)) {
            if word == 0 {
                continue;
            }
            // SAFETY: see above; `picks` has eight words of 32 bits, the indices are limited to
            // the last of `source`, and each chunk of `bytes` has 64 bytes.
            unsafe {
                let picks = _mm256_loadu_si256(picks.as_ptr().cast());
                let index =
                    _mm256_min_epu32(_mm256_srli_epi32::<3>(picks), _mm256_set1_epi32(last));
                let values = _mm512_i32gather_epi64::<8>(index, source.as_ptr().cast());
                let table = _mm512_loadu_si512(RIGHT_SHUFFLES.as_ptr().cast());
                let right = _mm512_permutexvar_epi64(_mm512_cvtepu32_epi64(picks), table);
                let right = _mm512_or_si512(right, odd_cells());
                let values = _mm512_shuffle_epi8(_mm512_shuffle_epi8(values, right), left);
                raise_64(bytes, word, values);
            }
        }
    }

    #[inline(always)]
    fn transpose(self, block: &mut [Tile; 64]) {
        // SAFETY: see above.
        unsafe {
            let corner = _mm512_loadu_si512(CORNER.as_ptr().cast());
            // Rows 8i…8i+7 become, for each eight columns, a register of eight by eight bytes
            // with a word for each column.
            for i in 0..8 {
                let words = transpose_words(self, block, i * 8, 1);
                for (j, words) in words.into_iter().enumerate() {
                    block[i * 8 + j] = self.store(_mm512_permutexvar_epi8(corner, words));
                }
            }
            // Registers of the same columns become rows. Each group of eight reads one from every
            // group above, so the result is gathered aside.
            let mut transposed = [Tile::NONE; 64];
            for j in 0..8 {
                let rows = transpose_words(self, block, j, 8);
                for (k, row) in rows.into_iter().enumerate() {
                    transposed[j * 8 + k] = self.store(row);
                }
            }
            *block = transposed;
        }
    }
}

/// Raises the bytes of a slice of 64 that `word` marks to those of `values`.
///
/// # Safety
/// The processor must have AVX-512 BW.
#[inline(always)]
unsafe fn raise_64(bytes: &mut [u8], word: u64, values: __m512i) {
    assert_eq!(bytes.len(), 64);
    // SAFETY: the caller proves the features; the slice has 64 bytes.
    unsafe {
        let here = _mm512_loadu_si512(bytes.as_ptr().cast());
        let raised = _mm512_mask_max_epu8(here, word, here, values);
        _mm512_storeu_si512(bytes.as_mut_ptr().cast(), raised);
    }
}

/// The shuffle of 16-byte lanes that permutes the eight bytes of both cells in a lane.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
unsafe fn byte_shuffle(from: &[u8; 8]) -> __m512i {
    // SAFETY: the caller proves the features.
    unsafe { _mm512_or_si512(_mm512_set1_epi64(u64::from_le_bytes(*from) as i64), odd_cells()) }
}

/// What turns indices within a cell into indices within a lane: eight more in the odd cells.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
unsafe fn odd_cells() -> __m512i {
    const ODD: i64 = 0x0808_0808_0808_0808;
    // SAFETY: the caller proves the features.
    unsafe { _mm512_set_epi64(ODD, 0, ODD, 0, ODD, 0, ODD, 0) }
}

/// Transposes 8 × 8 words: those of every `step`th tile of a block from `first` on.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
unsafe fn transpose_words(
    simd: Avx512,
    block: &[Tile; 64],
    first: usize,
    step: usize,
) -> [__m512i; 8] {
    // Closures would be compiled without the features, so rows are named one by one.
    let row = [
        simd.load(&block[first]),
        simd.load(&block[first + step]),
        simd.load(&block[first + 2 * step]),
        simd.load(&block[first + 3 * step]),
        simd.load(&block[first + 4 * step]),
        simd.load(&block[first + 5 * step]),
        simd.load(&block[first + 6 * step]),
        simd.load(&block[first + 7 * step]),
    ];
    // SAFETY: the caller proves the features.
    unsafe {
        let even = quarters(
            _mm512_unpacklo_epi64(row[0], row[1]),
            _mm512_unpacklo_epi64(row[2], row[3]),
            _mm512_unpacklo_epi64(row[4], row[5]),
            _mm512_unpacklo_epi64(row[6], row[7]),
        );
        let odd = quarters(
            _mm512_unpackhi_epi64(row[0], row[1]),
            _mm512_unpackhi_epi64(row[2], row[3]),
            _mm512_unpackhi_epi64(row[4], row[5]),
            _mm512_unpackhi_epi64(row[6], row[7]),
        );
        [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
    }
}

/// Collects the quarter i of each of four registers into register i.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
unsafe fn quarters(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    // SAFETY: the caller proves the features.
    unsafe {
        let even = _mm512_shuffle_i64x2::<0x88>(a, b);
        let odd = _mm512_shuffle_i64x2::<0xdd>(a, b);
        let even_rest = _mm512_shuffle_i64x2::<0x88>(c, d);
        let odd_rest = _mm512_shuffle_i64x2::<0xdd>(c, d);
        [
            _mm512_shuffle_i64x2::<0x88>(even, even_rest),
            _mm512_shuffle_i64x2::<0x88>(odd, odd_rest),
            _mm512_shuffle_i64x2::<0xdd>(even, even_rest),
            _mm512_shuffle_i64x2::<0xdd>(odd, odd_rest),
        ]
    }
}

/// The matrix with which `GF2P8AFFINEQB` moves bit `from[g]` of every byte to bit g; its row for
/// bit g is byte 7 − g.
const fn bit_matrix(from: &[u8; 8]) -> u64 {
    let mut matrix = 0;
    let mut g = 0;
    while g < 8 {
        matrix |= 1 << ((7 - g) * 8 + from[g] as usize);
        g += 1;
    }
    matrix
}

const PERMUTE_MATRICES: [u64; 8] = {
    let mut matrices = [0; 8];
    let mut h = 0;
    while h < 8 {
        matrices[h] = bit_matrix(&PERMUTED_FROM[h]);
        h += 1;
    }
    matrices
};

/// The byte order of a cell multiplied on the right by each symmetry.
static RIGHT_SHUFFLES: [[u8; 8]; 8] = RIGHT_FROM;

/// The byte order that transposes 8 × 8 bytes.
static CORNER: [u8; 64] = {
    let mut order = [0; 64];
    let mut i = 0;
    while i < 64 {
        order[i] = (i % 8 * 8 + i / 8) as u8;
        i += 1;
    }
    order
};
