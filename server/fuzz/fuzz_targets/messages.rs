//! Any bytes as a client's message: it is read or refused, what is read comes back the same, and
//! its action is one of the rules or refused.
//!
//! ```text
//! RUSTC_BOOTSTRAP=1 cargo fuzz run messages --fuzz-dir server/fuzz -- -max_total_time=60
//! ```

#![no_main]

use boombots_protocol::ClientMessage;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(message) = ClientMessage::parse(text) else { return };
    let again = serde_json::to_string(&message).expect("a message has a text");
    assert_eq!(ClientMessage::parse(&again).expect("its text is a message"), message);
    if let ClientMessage::GameAction { action, .. } = message
        && let Ok(action) = boombots_rules::Action::try_from(action)
    {
        let start = boombots_rules::Position::start(boombots_rules::Start::Standard);
        let _ = start.play(action);
    }
});
