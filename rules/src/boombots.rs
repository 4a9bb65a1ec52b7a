//! Boombots as a [`Game`].

use crate::{Action, Color, Game, IllegalAction, Outcome, Position, Start};

/// The game of moving robot stacks and chain reactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Boombots;

impl Game for Boombots {
    type Position = Position;
    type Action = Action;
    type IllegalAction = IllegalAction;

    const ID: &'static str = "boombots";
    const NAME: &'static str = "Boombots";
    const STARTS: &'static [&'static str] = &[Start::Standard.name(), Start::Expendibots.name()];
    const BOT_MATCH_ACTIONS: u32 = 200;

    fn start(name: &str) -> Option<Position> {
        Start::by_name(name).map(Position::start)
    }

    fn turn(position: &Position) -> Color {
        position.turn()
    }

    fn legal_actions(position: &Position) -> Vec<Action> {
        position.legal_actions().to_vec()
    }

    fn play(position: &Position, action: &Action) -> Result<Position, IllegalAction> {
        position.play(*action)
    }

    fn outcome(position: &Position) -> Option<Outcome> {
        position.outcome()
    }
}
