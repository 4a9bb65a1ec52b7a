//! Names of users: which are allowed, and which are the same.

use boombots_protocol::MAX_NAME_CHARACTERS;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A name that is allowed, as others see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    shown: String,
    key: NameKey,
}

/// What two names that pass for one another have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NameKey(String);

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Nothing but white space.
    #[error("a name has at least one character")]
    Empty,
    /// Too long.
    #[error("a name has at most {MAX_NAME_CHARACTERS} characters")]
    TooLong,
    /// A character that cannot be seen, or changes how others are.
    #[error("a name has no control, invisible or direction-changing characters (U+{:04X})", *.0 as u32)]
    Character(char),
}

impl Name {
    /// Checks a name.
    ///
    /// # Errors
    /// See [`NameError`].
    pub fn new(text: &str) -> Result<Name, NameError> {
        let shown = text.trim();
        if shown.is_empty() {
            return Err(NameError::Empty);
        }
        if shown.chars().count() > MAX_NAME_CHARACTERS {
            return Err(NameError::TooLong);
        }
        if let Some(character) = shown.chars().find(|&character| is_hidden(character)) {
            return Err(NameError::Character(character));
        }
        // A mark needs a letter to stand on, and a stack of them hides its neighbours.
        let mut marks = 0;
        for character in shown.nfd() {
            marks = if is_combining_mark(character) { marks + 1 } else { 0 };
            if marks > MAX_MARKS {
                return Err(NameError::Character(character));
            }
        }
        let key = NameKey::of(shown);
        if key.0.is_empty() {
            return Err(NameError::Empty);
        }
        Ok(Name { shown: shown.to_owned(), key })
    }

    /// The name as others see it.
    pub fn as_str(&self) -> &str {
        &self.shown
    }

    /// What it has in common with names that pass for it.
    pub fn key(&self) -> &NameKey {
        &self.key
    }
}

impl NameKey {
    /// Compatibility forms and case are folded, then letters that look alike, then runs of white space.
    fn of(text: &str) -> NameKey {
        let folded: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
        // The full case folding of ß is two letters; of a final sigma, the usual one.
        let folded = folded.replace('ß', "ss").replace('ς', "σ");
        let alike: String = folded.chars().map(lookalike).collect();
        NameKey(alike.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The Latin letter that a Greek or Cyrillic one looks like.
fn lookalike(character: char) -> char {
    match character {
        'а' | 'α' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'һ' => 'h',
        'і' | 'ι' | 'ӏ' | 'ı' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'о' | 'ο' | 'σ' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'в' | 'β' => 'b',
        'н' | 'η' => 'n',
        other => other,
    }
}

/// Characters that cannot be seen, or change how others are.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(u32::from(character),
            0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5
            | 0x180B..=0x180F | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F
            | 0x2800 | 0x3164 | 0xD800..=0xF8FF | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFF
            | 0x1D173..=0x1D17A | 0xE0000..=0x10FFFF)
}

/// More marks on one letter than any script needs.
const MAX_MARKS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> NameKey {
        Name::new(text).unwrap().key
    }

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(Name::new("  Ada \n").unwrap().as_str(), "Ada");
        assert_eq!(Name::new(" \t "), Err(NameError::Empty));
        assert!(Name::new(&"é".repeat(32)).is_ok());
        assert_eq!(Name::new(&"é".repeat(33)), Err(NameError::TooLong));
    }

    #[test]
    fn hidden_characters_are_refused() {
        for hidden in
            ['\0', '\u{7f}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{ad}', '\u{3164}']
        {
            let name = format!("A{hidden}da");
            assert_eq!(Name::new(&name), Err(NameError::Character(hidden)), "{hidden:?}");
        }
        assert!(Name::new("a\u{301}\u{301}\u{301}\u{301}").is_err());
        assert!(Name::new("Zoë Ådal 李").is_ok());
    }

    #[test]
    fn names_that_pass_for_one_another_are_one() {
        for (one, other) in [
            ("Ada", "ADA"),
            ("Ada", "Ａｄａ"),
            ("Ada", "Аdа"),
            ("Ada B", "ada  b"),
            ("Ångström", "A\u{30a}ngstro\u{308}m"),
            ("Straße", "STRASSE"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        assert_ne!(key("Ada"), key("Eda"));
    }
}
