//! How a game begins.

use boombots_protocol::{ClockSettings, DEFAULT_GAME, ErrorCode};
use boombots_rules::{Boombots, Game, Position};

use crate::ids::{MatchId, UserId};
use crate::matches::Seat;
use crate::refusal::Refusal;

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStart {
    /// What it was called: a name or the position's text.
    pub label: String,
    /// The position.
    pub position: Position,
}

/// A game that begins.
#[derive(Clone, Debug)]
pub struct Begin {
    /// Its number.
    pub id: MatchId,
    /// Where.
    pub start: GameStart,
    /// With what clocks.
    pub clock: Option<ClockSettings>,
    /// Who plays, White first.
    pub seats: [Seat; 2],
    /// Who started it.
    pub creator: UserId,
}

impl Begin {
    /// Who is to be shown it: the players, or whoever started it between bots.
    pub fn audience(&self) -> Vec<UserId> {
        let players: Vec<UserId> = self.seats.iter().filter_map(Seat::user).collect();
        if players.is_empty() { vec![self.creator] } else { players }
    }
}

impl GameStart {
    /// The start that a message asks for: a name, or a position in which the game can go on.
    ///
    /// # Errors
    /// If the game is not known, or the start is neither.
    pub fn find(game: Option<&str>, start: Option<&str>) -> Result<GameStart, Refusal> {
        match game.unwrap_or(DEFAULT_GAME) {
            Boombots::ID => {
                let (label, position) = start_of::<Boombots>(start)?;
                Ok(GameStart { label, position })
            }
            other => {
                let message = format!("there is no game {other:?} here");
                Err(Refusal::new(ErrorCode::UnsupportedGame, message))
            }
        }
    }
}

fn start_of<G: Game>(text: Option<&str>) -> Result<(String, G::Position), Refusal> {
    let bad = |message: String| Refusal::new(ErrorCode::BadStart, message);
    let label = text.unwrap_or(G::STARTS[0]);
    let position = match G::start(label) {
        Some(position) => position,
        None => label.parse().map_err(|error| {
            let names = G::STARTS.join(", ");
            bad(format!("{label:?} is neither one of {names} nor a position: {error}"))
        })?,
    };
    match G::outcome(&position) {
        Some(outcome) => Err(bad(format!("the game is over in this position ({outcome})"))),
        None => Ok((label.to_owned(), position)),
    }
}

/// Whether a clock is one the server keeps.
///
/// # Errors
/// If it is too short or too long.
pub(super) fn check_clock(clock: Option<ClockSettings>) -> Result<(), Refusal> {
    let Some(ClockSettings { initial_ms, increment_ms }) = clock else { return Ok(()) };
    if (1_000..=86_400_000).contains(&initial_ms) && increment_ms <= 600_000 {
        return Ok(());
    }
    let message = "a clock has 1 000 to 86 400 000 ms and at most 600 000 more an action";
    Err(Refusal::new(ErrorCode::BadMessage, message))
}
