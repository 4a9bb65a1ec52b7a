//! A line of text being typed.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

use crate::sanitise::is_harmful;

/// A line of text being typed, of bounded length and without invisible characters.
#[derive(Clone, Debug, Default)]
pub struct TextField {
    input: Input,
    most: usize,
}

impl TextField {
    /// A field with a text, that takes so many characters.
    pub fn new(text: &str, most: usize) -> TextField {
        let mut field = TextField { input: Input::default(), most };
        field.insert(text);
        field
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The column of the cursor.
    pub fn column(&self) -> usize {
        self.input.visual_cursor()
    }

    /// Puts text in at the cursor, as much as there is room for.
    pub fn insert(&mut self, text: &str) {
        for character in text.chars().filter(|&character| !is_harmful(character)) {
            if self.input.value().chars().count() < self.most {
                self.input.handle(InputRequest::InsertChar(character));
            }
        }
    }

    /// Takes a key; `false` if it means nothing here.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let request = match key.code {
            KeyCode::Char('a') if control => InputRequest::GoToStart,
            KeyCode::Char('e') if control => InputRequest::GoToEnd,
            KeyCode::Char('u') if control => InputRequest::DeleteLine,
            KeyCode::Char('w') if control => InputRequest::DeletePrevWord,
            KeyCode::Char('k') if control => InputRequest::DeleteTillEnd,
            KeyCode::Char('h') if control => InputRequest::DeletePrevChar,
            KeyCode::Char(character) if !control && !alt => {
                self.insert(character.encode_utf8(&mut [0; 4]));
                return true;
            }
            KeyCode::Backspace if alt => InputRequest::DeletePrevWord,
            KeyCode::Backspace => InputRequest::DeletePrevChar,
            KeyCode::Delete => InputRequest::DeleteNextChar,
            KeyCode::Left if control => InputRequest::GoToPrevWord,
            KeyCode::Right if control => InputRequest::GoToNextWord,
            KeyCode::Left => InputRequest::GoToPrevChar,
            KeyCode::Right => InputRequest::GoToNextChar,
            KeyCode::Home => InputRequest::GoToStart,
            KeyCode::End => InputRequest::GoToEnd,
            _ => return false,
        };
        self.input.handle(request);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_bounded_and_visible() {
        let mut field = TextField::new("A\u{1b}da", 5);
        field.insert("\u{202e}bcdef\n");
        assert_eq!(field.text(), "Adabc");
        field.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
        field.key(KeyEvent::new(KeyCode::Home, KeyModifiers::NONE));
        field.key(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE));
        assert_eq!((field.text(), field.column()), ("xAdab", 1));
        assert!(!field.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)));
    }
}
