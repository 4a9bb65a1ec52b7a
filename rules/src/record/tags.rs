//! The tags of a record that are not derived from the game.

use thiserror::Error;

/// Names and values in the order in which they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tags(Vec<(String, String)>);

/// Tags with a place of their own, before all others.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Tags that say what the record knows from the game itself.
const DERIVED: [&str; 4] = ["Game", "Result", "Start", "Termination"];

impl Tags {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        check_tag(name, value)?;
        if DERIVED.contains(&name) {
            return Err(TagError::Derived { name: name.to_owned() });
        }
        if let Some((_, old)) = self.0.iter_mut().find(|(known, _)| known == name) {
            *old = value.to_owned();
            return Ok(());
        }
        let place = self.0.partition_point(|(known, _)| rank(known) <= rank(name));
        self.0.insert(place, (name.to_owned(), value.to_owned()));
        Ok(())
    }
}

/// Whether the tag is one of the fixed ones that come first.
pub(super) fn is_rostered(name: &str) -> bool {
    ROSTER.contains(&name)
}

/// The place of the tag among the fixed ones, or behind them all.
fn rank(name: &str) -> usize {
    ROSTER.iter().position(|known| *known == name).unwrap_or(ROSTER.len())
}

/// Checks what every tag must keep to, derived ones included.
pub(super) fn check_tag(name: &str, value: &str) -> Result<(), TagError> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() || !name.bytes().all(is_name) {
        return Err(TagError::BadName { name: name.to_owned() });
    }
    match value.chars().find(|found| found.is_control()) {
        None => Ok(()),
        Some(found) => Err(TagError::ControlCharacter { name: name.to_owned(), found }),
    }
}

/// Why a tag is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TagError {
    /// The name is empty or has other characters than ASCII letters, digits and
    /// `_`.
    #[error("{name:?} is not a tag name: expected ASCII letters, digits and _")]
    BadName {
        /// The name.
        name: String,
    },
    /// The record derives this tag from the game.
    #[error("the tag {name} follows from the game and cannot be set")]
    Derived {
        /// The name.
        name: String,
    },
    /// The value has a control character, such as a line break.
    #[error("the tag {name} has the control character {found:?}")]
    ControlCharacter {
        /// The name of the tag.
        name: String,
        /// The character.
        found: char,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rostered_tags_come_first_and_others_as_they_came() {
        let mut tags = Tags::default();
        for name in ["Zeta", "Black", "Alpha", "Event", "White"] {
            tags.set(name, "first").unwrap();
        }
        tags.set("Zeta", "second").unwrap();
        let names: Vec<_> = tags.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Event", "White", "Black", "Zeta", "Alpha"]);
        assert_eq!(tags.get("Zeta"), Some("second"));
        assert_eq!(tags.get("Site"), None);
    }

    #[test]
    fn bad_names_are_refused() {
        for name in ["", "Two words", "Größe", "A-B", "A\""] {
            let error = Tags::default().set(name, "").unwrap_err();
            assert!(matches!(error, TagError::BadName { .. }));
        }
    }

    #[test]
    fn derived_tags_are_refused() {
        for name in DERIVED {
            let error = Tags::default().set(name, "").unwrap_err();
            assert!(matches!(error, TagError::Derived { .. }));
        }
    }

    #[test]
    fn control_characters_are_refused() {
        for value in ["two\nlines", "\r", "tab\t", "\0", "\u{85}", "\u{7f}"] {
            let error = Tags::default().set("White", value).unwrap_err();
            assert!(matches!(error, TagError::ControlCharacter { .. }));
        }
    }
}
