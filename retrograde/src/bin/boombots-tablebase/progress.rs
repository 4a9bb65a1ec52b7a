//! How far a build is: bars on a terminal, plain lines elsewhere.

use std::fmt;
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use boombots_probe::Class;
use boombots_retrograde::SolveEvent;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// The progress of one class.
pub(crate) struct ClassProgress {
    class: Class,
    bar: ProgressBar,
    /// Without a terminal, when the last line was printed.
    lines: Option<Mutex<Instant>>,
    phase: Mutex<Phase>,
}

struct Phase {
    name: &'static str,
    started: Instant,
    decided: u64,
}

impl ClassProgress {
    pub(crate) fn new(class: Class) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::no_length() } else { ProgressBar::hidden() };
        if terminal {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let phase = Phase { name: "start", started: Instant::now(), decided: 0 };
        Self {
            class,
            bar,
            lines: (!terminal).then(|| Mutex::new(Instant::now())),
            phase: Mutex::new(phase),
        }
    }

    /// Starts a phase of so many units; `unit` names them.
    pub(crate) fn start(&self, name: &'static str, units: u64, unit: &str) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        phase.name = name;
        phase.started = Instant::now();
        drop(phase);
        let template = format!(
            "{{prefix:.bold}} {{msg:28}} [{{bar:30}}] {{human_pos}}/{{human_len}} {unit} \
             {{rate}} ETA {{eta}}"
        );
        let style = ProgressStyle::with_template(&template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar.reset();
        self.bar.set_prefix(self.class.to_string());
        self.bar.set_message(name);
        self.bar.set_length(units);
        self.bar.set_style(style.with_key("rate", write_rate));
    }

    /// Goes on by so many units.
    pub(crate) fn advance(&self, units: u64) {
        self.bar.inc(units);
        self.line();
    }

    /// Shows what the solver reports. The bar over the plies is as long as those that `expected`
    /// plies are, which the depth of the classes beneath suggests.
    pub(crate) fn solve_event(&self, event: SolveEvent, expected: u64) {
        match event {
            SolveEvent::BoomsStarted { tiles } => self.start("booms", tiles, "tiles"),
            SolveEvent::BoomsAdvanced { tiles } => self.advance(tiles),
            SolveEvent::BoomsEnded => self.start("plies", expected, "plies"),
            SolveEvent::Exchanged { .. } | SolveEvent::PlyRecorded { .. } => {}
            SolveEvent::PlySwept { ply, decided } | SolveEvent::PlyReplayed { ply, decided } => {
                let ply = u64::from(ply);
                let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
                phase.decided += decided;
                let message = format!("ply {ply}: {} decided", HumanCount(phase.decided));
                drop(phase);
                self.bar.set_message(message);
                self.bar.set_length(expected.max(ply + 1));
                self.bar.set_position(ply);
                self.line();
            }
        }
    }

    /// Prints a line where the last one is old enough.
    fn line(&self) {
        let Some(last) = &self.lines else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < LINE_EVERY {
            return;
        }
        *last = Instant::now();
        let phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let elapsed = phase.started.elapsed();
        let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = Duration::from_secs_f64(all.saturating_sub(done) as f64 / rate.max(1e-3));
        let (class, name, decided) = (self.class, phase.name, HumanCount(phase.decided));
        let left = HumanDuration(left);
        let solving = phase.decided > 0 && name == "plies";
        let decided = if solving { format!(", {decided} decided") } else { String::new() };
        eprintln!("{class}: {name} {done}/{all}{decided}, {rate:.1}/s, ETA {left}");
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Units a second, with a decimal only where there are few.
fn write_rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    let rate = state.per_sec();
    // A bar is drawn all the same if its text cannot be written.
    let _ = if rate < 100.0 {
        write!(out, "{rate:.1}/s")
    } else {
        write!(out, "{}/s", HumanCount(rate as u64))
    };
}

const LINE_EVERY: Duration = Duration::from_secs(30);
