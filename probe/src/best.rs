//! What to play: every action judged, and whole lines of best play.

use boombots_rules::{Action, Outcome, Position};

use crate::error::ProbeError;
use crate::tables::Tables;
use crate::value::{Plies, Value};

/// An action with its value for the side that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedAction {
    /// The action.
    pub action: Action,
    /// The value, counted from the position before the action.
    pub value: Value,
}

impl Tables {
    /// Every legal action, best first: wins by shortness, draws, losses by length; equals in the
    /// order of [`Position::legal_actions`].
    ///
    /// # Errors
    /// See [`ProbeError`]; the classes that booms lead to must be there as well.
    pub fn rate_actions(&self, position: &Position) -> Result<Vec<RatedAction>, ProbeError> {
        if position.is_over() {
            return Err(ProbeError::Finished);
        }
        let mut rated = Vec::new();
        for action in position.legal_actions() {
            let value = self.value_after(&position.apply_unchecked(action))?;
            let value = value.before().ok_or_else(|| inconsistent(position))?;
            rated.push(RatedAction { action, value });
        }
        rated.sort_by_key(|rated| std::cmp::Reverse(rated.value));
        Ok(rated)
    }

    /// The best action.
    ///
    /// # Errors
    /// As [`Tables::rate_actions`].
    pub fn best_action(&self, position: &Position) -> Result<RatedAction, ProbeError> {
        let rated = self.rate_actions(position)?;
        rated.first().copied().ok_or(ProbeError::Finished)
    }

    /// Best play of both sides from a position: to the end of the game, or of a drawn position to
    /// the first repetition, at most [`DRAWN_LINE_ACTIONS`] actions.
    ///
    /// # Errors
    /// As [`Tables::rate_actions`], or if the tables promise an end that does not come.
    pub fn line(&self, position: &Position) -> Result<Vec<RatedAction>, ProbeError> {
        let value = self.value(position)?;
        let limit = value.plies().map_or(DRAWN_LINE_ACTIONS, |plies| usize::from(plies.0));
        let mut line = Vec::new();
        let mut seen = vec![*position];
        let mut current = *position;
        while !current.is_over() && line.len() < limit {
            let best = self.best_action(&current)?;
            current = current.apply_unchecked(best.action);
            line.push(best);
            if value == Value::Draw && seen.contains(&current) {
                break;
            }
            seen.push(current);
        }
        let ended_in_time = current.is_over() && line.len() == limit;
        if value != Value::Draw && !ended_in_time {
            return Err(inconsistent(position));
        }
        Ok(line)
    }

    /// The value of a position for its side to move, also where the game is over: then 0 plies
    /// from the end.
    fn value_after(&self, position: &Position) -> Result<Value, ProbeError> {
        match position.outcome() {
            Some(Outcome::Draw) => Ok(Value::Draw),
            Some(Outcome::Win(winner)) if winner == position.turn() => Ok(Value::Win(Plies(0))),
            Some(Outcome::Win(_)) => Ok(Value::Loss(Plies(0))),
            None => self.value(position),
        }
    }
}

fn inconsistent(position: &Position) -> ProbeError {
    match crate::tables::configurations(position) {
        Ok((mover, opponent)) => {
            let material =
                crate::class::Material { mover: mover.len() as u8, opponent: opponent.len() as u8 };
            ProbeError::Inconsistent { class: material.class() }
        }
        Err(error) => error,
    }
}

/// The most actions of a drawn line.
pub const DRAWN_LINE_ACTIONS: usize = 40;
