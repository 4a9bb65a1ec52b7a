//! Connections lost and found again.

use std::time::Duration;

use boombots_cli::state::LinkState;
use boombots_cli::{Effect, Event, LinkEvent, View};
use boombots_protocol::{ClientMessage, ErrorCode, Problem, ServerMessage, Team};
use ratatui::crossterm::event::KeyCode;

use crate::fixtures::{self, Client, MIDDLE, ada_and_bob, game, news, welcome};

fn lose(client: &mut Client, code: Option<u16>) {
    let reason = "the connection broke off".to_owned();
    client.event(Event::Link(LinkEvent::Closed { code, reason }));
}

fn come_back(client: &mut Client, resumed: bool, playing: Option<u32>) {
    client.event(Event::Link(LinkEvent::Opened));
    client.hear(welcome(resumed, playing));
}

fn problem(code: ErrorCode, message: &str) -> ServerMessage {
    ServerMessage::Error(Problem {
        code,
        message: message.to_owned(),
        game_id: None,
        action_id: None,
        revision: None,
        state: None,
    })
}

#[test]
fn a_lost_connection_is_shown_tried_again_later_and_later_and_resumed() {
    let mut client = fixtures::playing();
    lose(&mut client, None);
    let mut waits = Vec::new();
    for _ in 0..7 {
        let LinkState::Waiting { until, .. } = client.app.connection.link else { panic!("waits") };
        waits.push(until - client.now);
        assert!(client.screen(80, 24).contains("connection lost, again in"));
        client.effects.clear();
        client.wait(until - client.now);
        assert_eq!(client.effects, [Effect::Connect]);
        lose(&mut client, None);
    }
    assert!(waits[0] < Duration::from_millis(320), "{waits:?}");
    assert!(waits[6] >= Duration::from_secs(8), "{waits:?}");
    assert!(waits.is_sorted_by(|a, b| a < b || *b >= Duration::from_secs(8)), "{waits:?}");

    client.effects.clear();
    client.event(Event::Link(LinkEvent::Opened));
    let said = client.said();
    let [ClientMessage::Handshake { resume_token, .. }] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert_eq!(resume_token.as_deref(), Some("token"));
    client.hear(welcome(true, Some(9)));
    client.hear(ServerMessage::Game(game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4"])));
    assert_eq!(client.app.view, View::Game);
    assert!(client.screen(80, 24).contains("connected again"));
    lose(&mut client, None);
    let LinkState::Waiting { until, .. } = client.app.connection.link else { panic!("waits") };
    assert!(until - client.now < Duration::from_millis(320), "the back-off begins anew");
}

#[test]
fn ctrl_r_does_not_wait() {
    use ratatui::crossterm::event::{KeyEvent, KeyModifiers};
    let mut client = fixtures::playing();
    lose(&mut client, None);
    client.effects.clear();
    let key = KeyEvent::new(KeyCode::Char('r'), KeyModifiers::CONTROL);
    client.event(Event::Key(key));
    assert_eq!(client.effects, [Effect::Connect]);
}

#[test]
fn an_action_without_an_answer_is_sent_again_under_its_name() {
    let mut client = fixtures::playing();
    client.type_text(" ");
    client.press(KeyCode::Up);
    client.type_text(" ");
    client.press(KeyCode::Enter);
    let first = client.said();
    assert!(matches!(first.as_slice(), [ClientMessage::GameAction { revision: Some(2), .. }]));
    // A second Enter changes nothing while the first is on its way.
    client.press(KeyCode::Enter);
    assert_eq!(client.said(), []);
    lose(&mut client, None);
    come_back(&mut client, true, Some(9));
    client.effects.clear();
    client.hear(ServerMessage::Game(game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4"])));
    assert_eq!(client.said(), first);
    client.hear(ServerMessage::Game(news(game(
        ada_and_bob(),
        MIDDLE,
        &["2d4d2", "1f3f4", "2d2d3"],
    ))));
    assert_eq!(client.app.game.as_ref().unwrap().pending, None);
}

#[test]
fn an_action_that_arrived_before_the_loss_is_not_sent_again() {
    let mut client = fixtures::playing();
    client.type_text("m2d2d3");
    client.press(KeyCode::Enter);
    assert_eq!(client.said().len(), 1);
    lose(&mut client, None);
    come_back(&mut client, true, Some(9));
    client.effects.clear();
    client.hear(ServerMessage::Game(game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4", "2d2d3"])));
    assert_eq!(client.said(), []);
    let game = client.app.game.as_ref().unwrap();
    assert_eq!((game.pending.clone(), game.moves.len()), (None, 3));
}

#[test]
fn a_spectator_asks_for_the_game_again() {
    let mut client = fixtures::watching();
    lose(&mut client, Some(1001));
    client.event(Event::Link(LinkEvent::Opened));
    client.effects.clear();
    client.hear(welcome(true, None));
    assert_eq!(client.said(), [ClientMessage::Spectate { game_id: 8 }]);
    client.hear(problem(ErrorCode::UnknownGame, "there is no game 8"));
    assert_eq!(client.app.view, View::Lobby);
    assert!(client.screen(80, 24).contains("there is no game 8"));
}

#[test]
fn connected_from_elsewhere_is_for_the_user_to_undo() {
    let mut client = fixtures::in_lobby();
    lose(&mut client, Some(4000));
    client.effects.clear();
    client.wait(Duration::from_secs(100));
    assert_eq!(client.effects, []);
    assert!(client.screen(80, 24).contains("Ctrl-R connects"));
}

#[test]
fn a_refused_name_is_asked_for_again() {
    let mut client = Client::new(Some("Bob"));
    assert_eq!(client.effects, [Effect::Connect]);
    client.event(Event::Link(LinkEvent::Opened));
    client.hear(problem(ErrorCode::NameTaken, "somebody is called \"Bob\" already"));
    assert_eq!(client.app.view, View::Login);
    let screen = client.screen(80, 24);
    assert!(screen.contains("somebody is called \"Bob\" already"), "{screen}");
    client.effects.clear();
    client.type_text("by");
    client.press(KeyCode::Enter);
    let said = client.said();
    assert!(matches!(said.as_slice(), [ClientMessage::Handshake { name, .. }] if name == "Bobby"));
    client.hear(welcome(false, None));
    assert_eq!(client.app.view, View::Lobby);
}

#[test]
fn a_name_is_typed_before_anything_is_opened() {
    let mut client = Client::new(None);
    assert_eq!(client.effects, []);
    client.press(KeyCode::Enter);
    assert!(client.screen(80, 24).contains("at least one character"));
    // Letters are letters here, also those that are keys elsewhere.
    client.type_text("q?b");
    assert_eq!(client.app.name_field.text(), "q?b");
    client.press(KeyCode::Enter);
    assert_eq!(client.effects, [Effect::Connect]);
}

#[test]
fn another_version_is_the_end() {
    let mut client = Client::new(Some("Ada"));
    client.event(Event::Link(LinkEvent::Opened));
    client.effects.clear();
    client.hear(problem(ErrorCode::UnsupportedVersion, "this server speaks version 2"));
    let [Effect::Fail(why)] = client.effects.as_slice() else { panic!("goes on") };
    assert!(why.contains("version 2"));
}

#[test]
fn an_absent_player_is_shown_with_the_time_left() {
    let mut client = fixtures::playing();
    client.hear(ServerMessage::Presence {
        game_id: 9,
        team: Team::Black,
        connected: false,
        grace_ms: Some(60_000),
    });
    client.wait(Duration::from_secs(15));
    assert!(client.screen(80, 24).contains("away, 45 s left"));
    client.hear(ServerMessage::Presence {
        game_id: 9,
        team: Team::Black,
        connected: true,
        grace_ms: None,
    });
    let screen = client.screen(80, 24);
    assert!(!screen.contains("away") && screen.contains("Bob is back"), "{screen}");
}
