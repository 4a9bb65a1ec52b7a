//! Every level against the scalar one, and the scalar one against the definitions.

use boombots_probe::{Symmetry, TILE_CELLS};
use proptest::prelude::*;

use super::{Kernel, Level, Simd};
use crate::tile::{TILE_POSITIONS, Tile, TileBytes};

/// What every operation makes of the same input.
#[derive(Clone, Debug, PartialEq)]
struct Everything {
    masks: Vec<Tile>,
    bytes: Vec<TileBytes>,
    least: u8,
    none: bool,
    transposed: Vec<Tile>,
}

struct Run<'a> {
    a: &'a Tile,
    b: &'a Tile,
    bytes: &'a TileBytes,
    block: &'a [Tile; 64],
    source: &'a [u64],
    row_cells: usize,
    picks: &'a [u32; TILE_CELLS],
    symmetry: Symmetry,
    value: u8,
}

impl Kernel for Run<'_> {
    type Output = Everything;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Everything {
        let (a, b) = (simd.load(self.a), simd.load(self.b));
        let masks = [
            simd.or(a, b),
            simd.and(a, b),
            simd.without(a, b),
            simd.permute(a, self.symmetry),
            simd.invert(a),
            simd.equal(self.bytes, self.value),
            simd.at_most(self.bytes, self.value),
        ];
        let mut bytes = vec![*self.bytes; 4];
        simd.set(&mut bytes[0], a, self.value);
        simd.raise(&mut bytes[1], a, self.value);
        let cells = Tile::first_cells(self.row_cells);
        let present = simd.and(a, simd.load(&cells));
        simd.raise_to_row(&mut bytes[2], present, &self.source[..self.row_cells], self.symmetry);
        simd.raise_to_picks(&mut bytes[3], a, self.source, self.picks, self.symmetry);
        let mut block = *self.block;
        simd.transpose(&mut block);
        Everything {
            masks: masks.into_iter().map(|mask| simd.store(mask)).collect(),
            bytes,
            least: simd.least(self.bytes, a),
            none: simd.is_none(simd.and(a, b)),
            transposed: block.to_vec(),
        }
    }
}

fn tile() -> impl Strategy<Value = Tile> {
    prop_oneof![
        any::<[u64; 8]>().prop_map(Tile),
        Just(Tile::NONE),
        Just(Tile::ALL),
        (0..8_usize, 0..64_u32).prop_map(|(word, bit)| {
            let mut tile = Tile::NONE;
            tile.0[word] = 1 << bit;
            tile
        }),
    ]
}

fn tile_bytes() -> impl Strategy<Value = TileBytes> {
    proptest::collection::vec(any::<u8>(), TILE_POSITIONS)
        .prop_map(|bytes| TileBytes(bytes.try_into().expect("as many as asked for")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn levels_agree(
        a in tile(),
        b in tile(),
        bytes in tile_bytes(),
        block in proptest::collection::vec(any::<[u64; 8]>().prop_map(Tile), 64),
        source in proptest::collection::vec(any::<u64>(), 64..200),
        row_cells in 1..=64_usize,
        raw_picks in proptest::collection::vec(any::<u32>(), TILE_CELLS),
        symmetry in 0..8_usize,
        value in any::<u8>(),
    ) {
        let block: [Tile; 64] = block.try_into().expect("as many as asked for");
        let picks: Vec<u32> =
            raw_picks.iter().map(|pick| pick % (source.len() as u32 * 8)).collect();
        let picks: [u32; TILE_CELLS] = picks.try_into().expect("as many as asked for");
        let run = |level: Level| level.run(Run {
            a: &a, b: &b, bytes: &bytes, block: &block, source: &source, row_cells, picks: &picks,
            symmetry: Symmetry::from_index(symmetry), value,
        });
        let scalar = run(Level::Scalar);
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            prop_assert_eq!(&run(level), &scalar, "{}", level);
        }
    }

    #[test]
    fn scalar_does_as_defined(a in tile(), symmetry in 0..8_usize) {
        let h = Symmetry::from_index(symmetry);
        struct Both<'a>(&'a Tile, Symmetry);
        impl Kernel for Both<'_> {
            type Output = (Tile, Tile);
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) -> (Tile, Tile) {
                let a = simd.load(self.0);
                (simd.store(simd.permute(a, self.1)), simd.store(simd.invert(a)))
            }
        }
        let has = |tile: &Tile, cell: usize, g: Symmetry| tile.0[cell / 8] >> (cell % 8 * 8 + g.index()) & 1;
        let (permuted, inverted) = Level::Scalar.run(Both(&a, h));
        for cell in 0..TILE_CELLS {
            for g in Symmetry::ALL {
                prop_assert_eq!(has(&permuted, cell, g), has(&a, cell, h.inverse().after(g)));
                prop_assert_eq!(has(&inverted, cell, g), has(&a, cell, g.inverse()));
            }
        }
    }
}

#[test]
fn transposing_moves_bytes_across_the_diagonal() {
    struct Transpose<'a>(&'a mut [Tile; 64]);
    impl Kernel for Transpose<'_> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            simd.transpose(self.0);
        }
    }
    use zerocopy::IntoBytes;
    let mut block = [Tile::NONE; 64];
    for (row, tile) in block.iter_mut().enumerate() {
        for (column, byte) in tile.as_mut_bytes().iter_mut().enumerate() {
            *byte = (row * 3 + column * 5) as u8;
        }
    }
    Level::Scalar.run(Transpose(&mut block));
    for (row, tile) in block.iter().enumerate() {
        for (column, &byte) in tile.as_bytes().iter().enumerate() {
            assert_eq!(byte, (column * 3 + row * 5) as u8);
        }
    }
}

#[test]
fn names_are_read_back() {
    for level in Level::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert!("sse".parse::<Level>().is_err());
}
