//! What a game is to the programs around it.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::{Color, Outcome};

/// The rules of one two-player board game, as servers, clients and bots see
/// them. An implementation is a type without values of its own.
///
/// Sides are [`Color`]s in every game: White is the side that moves first from
/// the starts. A game that calls its sides something else says so where it is
/// shown, and nothing else has to convert.
///
/// Texts go through `Display` and `FromStr` and are one to one. An action's text
/// has no white space, since game records separate actions by it.
pub trait Game: Copy + Debug + Eq + Send + Sync + 'static {
    /// Everything the rules need to know to go on.
    type Position: Clone
        + Debug
        + Eq
        + Hash
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;
    /// One turn of a player.
    type Action: Clone
        + Debug
        + Ord
        + Hash
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;
    /// Why an action is refused.
    type IllegalAction: Error + Clone + PartialEq + Send + Sync + 'static;

    /// The name by which programs know the game: lower-case ASCII letters.
    const ID: &'static str;
    /// The name by which players know the game.
    const NAME: &'static str;
    /// The names of the starting positions, the usual one first; never empty.
    const STARTS: &'static [&'static str];
    /// After how many actions, those of both sides counted, a match between
    /// bots is drawn.
    const BOT_MATCH_ACTIONS: u32;

    /// The starting position of a name, `None` when the game has none of it.
    fn start(name: &str) -> Option<Self::Position>;

    /// The side to move.
    fn turn(position: &Self::Position) -> Color;

    /// Every legal action in a fixed order; none when the game has ended.
    fn legal_actions(position: &Self::Position) -> Vec<Self::Action>;

    /// The position after an action of the side to move.
    ///
    /// # Errors
    ///
    /// When the action is illegal, the reason.
    fn play(
        position: &Self::Position,
        action: &Self::Action,
    ) -> Result<Self::Position, Self::IllegalAction>;

    /// How the game ended by rule, `None` while it goes on.
    fn outcome(position: &Self::Position) -> Option<Outcome>;
}
