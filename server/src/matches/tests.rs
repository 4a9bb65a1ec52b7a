use std::time::Duration;

use boombots_protocol::{Bot, BotEvaluation, ClockSettings, EndReason, ErrorCode, Team};
use boombots_rules::{Action, Boombots, Color, GameRecord, Position};

use super::{Announcement, Clock, Effect, Event, Match, MatchRules, Seat, Stored};
use crate::ids::UserId;

type Effects = Vec<Effect<Boombots>>;

const ADA: UserId = UserId(1);
const BOB: UserId = UserId(2);
const SECOND: Duration = Duration::from_secs(1);

fn rules() -> MatchRules {
    MatchRules { grace: 60 * SECOND, unwatched_grace: 10 * SECOND, bot_budget: 5 * SECOND }
}

fn between(seats: [Seat; 2], start: &str, clock: Option<ClockSettings>) -> Match<Boombots> {
    let start: Position = start.parse().unwrap();
    let mut game = Match::new(GameRecord::new(start), seats, clock.map(Clock::new), rules());
    game.handle(Event::Started, Duration::ZERO);
    game
}

const STANDARD: &str = "aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w";

fn people() -> Match<Boombots> {
    between([Seat::human(ADA, "Ada"), Seat::human(BOB, "Bob")], STANDARD, None)
}

fn bot(level: u8) -> Seat {
    Seat::Bot(Bot { level, tables: false })
}

fn act(game: &mut Match<Boombots>, user: UserId, text: &str, revision: u32, id: &str) -> Effects {
    let action: Action = text.parse().unwrap();
    let (revision, action_id) = (Some(revision), Some(id.to_owned()));
    game.handle(Event::Act { user, action, revision, action_id }, SECOND)
}

fn refusal(effects: &Effects) -> Option<ErrorCode> {
    effects.iter().find_map(|effect| match effect {
        Effect::Refuse { refusal, .. } => Some(refusal.code),
        _ => None,
    })
}

#[test]
fn an_action_is_stored_before_it_is_told() {
    let effects = act(&mut people(), ADA, "1a2a3", 0, "1");
    let action = "1a2a3".parse().unwrap();
    let stored = Stored::Action { number: 1, action, action_id: Some("1".into()), left: None };
    assert_eq!(effects, [Effect::Store(stored), Effect::Announce(Announcement::Revision)]);
}

#[test]
fn an_action_sent_again_is_applied_once() {
    let mut game = people();
    act(&mut game, ADA, "1a2a3", 0, "1");
    assert_eq!(act(&mut game, ADA, "1a2a3", 0, "1"), [Effect::Show(ADA)]);
    act(&mut game, BOB, "1a7a6", 1, "1");
    assert_eq!(act(&mut game, ADA, "1a2a3", 0, "1"), [Effect::Show(ADA)]);
    assert_eq!(game.revision(), 2);
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let mut game = people();
    assert_eq!(refusal(&act(&mut game, BOB, "1a7a6", 0, "1")), Some(ErrorCode::NotYourTurn));
    assert_eq!(refusal(&act(&mut game, ADA, "1a2a5", 0, "2")), Some(ErrorCode::IllegalAction));
    assert_eq!(refusal(&act(&mut game, ADA, "1a2a3", 7, "3")), Some(ErrorCode::StaleAction));
    assert_eq!(refusal(&act(&mut game, UserId(9), "1a2a3", 0, "4")), Some(ErrorCode::NotAPlayer));
    assert_eq!(refusal(&game.handle(Event::AcceptDraw(ADA), SECOND)), Some(ErrorCode::NoDrawOffer));
    game.handle(Event::Resign(BOB), SECOND);
    assert_eq!(refusal(&act(&mut game, ADA, "1a2a3", 0, "5")), Some(ErrorCode::GameOver));
    let result = game.result().unwrap();
    assert_eq!((result.winner, result.reason), (Some(Team::White), EndReason::Resignation));
}

#[test]
fn booms_end_games_by_rule() {
    let seats = || [Seat::human(ADA, "Ada"), Seat::human(BOB, "Bob")];
    let mut game = between(seats(), "8/8/8/4a3/3B4/8/8/A7 w", None);
    let effects = act(&mut game, ADA, "xd4", 0, "1");
    assert!(effects.contains(&Effect::Store(Stored::End)));
    assert_eq!(game.result().unwrap().winner, Some(Team::White));
    let mut game = between(seats(), "8/8/8/4a3/3B4/8/8/8 w", None);
    act(&mut game, ADA, "xd4", 0, "1");
    let result = game.result().unwrap();
    assert_eq!((result.winner, result.reason), (None, EndReason::Boom));
}

#[test]
fn draws_are_offered_declined_and_agreed() {
    let mut game = people();
    game.handle(Event::OfferDraw(ADA), SECOND);
    assert_eq!(refusal(&game.handle(Event::AcceptDraw(ADA), SECOND)), Some(ErrorCode::NoDrawOffer));
    let declined = game.handle(Event::DeclineDraw(BOB), SECOND);
    assert_eq!(declined, [Effect::Announce(Announcement::DrawOffer(None))]);
    game.handle(Event::OfferDraw(ADA), SECOND);
    // An action lets the offer lapse.
    act(&mut game, ADA, "1a2a3", 0, "1");
    assert_eq!(refusal(&game.handle(Event::AcceptDraw(BOB), SECOND)), Some(ErrorCode::NoDrawOffer));
    game.handle(Event::OfferDraw(BOB), SECOND);
    game.handle(Event::OfferDraw(ADA), SECOND);
    assert_eq!(game.result().unwrap().reason, EndReason::Agreement);
}

