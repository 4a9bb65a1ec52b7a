//! The questions: each takes JSON text and gives JSON text.

use boombots_protocol::{Action, Stack, State, Team};
use boombots_rules::{Position, Start};
use serde::{Deserialize, Serialize};

use crate::answers::{Described, Played, Replayed};

/// `{"position":"…"}`, the text of a position or the name of a start: what can be done there.
pub fn describe(question: &str) -> String {
    #[derive(Deserialize)]
    struct Question {
        position: String,
    }
    answer(question, |Question { position }| Ok(Described::new(&read_position(&position)?)))
}

/// `{"position":"…","action":{…}}`: where the action leads, or why it is illegal.
pub fn play(question: &str) -> String {
    #[derive(Deserialize)]
    struct Question {
        position: String,
        action: Action,
    }
    answer(question, |Question { position, action }| {
        let position = read_position(&position)?;
        step(&position, action.try_into().map_err(sentence)?).map(|(played, _)| played)
    })
}

/// `{"start":"…","history":["1a2a3",…]}`: every position of a game, or why it is none.
pub fn replay(question: &str) -> String {
    #[derive(Deserialize)]
    struct Question {
        start: String,
        history: Vec<String>,
    }
    answer(question, |Question { start, history }| {
        let mut position = read_position(&start)?;
        let start = position.to_string();
        let mut steps = Vec::with_capacity(history.len());
        for text in &history {
            let (played, after) = step(&position, text.parse().map_err(sentence)?)?;
            steps.push(played);
            position = after;
        }
        Ok(Replayed { start, steps })
    })
}

/// `{"turn":"white","board":[…]}`: the position of stacks put down one by one, or why they make none.
pub fn place(question: &str) -> String {
    #[derive(Deserialize)]
    struct Question {
        turn: Team,
        board: Vec<Option<Stack>>,
    }
    answer(question, |Question { turn, board }| {
        let state = State { turn, board, position: String::new() };
        let position = Position::try_from(&state).map_err(sentence)?;
        Ok(Described::new(&position))
    })
}

fn step(position: &Position, action: boombots_rules::Action) -> Result<(Played, Position), String> {
    let after = position.play(action).map_err(sentence)?;
    Ok((Played::new(position, action, &after), after))
}

fn read_position(text: &str) -> Result<Position, String> {
    match Start::by_name(text) {
        Some(start) => Ok(Position::start(start)),
        None => text.parse().map_err(sentence),
    }
}

fn answer<'a, Question: Deserialize<'a>, Answer: Serialize>(
    question: &'a str,
    ask: impl FnOnce(Question) -> Result<Answer, String>,
) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    enum Reply<Answer> {
        Ok(Answer),
        Error(String),
    }
    let reply = match serde_json::from_str(question).map_err(sentence).and_then(ask) {
        Ok(answer) => Reply::Ok(answer),
        Err(problem) => Reply::Error(problem),
    };
    serde_json::to_string(&reply).expect("answers are plain data")
}

fn sentence(error: impl ToString) -> String {
    error.to_string()
}
