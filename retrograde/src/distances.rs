//! How many placements of a side are how far from the end.

use boombots_probe::{OrbitIndex, OrbitTables, Symmetry};
use boombots_rules::{Color, Position};
use rayon::prelude::*;

use crate::solved::SolvedSide;
use crate::tile::Tile;
use crate::verify::add;

/// Placements by distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// `wins[n]` placements are won in n plies.
    pub wins: Vec<u64>,
    /// `losses[n]` placements are lost in n plies.
    pub losses: Vec<u64>,
}

/// Counts the placements of a solved side by distance.
pub fn distances(side: &SolvedSide, orbits: &OrbitTables) -> Distances {
    let layout = side.layout();
    let movers = orbits.get(usize::from(layout.material.mover));
    let opponents = orbits.get(usize::from(layout.material.opponent));
    let index = |at: usize| OrbitIndex::new(at as u32);
    let sizes: Vec<u64> =
        (0..layout.rows).into_par_iter().map(|row| movers.orbit_len(index(row)) as u64).collect();
    let strips = (0..layout.strips()).into_par_iter().map(|strip| {
        let columns = layout.strip_columns(strip);
        let cells: Vec<u64> =
            columns.map(|column| opponents.orbit_len(index(column)) as u64).collect();
        let view = side.strip(strip);
        let mut counts = [[0_u64; 256]; 2];
        for (row, &size) in sizes.iter().enumerate() {
            let distances = &view.distances[row].0;
            for (counts, tile) in counts.iter_mut().zip([view.won[row], view.lost[row]]) {
                for at in tile.positions() {
                    counts[usize::from(distances[at])] += size * cells[at / Symmetry::COUNT];
                }
            }
        }
        counts
    });
    let counts = strips.reduce(
        || [[0; 256]; 2],
        |mut all, some| {
            let sums = all.iter_mut().flatten().zip(some.iter().flatten());
            sums.for_each(|(sum, count)| *sum += count);
            all
        },
    );
    // Every placement was counted once for each symmetry: see `statistics.rs`.
    let [wins, losses] = counts.map(|counts| {
        let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        counts[..end].iter().map(|count| count / Symmetry::COUNT as u64).collect()
    });
    Distances { wins, losses }
}

/// A position, White to move, that is won (or else lost) in so many plies, if there is one: the
/// first by the opponents' and then the mover's orbit.
pub fn position_at(
    side: &SolvedSide,
    orbits: &OrbitTables,
    won: bool,
    plies: u8,
) -> Option<Position> {
    let layout = side.layout();
    let found = (0..layout.strips()).into_par_iter().find_map_first(|strip| {
        let view = side.strip(strip);
        let rows = if won { view.won } else { view.lost }.iter().zip(view.distances).enumerate();
        let mut found = rows.filter_map(|(row, (tile, distances))| {
            let mut at = Tile::positions(*tile);
            at.find(|&at| distances.0[at] == plies).map(|at| (strip, row, at))
        });
        found.next()
    });
    let (strip, row, at) = found?;
    let representative = |bots: u8, orbit: usize| {
        orbits.get(usize::from(bots)).representative(OrbitIndex::new(orbit as u32))
    };
    let column = layout.strip_columns(strip).start + at / Symmetry::COUNT;
    let opponents = representative(layout.material.opponent, column);
    let mut position = Position::empty(Color::White);
    add(&mut position, Color::White, &representative(layout.material.mover, row));
    let symmetry = Symmetry::from_index(at % Symmetry::COUNT);
    add(&mut position, Color::Black, &opponents.transformed(symmetry));
    Some(position)
}
