//! Any text is either a message or an error, and messages survive the way there and back.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use boombots_protocol::{ClientMessage, MAX_MESSAGE_BYTES, ParseError};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = ClientMessage::parse(&text);
    }

    #[test]
    fn mangled_messages_are_read_or_refused(
        line in prop::sample::select(examples()),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(vec!["", "{", "}", "\"", ",", "null", "-1", "4294967296", "1e9", "[]"]),
        cut in 0_usize..6,
    ) {
        let at = at.index(line.len());
        let end = (at + cut).min(line.len());
        let text = format!("{}{with}{}", &line[..at], &line[end..]);
        if let Ok(message) = ClientMessage::parse(&text) {
            let again = serde_json::to_string(&message).unwrap();
            prop_assert_eq!(ClientMessage::parse(&again).unwrap(), message);
        }
    }
}

fn examples() -> Vec<&'static str> {
    let document = include_str!("../../../docs/protocol.md");
    let (client, _) = document.split_once("## From the server").unwrap();
    client.lines().filter(|line| line.starts_with("{\"type\"") && line.is_ascii()).collect()
}

#[test]
fn long_messages_are_refused_unread() {
    let text = format!("{{\"type\":\"ping\"}}{}", " ".repeat(MAX_MESSAGE_BYTES));
    assert!(matches!(ClientMessage::parse(&text), Err(ParseError::TooLong { .. })));
    assert!(ClientMessage::parse(&text[..MAX_MESSAGE_BYTES]).is_ok());
}

#[test]
fn unknown_fields_are_ignored_and_unknown_types_refused() {
    assert!(ClientMessage::parse(r#"{"type":"ping","later":{"a":[1]}}"#).is_ok());
    let error = ClientMessage::parse(r#"{"type":"fly"}"#).unwrap_err().to_string();
    assert!(error.contains("unknown variant `fly`"), "{error}");
    let error = ClientMessage::parse(r#"{"type":"spectate"}"#).unwrap_err().to_string();
    assert!(error.contains("missing field `gameId`"), "{error}");
}

#[test]
fn deep_nesting_is_refused() {
    let text = format!("{{\"type\":\"ping\",\"a\":{}", "[".repeat(60_000));
    assert!(ClientMessage::parse(&text).is_err());
}
