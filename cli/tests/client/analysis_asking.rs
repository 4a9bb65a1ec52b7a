//! What is asked of the server for an analysis and when, and what is made of its answers.

use std::time::Duration;

use boombots_cli::state::Dialog;
use boombots_cli::{Effect, Event, LinkEvent, View};
use boombots_protocol::{
    ClientMessage, DeepAnalysis, DeepAnalysisState, EndReason, ErrorCode, Problem, ServerMessage,
    Team,
};
use ratatui::crossterm::event::KeyCode;

use crate::analysis_fixtures::{
    self, LOOKED_AT, WON, after, analysis, asked, asking, hear, nothing_yet, running, shown,
    type_action,
};
use crate::fixtures::{self, MIDDLE, ada_and_bob, game, welcome};

#[test]
fn the_server_is_asked_when_a_position_has_been_looked_at() {
    let mut client = analysis_fixtures::analysing();
    client.said();
    // Quickly there and on: only the last one counts.
    client.press(KeyCode::Enter);
    type_action(&mut client, "1h8h7");
    client.wait(LOOKED_AT / 2);
    type_action(&mut client, "1a1a2");
    client.press(KeyCode::Left);
    client.wait(LOOKED_AT / 2);
    assert_eq!(client.said(), []);
    client.wait(LOOKED_AT);
    assert_eq!(client.said(), [asked(&after(MIDDLE, &["xd4", "1h8h7"]))]);
    // There and back again is nothing new.
    client.press(KeyCode::Right);
    client.press(KeyCode::Left);
    client.wait(LOOKED_AT * 4);
    assert_eq!(client.said(), []);
    assert_eq!(client.app.next_tick(), None);
    // What is left before it was asked for is not taken leave of.
    let mut client = fixtures::in_lobby();
    client.type_text("a");
    client.press(KeyCode::Enter);
    client.type_text("q");
    assert_eq!((client.app.view, client.said()), (View::Lobby, vec![]));
}

#[test]
fn what_is_said_of_other_positions_is_ignored() {
    let mut client = analysis_fixtures::analysing();
    let before = client.screen(80, 24);
    hear(&mut client, DeepAnalysis { position: WON.to_owned(), ..analysis_fixtures::decided() });
    hear(&mut client, nothing_yet("nonsense"));
    assert_eq!(client.screen(80, 24), before);
    client.press(KeyCode::Enter);
    hear(&mut client, DeepAnalysis { jobs: 13, ..running() });
    assert!(client.screen(80, 24).contains("nothing is known yet"));
    // Back within the moment it is there, although the server was not asked again.
    client.press(KeyCode::Left);
    assert!(client.screen(80, 24).contains("13 jobs"));
    client.press(KeyCode::Esc);
    hear(&mut client, running());
    assert_eq!((client.app.view, client.app.analysis.is_none()), (View::Lobby, true));
}

#[test]
fn what_is_proved_is_not_asked_again() {
    let mut client = analysis_fixtures::analysed();
    let screen = client.screen(132, 43);
    assert!(screen.contains("White wins in 3 plies, by the tables"), "{screen}");
    assert!(screen.contains("#2 wins"), "{screen}");
    assert_eq!(client.app.next_tick(), None);
    client.said();
    client.type_text("g");
    assert!(client.screen(80, 24).contains("it is decided already"));
    client.press(KeyCode::Enter);
    client.wait(LOOKED_AT);
    assert_eq!(client.said(), [asked(&after(WON, &["1g6g7"]))]);
    // The server is to rest there.
    client.press(KeyCode::Left);
    client.wait(LOOKED_AT);
    assert_eq!(client.said(), [ClientMessage::EndDeepAnalysis]);
    client.press(KeyCode::Esc);
    assert_eq!(client.said(), []);
}

#[test]
fn what_has_ended_undecided_goes_on() {
    for (state, why) in [
        (DeepAnalysisState::Done, "its time is over"),
        (DeepAnalysisState::Cancelled, "an operator ended it"),
    ] {
        let mut client = analysis_fixtures::analysing();
        client.said();
        client.type_text("g");
        assert_eq!(client.said(), []);
        hear(&mut client, DeepAnalysis { state, ..running() });
        assert!(client.screen(80, 24).contains(why), "{why}");
        client.wait(Duration::from_secs(20));
        assert!(client.screen(80, 24).contains("12 s"));
        client.type_text("g");
        assert_eq!(client.said(), [asked(MIDDLE)]);
        assert!(!client.screen(80, 24).contains(why));
        client.type_text("q");
        assert_eq!(client.said(), [ClientMessage::EndDeepAnalysis]);
    }
}

