//! The protocol over a child process, and random input to a session.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use boombots_rules::{Action, Position, Start};
use boombots_search::ugi::Session;

use support::Random;

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boombots-engine"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Engine { child, input, output }
    }

    fn send(&mut self, line: &[u8]) {
        self.input.write_all(line).unwrap();
        self.input.write_all(b"\n").unwrap();
        self.input.flush().unwrap();
    }

    /// Lines up to one that begins with the word, that one last.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "ended after {lines:?}");
            let line = line.trim_end().to_owned();
            let is_last = line.starts_with(word);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    fn quit(mut self) {
        self.send(b"quit");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_whole_conversation() {
    let mut engine = Engine::start();
    engine.send(b"ugi");
    let introduction = engine.until("ugiok");
    assert!(introduction[0].starts_with("id name Boombots"));
    for option in ["Hash", "Threads", "TablesFolder", "UseTables", "MultiPV"] {
        let announced = format!("option name {option} type");
        assert!(introduction.iter().any(|line| line.starts_with(&announced)), "{option}");
    }
    engine.send(b"setoption name Hash value 4");
    engine.send(b"setoption name MultiPV value 2");
    engine.send(b"isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.send(b"uginewgame");
    engine.send(b"position startpos moves 1d2d3 1d7d6");
    engine.send(b"go depth 4");
    let lines = engine.until("bestmove");
    let (best, infos) = lines.split_last().unwrap();
    let position = ["1d2d3", "1d7d6"]
        .iter()
        .fold(Position::start(Start::Standard), |p, a| p.play(a.parse().unwrap()).unwrap());
    let action: Action = best["bestmove ".len()..].parse().unwrap();
    assert!(position.legality(action).is_ok());
    let last = infos.last().unwrap();
    assert!(last.starts_with("info depth 4 seldepth "), "{last}");
    for word in [" multipv 2 ", " score cp ", " nodes ", " nps ", " tbhits ", " hashfull ", " pv "]
    {
        assert!(last.contains(word), "{last} has no {word}");
    }
    engine.quit();
}

#[test]
fn an_infinite_search_stops() {
    let mut engine = Engine::start();
    engine.send(b"go infinite");
    engine.until("info depth 3");
    // What needs a quiet engine is refused, and the search goes on.
    for line in ["go depth 1", "uginewgame", "setoption name Threads value 2"] {
        engine.send(line.as_bytes());
        engine.until("info string error: a search is running");
    }
    engine.send(b"isready");
    engine.until("readyok");
    engine.send(b"stop");
    engine.until("bestmove");
    engine.quit();
}

#[test]
fn questions_about_the_game() {
    let mut engine = Engine::start();
    let mut ask = |position: &str, question: &str| {
        engine.send(position.as_bytes());
        engine.send(format!("query {question}").as_bytes());
        engine.until("response").pop().unwrap()
    };
    assert_eq!(ask("position startpos", "p1turn"), "response true");
    assert_eq!(ask("position startpos", "gameover"), "response false");
    assert_eq!(ask("position startpos", "result"), "response none");
    let won = "position fen 8/8/8/3Aa3/8/8/8/A7 w moves xd5";
    assert_eq!(ask(won, "gameover"), "response true");
    assert_eq!(ask(won, "result"), "response p1win");
    assert_eq!(ask("position fen 8/8/8/8/8/8/8/a7 w", "result"), "response p2win");
    assert_eq!(ask("position fen 8/8/8/8/8/8/8/8 w", "result"), "response draw");
    engine.send(b"go");
    assert_eq!(engine.until("bestmove"), ["bestmove none"]);
    engine.quit();
}

#[test]
fn nonsense_gets_an_error_line_and_the_engine_goes_on() {
    let mut engine = Engine::start();
    let lines: [&[u8]; 10] = [
        b"hello",
        b"position fen 8/8/8/8 w",
        b"position startpos moves 1a2a9",
        b"position startpos moves 1a2a3 1a2a3",
        b"go depth x",
        b"go movetime 99999999999999999999999",
        b"setoption name Hash value 0",
        b"setoption name TablesFolder value /nowhere/at/all",
        b"\xFF\xFE\x00\x01",
        b"query",
    ];
    for line in lines {
        engine.send(line);
        let answer = engine.until("info string error: ");
        assert_eq!(answer.len(), 1, "{answer:?}");
    }
    engine.send(b"go depth 2");
    engine.until("bestmove");
    engine.quit();
}

#[test]
fn the_end_of_input_waits_for_a_limited_search() {
    let mut engine = Engine::start();
    engine.send(b"go depth 5");
    drop(engine.input);
    let rest: Vec<String> = engine.output.lines().map(Result::unwrap).collect();
    assert!(rest.last().unwrap().starts_with("bestmove "));
    assert!(engine.child.wait().unwrap().success());
}

/// Fragments of good lines, bad ones and noise: whatever comes, the session
/// neither fails nor answers with more than one line to a line it refuses.
#[test]
fn random_input_never_ends_a_session() {
    const WORDS: [&str; 34] = [
        "ugi",
        "isready",
        "uginewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "nodes",
        "movetime",
        "p1time",
        "perft",
        "stop",
        "setoption",
        "name",
        "value",
        "Hash",
        "MultiPV",
        "Plain",
        "UseTables",
        "true",
        "query",
        "gameover",
        "result",
        "1",
        "2",
        "0",
        "-1",
        "1a2a3",
        "xa1",
        "8/8/8/3Aa3/8/8/8/A7",
        "w",
        "\u{FFFD}\0\u{7}",
    ];
    let output = Arc::new(Mutex::new(Vec::new()));
    let mut session = Session::new(Sink(Arc::clone(&output)));
    let mut random = Random::new(2);
    for _ in 0..3_000 {
        let count = random.below(7);
        let words: Vec<&str> = (0..count).map(|_| WORDS[random.below(WORDS.len())]).collect();
        let line = words.join(" ");
        // Without a limit a search would go on until it is stopped.
        if line.starts_with("go") && !line.contains("depth 1") && !line.contains("perft 1") {
            assert_eq!(session.handle("go depth 1").unwrap(), ControlFlow::Continue(()));
        } else {
            assert_eq!(session.handle(&line).unwrap(), ControlFlow::Continue(()), "{line}");
        }
    }
    for line in ["stop", "isready"] {
        assert_eq!(session.handle(line).unwrap(), ControlFlow::Continue(()));
    }
    let text = String::from_utf8(output.lock().unwrap().clone()).unwrap();
    assert!(text.ends_with("readyok\n"));
    assert!(text.contains("bestmove") && text.contains("info string error: "));
}

#[derive(Clone)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
