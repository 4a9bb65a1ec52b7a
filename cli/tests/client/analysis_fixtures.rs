//! Clients that analyse, and what the server tells them.

use std::time::Duration;

use boombots_cli::state::AnalysisState;
use boombots_protocol::{
    ClientMessage, DeepAnalysis, DeepAnalysisSource, DeepAnalysisState, DeepLine, ProvedValue,
    ServerMessage, TableResult,
};
use boombots_rules::{Action, Position};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::fixtures::{self, Client, MIDDLE};

/// White wins in three plies.
pub(crate) const WON: &str = "7a/8/6A1/8/8/8/8/A7 w";

/// How long a position is shown before the server is asked.
pub(crate) const LOOKED_AT: Duration = Duration::from_millis(250);

/// An analysis of which nothing is known yet.
pub(crate) fn nothing_yet(position: &str) -> DeepAnalysis {
    DeepAnalysis {
        position: position.to_owned(),
        by: DeepAnalysisSource::Server,
        state: DeepAnalysisState::Running,
        white_score: None,
        mate_in: None,
        proved: None,
        lines: Vec::new(),
        jobs: 0,
        nodes: 0,
        workers: Vec::new(),
        time_ms: 0,
        waiting: None,
        problem: None,
    }
}

/// A line of actions with its score.
pub(crate) fn line(white_score: i32, actions: &str) -> DeepLine {
    let line: Vec<String> = actions.split(' ').map(str::to_owned).collect();
    let action: Action = line[0].parse().unwrap();
    DeepLine {
        white_score: Some(white_score),
        mate_in: None,
        proved: None,
        action: action.into(),
        line,
    }
}

pub(crate) fn proved(value: TableResult, plies: u16, exact: bool) -> Option<ProvedValue> {
    Some(ProvedValue { value, plies: Some(plies), exact })
}

/// An analysis by a cluster as it stands after some seconds.
pub(crate) fn running() -> DeepAnalysis {
    DeepAnalysis {
        by: DeepAnalysisSource::Cluster,
        white_score: Some(341),
        lines: vec![
            line(341, "xd4 1h8h7 2b2b4 1f3f4 1a1a2 1a8a7"),
            line(135, "2d4d2 1f3f4 1a1a2 1f4f3"),
            line(20, "1d4d3 1f3f4 1a1a2"),
            DeepLine {
                proved: proved(TableResult::Loss, 8, false),
                mate_in: Some(-4),
                ..line(-999_992, "1h1h2 xd5")
            },
        ],
        jobs: 12,
        nodes: 9_121_034,
        workers: vec!["forge".to_owned(), "anvil".to_owned()],
        time_ms: 12_400,
        ..nothing_yet(MIDDLE)
    }
}

/// A position that is decided.
pub(crate) fn decided() -> DeepAnalysis {
    DeepAnalysis {
        state: DeepAnalysisState::Done,
        white_score: Some(999_997),
        mate_in: Some(2),
        proved: proved(TableResult::Win, 3, true),
        lines: vec![
            DeepLine {
                mate_in: Some(2),
                proved: proved(TableResult::Win, 3, true),
                ..line(999_997, "1g6g7 1h8g8 xg7")
            },
            line(12, "1a1a2 1h8h7"),
        ],
        jobs: 1,
        nodes: 640,
        time_ms: 210,
        ..nothing_yet(WON)
    }
}

/// Analyses a position from the lobby, without an answer yet.
pub(crate) fn asking(position: &str) -> Client {
    let mut client = fixtures::in_lobby();
    client.press(KeyCode::Char('a'));
    retype(&mut client, position);
    client.wait(LOOKED_AT);
    client
}

/// Types a text in place of what stands there, and takes it.
pub(crate) fn retype(client: &mut Client, text: &str) {
    let key = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    client.event(boombots_cli::Event::Key(key));
    client.type_text(text);
    client.press(KeyCode::Enter);
}

pub(crate) fn analysing() -> Client {
    let mut client = asking(MIDDLE);
    client.hear(ServerMessage::DeepAnalysis(running()));
    client
}

pub(crate) fn analysed() -> Client {
    let mut client = asking(WON);
    client.hear(ServerMessage::DeepAnalysis(decided()));
    client
}

/// Two steps on, with something in the way.
pub(crate) fn stepping() -> Client {
    let mut client = analysing();
    client.press(KeyCode::Enter);
    client.press(KeyCode::Char('m'));
    client.type_text("1h8h7");
    client.press(KeyCode::Enter);
    client.press(KeyCode::Left);
    client.wait(LOOKED_AT);
    let position = client.app.analysis.as_ref().unwrap().position().to_string();
    client.hear(ServerMessage::DeepAnalysis(DeepAnalysis {
        waiting: Some("bots and other analyses come first".to_owned()),
        problem: Some("the coordinator does not answer; the server goes on by itself".to_owned()),
        ..nothing_yet(&position)
    }));
    client
}

/// The game is over in the position.
pub(crate) fn over() -> Client {
    let mut client = analysed();
    for action in ["1g6g7", "1h8g8", "xg7"] {
        client.type_text("m");
        client.type_text(action);
        client.press(KeyCode::Enter);
    }
    client
}

/// A position is typed, and is none yet.
pub(crate) fn typing() -> Client {
    let mut client = fixtures::in_lobby();
    client.press(KeyCode::Char('a'));
    client.press(KeyCode::Backspace);
    client.press(KeyCode::Enter);
    client
}

pub(crate) fn analysis(client: &Client) -> &AnalysisState {
    client.app.analysis.as_ref().unwrap()
}

pub(crate) fn shown(client: &Client) -> String {
    analysis(client).position().to_string()
}

pub(crate) fn chosen(client: &Client) -> String {
    analysis(client).action().unwrap().to_string()
}

pub(crate) fn asked(position: &str) -> ClientMessage {
    ClientMessage::DeepAnalyze { position: position.to_owned(), game: None }
}

pub(crate) fn after(position: &str, actions: &[&str]) -> String {
    let position: Position = position.parse().unwrap();
    let play = |position: Position, action: &&str| position.play(action.parse().unwrap()).unwrap();
    actions.iter().fold(position, play).to_string()
}

pub(crate) fn hear(client: &mut Client, analysis: DeepAnalysis) {
    client.hear(ServerMessage::DeepAnalysis(analysis));
}

pub(crate) fn type_action(client: &mut Client, action: &str) {
    client.type_text("m");
    client.type_text(action);
    client.press(KeyCode::Enter);
}
