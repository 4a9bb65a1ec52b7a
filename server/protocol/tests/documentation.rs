//! `docs/protocol.md` is true: each example is a message and comes back the same, and each kind
//! of message has one.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use boombots_protocol::{ClientMessage, ErrorCode, ServerMessage};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

/// The lines of the examples in a part of the document.
fn examples<'a>(from: &str, to: &str) -> Vec<&'a str> {
    let (_, part) = DOCUMENT.split_once(from).unwrap();
    let (part, _) = part.split_once(to).unwrap();
    part.lines().filter(|line| line.starts_with("{\"type\"")).collect()
}

/// The kinds of a message, from what serde says of an unknown one.
fn kinds<T: DeserializeOwned>(unknown: &str) -> BTreeSet<String> {
    let error = serde_json::from_str::<T>(unknown).err().unwrap().to_string();
    let (_, expected) = error.split_once("expected one of ").unwrap();
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn check<T: Serialize + DeserializeOwned>(examples: &[&str]) {
    let mut shown = BTreeSet::new();
    for example in examples {
        let value: Value = serde_json::from_str(example).unwrap();
        let message: T = serde_json::from_str(example)
            .unwrap_or_else(|error| panic!("{example}\nis no message: {error}"));
        assert_eq!(serde_json::to_value(&message).unwrap(), value);
        shown.insert(value["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(shown, kinds::<T>(r#"{"type":"?"}"#));
}

#[test]
fn every_client_message_has_an_example() {
    check::<ClientMessage>(&examples("## From the client", "## From the server"));
}

#[test]
fn every_server_message_has_an_example() {
    check::<ServerMessage>(&examples("## From the server", "## Names"));
}

#[test]
fn every_error_code_is_listed() {
    for code in kinds::<ErrorCode>("\"?\"") {
        assert!(DOCUMENT.contains(&format!("`{code}`")), "{code}");
    }
}
