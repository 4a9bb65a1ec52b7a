//! An engine as a child process that speaks UGI.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use boombots_rules::Action;

/// How to start an engine: a command line whose words `option.NAME=VALUE` set
/// options; the word `self` stands for this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineSpec {
    program: String,
    arguments: Vec<String>,
    options: Vec<(String, String)>,
}

impl EngineSpec {
    /// Reads a command line; words are separated by white space.
    pub(crate) fn parse(text: &str) -> Result<EngineSpec> {
        let mut options = Vec::new();
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            match word.strip_prefix("option.") {
                None => words.push(word.to_owned()),
                Some(option) => {
                    let (name, value) = option.split_once('=').with_context(|| {
                        format!("{word:?} is no option; write option.NAME=VALUE")
                    })?;
                    options.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        let Some((program, arguments)) = words.split_first() else {
            bail!("an engine needs a command line, for instance \"self\"");
        };
        let program = if program == "self" {
            let this = std::env::current_exe().context("cannot find this program")?;
            this.to_str().context("this program's path is no text")?.to_owned()
        } else {
            program.clone()
        };
        Ok(EngineSpec { program, arguments: arguments.to_vec(), options })
    }
}

/// A running engine. It is killed when dropped.
pub(crate) struct EngineProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    reader: Option<JoinHandle<()>>,
    /// What it calls itself.
    pub(crate) name: String,
}

/// How long an engine may take for anything but thinking.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest line an engine may write, in bytes.
const LONGEST_LINE: usize = 1 << 16;

impl EngineProcess {
    /// Starts an engine and sets its options.
    pub(crate) fn start(spec: &EngineSpec) -> Result<EngineProcess> {
        let mut child = Command::new(&spec.program)
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {:?}", spec.program))?;
        let input = child.stdin.take().expect("the input was piped");
        let output = child.stdout.take().expect("the output was piped");
        let (sender, lines) = sync_channel(1_024);
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                // Bytes that are no text end the engine's part.
                let Ok(line) = line else { return };
                if line.len() > LONGEST_LINE || sender.send(line).is_err() {
                    return;
                }
            }
        });
        let name = spec.program.clone();
        let mut engine = EngineProcess { child, input, lines, reader: Some(reader), name };
        engine.send("ugi")?;
        loop {
            let line = engine.line(PATIENCE).context("waiting for ugiok")?;
            if let Some(name) = line.strip_prefix("id name ") {
                engine.name = name.chars().filter(|c| !c.is_control()).collect();
            }
            if line.trim() == "ugiok" {
                break;
            }
        }
        for (name, value) in &spec.options {
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        engine.ready()?;
        Ok(engine)
    }

    /// Tells the engine that another game begins, even if it has not answered in
    /// the last.
    pub(crate) fn new_game(&mut self) -> Result<()> {
        self.send("stop")?;
        self.send("uginewgame")?;
        self.ready()
    }

    /// Asks for an action and gives the engine so long to answer; an error when
    /// it answers too late, in no known way or not at all.
    pub(crate) fn choose(
        &mut self,
        position: &str,
        limits: &str,
        patience: Duration,
    ) -> Result<Action> {
        self.send(position)?;
        self.send(&format!("go {limits}"))?;
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.line(left).context("waiting for bestmove")?;
            if let Some(error) = line.strip_prefix("info string error: ") {
                bail!("{} says: {error}", self.name);
            }
            if let Some(rest) = line.strip_prefix("bestmove ") {
                let word = rest.split_whitespace().next().unwrap_or("");
                return word.parse().map_err(|error| anyhow!("bestmove: {error}"));
            }
        }
    }

    fn ready(&mut self) -> Result<()> {
        self.send("isready")?;
        loop {
            let line = self.line(PATIENCE).context("waiting for readyok")?;
            if let Some(error) = line.strip_prefix("info string error: ") {
                bail!("{} says: {error}", self.name);
            }
            if line.trim() == "readyok" {
                return Ok(());
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .with_context(|| format!("{} does not listen any more", self.name))
    }

    fn line(&mut self, patience: Duration) -> Result<String> {
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => anyhow!("{} did not answer in time", self.name),
            RecvTimeoutError::Disconnected => anyhow!("{} has ended", self.name),
        })
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // An engine that has ended already is as good as one that is killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The reader may be waiting to hand over a line nobody will take.
        while self.lines.try_recv().is_ok() {}
        if let Some(reader) = self.reader.take() {
            drop(std::mem::replace(&mut self.lines, sync_channel(1).1));
            let _ = reader.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_split_into_words_and_options() {
        let spec = EngineSpec::parse("engine ugi --tables t option.Hash=16 option.Plain=true");
        let spec = spec.unwrap();
        assert_eq!(spec.program, "engine");
        assert_eq!(spec.arguments, ["ugi", "--tables", "t"]);
        assert_eq!(spec.options[1], ("Plain".to_owned(), "true".to_owned()));
        assert!(EngineSpec::parse("").is_err());
        assert!(EngineSpec::parse("engine option.Hash").is_err());
        assert_ne!(EngineSpec::parse("self").unwrap().program, "self");
    }
}
