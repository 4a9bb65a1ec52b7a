//! What is marked on a board.

use boombots_rules::{Action, Position, Square, SquareSet};

use crate::app::App;
use crate::state::{GameState, Selection};

/// What a square is to the player; a later one hides an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    None,
    Last,
    Target,
    Boom,
    Chosen,
}

/// Everything that is marked on a board.
#[derive(Default)]
pub(super) struct Marks {
    last: SquareSet,
    targets: SquareSet,
    boom: SquareSet,
    chosen: SquareSet,
    pub(super) gone: SquareSet,
    pub(super) burning: SquareSet,
    pub(super) cursor: Option<Square>,
}

impl Marks {
    /// Of a game.
    pub(super) fn of_game(app: &App, game: &GameState) -> Marks {
        let (gone, burning) =
            game.blast.as_ref().map(|blast| blast.at(app.now)).unwrap_or_default();
        let last = game.game.last_action.as_ref();
        let last = last.and_then(|last| Action::try_from(last.action).ok());
        let chosen = [game.selection.source(), game.selection.target()];
        let boom = match game.selection {
            Selection::Boom { source, .. } => game.position.explosion(source),
            _ => SquareSet::EMPTY,
        };
        Marks {
            last: squares(last),
            targets: game.selection.targets(&game.position),
            boom,
            chosen: chosen.into_iter().flatten().collect(),
            gone,
            burning,
            cursor: (game.side().is_some() && game.is_live()).then_some(game.cursor),
        }
    }

    /// Of an action that may be taken, and the one that was taken last.
    pub(super) fn of_action(
        position: &Position,
        action: Option<Action>,
        last: Option<Action>,
    ) -> Marks {
        let boom = action.filter(|action| action.is_boom());
        Marks {
            last: squares(last),
            boom: boom.map_or(SquareSet::EMPTY, |boom| position.explosion(boom.source())),
            chosen: squares(action),
            ..Marks::default()
        }
    }

    /// What a square is.
    pub(super) fn of_square(&self, square: Square) -> Mark {
        if self.boom.contains(square) {
            Mark::Boom
        } else if self.chosen.contains(square) {
            Mark::Chosen
        } else if self.targets.contains(square) {
            Mark::Target
        } else if self.last.contains(square) {
            Mark::Last
        } else {
            Mark::None
        }
    }
}

/// Where an action begins and ends.
fn squares(action: Option<Action>) -> SquareSet {
    action.map_or(SquareSet::EMPTY, |action| {
        SquareSet::of(action.source()) | SquareSet::of(action.target())
    })
}
