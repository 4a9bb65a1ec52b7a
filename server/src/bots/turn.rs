//! One turn of a bot, from the position to the action.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use boombots_protocol::{Bot, BotEvaluation};
use boombots_rules::{Action, Color, Position};
use boombots_search::{Report, Request, Score, StopSwitch};

use super::level::Strength;
use super::pool::{BotPool, Search};

/// What a bot has to decide.
#[derive(Debug)]
pub(crate) struct BotTurn {
    pub(crate) position: Position,
    /// The positions before it.
    pub(crate) history: Vec<Position>,
    pub(crate) bot: Bot,
    pub(crate) budget: Duration,
    pub(crate) stop: StopSwitch,
}

impl BotPool {
    /// Has a turn taken as soon as a search is free; how many come first. `begun` and `ended` are called
    /// from the search's thread, unless the turn is stopped before it begins.
    pub(crate) fn take_turn(
        &self,
        turn: BotTurn,
        begun: impl FnOnce() + Send + 'static,
        ended: impl FnOnce(Action, Option<BotEvaluation>) + Send + 'static,
    ) -> usize {
        let BotTurn { position, history, bot, budget, stop } = turn;
        let strength = Strength::of_level(bot.level);
        let request = Request {
            position,
            history,
            limits: strength.limits(budget),
            lines: strength.lines(),
            use_tables: bot.tables && strength.tables,
        };
        self.submit(Search {
            request,
            stop,
            begun: Box::new(begun),
            progress: None,
            ended: Box::new(move |report| {
                let (action, evaluation) = decide(strength, &position, report.as_ref());
                if let Some(action) = action {
                    ended(action, evaluation);
                }
            }),
        })
    }
}

/// The action to play and what is thought of it. A search that failed still plays something legal.
fn decide(
    strength: Strength,
    position: &Position,
    report: Option<&Report>,
) -> (Option<Action>, Option<BotEvaluation>) {
    let lot = RandomState::new().hash_one(0);
    let line = report.and_then(|report| report.lines.get(strength.choose(report, lot)));
    match line.and_then(|line| Some((*line.actions.first()?, line.score))) {
        Some((action, score)) => (Some(action), Some(white_view(score, position.turn()))),
        None => (position.legal_actions().first().copied(), None),
    }
}

/// A score of the side to move from White's point of view.
pub(crate) fn white_view(score: Score, turn: Color) -> BotEvaluation {
    let white_score = if turn == Color::White { score.value() } else { -score.value() };
    BotEvaluation { white_score, mate_in: score.mate_in_for_white(turn) }
}
