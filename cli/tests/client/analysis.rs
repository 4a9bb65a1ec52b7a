//! What an analysis shows, and the way through positions.

use std::time::Duration;

use boombots_cli::state::Dialog;
use boombots_cli::{Event, View};
use boombots_protocol::{ClientMessage, DeepAnalysis};
use boombots_rules::{Position, Start};
use ratatui::crossterm::event::KeyCode;

use crate::analysis_fixtures::{
    self, LOOKED_AT, WON, after, analysis, asked, chosen, hear, line, nothing_yet, retype, running,
    shown, type_action,
};
use crate::fixtures::{self, MIDDLE};

#[test]
fn a_position_is_typed_and_what_is_wrong_with_it_is_said() {
    let mut client = fixtures::in_lobby();
    client.type_text("a");
    let standard = Position::start(Start::Standard).to_string();
    assert!(client.screen(80, 24).contains(&standard));
    client.press(KeyCode::Backspace);
    client.press(KeyCode::Enter);
    let Some(Dialog::Position { field, .. }) = &client.app.dialog else { panic!("is closed") };
    assert_eq!(format!("{}w", field.text()), standard);
    assert!(client.screen(80, 24).contains("the text ends, expected a space and the side to move"));
    client.type_text("b");
    assert!(client.screen(80, 24).contains("Black to move, bots: 16 White, 16 Black"));
    // A whole position that is pasted takes the place of what is there, anything else is put in.
    client.event(Event::Paste(format!("{WON}\n")));
    client.event(Event::Paste(" ".to_owned()));
    client.press(KeyCode::Enter);
    assert_eq!((client.app.view, shown(&client).as_str()), (View::Analysis, WON));
    client.wait(LOOKED_AT);
    assert_eq!(client.said(), [asked(WON)]);
    client.press(KeyCode::Esc);
    assert_eq!(
        (client.app.view, client.said()),
        (View::Lobby, vec![ClientMessage::EndDeepAnalysis])
    );
    // The one analysed last is there again.
    client.type_text("a");
    assert!(client.screen(80, 24).contains(WON));
    client.press(KeyCode::Esc);
    assert_eq!((client.app.view, client.said()), (View::Lobby, vec![]));
    client.type_text("a");
    retype(&mut client, "expendibots");
    assert_eq!(shown(&client), Position::start(Start::Expendibots).to_string());
}

#[test]
fn figures_lines_and_who_is_at_it_are_shown() {
    let mut client = analysis_fixtures::analysing();
    let screen = client.screen(80, 24);
    for text in [
        "eval +3.41",
        "9.1 M positions",
        "12 jobs",
        "12 s",
        "cluster: forge, anvil",
        "+1.35",
        "#-4 loses",
        "xd4 takes 4 White, 4 Black",
        "Best for White",
    ] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    // Time goes on between messages, a second at a time.
    client.wait(Duration::from_secs(3));
    assert!(client.screen(80, 24).contains("15 s"));
    hear(&mut client, DeepAnalysis { nodes: 12_300_000, time_ms: 16_000, ..running() });
    let screen = client.screen(80, 24);
    assert!(screen.contains("12.3 M positions") && screen.contains("16 s"), "{screen}");
}

#[test]
fn one_steps_back_and_forward_along_the_way_taken() {
    let mut client = analysis_fixtures::analysing();
    client.type_text("j ");
    assert_eq!(shown(&client), after(MIDDLE, &["2d4d2"]));
    type_action(&mut client, "1F3F4");
    let there = after(MIDDLE, &["2d4d2", "1f3f4"]);
    assert_eq!(shown(&client), there);
    client.press(KeyCode::Backspace);
    client.type_text("h");
    assert_eq!(shown(&client), MIDDLE);
    // The line that was taken is chosen, and what was found is known still.
    assert_eq!(chosen(&client), "2d4d2");
    client.press(KeyCode::Left);
    assert!(client.screen(80, 24).contains("the analysis began here"));
    client.press(KeyCode::Enter);
    client.type_text("l");
    assert_eq!(shown(&client), there);
    client.press(KeyCode::Right);
    assert_eq!(shown(&client), there);
    // Another action begins another way.
    client.type_text("hh");
    type_action(&mut client, "1a1a2");
    client.press(KeyCode::Right);
    assert_eq!(shown(&client), after(MIDDLE, &["1a1a2"]));
}

#[test]
fn an_action_is_judged_by_the_rules_in_the_position() {
    let mut client = analysis_fixtures::analysing();
    type_action(&mut client, "9d4d3");
    assert!(client.screen(80, 24).contains("9 bots cannot leave d4"));
    assert_eq!(shown(&client), MIDDLE);
    client.press(KeyCode::Esc);
    assert_eq!(client.app.view, View::Analysis);
}

#[test]
fn the_chosen_line_stays_chosen_when_lines_change_places() {
    let mut client = analysis_fixtures::analysing();
    assert_eq!(chosen(&client), "xd4");
    let mut reordered = running();
    reordered.lines.swap(0, 1);
    // The best one, until another is chosen.
    hear(&mut client, reordered.clone());
    assert_eq!(chosen(&client), "2d4d2");
    client.type_text("j");
    assert_eq!(chosen(&client), "xd4");
    hear(&mut client, running());
    assert_eq!((chosen(&client), analysis(&client).row()), ("xd4".to_owned(), Some(0)));
    hear(&mut client, reordered);
    assert_eq!((chosen(&client), analysis(&client).row()), ("xd4".to_owned(), Some(1)));
    for _ in 0..9 {
        client.press(KeyCode::Down);
    }
    assert_eq!(chosen(&client), "1h1h2");
    for _ in 0..9 {
        client.press(KeyCode::Up);
    }
    assert_eq!(chosen(&client), "2d4d2");
}

#[test]
fn an_analysis_that_begins_anew_keeps_the_last_lines_till_it_has_some() {
    let mut client = analysis_fixtures::analysing();
    hear(&mut client, nothing_yet(MIDDLE));
    assert_eq!((chosen(&client), analysis(&client).lines().len()), ("xd4".to_owned(), 4));
    let new = DeepAnalysis {
        white_score: Some(50),
        lines: vec![line(50, "1a1a2")],
        ..nothing_yet(MIDDLE)
    };
    hear(&mut client, new);
    assert_eq!(chosen(&client), "1a1a2");
}

#[test]
fn a_line_that_the_rules_refuse_is_shown_and_not_played() {
    let mut client = analysis_fixtures::analysing();
    hear(&mut client, DeepAnalysis { lines: vec![line(341, "1h8h7 xd4")], ..running() });
    assert!(client.screen(80, 24).contains("▸  +3.41 1h8h7 xd4"));
    client.press(KeyCode::Enter);
    assert_eq!((shown(&client).as_str(), analysis(&client).action()), (MIDDLE, None));
}

#[test]
fn the_board_is_flipped() {
    let mut client = analysis_fixtures::analysing();
    let before = client.screen(80, 24);
    client.type_text("f");
    assert_ne!(client.screen(80, 24), before);
    client.type_text("f");
    assert_eq!(client.screen(80, 24), before);
}
