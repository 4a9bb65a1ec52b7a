//! A game of Boombots as the protocol shows it.

use std::time::Duration;

use boombots_protocol as protocol;
use boombots_protocol::ServerMessage;
use boombots_rules::{Boombots, Color, Game as _};

use super::core::Match;
use super::event::Announcement;
use super::seat::Seat;
use crate::ids::MatchId;

/// How much of a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What an action changed.
    Latest,
    /// Everything from the start.
    Whole,
}

/// A game as its players and spectators see it.
pub(crate) fn game_of(
    id: MatchId,
    game: &Match<Boombots>,
    now: Duration,
    whole: bool,
) -> protocol::Game {
    let detail = if whole { Detail::Whole } else { Detail::Latest };
    let record = game.record();
    let actions = record.actions();
    let first = Boombots::turn(record.start());
    let actor = |index: usize| if index.is_multiple_of(2) { first } else { !first };
    let last_action = actions.last().map(|action| protocol::LastAction {
        team: actor(actions.len() - 1).into(),
        action: (*action).into(),
        text: action.to_string(),
        action_id: game.last_action_id.clone(),
    });
    let history = || actions.iter().map(ToString::to_string).collect();
    protocol::Game {
        id: id.0,
        game: Boombots::ID.to_owned(),
        players: players_of(&game.seats),
        state: record.position().into(),
        revision: game.revision(),
        last_action,
        result: game.result(),
        clocks: clocks_of(game, now),
        bot_evaluations: game.evaluations,
        draw_offer: game.draw_offer.map(Into::into),
        start: (detail == Detail::Whole).then(|| record.start().to_string()),
        history: (detail == Detail::Whole).then(history),
    }
}

/// What everybody there is told.
pub(crate) fn message_of(
    id: MatchId,
    game: &Match<Boombots>,
    now: Duration,
    announcement: Announcement,
) -> ServerMessage {
    let game_id = id.0;
    let millis = |duration: Duration| duration.as_millis().try_into().unwrap_or(u32::MAX);
    match announcement {
        Announcement::Revision => ServerMessage::Game(game_of(id, game, now, false)),
        Announcement::Thinking { color, budget } => {
            ServerMessage::BotThinking { game_id, team: color.into(), budget_ms: millis(budget) }
        }
        Announcement::DrawOffer(color) => {
            ServerMessage::DrawOffer { game_id, team: color.map(Into::into) }
        }
        Announcement::Presence { color, grace } => ServerMessage::Presence {
            game_id,
            team: color.into(),
            connected: grace.is_none(),
            grace_ms: grace.map(millis),
        },
    }
}

/// Both seats as the protocol shows them.
pub(crate) fn players_of(seats: &[Seat; 2]) -> protocol::Players {
    let player = |color: Color| match &seats[color.index()] {
        Seat::Human(human) => protocol::Player {
            id: Some(human.user.0),
            name: human.name.clone(),
            bot: None,
            connected: human.away_since.is_none(),
        },
        seat @ Seat::Bot(bot) => {
            protocol::Player { id: None, name: seat.name(), bot: Some(*bot), connected: true }
        }
    };
    protocol::Players { white: player(Color::White), black: player(Color::Black) }
}

fn clocks_of(game: &Match<Boombots>, now: Duration) -> Option<protocol::Clocks> {
    let clock = game.clock.as_ref()?;
    let millis = |color| clock.left(color, now).as_millis() as u32;
    Some(protocol::Clocks {
        white_ms: millis(Color::White),
        black_ms: millis(Color::Black),
        increment_ms: clock.increment().as_millis() as u32,
        running: clock.running().map(Into::into),
    })
}