#[test]
fn clocks_run_out() {
    let clock = ClockSettings { initial_ms: 10_000, increment_ms: 1_000 };
    let mut game =
        between([Seat::human(ADA, "Ada"), Seat::human(BOB, "Bob")], STANDARD, Some(clock));
    assert_eq!(game.wakes_at(), Some(10 * SECOND));
    act(&mut game, ADA, "1a2a3", 0, "1");
    assert_eq!(game.wakes_at(), Some(11 * SECOND));
    game.handle(Event::Tick, 11 * SECOND - Duration::from_millis(1));
    assert_eq!(game.result(), None);
    game.handle(Event::Tick, 11 * SECOND);
    let result = game.result().unwrap();
    assert_eq!((result.winner, result.reason), (Some(Team::White), EndReason::TimeForfeit));
}

#[test]
fn whoever_stays_away_loses() {
    let mut game = people();
    game.handle(Event::Disconnected(ADA), SECOND);
    game.handle(Event::Connected(ADA), 50 * SECOND);
    assert_eq!(game.wakes_at(), None);
    game.handle(Event::Disconnected(BOB), 60 * SECOND);
    assert_eq!(game.wakes_at(), Some(120 * SECOND));
    game.handle(Event::Tick, 120 * SECOND);
    let result = game.result().unwrap();
    assert_eq!((result.winner, result.reason), (Some(Team::White), EndReason::Abandonment));
}

fn asked(effects: &Effects) -> Option<(Color, u32, Duration)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Think { color, revision, budget, .. } => Some((*color, *revision, *budget)),
        _ => None,
    })
}

#[test]
fn a_search_counts_only_for_its_revision() {
    let mut game = between([Seat::human(ADA, "Ada"), bot(10)], STANDARD, None);
    let effects = act(&mut game, ADA, "1a2a3", 0, "1");
    assert_eq!(asked(&effects), Some((Color::Black, 1, 5 * SECOND)));
    let action: Action = "1a7a6".parse().unwrap();
    let evaluation = Some(BotEvaluation { white_score: -5, mate_in: None });
    let ended = |revision| Event::SearchEnded { revision, action, evaluation };
    assert_eq!(game.handle(ended(0), SECOND), []);
    game.handle(ended(1), SECOND);
    assert_eq!((game.revision(), game.evaluations.black), (2, evaluation));
    assert_eq!(game.handle(ended(1), SECOND), []);
    assert_eq!(game.evaluations.white, None);
}

#[test]
fn a_search_begins_by_saying_so() {
    let mut game = between([bot(10), Seat::human(BOB, "Bob")], STANDARD, None);
    let begun = game.handle(Event::SearchBegun { revision: 0 }, SECOND);
    let thinking = Announcement::Thinking { color: Color::White, budget: 5 * SECOND };
    assert_eq!(begun, [Effect::Announce(thinking)]);
    game.handle(Event::Resign(BOB), SECOND);
    assert_eq!(game.handle(Event::SearchBegun { revision: 0 }, SECOND), []);
}

#[test]
fn whoever_comes_during_a_search_is_told_what_is_left_of_it() {
    let mut game = between([bot(10), bot(10)], STANDARD, None);
    // It waits for others.
    assert_eq!(game.thinking(SECOND), None);
    game.handle(Event::SearchBegun { revision: 0 }, SECOND);
    let left = |color, budget| Some(Announcement::Thinking { color, budget });
    assert_eq!(game.thinking(3 * SECOND), left(Color::White, 3 * SECOND));
    assert_eq!(game.thinking(9 * SECOND), left(Color::White, Duration::ZERO));
    let action = "1a2a3".parse().unwrap();
    game.handle(Event::SearchEnded { revision: 0, action, evaluation: None }, 4 * SECOND);
    assert_eq!(game.thinking(4 * SECOND), None);
    game.handle(Event::SearchBegun { revision: 1 }, 4 * SECOND);
    assert_eq!(game.thinking(5 * SECOND), left(Color::Black, 4 * SECOND));
    game.handle(Event::Watched { watchers: 0, left: true }, 20 * SECOND);
    assert_eq!((game.is_over(), game.thinking(20 * SECOND)), (true, None));
}

#[test]
fn bots_are_drawn_after_two_hundred_actions() {
    let mut game = between([bot(1), bot(1)], STANDARD, None);
    for number in 0..200_u32 {
        assert!(!game.is_over());
        let there = if number % 2 == 0 { ["1a2a3", "1a3a2"] } else { ["1a7a6", "1a6a7"] };
        let action = there[number as usize / 2 % 2].parse().unwrap();
        let ended = Event::SearchEnded { revision: number, action, evaluation: None };
        game.handle(ended, SECOND);
    }
    assert_eq!(game.result().unwrap().reason, EndReason::ActionLimit);
    assert_eq!(game.revision(), 201);
}

#[test]
fn bots_stop_when_nobody_watches() {
    let watched = |watchers, left| Event::Watched { watchers, left };
    let mut game = between([bot(1), bot(1)], STANDARD, None);
    game.handle(watched(0, false), SECOND);
    assert_eq!(game.wakes_at(), Some(11 * SECOND));
    game.handle(watched(1, false), 5 * SECOND);
    assert_eq!(game.wakes_at(), None);
    // The last one to leave is not waited for.
    let effects = game.handle(watched(0, true), 20 * SECOND);
    assert!(effects.contains(&Effect::Store(Stored::Nothing)));
    assert!(effects.contains(&Effect::StopThinking));
    assert_eq!(game.result().unwrap().reason, EndReason::BrokenOff);
}
