//! A conversation: commands in, answers out, a search in a thread of its own.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use boombots_rules::{Color, Outcome, Position, Start, perft_divide};

use super::command::{Command, Go, Query};
use super::option::{DEFAULT_CONTEMPT, SetOption};
use crate::engine::{Engine, EngineOptions, Report, Request};
use crate::limits::{Limits, StopSwitch};
use crate::plain::plain_search;
use crate::tables::EndgameTables;

/// The engine's end of the protocol. Every line that is not understood gets an
/// answer that begins with `info string error:`, and the session goes on.
pub struct Session<W: Write + Send + 'static> {
    output: Output<W>,
    options: EngineOptions,
    /// Made when it is first needed, and again when an option of it changed.
    engine: Arc<Mutex<Option<Engine>>>,
    tables: Option<Arc<EndgameTables>>,
    use_tables: bool,
    lines: usize,
    contempt: i32,
    is_plain: bool,
    /// Every position of the game, the current one last.
    game: Vec<Position>,
    running: Option<Running>,
}

struct Running {
    stop: StopSwitch,
    /// Set before the answer is written: who has read it may go on at once,
    /// though the thread has a few steps left.
    has_answered: Arc<AtomicBool>,
    is_bounded: bool,
    thread: JoinHandle<()>,
}

impl<W: Write + Send + 'static> Session<W> {
    /// A session that answers to `output`.
    pub fn new(output: W) -> Session<W> {
        Session {
            output: Output(Arc::new(Mutex::new(output))),
            options: EngineOptions::default(),
            engine: Arc::default(),
            tables: None,
            use_tables: true,
            lines: 1,
            contempt: DEFAULT_CONTEMPT,
            is_plain: false,
            game: vec![Position::start(Start::Standard)],
            running: None,
        }
    }

    /// Opens endgame tables before the first command.
    ///
    /// # Errors
    ///
    /// When the output is gone.
    pub fn open_tables(&mut self, folder: PathBuf) -> io::Result<()> {
        self.set_tables(Some(folder))
    }

    /// Answers a line; `Break` when it ends the session.
    ///
    /// # Errors
    ///
    /// When the output is gone.
    pub fn handle(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        let command = match line.parse::<Command>() {
            Ok(command) => command,
            Err(error) => {
                self.output.error(&error)?;
                return Ok(ControlFlow::Continue(()));
            }
        };
        match command {
            Command::Nothing => {}
            Command::Ugi => self.introduce()?,
            Command::IsReady => self.output.line("readyok")?,
            Command::NewGame => {
                if self.is_idle("a new game")? {
                    match &mut *lock(&self.engine) {
                        Some(engine) => engine.clear(),
                        // Made now, it takes no time of the first search.
                        none => *none = Some(Engine::new(&self.options)),
                    }
                }
            }
            Command::Position(game) => self.game = game,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.stop(),
            Command::SetOption(option) => self.set_option(option)?,
            Command::Query(query) => self.answer(query)?,
            Command::Quit => {
                self.stop();
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Ends the session when no more lines come: a search with limits is
    /// finished, any other stopped.
    pub fn finish(mut self) {
        match self.running.take() {
            Some(running) if running.is_bounded => {
                // A search that panicked has said so itself.
                let _ = running.thread.join();
            }
            other => {
                self.running = other;
                self.stop();
            }
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.output.line(concat!("id name Boombots ", env!("CARGO_PKG_VERSION")))?;
        self.output.line("id author the Boombots authors")?;
        for announcement in SetOption::announcements() {
            self.output.line(&announcement)?;
        }
        self.output.line("ugiok")
    }

    fn position(&self) -> &Position {
        self.game.last().expect("a game has its start")
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        if !self.is_idle("another search")? {
            return Ok(());
        }
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        let (history, position) = match self.game.split_last() {
            Some((position, history)) => (history.to_vec(), *position),
            None => return Ok(()),
        };
        let limits = limits(go, position.turn());
        let is_bounded = limits != Limits::default() && !limits.infinite;
        let request =
            Request { position, history, limits, lines: self.lines, use_tables: self.use_tables };
        let stop = StopSwitch::new();
        let has_answered = Arc::new(AtomicBool::new(false));
        let job = Job {
            has_answered: Arc::clone(&has_answered),
            request,
            stop: stop.clone(),
            engine: Arc::clone(&self.engine),
            options: self.options.clone(),
            tables: self.tables.clone(),
            contempt: self.contempt,
            is_plain: self.is_plain,
            output: self.output.clone(),
        };
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
            // The output is gone only when nobody is left to tell.
            let _ = job.run();
        })?;
        self.running = Some(Running { stop, has_answered, is_bounded, thread });
        Ok(())
    }

    fn perft(&self, depth: u32) -> io::Result<()> {
        let mut sum = 0;
        for (action, count) in perft_divide(self.position(), depth.min(DEEPEST_PERFT)) {
            self.output.line(&format!("{action}: {count}"))?;
            sum += count;
        }
        self.output.line(&format!("perft {sum}"))
    }

    /// Ends a running search and waits for its answer.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.stop();
            // A search that panicked has said so itself.
            let _ = running.thread.join();
        }
    }

    /// Whether no search is running; says so otherwise.
    fn is_idle(&mut self, what: &str) -> io::Result<bool> {
        let is_searching = self.running.as_ref().is_some_and(|running| {
            !running.has_answered.load(Ordering::Acquire) && !running.thread.is_finished()
        });
        if is_searching {
            self.output.error(&format!("a search is running; stop it before {what}"))?;
            return Ok(false);
        }
        self.stop();
        Ok(true)
    }

    fn set_option(&mut self, option: SetOption) -> io::Result<()> {
        if !self.is_idle("setting an option")? {
            return Ok(());
        }
        match option {
            SetOption::Hash(mebibytes) => {
                self.options.hash_mebibytes = mebibytes;
                *lock(&self.engine) = None;
            }
            SetOption::Threads(threads) => {
                self.options.threads = threads;
                *lock(&self.engine) = None;
            }
            SetOption::TablesFolder(folder) => self.set_tables(folder)?,
            SetOption::UseTables(use_tables) => self.use_tables = use_tables,
            SetOption::MultiPv(lines) => self.lines = lines,
            SetOption::Contempt(centibots) => self.contempt = centibots,
            SetOption::Plain(is_plain) => self.is_plain = is_plain,
        }
        Ok(())
    }

    fn set_tables(&mut self, folder: Option<PathBuf>) -> io::Result<()> {
        self.tables = None;
        let Some(folder) = folder else {
            return Ok(());
        };
        match EndgameTables::open(&folder) {
            Ok(tables) => {
                for problem in tables.problems() {
                    self.output.error(&problem)?;
                }
                let classes: Vec<String> =
                    tables.classes().iter().map(ToString::to_string).collect();
                let names = if classes.is_empty() { "none".to_owned() } else { classes.join(" ") };
                self.output.line(&format!("info string tables: {names}"))?;
                self.tables = Some(Arc::new(tables));
                Ok(())
            }
            Err(error) => self.output.error(&error),
        }
    }

    fn answer(&self, query: Query) -> io::Result<()> {
        let position = self.position();
        let answer = match query {
            Query::GameOver => position.is_over().to_string(),
            Query::WhiteToMove => (position.turn() == Color::White).to_string(),
            Query::Result => match position.outcome() {
                Some(Outcome::Win(Color::White)) => "p1win",
                Some(Outcome::Win(Color::Black)) => "p2win",
                Some(Outcome::Draw) => "draw",
                None => "none",
            }
            .to_owned(),
        };
        self.output.line(&format!("response {answer}"))
    }
}

