//! `boombots-engine match`.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use boombots_rules::{GameRecord, Position, Start};
use clap::Args;

use super::positions;
use crate::matches::engine_process::{EngineProcess, EngineSpec};
use crate::matches::game::{self, Effort, half_points_of_white};
use crate::matches::random::{Random, opening};
use crate::matches::statistics::{Sprt, Tally};

/// Who plays, how and how often.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Command line of the first engine; `self` is this program, words
    /// `option.NAME=VALUE` set options.
    engine_a: String,
    /// Command line of the second engine.
    engine_b: String,
    /// Games, an even number: each opening is played with both colours.
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Milliseconds an action; 50 when there is no other limit.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Nodes an action.
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth of every search.
    #[arg(long)]
    depth: Option<u32>,
    /// Milliseconds an answer may be late before the game is lost.
    #[arg(long, default_value_t = 2_000, value_name = "MS")]
    grace: u64,
    /// Positions to begin from, one a line, used in turn; random openings
    /// without it.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random actions of an opening made up.
    #[arg(long, default_value_t = 8)]
    plies: usize,
    /// Equal seeds give equal openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time.
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Folder for the game records, one file a game.
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Stop when it is clear whether the first engine is ELO1 stronger rather
    /// than ELO0, at 5 % error either way.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Print one object of JSON at the end instead of progress.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.games == 0 || !arguments.games.is_multiple_of(2) {
        bail!("the number of games must be even, found {}", arguments.games);
    }
    let specs = [EngineSpec::parse(&arguments.engine_a)?, EngineSpec::parse(&arguments.engine_b)?];
    let openings = openings(arguments)?;
    if let Some(folder) = &arguments.records {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let sprt = arguments.sprt.as_deref().map(|elos| Sprt {
        elo0: elos[0],
        elo1: elos[1],
        alpha: 0.05,
        beta: 0.05,
    });
    let hall = Hall {
        arguments,
        specs,
        openings,
        effort: effort(arguments),
        sprt,
        next_pair: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        tally: Mutex::default(),
    };
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let boards: Vec<_> = (0..arguments.concurrency.clamp(1, 256))
            .map(|_| {
                scope.spawn(|| {
                    let result = hall.play_pairs();
                    if result.is_err() {
                        hall.is_over.store(true, Ordering::Relaxed);
                    }
                    result
                })
            })
            .collect();
        boards.into_iter().map(|board| board.join().expect("a board does not panic")).collect()
    });
    results.into_iter().collect::<Result<()>>()?;
    let tally = hall.tally.lock().expect("no board panicked");
    if arguments.json {
        println!("{}", hall.json(&tally));
    } else {
        println!("{}", hall.summary(&tally));
    }
    Ok(())
}

/// Where the games of a match are played, several at a time.
struct Hall<'a> {
    arguments: &'a Arguments,
    specs: [EngineSpec; 2],
    openings: Vec<Position>,
    effort: Effort,
    sprt: Option<Sprt>,
    next_pair: AtomicUsize,
    is_over: AtomicBool,
    tally: Mutex<Tally>,
}

