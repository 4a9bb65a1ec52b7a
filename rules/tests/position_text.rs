//! What the reader of position texts refuses, and where it says the fault is.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use boombots_rules::{Color, ParsePositionError as Error, Position};

fn error(text: &str) -> Error {
    text.parse::<Position>().unwrap_err()
}

#[test]
fn unexpected_characters() {
    for (text, column, rank, found) in [
        ("8/8/8/0A7/8/8/8/8 w", 7, 5, '0'),
        ("9/8/8/8/8/8/8/8 w", 1, 8, '9'),
        ("8/8/8/8/8/8/8/7Q w", 16, 1, 'Q'),
        ("8/8/8/8/8/8/8/7q w", 16, 1, 'q'),
        ("8/8/8/8/8/8/8/é7 w", 15, 1, 'é'),
        ("8/8\n/8/8/8/8/8/8 w", 4, 7, '\n'),
        ("8/8\t/8/8/8/8/8/8 w", 4, 7, '\t'),
    ] {
        let expected = Error::UnexpectedCharacter { column, rank, found };
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn split_runs() {
    assert_eq!(
        error("8/44/8/8/8/8/8/8 w"),
        Error::SplitRun { column: 4, rank: 7, first: 4, second: 4 }
    );
    assert_eq!(
        error("8/8/8/8/8/8/8/A1112B w"),
        Error::SplitRun { column: 17, rank: 1, first: 1, second: 1 }
    );
}

#[test]
fn too_many_squares() {
    for (text, column, rank, found, squares) in [
        ("8A/8/8/8/8/8/8/8 w", 2, 8, 'A', 9),
        ("8/8/8/8/8/8/8/AA7 w", 17, 1, '7', 9),
        ("8/8/aaaaaaaaa/8/8/8/8/8 w", 13, 6, 'a', 9),
    ] {
        let expected = Error::TooManySquares { column, rank, found, squares };
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn too_few_squares() {
    for (text, column, rank, squares) in [
        ("", 1, 8, 0),
        ("7/8/8/8/8/8/8/8 w", 2, 8, 7),
        ("8//8/8/8/8/8/8 w", 3, 7, 0),
        ("8/8/8/8/8/8/8/A w", 16, 1, 1),
        ("8/8/8/8/8/8/8/ w", 15, 1, 0),
        (" 8/8/8/8/8/8/8/8 w", 1, 8, 0),
    ] {
        let expected = Error::TooFewSquares { column, rank, squares };
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn missing_ranks() {
    for (text, column, rank) in [("8", 2, 7), ("8/8/8/8/8/8/8 w", 14, 1), ("8/8/8/8 w", 8, 4)] {
        assert_eq!(error(text), Error::MissingRank { column, rank }, "{text}");
    }
}

#[test]
fn too_many_ranks() {
    let expected = Error::TooManyRanks { column: 16 };
    assert_eq!(error("8/8/8/8/8/8/8/8/8 w"), expected);
    assert_eq!(error("8/8/8/8/8/8/8/8/ w"), expected);
}

#[test]
fn too_many_bots() {
    assert_eq!(
        error("aaaaaaaa/aaaaaaaa/a7/8/8/8/8/8 w"),
        Error::TooManyBots { column: 19, rank: 6, color: Color::Black, bots: 17 }
    );
    assert_eq!(
        error("8/8/8/8/8/8/8/PP6 w"),
        Error::TooManyBots { column: 16, rank: 1, color: Color::White, bots: 32 }
    );
}

#[test]
fn missing_side() {
    let board = "8/8/8/8/8/8/8/8";
    assert_eq!(error(board), Error::MissingSide { column: 16 });
    assert_eq!(error(&format!("{board} ")), Error::MissingSide { column: 17 });
}

#[test]
fn invalid_side() {
    for (side, found) in [("W", 'W'), ("x", 'x'), (" w", ' '), ("/", '/')] {
        assert_eq!(
            error(&format!("8/8/8/8/8/8/8/8 {side}")),
            Error::InvalidSide { column: 17, found }
        );
    }
}

#[test]
fn trailing_text() {
    for (rest, found) in [(" ", ' '), ("\n", '\n'), ("hite", 'h'), (" 1", ' ')] {
        assert_eq!(
            error(&format!("8/8/8/8/8/8/8/8 w{rest}")),
            Error::TrailingText { column: 18, found }
        );
    }
}

#[test]
fn messages_say_where_what_and_what_instead() {
    assert_eq!(
        error("8/44/8/8/8/8/8/8 w").to_string(),
        "column 4, rank 7: found 4 after 4, expected one merged run"
    );
    assert_eq!(
        error("8/8/8/8/8/8/8/7Q w").to_string(),
        "column 16, rank 1: found 'Q', expected a digit 1-8, a letter A-P or a-p"
    );
    assert_eq!(
        error("8/8/8/8/8/8/8/8 W").to_string(),
        "column 17: found 'W', expected the side to move, w or b"
    );
}