/// A search on its way to its thread.
struct Job<W> {
    has_answered: Arc<AtomicBool>,
    request: Request,
    stop: StopSwitch,
    engine: Arc<Mutex<Option<Engine>>>,
    options: EngineOptions,
    tables: Option<Arc<EndgameTables>>,
    contempt: i32,
    is_plain: bool,
    output: Output<W>,
}

impl<W: Write> Job<W> {
    fn run(self) -> io::Result<()> {
        let mut shown = Ok(());
        let on_report = |report: &Report| {
            if shown.is_ok() {
                shown = self.output.report(report);
            }
        };
        let report = if self.is_plain {
            plain_search(&self.request, &self.stop, on_report)
        } else {
            let mut engine = lock(&self.engine);
            let engine = engine.get_or_insert_with(|| Engine::new(&self.options));
            engine.set_tables(self.tables.clone());
            engine.set_contempt(self.contempt);
            engine.search(&self.request, &self.stop, on_report)
        };
        self.has_answered.store(true, Ordering::Release);
        shown?;
        match report.best() {
            Some(action) => self.output.line(&format!("bestmove {action}")),
            None => self.output.line("bestmove none"),
        }
    }
}

/// The limits of a `go` of the side to move.
fn limits(go: &Go, turn: Color) -> Limits {
    let mut limits = match go.clocks[turn.index()] {
        Some(left) if go.move_time.is_none() => {
            Limits::clock(left, go.increments[turn.index()].unwrap_or_default())
        }
        _ => Limits::default(),
    };
    if let Some(time) = go.move_time {
        // The answer takes a moment to arrive.
        limits.time = Some(time.saturating_sub(MOVE_OVERHEAD).max(Duration::from_millis(1)));
    }
    limits.depth = go.depth;
    limits.nodes = go.nodes;
    limits.infinite = go.infinite;
    if limits.infinite {
        limits.time = None;
        limits.soft_time = None;
    }
    limits
}

/// Kept back from a fixed time for the way of the answer.
const MOVE_OVERHEAD: Duration = Duration::from_millis(1);

/// The deepest count by `go perft`, which cannot be stopped.
const DEEPEST_PERFT: u32 = 6;

struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Output(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    fn line(&self, line: &str) -> io::Result<()> {
        let mut output = lock(&self.0);
        writeln!(output, "{line}")?;
        output.flush()
    }

    fn error(&self, error: &(impl std::fmt::Display + ?Sized)) -> io::Result<()> {
        // An error must stay one line, whatever it quotes.
        self.line(&format!("info string error: {error}").replace(['\n', '\r'], " "))
    }

    fn report(&self, report: &Report) -> io::Result<()> {
        for (index, line) in report.lines.iter().enumerate() {
            let actions: Vec<String> = line.actions.iter().map(ToString::to_string).collect();
            self.line(&format!(
                "info depth {} seldepth {} multipv {} score {} nodes {} nps {} tbhits {} \
                 hashfull {} time {} pv {}",
                report.depth,
                report.selective_depth.max(report.depth),
                index + 1,
                line.score,
                report.nodes,
                report.speed(),
                report.table_hits,
                report.hash_permille,
                report.time.as_millis(),
                actions.join(" ")
            ))?;
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing is left half done by a panic that a later search could trip over:
    // the table checks its entries and the rest only orders actions.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