impl Hall<'_> {
    /// Plays pair after pair with two engines of its own.
    fn play_pairs(&self) -> Result<()> {
        let mut engines = [self.start(0)?, self.start(1)?];
        let names = {
            let [first, second] = [&engines[0].name, &engines[1].name];
            if first == second {
                [format!("{first} A"), format!("{second} B")]
            } else {
                [first.clone(), second.clone()]
            }
        };
        loop {
            let pair = self.next_pair.fetch_add(1, Ordering::Relaxed);
            if pair >= self.arguments.games / 2 || self.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let start = self.openings[pair % self.openings.len()];
            self.prepare(&mut engines, &names)?;
            let [first, second] = &mut engines;
            let with_white = game::play(start, [first, second], &self.effort)?;
            self.keep(2 * pair + 1, &with_white)?;
            self.prepare(&mut engines, &names)?;
            let [first, second] = &mut engines;
            let with_black = game::play(start, [second, first], &self.effort)?;
            self.keep(2 * pair + 2, &with_black)?;
            self.count([half_points_of_white(&with_white), 2 - half_points_of_white(&with_black)]);
        }
    }

    fn start(&self, index: usize) -> Result<EngineProcess> {
        EngineProcess::start(&self.specs[index])
    }

    /// Makes the engines ready for a game; one that has crashed or hangs is
    /// started anew.
    fn prepare(&self, engines: &mut [EngineProcess; 2], names: &[String; 2]) -> Result<()> {
        for (index, engine) in engines.iter_mut().enumerate() {
            if engine.new_game().is_err() {
                *engine = self.start(index)?;
                engine.new_game()?;
            }
            engine.name.clone_from(&names[index]);
        }
        Ok(())
    }

    fn keep(&self, number: usize, record: &GameRecord) -> Result<()> {
        let Some(folder) = &self.arguments.records else {
            return Ok(());
        };
        let mut record = record.clone();
        record.set_tag("Round", &number.to_string()).context("a round")?;
        let file = folder.join(format!("game-{number:05}.txt"));
        fs::write(&file, record.to_string())
            .with_context(|| format!("cannot write {}", file.display()))
    }

    fn count(&self, points: [usize; 2]) {
        let mut tally = self.tally.lock().expect("no board panicked");
        tally.add(points);
        if self.sprt.is_some_and(|sprt| sprt.verdict(&tally).is_some()) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        if !self.arguments.json && tally.games().is_multiple_of(20) {
            eprintln!("{}", self.summary(&tally));
        }
    }

    fn summary(&self, tally: &Tally) -> String {
        let elo = tally.elo();
        let mut text = format!(
            "{} games: {} won, {} drawn, {} lost ({:.1} %), Elo {:+.1} ± {:.1}, pairs {:?}",
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.score(),
            elo.difference,
            elo.margin,
            tally.pairs,
        );
        if let Some(sprt) = &self.sprt {
            let (low, high) = sprt.bounds();
            let ratio = tally.log_likelihood_ratio(sprt.elo0, sprt.elo1);
            let verdict = match sprt.verdict(tally) {
                Some(true) => "accepted",
                Some(false) => "rejected",
                None => "open",
            };
            text.push_str(&format!(
                ", SPRT [{}, {}] {ratio:.2} in ({low:.2}, {high:.2}): {verdict}",
                sprt.elo0, sprt.elo1
            ));
        }
        text
    }

    fn json(&self, tally: &Tally) -> serde_json::Value {
        let elo = tally.elo();
        serde_json::json!({
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pairs": tally.pairs,
            "score": tally.score(),
            "elo": elo.difference,
            "margin": elo.margin,
            "sprt": self.sprt.map(|sprt| sprt.verdict(tally)),
        })
    }
}

fn openings(arguments: &Arguments) -> Result<Vec<Position>> {
    if let Some(file) = &arguments.openings {
        let text = fs::read_to_string(file)
            .with_context(|| format!("cannot read the openings {}", file.display()))?;
        let found = positions(&text).with_context(|| format!("{}", file.display()))?;
        if found.is_empty() {
            bail!("{} has no openings", file.display());
        }
        return Ok(found);
    }
    let mut random = Random::new(arguments.seed);
    let mut found = Vec::new();
    while found.len() < arguments.games / 2 {
        found.extend(opening(Start::Standard, arguments.plies, &mut random));
    }
    Ok(found)
}

fn effort(arguments: &Arguments) -> Effort {
    let mut limits = Vec::new();
    if let Some(nodes) = arguments.nodes {
        limits.push(format!("nodes {nodes}"));
    }
    if let Some(depth) = arguments.depth {
        limits.push(format!("depth {depth}"));
    }
    let movetime = match arguments.movetime {
        None if limits.is_empty() => Some(50),
        given => given,
    };
    if let Some(millis) = movetime {
        limits.push(format!("movetime {millis}"));
    }
    let thinking = movetime.map_or(Duration::from_secs(600), Duration::from_millis);
    Effort { limits: limits.join(" "), patience: thinking + Duration::from_millis(arguments.grace) }
}
