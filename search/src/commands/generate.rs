//! `boombots-engine positions`.

use anyhow::{Result, bail};
use boombots_rules::{Color, Position, Start};
use boombots_search::{Engine, EngineOptions, Limits, Report, Request, StopSwitch};
use clap::Args;

use crate::matches::random::{self, Random};
use crate::matches::self_game::play_out;

/// Which positions to make.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many.
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Bots of each side, as 5 or 4-6; without it the positions are openings of
    /// the standard start.
    #[arg(long)]
    bots: Option<String>,
    /// Random actions of an opening.
    #[arg(long, default_value_t = 8)]
    plies: usize,
    /// Equal seeds give equal positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out positions that a search of so many nodes does not find level; 0
    /// keeps all.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// How many centibots better for one side still count as level.
    #[arg(long, default_value_t = 60)]
    within: i32,
    /// How many centibots better one side must be at least.
    #[arg(long, default_value_t = 0)]
    beyond: i32,
    /// Leave out positions from which the engine's games against itself end alike
    /// by so many nodes an action and by four times as many; 0 keeps all.
    #[arg(long, default_value_t = 0)]
    contested: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let bots = arguments.bots.as_deref().map(range).transpose()?;
    let mut random = Random::new(arguments.seed);
    let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 16, threads: 1 });
    let mut found = 0;
    while found < arguments.count {
        let position = match bots {
            None => random::opening(Start::Standard, arguments.plies, &mut random),
            Some((least, most)) => {
                let mut side = || least + random.below(usize::from(most - least) + 1) as u8;
                let counts = [side(), side()];
                let turn = Color::ALL[random.below(2)];
                Some(random::placement(counts, turn, &mut random))
            }
        };
        let Some(position) = position.filter(|position| {
            is_level(&mut engine, arguments, position)
                && is_contested(&mut engine, arguments.contested, position)
        }) else {
            continue;
        };
        println!("{position}");
        found += 1;
    }
    Ok(())
}

fn is_level(engine: &mut Engine, arguments: &Arguments, position: &Position) -> bool {
    if arguments.nodes == 0 {
        return true;
    }
    engine.clear();
    let request = Request::new(*position, Limits::nodes(arguments.nodes));
    let report = engine.search(&request, &StopSwitch::new(), |_| {});
    (arguments.beyond..=arguments.within).contains(&report.score().value().abs())
}

fn is_contested(engine: &mut Engine, nodes: u64, position: &Position) -> bool {
    let mut outcome =
        |nodes| play_out(engine, *position, nodes, |_, report: &Report| report.best());
    nodes == 0 || outcome(nodes) != outcome(nodes.saturating_mul(4))
}

fn range(text: &str) -> Result<(u8, u8)> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 16 => Ok((least, most)),
        _ => bail!("bots must be a number 1 to 16 or a range such as 4-6, found {text:?}"),
    }
}
