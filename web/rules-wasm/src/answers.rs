//! The shapes of the answers. Squares are numbers: (x, y) is `8 * y + x`.

use boombots_protocol::{Action, State, Team};
use boombots_rules::{Color, Position, Square, SquareSet};
use serde::Serialize;

/// A position and what the side to move may do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Described {
    /// The position.
    #[cfg_attr(test, ts(type = "State"))]
    pub state: State,
    /// How many bots each side has.
    pub bots: Bots,
    /// Whether the game has ended.
    pub over: bool,
    /// Who won; `null` for a draw, and while the game goes on.
    #[cfg_attr(test, ts(type = "Team | null"))]
    pub winner: Option<Team>,
    /// The stacks of the side to move, by square; none once the game has ended.
    pub stacks: Vec<OwnStack>,
}

/// Bots of both sides.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bots {
    /// White's.
    pub white: u8,
    /// Black's.
    pub black: u8,
}

/// A stack that may act.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnStack {
    /// Where it stands.
    pub square: u8,
    /// How many bots it has; each count from 1 may go to each target.
    pub height: u8,
    /// Where its bots may go.
    pub targets: Vec<u8>,
    /// What its boom would do.
    pub boom: Boom,
}

/// A boom.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Boom {
    /// The stacks that go, wave by wave: the source, its neighbours, theirs, and so on.
    pub waves: Vec<Vec<u8>>,
    /// How many bots each side loses.
    pub losses: Bots,
}

/// A legal action and where it leads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Played {
    /// The action's text.
    pub text: String,
    /// The action.
    #[cfg_attr(test, ts(type = "Action"))]
    pub action: Action,
    /// The text of the position it leads to.
    pub position: String,
    /// What exploded; `null` for a move.
    pub boom: Option<Boom>,
}

/// A game played over.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Replayed {
    /// The text of the position it began with.
    pub start: String,
    /// Its actions, in order.
    pub steps: Vec<Played>,
}

impl Described {
    pub(crate) fn new(position: &Position) -> Described {
        let height = |square| position.height(square);
        let own = position.stacks(position.turn()).iter().filter(|_| !position.is_over());
        let stacks = own.map(|square| OwnStack {
            square: square.index() as u8,
            height: height(square),
            targets: numbers(position.targets(square)),
            boom: Boom::new(position, square),
        });
        Described {
            state: State::from(position),
            bots: Bots { white: position.bots(Color::White), black: position.bots(Color::Black) },
            over: position.is_over(),
            winner: position.outcome().and_then(|outcome| outcome.winner()).map(Team::from),
            stacks: stacks.collect(),
        }
    }
}

impl Boom {
    fn new(position: &Position, source: Square) -> Boom {
        let doomed = position.explosion(source);
        let mut waves = Vec::new();
        let mut wave = SquareSet::of(source);
        let mut reached = wave;
        while !wave.is_empty() {
            waves.push(numbers(wave));
            wave = (wave.neighbours() & doomed) - reached;
            reached |= wave;
        }
        let losses = position.after_explosion(source);
        Boom { waves, losses: Bots { white: losses.white, black: losses.black } }
    }
}

impl Played {
    pub(crate) fn new(
        before: &Position,
        action: boombots_rules::Action,
        after: &Position,
    ) -> Played {
        Played {
            text: action.to_string(),
            action: Action::from(action),
            position: after.to_string(),
            boom: action.is_boom().then(|| Boom::new(before, action.source())),
        }
    }
}

fn numbers(squares: SquareSet) -> Vec<u8> {
    squares.iter().map(|square| square.index() as u8).collect()
}
