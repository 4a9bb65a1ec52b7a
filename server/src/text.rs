//! Texts on their way to connections: written once, and shared by all to whom they go.

use std::sync::Arc;

use bytes::Bytes;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// The text of a message. A copy costs nothing.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    /// One for whoever gets it.
    Same(Utf8Bytes),
    /// The same before and after something of one's own.
    Around(Arc<[Utf8Bytes; 2]>, Utf8Bytes),
}

impl Text {
    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.parts().iter().map(|part| part.len()).sum()
    }

    /// All of it.
    pub(crate) fn joined(&self) -> Utf8Bytes {
        match self {
            Text::Same(text) => text.clone(),
            Text::Around(around, own) => format!("{}{own}{}", around[0], around[1]).into(),
        }
    }

    /// All of it in pieces of at most so many bytes, at least four, that share its memory.
    pub(crate) fn pieces(&self, longest: usize) -> Vec<Bytes> {
        let mut pieces = Vec::with_capacity(self.len() / longest + 3);
        for part in self.parts() {
            let bytes: &Bytes = part.as_ref();
            let mut from = 0;
            while from < part.len() {
                // Not within a character: some readers take each piece for a text.
                let to = part.as_str().floor_char_boundary(from + longest);
                pieces.push(bytes.slice(from..to));
                from = to;
            }
        }
        pieces
    }

    fn parts(&self) -> [&Utf8Bytes; 3] {
        static NONE: Utf8Bytes = Utf8Bytes::from_static("");
        match self {
            Text::Same(text) => [text, &NONE, &NONE],
            Text::Around(around, own) => [&around[0], own, &around[1]],
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Same(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole_cut_between_characters() {
        let around = Arc::new(["aä€𝄞".repeat(20).into(), "…end".into()]);
        let text = Text::Around(around, "[ö]".into());
        let whole = text.joined();
        assert_eq!(text.len(), whole.len());
        for longest in 4..200 {
            let pieces = text.pieces(longest);
            assert!(pieces.iter().all(|piece| !piece.is_empty() && piece.len() <= longest));
            let read: Vec<&str> =
                pieces.iter().map(|piece| str::from_utf8(piece).unwrap()).collect();
            assert_eq!(read.concat(), whole.as_str());
        }
    }

    #[test]
    fn nothing_is_no_piece() {
        assert!(Text::from(String::new()).pieces(10).is_empty());
    }
}
