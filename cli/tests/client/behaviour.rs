//! Keys of every view.

use std::time::Duration;

use boombots_cli::state::{Dialog, Pane, Selection};
use boombots_cli::{Effect, Event, View};
use boombots_protocol::{ClientMessage, ColorChoice, EndReason, ServerMessage, Team};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::fixtures::{self, Client, MIDDLE, ada_and_bob, game, news};

fn acted(client: &mut Client) -> String {
    let said = client.said();
    let [ClientMessage::GameAction { action, revision, .. }] = said.as_slice() else {
        panic!("no action: {said:?}")
    };
    assert_eq!(*revision, client.app.game.as_ref().map(|game| game.game.revision));
    boombots_rules::Action::try_from(*action).unwrap().to_string()
}

#[test]
fn the_lobbys_keys() {
    let mut client = fixtures::in_lobby();
    client.press(KeyCode::Enter);
    let said = client.said();
    assert!(matches!(said.as_slice(), [ClientMessage::SendChallenge { target_id: 2, .. }]));
    client.type_text("jj ");
    let said = client.said();
    assert!(matches!(said.as_slice(), [ClientMessage::SendChallenge { target_id: 4, .. }]));
    client.press(KeyCode::Tab);
    assert_eq!(client.app.lobby.pane, Pane::Challenges);
    client.press(KeyCode::Enter);
    assert_eq!(client.said(), [ClientMessage::AcceptChallenge { challenge_id: 11 }]);
    client.type_text("x");
    assert_eq!(client.said(), [ClientMessage::DeclineChallenge { challenge_id: 11 }]);
    client.press(KeyCode::Down);
    client.type_text("x");
    assert_eq!(client.said(), [ClientMessage::CancelChallenge { challenge_id: 12 }]);
    client.press(KeyCode::Right);
    client.press(KeyCode::Enter);
    assert_eq!(client.said(), [ClientMessage::Spectate { game_id: 8 }]);
    client.press(KeyCode::Left);
    client.press(KeyCode::Left);
    assert_eq!(client.app.lobby.pane, Pane::Players);
    client.type_text("b");
    assert!(matches!(client.said().as_slice(), [ClientMessage::StartBotMatch { .. }]));
    client.type_text("w");
    assert_eq!(client.app.view, View::Builds);
    client.press(KeyCode::Esc);
    assert_eq!(client.app.view, View::Lobby);
    client.type_text("q");
    assert_eq!(client.effects, [Effect::Quit]);
}

#[test]
fn the_bot_plays_the_chosen_side_at_the_chosen_level() {
    let mut client = fixtures::in_lobby();
    client.type_text("p");
    client.press(KeyCode::Right);
    client.press(KeyCode::Down);
    client.press(KeyCode::Left);
    client.press(KeyCode::Left);
    client.press(KeyCode::Enter);
    let said = client.said();
    let [ClientMessage::StartBotGame { color, level, .. }] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert_eq!((*color, *level), (Some(ColorChoice::White), Some(8)));
    client.type_text("p");
    client.press(KeyCode::Esc);
    assert_eq!(client.said(), []);
}

#[test]
fn options_are_for_the_games_asked_for() {
    let mut client = fixtures::in_lobby();
    client.type_text("o");
    client.press(KeyCode::Right);
    client.press(KeyCode::Down);
    client.press(KeyCode::Right);
    client.press(KeyCode::Enter);
    client.press(KeyCode::Enter);
    let said = client.said();
    let [ClientMessage::SendChallenge { start, clock, .. }] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert_eq!(start.as_deref(), Some("expendibots"));
    assert_eq!(clock.unwrap().initial_ms, 60_000);
}

#[test]
fn a_move_by_keys() {
    let mut client = fixtures::playing();
    client.type_text(" k ");
    let chosen = client.app.game.as_ref().unwrap().selection;
    assert_eq!(chosen.action().unwrap().to_string(), "2d2d3");
    client.type_text("-");
    client.press(KeyCode::Enter);
    assert_eq!(acted(&mut client), "1d2d3");
}

#[test]
fn the_source_again_cycles_the_count_and_c_clears() {
    let mut client = fixtures::playing();
    client.type_text("  ");
    let selection = |client: &Client| client.app.game.as_ref().unwrap().selection;
    assert_eq!(selection(&client).count(), Some(1));
    client.type_text(" ");
    assert_eq!(selection(&client).count(), Some(2));
    client.type_text("c");
    assert_eq!(selection(&client), Selection::Nothing);
}

#[test]
fn a_boom_is_shown_before_it_is_done() {
    let mut client = fixtures::previewing();
    assert_eq!(client.said(), []);
    let screen = client.screen(80, 24);
    assert!(screen.contains("xd4 takes 2 White, 6 Black"), "{screen}");
    client.press(KeyCode::Enter);
    assert_eq!(acted(&mut client), "xd4");

    let mut client = fixtures::previewing();
    client.type_text("b");
    assert_eq!(acted(&mut client), "xd4");
}

#[test]
fn an_action_is_typed() {
    let mut client = fixtures::playing();
    client.type_text("m9d2d3");
    client.press(KeyCode::Enter);
    assert_eq!(client.said(), []);
    assert!(client.screen(80, 24).contains("9 bots cannot leave d2"));
    for _ in 0..6 {
        client.press(KeyCode::Backspace);
    }
    client.type_text("1D2D3");
    client.press(KeyCode::Enter);
    assert_eq!(acted(&mut client), "1d2d3");
}

#[test]
fn nothing_is_chosen_on_the_others_turn() {
    let mut client = fixtures::playing();
    let after = game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4", "1d2d3"]);
    client.hear(ServerMessage::Game(news(after)));
    client.type_text(" ");
    client.press(KeyCode::Enter);
    assert_eq!(client.said(), []);
    assert_eq!(client.app.game.as_ref().unwrap().selection, Selection::Nothing);
    assert!(client.screen(80, 24).contains("it is the other side's turn"));
}

