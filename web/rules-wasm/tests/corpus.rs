//! The corpus: questions with the digests of their answers by the Rust crate. The web client's tests
//! ask the WebAssembly the same and compare.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::Path;

use boombots_protocol::Action;
use boombots_rules::{Position, Start};
use boombots_rules_wasm::{describe, place, play, replay};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

#[test]
fn corpus_is_fresh() {
    let mut text = String::new();
    for (name, question) in questions() {
        let ask = match name {
            "describe" => describe,
            "play" => play,
            "replay" => replay,
            _ => place,
        };
        let question = question.to_string();
        let digest = Sha256::digest(ask(&question).as_bytes());
        let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        writeln!(text, "{name} {digest} {question}").unwrap();
    }
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus.txt"));
    if std::env::var_os("BOOMBOTS_UPDATE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == text, "corpus.txt is stale: run `make wasm`");
}

/// Random games with every position, legal and illegal actions, placements, and text that is wrong.
fn questions() -> Vec<(&'static str, Value)> {
    let mut random = Random(0x5eed);
    let mut questions = Vec::new();
    for game in 0..24 {
        let start = Start::ALL[game % 2];
        let mut position = Position::start(start);
        let mut history = Vec::new();
        while !position.is_over() && history.len() < 120 {
            let text = position.to_string();
            let actions = position.legal_actions();
            // Booms are rarer than they would be by lot, so that games last.
            let action = loop {
                let action = actions[random.below(actions.len())];
                if !action.is_boom() || random.below(4) == 0 {
                    break action;
                }
            };
            if random.below(3) == 0 {
                questions.push(("describe", json!({ "position": text })));
                let any = json!({
                    "source": { "x": random.below(9), "y": random.below(8) },
                    "target": { "x": random.below(8), "y": random.below(8) },
                    "count": random.below(4),
                });
                questions.push(("play", json!({ "position": text, "action": any })));
                let action = Action::from(action);
                questions.push(("play", json!({ "position": text, "action": action })));
            }
            history.push(action.to_string());
            position = position.play(action).unwrap();
        }
        questions.push(("replay", json!({ "start": start.name(), "history": history })));
        questions.push(("describe", json!({ "position": position.to_string() })));
    }
    for heights in [[1, 2], [16, 16], [17, 1], [0, 3], [9, 9]] {
        let mut board = vec![Value::Null; 64];
        board[9] = json!({ "team": "white", "stack": heights[0] });
        board[random.below(9)] = json!({ "team": "black", "stack": heights[1] });
        board[63] = json!({ "team": "white", "stack": 1 });
        questions.push(("place", json!({ "turn": "black", "board": board })));
    }
    questions.push(("place", json!({ "turn": "white", "board": [] })));
    for text in ["", "8/8 w", "9/8/8/8/8/8/8/8 w", "8/8/8/8/8/8/8/8 x", "8/8/8/8/8/8/8/P6A w", "é"]
    {
        questions.push(("describe", json!({ "position": text })));
    }
    questions.push(("replay", json!({ "start": "standard", "history": ["1a2a3", "1a2a3"] })));
    questions.push(("replay", json!({ "start": "standard", "history": ["nonsense"] })));
    questions.push(("describe", json!({})));
    questions
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}
