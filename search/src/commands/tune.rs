//! `boombots-engine tune`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use boombots_search::{Engine, EngineOptions, NAMED_WEIGHTS};
use clap::Args;

use crate::matches::random::Random;
use crate::tuning::fit::{Fit, Fitted};
use crate::tuning::sample::Sample;
use crate::tuning::self_play;

/// What to fit to.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Self-play games.
    #[arg(long, default_value_t = 2_000)]
    games: usize,
    /// Nodes an action.
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Equal seeds give equal games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps of the descent.
    #[arg(long, default_value_t = 600)]
    steps: usize,
    /// Append the samples of the games to this file.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Take the samples of these files instead of playing.
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let samples = if arguments.load.is_empty() { play(arguments)? } else { load(arguments)? };
    let mut fit = Fit::new(&samples);
    eprintln!("{} samples, scale {:.0}, error {:.6}", samples.len(), fit.scale(), fit.error());
    fit.descend(arguments.steps, |step, fit| {
        if step % 100 == 0 {
            eprintln!("step {step}: error {:.6}", fit.error());
        }
    });
    print!("{}", tables(fit.weights()));
    Ok(())
}

fn play(arguments: &Arguments) -> Result<Vec<Sample>> {
    let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 2, threads: 1 });
    let mut random = Random::new(arguments.seed);
    let mut samples = Vec::new();
    for game in 1..=arguments.games {
        self_play::play(&mut engine, arguments.nodes, &mut random, &mut samples);
        if game % 500 == 0 {
            eprintln!("{game} games, {} samples", samples.len());
        }
    }
    if let Some(file) = &arguments.save {
        let mut text = String::new();
        for sample in &samples {
            text.push_str(&format!("{sample}\n"));
        }
        fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(file)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(samples)
}

fn load(arguments: &Arguments) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for file in &arguments.load {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (index, line) in text.lines().enumerate() {
            let sample =
                line.parse().with_context(|| format!("{}, line {}", file.display(), index + 1))?;
            samples.push(sample);
        }
    }
    Ok(samples)
}

/// The tables as they stand in the source: the named weights, and then what
/// stacks are worth by height, row and column with the board full and nearly
/// empty.
fn tables(fitted: &Fitted) -> String {
    let (named, placement) = fitted.split_at(NAMED_WEIGHTS.len());
    let mut text = String::from(
        "#[rustfmt::skip]\npub(super) const NAMED: [Weight; super::NAMED_COUNT] = [\n",
    );
    for (weight, [opening, ending]) in NAMED_WEIGHTS.iter().zip(named) {
        text.push_str(&format!(
            "    weight({:?}, {}, {}, {:?}),\n",
            weight.name,
            opening.round() as i16,
            ending.round() as i16,
            weight.meaning
        ));
    }
    text.push_str("];\n");
    for (half, name, when) in [(0, "OPENING", "full"), (1, "ENDING", "nearly empty")] {
        text.push_str(&format!(
            "\n/// What a stack is worth with the board {when}.\npub(super) const {name}: Placement = [\n"
        ));
        for rows in placement.chunks(32) {
            text.push_str("    [\n");
            for row in rows.chunks(4) {
                let row: Vec<String> =
                    row.iter().map(|pair| (pair[half].round() as i16).to_string()).collect();
                text.push_str(&format!("        [{}],\n", row.join(", ")));
            }
            text.push_str("    ],\n");
        }
        text.push_str("];\n");
    }
    text
}
