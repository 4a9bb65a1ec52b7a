//! The sides, and what a player may ask for.

use boombots_rules::Color;
use serde::{Deserialize, Serialize};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Team {
    /// The side that moves first from the starts.
    White,
    /// The other.
    Black,
}

/// The side a player would like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ColorChoice {
    /// White.
    White,
    /// Black.
    Black,
    /// Either, by lot.
    #[default]
    Random,
}

impl From<Color> for Team {
    fn from(color: Color) -> Team {
        match color {
            Color::White => Team::White,
            Color::Black => Team::Black,
        }
    }
}

impl From<Team> for Color {
    fn from(team: Team) -> Color {
        match team {
            Team::White => Color::White,
            Team::Black => Color::Black,
        }
    }
}
