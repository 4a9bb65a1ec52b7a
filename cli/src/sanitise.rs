//! The boundary at which text of others becomes harmless.
//!
//! A terminal obeys control characters, and invisible or direction-changing ones let a text pass
//! for another. So every text of a message is cleaned before the message is read: nothing that
//! comes from a server goes round this.

use boombots_protocol::ServerMessage;
use serde_json::Value;

/// Stands for what was taken out: as wide as it looks in every terminal.
const REPLACEMENT: char = '?';

/// The text with every character replaced that a terminal would obey or nobody would see.
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|character| if is_harmful(character) { REPLACEMENT } else { character })
        .collect()
}

/// Reads a message of the server, all its texts cleaned; `None` for what this client does not
/// know, which a server may well say.
pub fn read_message(text: &str) -> Option<ServerMessage> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    clean_value(&mut value);
    serde_json::from_value(value).ok()
}

fn clean_value(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().any(is_harmful) => *text = clean(text),
        Value::Array(values) => values.iter_mut().for_each(clean_value),
        Value::Object(fields) => fields.values_mut().for_each(clean_value),
        _ => {}
    }
}

/// Controls (C0, DEL, C1), line and paragraph separators, and the invisible: zero-width and
/// direction-changing characters, fillers, variation selectors, tags and private use.
pub(crate) fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use boombots_protocol::ErrorCode;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_in_names_and_texts_are_taken_out() {
        let text = r#"{"type":"lobby","users":[{"id":1,"name":"\u001b]0;owned\u0007\u009b31m\u202eadA"}],
            "challenges":[],"games":[],"gameCount":0,
            "bots":{"levels":10,"slots":1,"thinking":0,"queued":0},
            "tables":{"ready":["\u001b[2J"],"building":null,"problems":["a\r\nb"]}}"#;
        let Some(ServerMessage::Lobby(lobby)) = read_message(text) else { panic!("no lobby") };
        assert_eq!(lobby.users[0].name, "?]0;owned??31m?adA");
        assert_eq!(lobby.tables.ready[0], "?[2J");
        assert_eq!(lobby.tables.problems[0], "a??b");
    }

    #[test]
    fn what_is_unknown_is_ignored() {
        assert_eq!(read_message(r#"{"type":"fireworks"}"#), None);
        assert_eq!(read_message("\u{1b}[31m"), None);
        let known = read_message(r#"{"type":"error","code":"busy","message":"later","new":1}"#);
        let Some(ServerMessage::Error(problem)) = known else { panic!("no error") };
        assert_eq!(problem.code, ErrorCode::Busy);
    }

    proptest! {
        #[test]
        fn no_control_character_is_left(text in any::<String>()) {
            let cleaned = clean(&text);
            prop_assert!(!cleaned.chars().any(is_harmful));
            prop_assert_eq!(cleaned.chars().count(), text.chars().count());
        }
    }
}
