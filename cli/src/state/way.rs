//! The way from the position that an analysis began with to the one that is shown, and on from it.

use std::time::Duration;

use boombots_protocol::DeepAnalysis;
use boombots_rules::{Action, IllegalAction, Position};

/// A way through positions: the one that is shown, those before it, and those stepped back from.
#[derive(Clone, Debug)]
pub struct Way {
    before: Vec<Step>,
    shown: Step,
    /// The next one last.
    after: Vec<Step>,
}

/// A position of a way.
#[derive(Clone, Debug)]
pub struct Step {
    /// The action that led to it.
    pub action: Option<Action>,
    /// The position.
    pub position: Position,
    /// What the server has found.
    pub found: Option<Found>,
}

/// What the server has found, and when it said so.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What it has found.
    pub analysis: DeepAnalysis,
    /// When it said so.
    pub told: Duration,
}

impl Way {
    /// A way that has just begun.
    pub fn new(position: Position) -> Way {
        let shown = Step { action: None, position, found: None };
        Way { before: Vec::new(), shown, after: Vec::new() }
    }

    /// The position that is shown.
    pub fn shown(&self) -> &Step {
        &self.shown
    }

    /// The same, to change what is known of it.
    pub fn shown_mut(&mut self) -> &mut Step {
        &mut self.shown
    }

    /// The actions that led to the position.
    pub fn actions_before(&self) -> impl Iterator<Item = Action> {
        self.before.iter().chain([&self.shown]).filter_map(|step| step.action)
    }

    /// The actions that were taken back, the next one first.
    pub fn actions_after(&self) -> impl Iterator<Item = Action> {
        self.after.iter().rev().filter_map(|step| step.action)
    }

    /// Goes on by an action; another one than before forgets what came after.
    ///
    /// # Errors
    /// When the rules refuse the action.
    pub fn play(&mut self, action: Action) -> Result<(), IllegalAction> {
        let position = self.shown.position.play(action)?;
        if self.after.last().and_then(|next| next.action) == Some(action) {
            self.forward();
        } else {
            self.after.clear();
            let next = Step { action: Some(action), position, found: None };
            self.before.push(std::mem::replace(&mut self.shown, next));
        }
        Ok(())
    }

    /// Goes a step back; gives the action that was taken back.
    pub fn back(&mut self) -> Option<Action> {
        let step = self.before.pop()?;
        let left = std::mem::replace(&mut self.shown, step);
        let action = left.action;
        self.after.push(left);
        action
    }

    /// Goes a step forward again, if there is one.
    pub fn forward(&mut self) -> bool {
        let Some(step) = self.after.pop() else { return false };
        self.before.push(std::mem::replace(&mut self.shown, step));
        true
    }

    /// Begins anew with a position, and keeps what is known of it.
    pub fn begin_at(&mut self, position: Position) {
        let found = self.steps().find(|step| step.position == position);
        let found = found.and_then(|step| step.found.clone());
        *self = Way::new(position);
        self.shown.found = found;
    }

    /// Takes what the server has found, wherever the way has the position.
    pub fn take(&mut self, position: Position, found: &Found) {
        let steps = self.before.iter_mut().chain([&mut self.shown]).chain(&mut self.after);
        for step in steps.filter(|step| step.position == position) {
            step.take(found.clone());
        }
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.before.iter().chain([&self.shown]).chain(&self.after)
    }
}

impl Step {
    /// An analysis that begins anew knows nothing at first; till then the last lines stay.
    fn take(&mut self, mut found: Found) {
        let new = &mut found.analysis;
        if let Some(old) = self.found.take()
            && new.lines.is_empty()
            && new.white_score.is_none()
        {
            new.lines = old.analysis.lines;
            (new.white_score, new.mate_in) = (old.analysis.white_score, old.analysis.mate_in);
        }
        self.found = Some(found);
    }
}