#[test]
fn leaving_a_live_game_is_asked_first() {
    let mut client = fixtures::leaving();
    assert!(matches!(client.app.dialog, Some(Dialog::Leave)));
    client.type_text("n");
    assert_eq!((client.app.view, client.said()), (View::Game, vec![]));
    client.type_text("qy");
    assert_eq!(client.app.view, View::Lobby);
    assert_eq!(client.said(), [ClientMessage::LeaveGame { game_id: Some(9) }]);
    // What the server still says of the game does not open it again.
    let lost = fixtures::ended_by(EndReason::Abandonment, Some(Team::Black));
    client.hear(ServerMessage::Game(lost));
    assert_eq!(client.app.view, View::Lobby);
    client.hear(ServerMessage::LeftGame { game_id: 9 });
    assert_eq!(client.app.view, View::Lobby);
}

#[test]
fn resigning_can_be_thought_better_of() {
    let resigned = [ClientMessage::Resign { game_id: Some(9) }];
    let mut client = fixtures::resigning();
    client.type_text("k");
    client.wait(Duration::from_secs(5));
    assert_eq!(client.said(), []);
    client.type_text("r");
    client.wait(Duration::from_secs(4));
    assert_eq!(client.said(), resigned);
    client.type_text("rr");
    assert_eq!(client.said(), resigned);
}

#[test]
fn draws_are_offered_accepted_and_declined() {
    let mut client = fixtures::playing();
    let game_id = Some(9);
    client.type_text("d");
    assert_eq!(client.said(), [ClientMessage::OfferDraw { game_id }]);
    client.hear(ServerMessage::DrawOffer { game_id: 9, team: Some(Team::Black) });
    assert!(client.screen(80, 24).contains("Bob offers a draw"));
    client.type_text("D");
    assert_eq!(client.said(), [ClientMessage::DeclineDraw { game_id }]);
    client.type_text("d");
    assert_eq!(client.said(), [ClientMessage::AcceptDraw { game_id }]);
}

#[test]
fn the_end_closes_questions_and_another_game_is_a_key_away() {
    let mut client = fixtures::leaving();
    let ended = fixtures::ended_by(EndReason::Resignation, Some(Team::White));
    client.hear(ServerMessage::Game(ended));
    assert!(client.app.dialog.is_none());
    assert!(client.screen(80, 24).contains("Ada (White) won by resignation"));
    client.type_text("n");
    assert_eq!(client.said(), [ClientMessage::Rematch { game_id: Some(9) }]);
    client.press(KeyCode::Esc);
    assert_eq!(client.app.view, View::Lobby);
}

#[test]
fn a_spectator_moves_nothing() {
    let mut client = fixtures::watching();
    let before = client.screen(80, 24);
    client.type_text(" hjkl+-bcrdm");
    client.press(KeyCode::Enter);
    client.press(KeyCode::Up);
    assert_eq!(client.said(), []);
    assert_eq!(client.screen(80, 24), before);
    client.press(KeyCode::Esc);
    assert_eq!(client.app.view, View::Lobby);
    let mut client = fixtures::watching();
    client.effects.clear();
    client.type_text("q");
    assert_eq!(client.effects, [Effect::Quit]);
}

#[test]
fn evaluations_are_whites_and_mates_are_counted() {
    let screen = fixtures::watching().screen(80, 24);
    assert!(screen.contains("eval +1.35"), "{screen}");
    assert!(screen.contains("eval #-8"), "{screen}");
    assert!(screen.contains("thinking 3.3 s"), "{screen}");
}

#[test]
fn explosions_spread_and_end_or_do_not_begin() {
    let mut client = fixtures::exploding();
    let burning = client.screen(80, 24);
    assert!(burning.contains('✸'), "{burning}");
    client.wait(Duration::from_secs(2));
    assert!(!client.screen(80, 24).contains('✸'));
    assert!(client.app.game.as_ref().unwrap().blast.is_none());

    let mut client = fixtures::playing();
    client.app.animate = false;
    let after = game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4", "xd4"]);
    client.hear(ServerMessage::Game(news(after)));
    assert!(client.app.game.as_ref().unwrap().blast.is_none());
}

#[test]
fn released_keys_are_ignored() {
    let mut client = fixtures::in_lobby();
    let mut key = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
    key.kind = KeyEventKind::Release;
    client.event(Event::Key(key));
    assert_eq!(client.effects, []);
}

#[test]
fn control_keys_work_everywhere() {
    for (name, client) in fixtures::all() {
        for (key, effect) in [('c', Effect::Quit), ('z', Effect::Suspend), ('l', Effect::Repaint)] {
            let mut client = client();
            client.effects.clear();
            let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
            client.event(Event::Key(key));
            assert_eq!(client.effects, [effect], "{name}");
        }
    }
}

#[test]
fn an_idle_client_sleeps() {
    let mut client = fixtures::in_lobby();
    assert_eq!(client.app.next_tick(), None);
    client.hear(ServerMessage::Pong { nonce: None });
    assert_eq!(client.app.next_tick(), None);
    client.app.game = None;
    let client = fixtures::won();
    assert_eq!(client.app.next_tick(), None);
}

#[test]
fn clocks_run_between_messages() {
    let mut client = fixtures::playing();
    assert!(client.screen(80, 24).contains("4:05"));
    client.wait(Duration::from_secs(7));
    let screen = client.screen(80, 24);
    assert!(screen.contains("3:58"), "{screen}");
    assert!(screen.contains("0:17.4"), "{screen}");
}