#[test]
fn a_refusal_is_shown_and_g_asks_again() {
    let mut client = asking(MIDDLE);
    let problem = |code| Problem {
        code,
        message: "as many positions are analysed as can be".to_owned(),
        game_id: None,
        action_id: None,
        revision: None,
        state: None,
    };
    client.said();
    client.hear(ServerMessage::Error(problem(ErrorCode::Busy)));
    let screen = client.screen(132, 43);
    assert!(screen.contains("! as many positions are analysed"), "{screen}");
    assert!(screen.contains("can be: g\n"), "{screen}");
    client.wait(Duration::from_secs(2));
    assert_eq!(client.said(), []);
    client.type_text("g");
    assert_eq!(client.said(), [asked(MIDDLE)]);
    // What is refused once it was answered is something else.
    hear(&mut client, running());
    client.hear(ServerMessage::Error(problem(ErrorCode::Busy)));
    assert_eq!(analysis(&client).refused, None);
}

#[test]
fn where_the_game_is_over_the_winner_is_named_and_nothing_asked() {
    let mut client = analysis_fixtures::over();
    client.said();
    client.wait(LOOKED_AT);
    // The server is only told that nothing is looked at any more.
    assert_eq!(client.said(), [ClientMessage::EndDeepAnalysis]);
    let screen = client.screen(80, 24);
    assert!(screen.contains("The game is over: White has won"), "{screen}");
    client.press(KeyCode::Enter);
    assert!(client.screen(80, 24).contains("the game is over here"));
    let mut client = asking("8/8/8/8/8/8/8/8 b");
    assert!(client.screen(80, 24).contains("The game is over: a draw"));
    client.press(KeyCode::Esc);
    assert_eq!(client.said(), []);
}

#[test]
fn after_a_lost_connection_it_is_asked_for_again() {
    let mut client = analysis_fixtures::analysing();
    client.said();
    let reason = "the connection broke off".to_owned();
    client.event(Event::Link(LinkEvent::Closed { code: None, reason }));
    assert!(client.screen(80, 24).contains("waits for the connection"));
    // Lines known already can be followed meanwhile.
    client.press(KeyCode::Enter);
    client.wait(Duration::from_secs(1));
    assert_eq!(client.effects, [Effect::Connect]);
    client.event(Event::Link(LinkEvent::Opened));
    client.effects.clear();
    client.hear(welcome(true, None));
    assert_eq!(client.said(), [asked(&after(MIDDLE, &["xd4"]))]);
    assert_eq!(client.app.view, View::Analysis);
}

#[test]
fn the_game_watched_is_come_back_to_as_it_is_then() {
    let mut client = fixtures::watching();
    client.said();
    client.type_text("a");
    client.wait(LOOKED_AT);
    let start = MIDDLE;
    let moves = ["2d4d2", "1f3f4", "1a1a2"];
    assert_eq!(client.said(), [asked(&after(start, &moves))]);
    // The game is the way that led there.
    client.type_text("h");
    assert_eq!(shown(&client), after(start, &moves[..2]));
    let players = client.app.game.as_ref().unwrap().game.players.clone();
    let mut ended = game(players, start, &["2d4d2", "1f3f4", "1a1a2", "xd5"]);
    ended.id = 8;
    ended.result = fixtures::ended_by(EndReason::BrokenOff, None).result;
    client.type_text("p");
    client.hear(ServerMessage::Game(fixtures::news(ended)));
    // A question about the analysis is not put away by what happens in the game.
    assert!(matches!(client.app.dialog, Some(Dialog::Position { .. })));
    client.press(KeyCode::Esc);
    client.press(KeyCode::Esc);
    assert_eq!(
        (client.app.view, client.said()),
        (View::Game, vec![ClientMessage::EndDeepAnalysis])
    );
    assert_eq!(client.app.game.as_ref().unwrap().moves.len(), 4);
    client.type_text("a");
    client.hear(ServerMessage::LeftGame { game_id: 8 });
    assert_eq!(client.app.view, View::Analysis);
    client.press(KeyCode::Esc);
    assert_eq!(client.app.view, View::Lobby);
}

#[test]
fn ones_own_game_is_analysed_only_when_it_has_ended() {
    let mut client = fixtures::playing();
    client.type_text("a");
    assert_eq!((client.app.view, client.app.analysis.is_none()), (View::Game, true));
    assert!(!client.screen(132, 43).contains("analyse"));
    let ended = fixtures::ended_by(EndReason::Resignation, Some(Team::White));
    client.hear(ServerMessage::Game(ended));
    assert!(client.screen(132, 43).contains("a analyse"));
    client.type_text("a");
    client.wait(LOOKED_AT);
    assert_eq!(client.said(), [asked(&after(MIDDLE, &["2d4d2", "1f3f4"]))]);
    client.type_text("q");
    assert_eq!(client.app.view, View::Game);
}

#[test]
fn a_game_that_begins_ends_the_analysis() {
    let mut client = analysis_fixtures::analysing();
    client.type_text("p");
    client.said();
    client.hear(ServerMessage::Game(game(ada_and_bob(), MIDDLE, &[])));
    assert_eq!(client.said(), [ClientMessage::EndDeepAnalysis]);
    assert_eq!((client.app.view, client.app.analysis.is_none()), (View::Game, true));
    assert!(client.app.dialog.is_none());
    client.wait(Duration::from_secs(1));
    assert_eq!(client.said(), []);
}
