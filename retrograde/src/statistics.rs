//! Counts of a solved side.

use boombots_probe::{OrbitIndex, OrbitTables, Plies, SideLayout, SideStatistics, Symmetry};
use rayon::prelude::*;

use crate::opponent::Occupancy;
use crate::solved::{SolvedSide, SolvedStrips};
use crate::tile::Tile;

/// Counts the placements of a solved side.
pub fn statistics(side: &SolvedSide, orbits: &OrbitTables) -> SideStatistics {
    let parts = side.parts().iter();
    let counted = parts.map(|part| eightfold_statistics(side.layout(), part, orbits));
    divided(counted.fold(SideStatistics::default(), joined))
}

/// Counts the placements of a run of strips, each placement eight times; [`statistics`] is an
/// eighth of the sum over a side.
pub fn eightfold_statistics(
    layout: &SideLayout,
    part: &SolvedStrips,
    orbits: &OrbitTables,
) -> SideStatistics {
    let movers = orbits.get(usize::from(layout.material.mover));
    let opponents = orbits.get(usize::from(layout.material.opponent));
    let sizes: Vec<u64> =
        (0..layout.rows).map(|row| movers.orbit_len(OrbitIndex::new(row as u32)) as u64).collect();
    let strips = part.strips().into_par_iter().map(|strip| {
        let occupancy = Occupancy::new(layout, opponents, strip);
        let cells: Vec<u64> = layout
            .strip_columns(strip)
            .map(|column| opponents.orbit_len(OrbitIndex::new(column as u32)) as u64)
            .collect();
        let mask = Tile::of_strip(layout, strip);
        let view = part.strip(strip, layout.rows);
        let mut counted = SideStatistics::default();
        for (row, &size) in sizes.iter().enumerate() {
            let possible = occupancy.possible(movers, row, mask);
            let (won, lost) = (view.won[row], view.lost[row]);
            let placements = |tile: Tile| size * weighted(tile, &cells);
            counted.wins += placements(won);
            counted.losses += placements(lost);
            counted.draws += placements(possible.without(won).without(lost));
            let longest =
                |tile: Tile| tile.positions().map(|at| Plies(view.distances[row].0[at])).max();
            counted.longest_win = counted.longest_win.max(longest(won));
            counted.longest_loss = counted.longest_loss.max(longest(lost));
        }
        counted
    });
    strips.reduce(SideStatistics::default, joined)
}

fn joined(one: SideStatistics, other: SideStatistics) -> SideStatistics {
    SideStatistics {
        wins: one.wins + other.wins,
        losses: one.losses + other.losses,
        draws: one.draws + other.draws,
        longest_win: one.longest_win.max(other.longest_win),
        longest_loss: one.longest_loss.max(other.longest_loss),
    }
}

/// A placement of the opponents is counted once for each symmetry that gives it, so that the eight
/// bits of a cell stand for as many placements as its orbit has, eight times over.
fn divided(counted: SideStatistics) -> SideStatistics {
    let eighth = |count: u64| count / Symmetry::COUNT as u64;
    SideStatistics {
        wins: eighth(counted.wins),
        losses: eighth(counted.losses),
        draws: eighth(counted.draws),
        ..counted
    }
}

/// The positions of a tile, each counted as often as its column's orbit has members.
fn weighted(tile: Tile, cells: &[u64]) -> u64 {
    let bytes = tile.0.into_iter().flat_map(u64::to_le_bytes);
    bytes.zip(cells).map(|(byte, size)| u64::from(byte.count_ones()) * size).sum()
}
