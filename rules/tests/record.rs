//! Game records: what they look like, that they read back, what is refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use boombots_rules::{
    Action, Boombots, Color, Conclusion, Game, GameRecord, IllegalAction, Outcome, PlayError,
    Position, RecordProblem as Problem, Start, TagError,
};
use proptest::prelude::*;

fn record(start: &str, actions: &str) -> GameRecord {
    let mut record = GameRecord::new(start.parse().unwrap());
    for action in actions.split_whitespace() {
        record.play(action.parse().unwrap()).unwrap();
    }
    record
}

/// Where the text is refused and why.
fn refusal(text: &str) -> (usize, Problem) {
    let error = text.parse::<GameRecord>().unwrap_err();
    assert!(error.to_string().starts_with(&format!("line {}: ", error.line)));
    (error.line, error.problem)
}

macro_rules! assert_refused {
    ($text:expr, $line:literal, $problem:pat) => {
        let text: &str = $text;
        let (line, problem) = refusal(text);
        assert!(matches!(problem, $problem), "{text}: {problem:?}");
        assert_eq!(line, $line, "{text}: {problem:?}");
    };
}

const STANDARD: &str = "aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w";
const SMALL: &str = "8/8/8/8/8/8/1a6/B7 b";

#[test]
fn the_text_of_a_resigned_game() {
    let mut record = record(STANDARD, "1a2a3 1a7a6 1b2a2");
    record.set_tag("Annotator", "C:\\bots").unwrap();
    record.set_tag("Black", "Bob \"the bomb\"").unwrap();
    record.set_tag("White", "Ada").unwrap();
    record.conclude(Conclusion::Resignation(Color::White)).unwrap();
    let text = "\
[Game \"boombots\"]
[White \"Ada\"]
[Black \"Bob \\\"the bomb\\\"\"]
[Result \"0-1\"]
[Start \"aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w\"]
[Termination \"resignation\"]
[Annotator \"C:\\\\bots\"]

1. 1a2a3 1a7a6 2. 1b2a2 0-1
";
    assert_eq!(record.to_string(), text);
    assert_eq!(text.parse::<GameRecord>().unwrap(), record);
    assert_eq!(text.replace('\n', "\r\n").parse::<GameRecord>().unwrap(), record);
    assert_eq!(record.tag("Black"), Some("Bob \"the bomb\""));
    assert_eq!(record.tag("Result"), None);
    assert_eq!(record.tags().count(), 3);
}

#[test]
fn the_text_of_a_game_that_black_begins_and_wins_by_rule() {
    let record = record("8/8/8/7a/8/8/1a6/B7 b", "1b2b3 1a1a2 xb3");
    assert_eq!(record.outcome(), Some(Outcome::Win(Color::Black)));
    assert_eq!(record.conclusion(), None);
    let text = "\
[Game \"boombots\"]
[Result \"0-1\"]
[Start \"8/8/8/7a/8/8/1a6/B7 b\"]

1... 1b2b3 2. 1a1a2 xb3 0-1
";
    assert_eq!(record.to_string(), text);
}

#[test]
fn the_text_of_an_unfinished_game_without_actions() {
    let record = GameRecord::<Boombots>::new(Position::start(Start::Standard));
    let text = record.to_string();
    assert!(text.ends_with("w\"]\n\n*\n"), "{text}");
    assert_eq!(text.parse::<GameRecord>().unwrap(), record);
}

#[test]
fn long_games_wrap_at_eighty_columns() {
    let shuffle = "1a2a3 1a7a6 1a3a2 1a6a7 ".repeat(50);
    let mut record = record(STANDARD, &shuffle);
    assert_eq!(record.actions().len(), 200);
    record.conclude(Conclusion::ActionLimit).unwrap();
    let text = record.to_string();
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!((70..=80).contains(&longest), "{longest}");
    assert!(!text.contains(".\n"), "a number ends a line: {text}");
    assert!(text.ends_with("100. 1a3a2 1a6a7\n1/2-1/2\n"), "{text}");
    assert_eq!(text.parse::<GameRecord>().unwrap(), record);
}

#[test]
fn the_usual_start_and_the_game_may_go_without_saying() {
    let read: GameRecord = "[Result \"*\"]\n\n1. 1a2a3 *".parse().unwrap();
    assert_eq!(read, record(STANDARD, "1a2a3"));
}

#[test]
fn concluded_and_finished_games_take_nothing_more() {
    let mut resigned = record(STANDARD, "1a2a3");
    resigned.conclude(Conclusion::Abandonment(Color::Black)).unwrap();
    let outcome = Outcome::Win(Color::White);
    let action: Action = "1a7a6".parse().unwrap();
    assert_eq!(resigned.play(action), Err(PlayError::Concluded { outcome }));
    let error = resigned.conclude(Conclusion::Agreement).unwrap_err();
    assert_eq!(error.outcome, outcome);
    assert_eq!(resigned.actions().len(), 1);

    let mut finished = record(SMALL, "xb2");
    let outcome = Outcome::Draw;
    assert_eq!(finished.play(action), Err(PlayError::Illegal(IllegalAction::GameOver { outcome })));
    assert!(finished.conclude(Conclusion::Agreement).is_err());
}

#[test]
fn derived_tags_cannot_be_set() {
    let mut record = record(STANDARD, "");
    let error = record.set_tag("Result", "1-0").unwrap_err();
    assert_eq!(error, TagError::Derived { name: "Result".to_owned() });
}

#[test]
fn lines_that_are_not_tags() {
    for line in [
        "1. 1a2a3 *",
        "[White Ada]",
        "[White \"Ada\"",
        "[White \"Ada\"] ",
        " [White \"Ada\"]",
        "[White  \"A\"da\"]",
        "[White\"Ada\"]",
        "[White \"A\"da\"]",
        "[\"]",
        "[White \"]",
    ] {
        assert_refused!(&format!("[Result \"*\"]\n{line}\n\n*"), 2, Problem::NotATag { .. });
    }
}

#[test]
fn bad_escapes() {
    for value in ["\\n", "\\"] {
        assert_refused!(&format!("[White \"{value}\"]"), 1, Problem::BadEscape { .. });
    }
}

#[test]
fn bad_tags() {
    assert_refused!(
        "[Result \"*\"]\n[Two words \"\"]\n\n*",
        2,
        Problem::Tag(TagError::BadName { .. })
    );
    assert_refused!(
        "[White \"A\tda\"]",
        1,
        Problem::Tag(TagError::ControlCharacter { found: '\t', .. })
    );
    assert_refused!(
        "[White \"Ada\u{0}\"]",
        1,
        Problem::Tag(TagError::ControlCharacter { found: '\0', .. })
    );
}

#[test]
fn repeated_tags() {
    assert_refused!("[White \"Ada\"]\n[White \"Ada\"]\n", 2, Problem::RepeatedTag { .. });
    assert_refused!("[Result \"*\"]\n[Result \"*\"]\n", 2, Problem::RepeatedTag { .. });
}

#[test]
fn missing_result() {
    assert_refused!("", 1, Problem::MissingResult);
    assert_refused!("[White \"Ada\"]\n\n*", 2, Problem::MissingResult);
}

#[test]
fn wrong_game() {
    assert_refused!("[Game \"gambit\"]\n", 1, Problem::WrongGame { .. });
}

#[test]
fn bad_start() {
    assert_refused!("[Result \"*\"]\n[Start \"standard\"]\n", 2, Problem::BadStart(_));
}

#[test]
fn bad_result() {
    assert_refused!("[Result \"2-0\"]\n", 1, Problem::BadResult { .. });
}

#[test]
fn bad_termination() {
    for (result, termination) in
        [("1-0", "boredom"), ("1-0", "agreement"), ("1/2-1/2", "resignation"), ("*", "agreement")]
    {
        let text = format!("[Result \"{result}\"]\n[Termination \"{termination}\"]\n\n{result}");
        assert_refused!(&text, 2, Problem::BadTermination { .. });
    }
}

#[test]
fn wrong_numbers() {
    for actions in ["1a2a3 *", "2. 1a2a3 *", "1... 1a2a3 *", "1. 1a2a3 1a7a6\n1a3a4 *"] {
        let text = format!("[Result \"*\"]\n\n{actions}");
        let (_, problem) = refusal(&text);
        assert!(matches!(problem, Problem::WrongNumber { .. }), "{text}");
    }
    assert_refused!(
        &format!("[Result \"*\"]\n[Start \"{SMALL}\"]\n\n1. 1b2b3 *"),
        4,
        Problem::WrongNumber { .. }
    );
}

#[test]
fn bad_actions() {
    for action in ["a2a3", "1.", "2.", "!"] {
        let text = format!("[Result \"*\"]\n\n1. 1a2a3\n{action} *");
        assert_refused!(&text, 4, Problem::BadAction(_));
    }
    assert_refused!("[Result \"*\"]\n\n1. *", 3, Problem::BadAction(_));
}

#[test]
fn illegal_actions() {
    assert_refused!("[Result \"*\"]\n\n1. 1a2a3\n1a3a4 *", 4, Problem::IllegalAction { .. });
    assert_refused!(
        &format!("[Result \"*\"]\n[Start \"{SMALL}\"]\n\n1... xb2 2. xa1 *"),
        4,
        Problem::IllegalAction { .. }
    );
}

#[test]
fn missing_token() {
    assert_refused!("[Result \"*\"]", 1, Problem::MissingToken { expected: "*" });
    assert_refused!("[Result \"*\"]\n\n1. 1a2a3\n", 3, Problem::MissingToken { .. });
}

#[test]
fn result_mismatch() {
    assert_refused!(
        "[Result \"1-0\"]\n[Termination \"resignation\"]\n\n0-1",
        4,
        Problem::ResultMismatch { found: "0-1", expected: "1-0" }
    );
}

#[test]
fn wrong_result() {
    assert_refused!(
        &format!("[Result \"1-0\"]\n[Start \"{SMALL}\"]\n\n1... xb2 1-0"),
        4,
        Problem::WrongResult { found: "1-0", expected: "1/2-1/2" }
    );
}

#[test]
fn unexplained_result() {
    assert_refused!(
        "[Result \"1-0\"]\n\n1. 1a2a3 1-0",
        3,
        Problem::UnexplainedResult { found: "1-0" }
    );
}

#[test]
fn needless_termination() {
    assert_refused!(
        &format!(
            "[Result \"1/2-1/2\"]\n[Termination \"agreement\"]\n[Start \"{SMALL}\"]\n\n1... xb2 1/2-1/2"
        ),
        2,
        Problem::NeedlessTermination { found: "agreement" }
    );
}

#[test]
fn trailing_text() {
    assert_refused!("[Result \"*\"]\n\n*\n\n*", 5, Problem::TrailingText { .. });
}

fn conclusions() -> impl Strategy<Value = Conclusion> {
    prop::sample::select(vec![
        Conclusion::Resignation(Color::White),
        Conclusion::Resignation(Color::Black),
        Conclusion::TimeForfeit(Color::White),
        Conclusion::TimeForfeit(Color::Black),
        Conclusion::Abandonment(Color::White),
        Conclusion::Abandonment(Color::Black),
        Conclusion::Agreement,
        Conclusion::ActionLimit,
    ])
}

proptest! {
    /// Random games, many of which end by rule, with whatever tags.
    #[test]
    fn records_read_back_from_their_text(
        start in prop::sample::select(vec![STANDARD, "aa1aa1aa/8/8/8/8/8/8/AA1AA1AA b", SMALL]),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
        conclusion in prop::option::of(conclusions()),
        tags in prop::collection::vec(
            (
                prop_oneof!["White|Black|Event|Site|Date|Round", "[A-Za-z0-9_]{1,8}"],
                prop_oneof!["\\PC*", "[\\\\\"\\] \\[]{0,6}"],
            ),
            0..8,
        ),
    ) {
        let mut record = GameRecord::<Boombots>::new(start.parse().unwrap());
        for (name, value) in tags {
            record.set_tag(&name, &value).unwrap();
        }
        for choice in choices {
            let actions = Boombots::legal_actions(record.position());
            if actions.is_empty() {
                break;
            }
            record.play(*choice.get(&actions)).unwrap();
        }
        if let (Some(conclusion), None) = (conclusion, record.outcome()) {
            record.conclude(conclusion).unwrap();
        }
        let text = record.to_string();
        let read = text.parse::<GameRecord>();
        prop_assert!(read.is_ok(), "{}\n{}", text, read.unwrap_err());
        let read = read.unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.to_string(), text);
    }

    /// Reading never panics, whatever the text.
    #[test]
    fn any_text_is_read_or_refused(text in "(\\[(Result|Start|X) \"[*a-p8/ w]{0,4}\"\\]\n){0,3}\n?\\PC{0,20}") {
        if let Ok(record) = text.parse::<GameRecord>() {
            prop_assert!(record.to_string().parse::<GameRecord>().is_ok());
        }
    }
}
