//! Texts of others are shown, never obeyed.

use crate::fake_server::{fake_server, welcome};
use crate::pseudo_terminal::{PseudoTerminal, client};

#[test]
fn names_and_texts_of_the_server_inject_no_escapes() {
    // The title, the screen's end, colours by C1, and a name that reads backwards.
    let lobby = r#"{"type":"lobby","users":[
        {"id":2,"name":"\u001b]0;owned\u0007Eve"},{"id":3,"name":"\u001b[2JMallory\u009b31m"},
        {"id":4,"name":"\u202egnow\u200b"}],
        "challenges":[],"games":[],"gameCount":0,
        "bots":{"levels":10,"slots":1,"thinking":0,"queued":0},
        "tables":{"ready":["\u001b[8m"],"building":null,"problems":["\u001bP1$r\u001b\\"]}}"#;
    let refusal = r#"{"type":"error","code":"busy","message":"\u001b[?1049l later \u0007"}"#;
    let url = fake_server(vec![welcome(), lobby.to_owned(), refusal.to_owned()]);
    let ada = PseudoTerminal::run(client(&url, &["--name", "Ada\u{1b}[31m"]));
    ada.see("]0;owned?Eve");
    ada.see("Mallory?31m");
    ada.see("?gnow?");
    ada.see("?[?1049l later");
    let bytes = ada.bytes();
    let text = String::from_utf8_lossy(&bytes);
    for forbidden in
        ["\x1b]", "\x1bP", "\x1b[8m", "\x07", "\u{9b}", "\u{202e}", "\u{200b}", "\x1b[?1049l"]
    {
        assert!(!text.contains(forbidden), "{forbidden:?} in {text:?}");
    }
    ada.press("q");
    assert!(ada.ended().success());
    ada.assert_restored();
}

#[test]
fn what_is_no_message_is_passed_over() {
    let lobby = r#"{"type":"lobby","users":[{"id":2,"name":"Bob"}],"challenges":[],"games":[],
        "gameCount":0,"bots":{"levels":10,"slots":1,"thinking":0,"queued":0},
        "tables":{"ready":[],"building":null,"problems":[]}}"#;
    let odd = [
        "",
        "\u{1b}c",
        "[1,2",
        r#"{"type":"fireworks","name":"\u001bc"}"#,
        r#"{"type":"game","id":1}"#,
        r#"{"type":"drawOffer","gameId":77,"team":"white"}"#,
        r#"{"type":"leftGame","gameId":77}"#,
    ];
    let mut messages = vec![welcome()];
    messages.extend(odd.map(str::to_owned));
    messages.push(lobby.to_owned());
    let ada = PseudoTerminal::run(client(&fake_server(messages), &["--name", "Ada"]));
    ada.see("Bob");
    assert!(!String::from_utf8_lossy(&ada.bytes()).contains("\x1bc"));
}
