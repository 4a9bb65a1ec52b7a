//! Which actions a position allows.
//!
//! The generator and the judge of a single action are separate because a judge
//! has a reason to give; tests hold them together over every conceivable action.

use crate::{Action, ActionList, IllegalAction, Position, Square, SquareSet};

impl Position {
    /// Calls `visit` with every legal action, in ascending order of [`Action`]:
    /// by source square; the moves of a source by target square and then by
    /// count, its boom last. A finished game has none.
    #[inline]
    pub fn for_each_legal_action(&self, mut visit: impl FnMut(Action)) {
        if self.is_over() {
            return;
        }
        let free = !self.stacks(self.turn().opposite());
        for source in self.stacks(self.turn()) {
            let height = self.height(source);
            for target in source.reach(height) & free {
                for count in 1..=height {
                    visit(Action::Move { source, target, count });
                }
            }
            visit(Action::Boom { source });
        }
    }

    /// Every legal action, in the order of [`Position::for_each_legal_action`].
    #[inline]
    pub fn legal_actions(&self) -> ActionList {
        let mut list = ActionList::new();
        self.for_each_legal_action(|action| list.push(action));
        list
    }

    /// How many legal actions there are, counted without listing them.
    #[inline]
    pub fn legal_action_count(&self) -> usize {
        if self.is_over() {
            return 0;
        }
        let own = self.stacks(self.turn());
        let free = !self.stacks(self.turn().opposite());
        let mut actions = own.len();
        for source in own {
            let height = self.height(source);
            actions += usize::from(height) * (source.reach(height) & free).len();
        }
        actions
    }

    /// The squares to which the stack on `source` may move; empty unless it is
    /// the mover's and the game goes on. The count may be anything from 1 to
    /// the height, whatever the target.
    #[inline]
    pub fn targets(&self, source: Square) -> SquareSet {
        if self.is_over() || !self.stacks(self.turn()).contains(source) {
            return SquareSet::EMPTY;
        }
        source.reach(self.height(source)) - self.stacks(self.turn().opposite())
    }

    /// Whether the side to move may take the action.
    ///
    /// # Errors
    ///
    /// The reason why it may not; the first that applies, in the order in which
    /// [`IllegalAction`] lists them.
    pub fn legality(&self, action: Action) -> Result<(), IllegalAction> {
        if let Some(outcome) = self.outcome() {
            return Err(IllegalAction::GameOver { outcome });
        }
        let own = self.stacks(self.turn());
        let opposing = self.stacks(self.turn().opposite());
        let from = action.source();
        if opposing.contains(from) {
            return Err(IllegalAction::OpponentsStack {
                square: from,
                owner: self.turn().opposite(),
            });
        }
        if !own.contains(from) {
            return Err(IllegalAction::NoStack { square: from });
        }
        match action {
            Action::Boom { .. } => Ok(()),
            Action::Move { target, count, .. } => self.move_legality(from, target, count),
        }
    }

    /// Judges a move of the mover's stack on `from` in a game that goes on.
    fn move_legality(&self, from: Square, to: Square, count: u8) -> Result<(), IllegalAction> {
        let height = self.height(from);
        if count == 0 {
            return Err(IllegalAction::NothingMoved { square: from });
        }
        if count > height {
            return Err(IllegalAction::StackTooSmall { square: from, height, count });
        }
        if from == to {
            return Err(IllegalAction::SameSquare { square: from });
        }
        if from.x() != to.x() && from.y() != to.y() {
            return Err(IllegalAction::NotStraight { from, to });
        }
        let distance = from.x().abs_diff(to.x()) + from.y().abs_diff(to.y());
        if distance > height {
            return Err(IllegalAction::TooFar { from, to, distance, height });
        }
        let opponent = self.turn().opposite();
        if self.stacks(opponent).contains(to) {
            return Err(IllegalAction::TargetHeld { square: to, owner: opponent });
        }
        Ok(())
    }
}
