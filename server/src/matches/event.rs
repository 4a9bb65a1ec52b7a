//! What can happen to a game, and what follows from it.

use std::time::Duration;

use boombots_protocol::BotEvaluation;
use boombots_rules::{Color, Game};

use crate::ids::UserId;
use crate::refusal::Refusal;

/// What happens to a game.
#[derive(Clone, Debug)]
pub enum Event<G: Game> {
    /// The game starts, or goes on after the server was restarted.
    Started,
    /// A player takes a turn.
    Act {
        /// Who.
        user: UserId,
        /// What.
        action: G::Action,
        /// The revision it answers.
        revision: Option<u32>,
        /// Its name.
        action_id: Option<String>,
    },
    /// A player resigns.
    Resign(UserId),
    /// A player offers a draw.
    OfferDraw(UserId),
    /// A player accepts the opponent's offer.
    AcceptDraw(UserId),
    /// A player declines the opponent's offer.
    DeclineDraw(UserId),
    /// A player leaves for good.
    Leave(UserId),
    /// A player is there (again).
    Connected(UserId),
    /// A player's connection is lost.
    Disconnected(UserId),
    /// So many watch, and whether the last to go meant to.
    Watched {
        /// How many.
        watchers: usize,
        /// Whether the last one left, where none is there any more.
        left: bool,
    },
    /// A bot's search has begun.
    SearchBegun {
        /// The revision it was asked at.
        revision: u32,
    },
    /// A bot's search has ended.
    SearchEnded {
        /// The revision it was asked at.
        revision: u32,
        /// What it chose.
        action: G::Action,
        /// What it thinks.
        evaluation: Option<BotEvaluation>,
    },
    /// Time has passed.
    Tick,
}

/// What follows. In their order: what is stored is stored before it is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect<G: Game> {
    /// Keep it.
    Store(Stored<G>),
    /// Tell everybody there.
    Announce(Announcement),
    /// Tell one why not.
    Refuse {
        /// Whom.
        user: UserId,
        /// Why.
        refusal: Refusal,
        /// The name of the action that is refused, if one is.
        action_id: Option<String>,
        /// Whether the whole game is sent after it.
        with_game: bool,
    },
    /// Send one the whole game.
    Show(UserId),
    /// Have a bot search.
    Think {
        /// Which side.
        color: Color,
        /// The bot.
        bot: boombots_protocol::Bot,
        /// At which revision.
        revision: u32,
        /// How long it may take.
        budget: Duration,
    },
    /// No result is wanted any more.
    StopThinking,
}

/// What is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored<G: Game> {
    /// An action.
    Action {
        /// Its number, from 1.
        number: u32,
        /// What.
        action: G::Action,
        /// Its name.
        action_id: Option<String>,
        /// What the clocks have left after it.
        left: Option<[Duration; 2]>,
    },
    /// The end.
    End,
    /// A game without a result is not kept.
    Nothing,
}

/// What everybody there is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// There is a new revision.
    Revision,
    /// A bot begins to search.
    Thinking {
        /// Which side.
        color: Color,
        /// How long it may take.
        budget: Duration,
    },
    /// Whose offer of a draw stands.
    DrawOffer(Option<Color>),
    /// A player is there, or loses the game after so long.
    Presence {
        /// Which side.
        color: Color,
        /// After how long; `None` for a player who is there.
        grace: Option<Duration>,
    },
}
