//! Positions as people type them.

use boombots_rules::{Position, Start};

/// A position that was typed, or a start by its name.
///
/// # Errors
/// Why it is none, for people.
pub fn read_position(text: &str) -> Result<Position, String> {
    let text = text.trim();
    match Start::by_name(&text.to_lowercase()) {
        Some(start) => Ok(Position::start(start)),
        None if text.is_empty() => Err("a position is needed, or the name of a start".to_owned()),
        None => text.parse::<Position>().map_err(|why| why.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_starts_are_read_and_the_rest_is_explained() {
        let text = "7a/8/6A1/8/8/8/8/A7 w";
        assert_eq!(read_position(&format!("  {text}\n")).unwrap().to_string(), text);
        assert_eq!(read_position("Standard").unwrap(), Position::start(Start::Standard));
        assert!(read_position(" ").unwrap_err().contains("needed"));
        assert!(read_position("7a/8/6A1/8/8/8/8/A7").unwrap_err().contains("side to move"));
    }
}
