//! The status for people: bars on a terminal, lines elsewhere.

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use boombots_coordinator::scheduler::{ClassStatus, Status, WorkerStatus};
use bytesize::ByteSize;
use indicatif::{HumanCount, HumanDuration, MultiProgress, ProgressBar, ProgressStyle};

/// What was seen of a phase first: rates are of this run, not of what was there before.
struct Seen {
    phase: String,
    done: u64,
    at: Instant,
}

/// Shows one status after another.
pub(crate) struct View {
    bars: Option<MultiProgress>,
    classes: HashMap<String, ProgressBar>,
    workers: HashMap<String, ProgressBar>,
    totals: Option<ProgressBar>,
    seen: HashMap<String, Seen>,
    last_line: Option<Instant>,
    told: Vec<String>,
}

impl View {
    pub(crate) fn new() -> Self {
        Self {
            bars: std::io::stderr().is_terminal().then(MultiProgress::new),
            classes: HashMap::new(),
            workers: HashMap::new(),
            totals: None,
            seen: HashMap::new(),
            last_line: None,
            told: Vec::new(),
        }
    }

    pub(crate) fn show(&mut self, status: &Status) {
        for class in &status.classes {
            let same = self.seen.get(&class.class).is_some_and(|seen| seen.phase == class.phase);
            if !same {
                let seen =
                    Seen { phase: class.phase.clone(), done: class.done, at: Instant::now() };
                self.seen.insert(class.class.clone(), seen);
            }
        }
        if self.bars.is_some() {
            self.show_bars(status);
        } else if self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY) {
            self.last_line = Some(Instant::now());
            for line in self.lines(status) {
                eprintln!("{line}");
            }
        }
        self.told.clone_from(&status.events);
    }

    /// The status as plain lines.
    pub(crate) fn lines(&self, status: &Status) -> Vec<String> {
        let mut lines = Vec::new();
        for build in &status.builds {
            let reason = build.reason.as_ref().map(|reason| format!(": {reason}"));
            let reason = reason.unwrap_or_default();
            lines.push(format!("build {} ({}): {}{reason}", build.id, build.class, build.state));
        }
        for class in &status.classes {
            lines.push(format!(
                "{}: {} {}/{}, {} decided{}{}",
                class.class,
                phase_of(class),
                class.done,
                class.all,
                HumanCount(class.decided),
                self.eta(class)
                    .map(|eta| format!(", ETA {}", HumanDuration(eta)))
                    .unwrap_or_default(),
                class.waiting.as_ref().map(|why| format!("; waiting: {why}")).unwrap_or_default(),
            ));
        }
        lines.extend(status.workers.iter().map(worker_line));
        lines.push(totals_line(status));
        lines
    }

    /// The time left of the phase at the rate of this run.
    fn eta(&self, class: &ClassStatus) -> Option<Duration> {
        let seen = self.seen.get(&class.class)?;
        let gained = class.done.checked_sub(seen.done).filter(|&gained| gained > 0)?;
        let rate = gained as f64 / seen.at.elapsed().as_secs_f64().max(1e-3);
        Some(Duration::from_secs_f64(class.all.saturating_sub(class.done) as f64 / rate))
    }

    fn show_bars(&mut self, status: &Status) {
        let Some(bars) = &self.bars else { return };
        for event in status.events.iter().filter(|event| !self.told.contains(event)) {
            // A bar that cannot be drawn is no reason to stop.
            let _ = bars.println(event);
        }
        for class in &status.classes {
            let bar = self.classes.entry(class.class.clone()).or_insert_with(|| {
                let style = ProgressStyle::with_template("{prefix:.bold} [{bar:30}] {msg}");
                let bar = ProgressBar::new(1);
                bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                bars.insert(0, bar)
            });
            bar.set_prefix(class.class.clone());
            bar.set_length(class.all);
            bar.set_position(class.done);
        }
        for class in &status.classes {
            let eta = self.eta(class).map(|eta| format!(", ETA {}", HumanDuration(eta)));
            let why = class.waiting.as_ref().map(|why| format!("; waiting: {why}"));
            let message = format!(
                "{}, {}/{} shards, {} decided{}{}",
                phase_of(class),
                class.leased,
                class.shards,
                HumanCount(class.decided),
                eta.unwrap_or_default(),
                why.unwrap_or_default(),
            );
            if let Some(bar) = self.classes.get(&class.class) {
                bar.set_message(message);
            }
        }
        self.classes.retain(|name, bar| {
            let there = status.classes.iter().any(|class| class.class == *name);
            if !there {
                bar.finish_and_clear();
            }
            there
        });
        for worker in &status.workers {
            let bar = self.workers.entry(worker.id.clone()).or_insert_with(|| message_bar(bars));
            bar.set_message(worker_line(worker));
            bar.tick();
        }
        let totals = self.totals.get_or_insert_with(|| message_bar(bars));
        totals.set_message(totals_line(status));
        totals.tick();
    }

    pub(crate) fn finish(&self) {
        if let Some(bars) = &self.bars {
            // As above.
            let _ = bars.clear();
        }
    }
}

fn message_bar(bars: &MultiProgress) -> ProgressBar {
    let bar = ProgressBar::new(1);
    let style = ProgressStyle::with_template("{msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bars.add(bar)
}

fn phase_of(class: &ClassStatus) -> String {
    match class.phase.as_str() {
        "plies" => format!("ply {}", class.ply),
        phase => phase.to_owned(),
    }
}

fn worker_line(worker: &WorkerStatus) -> String {
    let size = |bytes: u64| ByteSize(bytes).display().si();
    let shards = worker.shards.join(" ");
    let reason = worker.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let note = if worker.state == "working" { format!(", {}", worker.note) } else { reason };
    format!(
        "worker {} {} {}{note} {shards}; {} threads, {} of {}, seen {:.1} s ago",
        &worker.id[..8.min(worker.id.len())],
        worker.name,
        worker.state,
        worker.threads,
        size(worker.memory),
        size(worker.memory_limit),
        worker.seen_seconds,
    )
}

fn totals_line(status: &Status) -> String {
    let counters = &status.counters;
    let size = |bytes: u64| ByteSize(bytes).display().si();
    let problem = status.store_problem.as_ref();
    let problem = problem.map(|problem| format!("; THE STORE: {problem}")).unwrap_or_default();
    format!(
        "{} classes published, {} received, {} sent, {} leases lost, {} of {} boom passes \
         repeated, {} positions checked{problem}",
        status.published.len(),
        size(status.bulk_bytes.0),
        size(status.bulk_bytes.1),
        counters.leases_lost,
        counters.booms_again,
        counters.booms,
        HumanCount(counters.positions_checked),
    )
}

const LINE_EVERY: Duration = Duration::from_secs(30);
