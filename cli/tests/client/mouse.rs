//! The mouse does what the keys do.

use boombots_cli::{AnalysisLayout, Event, GameLayout, View};
use boombots_protocol::ClientMessage;
use boombots_rules::Square;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::analysis_fixtures;
use crate::fixtures::{self, Client};

fn mouse(client: &mut Client, kind: MouseEventKind, at: (u16, u16)) {
    let (column, row) = at;
    client.event(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
}

fn on(client: &Client, square: &str) -> (u16, u16) {
    let (columns, rows) = client.app.size;
    let layout = GameLayout::new(Rect::new(0, 0, columns, rows), client.app.game.as_ref().unwrap());
    let square: Square = square.parse().unwrap();
    let rect = layout.board.rect(square);
    (rect.x + 1, rect.y)
}

fn click(client: &mut Client, square: &str) {
    let at = on(client, square);
    mouse(client, MouseEventKind::Down(MouseButton::Left), at);
    mouse(client, MouseEventKind::Up(MouseButton::Left), at);
}

fn drag(client: &mut Client, from: &str, to: &str) {
    let (from, to) = (on(client, from), on(client, to));
    mouse(client, MouseEventKind::Down(MouseButton::Left), from);
    mouse(client, MouseEventKind::Drag(MouseButton::Left), to);
    mouse(client, MouseEventKind::Up(MouseButton::Left), to);
}

fn chosen(client: &Client) -> String {
    let selection = client.app.game.as_ref().unwrap().selection;
    selection.action().map(|action| action.to_string()).unwrap_or_default()
}

#[test]
fn clicks_choose_and_a_click_on_the_target_submits() {
    let mut client = fixtures::playing();
    click(&mut client, "d2");
    click(&mut client, "d3");
    assert_eq!(chosen(&client), "2d2d3");
    assert_eq!(client.said(), []);
    click(&mut client, "d3");
    assert!(matches!(client.said().as_slice(), [ClientMessage::GameAction { .. }]));
}

#[test]
fn a_drag_is_source_and_target() {
    let mut client = fixtures::playing();
    drag(&mut client, "d2", "d3");
    assert_eq!(chosen(&client), "2d2d3");
    // Dragged again, the count stays; clicked, it changes.
    drag(&mut client, "d2", "c2");
    assert_eq!(chosen(&client), "2d2c2");
    click(&mut client, "d2");
    assert_eq!(chosen(&client), "1d2c2");
    let at = on(&client, "d2");
    mouse(&mut client, MouseEventKind::ScrollUp, at);
    assert_eq!(chosen(&client), "2d2c2");
}

#[test]
fn the_right_button_shows_a_boom_and_a_click_does_it() {
    let mut client = fixtures::playing();
    let at = on(&client, "d4");
    mouse(&mut client, MouseEventKind::Down(MouseButton::Right), at);
    assert_eq!(chosen(&client), "xd4");
    click(&mut client, "d4");
    assert!(matches!(client.said().as_slice(), [ClientMessage::GameAction { .. }]));
}

#[test]
fn a_flipped_board_is_hit_where_it_is_drawn() {
    let mut client = fixtures::playing();
    client.type_text("f");
    drag(&mut client, "d2", "d3");
    assert_eq!(chosen(&client), "2d2d3");
}

#[test]
fn rows_of_the_lobby_are_chosen_and_then_activated() {
    let mut client = fixtures::in_lobby();
    let down = MouseEventKind::Down(MouseButton::Left);
    // The second row of the first list, within its border, below the title.
    mouse(&mut client, down, (5, 3));
    assert_eq!(client.app.lobby.player().unwrap().name, "Grace Hopper");
    assert_eq!(client.said(), []);
    mouse(&mut client, down, (5, 3));
    assert!(matches!(
        client.said().as_slice(),
        [ClientMessage::SendChallenge { target_id: 3, .. }]
    ));
    // Nothing below the last row.
    mouse(&mut client, down, (5, 9));
    assert_eq!(client.said(), []);
}

#[test]
fn lines_of_an_analysis_are_chosen_and_then_played() {
    let mut client = analysis_fixtures::analysing();
    client.said();
    let layout = AnalysisLayout::new(Rect::new(0, 0, 80, 24), false);
    let third = (layout.rows().x + 4, layout.rows().y + 2);
    let down = MouseEventKind::Down(MouseButton::Left);
    let row = |client: &Client| client.app.analysis.as_ref().unwrap().row();
    mouse(&mut client, MouseEventKind::ScrollDown, (1, 1));
    assert_eq!(row(&client), Some(1));
    mouse(&mut client, MouseEventKind::ScrollUp, third);
    assert_eq!(row(&client), Some(0));
    mouse(&mut client, down, third);
    assert_eq!(row(&client), Some(2));
    // Nothing beside and below the lines.
    mouse(&mut client, down, (third.0, third.1 + 2));
    mouse(&mut client, down, (2, third.1));
    assert_eq!(row(&client), Some(2));
    mouse(&mut client, down, third);
    let played = client.app.analysis.as_ref().unwrap().way.shown().action;
    assert_eq!(played.unwrap().to_string(), "1d4d3");
}

#[test]
fn no_event_of_the_mouse_panics_anywhere() {
    let kinds = [
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
        MouseEventKind::Moved,
    ];
    for (_, client) in fixtures::all() {
        for size in [(80, 24), (40, 15), (3, 2)] {
            let mut client = client();
            client.event(Event::Resize(size.0, size.1));
            for x in (0..90).step_by(3) {
                for y in 0..26 {
                    for kind in kinds {
                        mouse(&mut client, kind, (x, y));
                    }
                }
            }
        }
    }
    assert_eq!(fixtures::watching().app.view, View::Game);
}
