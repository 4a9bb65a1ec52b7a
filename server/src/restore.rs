//! What was going on when the server last ended goes on.

use std::time::Duration;

use boombots_protocol::Player;
use boombots_rules::{Boombots, Color, Game as _, GameRecord};

use crate::hub::Hub;
use crate::ids::UserId;
use crate::lobby::{Begin, GameStart};
use crate::matches::{self, Clock, Event, Match, MatchMessage, Seat};
use crate::records::{Found, LiveMatch};

/// Puts stored sessions and games back. What cannot be read is left alone and reported.
pub(crate) fn restore(hub: &mut Hub, found: Found) {
    let now = hub.timeline.now();
    for session in found.sessions {
        if !hub.lobby.restore_user(session.user, &session.name, session.token, now) {
            tracing::warn!(user = %session.user, "a stored session has no usable name");
        }
    }
    for live in found.live {
        let id = live.id;
        match restore_game(hub, live) {
            Ok(()) => tracing::info!(game = %id, "a game goes on"),
            Err(error) => tracing::warn!(game = %id, "a stored game cannot go on: {error:#}"),
        }
    }
}

fn restore_game(hub: &mut Hub, live: LiveMatch) -> anyhow::Result<()> {
    anyhow::ensure!(live.game == Boombots::ID, "this server does not know {}", live.game);
    let id = live.id;
    let start: boombots_rules::Position = live.start.parse()?;
    let seats = [seat(&live.white), seat(&live.black)];
    let mut record = GameRecord::new(start);
    for (tag, seat) in ["White", "Black"].into_iter().zip(&seats) {
        record.set_tag(tag, &seat.name())?;
    }
    let clock = live.clock.map(|settings| {
        let left = live.actions.iter().rev().find_map(|row| row.left_ms);
        let left = left.unwrap_or([settings.initial_ms; 2]);
        Clock::restored(settings, left.map(|left| Duration::from_millis(left.into())))
    });
    for row in &live.actions {
        record.play(row.action.parse()?)?;
    }
    let first = Boombots::turn(record.start());
    let mut game = Match::new(record, seats.clone(), clock, hub.rules.clone());
    for row in live.actions {
        let color = if row.number % 2 == 1 { first } else { !first };
        game.remember_action(color, row.action_id);
    }
    let label = live.start;
    let begin = Begin {
        id,
        start: GameStart { label, position: start },
        clock: live.clock,
        seats: seats.clone(),
        creator: live.creator,
    };
    hub.lobby.restore_game(begin);
    let handle = matches::spawn(id, game, None, hub.context.clone());
    for event in absences(&seats) {
        // The task's inbox is empty and takes two messages.
        let _ = handle.try_send(MatchMessage::Event { event, from: None });
    }
    hub.handles.insert(id, handle);
    Ok(())
}

/// Nobody is there yet.
fn absences(seats: &[Seat; 2]) -> Vec<Event<Boombots>> {
    let players = Color::ALL.into_iter().filter_map(|color| seats[color.index()].user());
    let mut events: Vec<_> = players.map(Event::Disconnected).collect();
    if events.is_empty() {
        events.push(Event::Watched { watchers: 0, left: false });
    }
    events
}

fn seat(player: &Player) -> Seat {
    match (player.bot, player.id) {
        (Some(bot), _) => Seat::Bot(bot),
        (None, id) => Seat::human(UserId(id.unwrap_or(0)), player.name.clone()),
    }
}
