//! What the player is about to do.

use boombots_rules::{Action, Position, Square, SquareSet};

/// What the player is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing yet.
    #[default]
    Nothing,
    /// A stack, and how many of its bots would go.
    Source {
        /// The stack.
        source: Square,
        /// How many bots.
        count: u8,
    },
    /// A whole move.
    Move {
        /// The stack.
        source: Square,
        /// Where its bots go.
        target: Square,
        /// How many of them.
        count: u8,
    },
    /// A boom, shown before it is done.
    Boom {
        /// The stack.
        source: Square,
        /// How many bots would go if it became a move again.
        count: u8,
    },
}

impl Selection {
    /// The stack.
    pub fn source(self) -> Option<Square> {
        match self {
            Selection::Nothing => None,
            Selection::Source { source, .. }
            | Selection::Move { source, .. }
            | Selection::Boom { source, .. } => Some(source),
        }
    }

    /// Where bots go.
    pub fn target(self) -> Option<Square> {
        match self {
            Selection::Move { target, .. } => Some(target),
            _ => None,
        }
    }

    /// How many bots go.
    pub fn count(self) -> Option<u8> {
        match self {
            Selection::Source { count, .. } | Selection::Move { count, .. } => Some(count),
            _ => None,
        }
    }

    /// The action, if there is a whole one.
    pub fn action(self) -> Option<Action> {
        match self {
            Selection::Nothing | Selection::Source { .. } => None,
            Selection::Move { source, target, count } => {
                Some(Action::Move { source, target, count })
            }
            Selection::Boom { source, .. } => Some(Action::Boom { source }),
        }
    }

    /// Where the stack may go.
    pub fn targets(self, position: &Position) -> SquareSet {
        match self {
            Selection::Source { source, .. } | Selection::Move { source, .. } => {
                position.targets(source)
            }
            _ => SquareSet::EMPTY,
        }
    }

    /// Chooses a square: first the stack, then where it goes; the stack again for another count.
    ///
    /// # Errors
    /// Why the square cannot be chosen, for people.
    pub fn press(self, position: &Position, square: Square) -> Result<Selection, String> {
        let own = position.color_at(square) == Some(position.turn());
        match self {
            Selection::Boom { source, count } if square == source => {
                Ok(Selection::Source { source, count })
            }
            Selection::Nothing | Selection::Boom { .. } if own => {
                Ok(Selection::Source { source: square, count: position.height(square) })
            }
            Selection::Nothing | Selection::Boom { .. } => {
                let boom = Action::Boom { source: square };
                Err(position.legality(boom).err().map_or_else(String::new, |why| why.to_string()))
            }
            Selection::Source { source, count } | Selection::Move { source, count, .. } => {
                if square == source {
                    return Ok(self.with_count(position, count % position.height(source) + 1));
                }
                let action = Action::Move { source, target: square, count };
                match position.legality(action) {
                    Ok(()) => Ok(Selection::Move { source, target: square, count }),
                    Err(_) if own => {
                        Ok(Selection::Source { source: square, count: position.height(square) })
                    }
                    Err(why) => Err(why.to_string()),
                }
            }
        }
    }

    /// Changes how many bots go.
    pub fn adjust(self, position: &Position, by: i8) -> Selection {
        match self.count() {
            Some(count) => self.with_count(position, count.saturating_add_signed(by)),
            None => self,
        }
    }

    /// Makes it the boom of the chosen stack, or else of the one on a square.
    ///
    /// # Errors
    /// Why the stack cannot explode, for people.
    pub fn boom(self, position: &Position, cursor: Square) -> Result<Selection, String> {
        let source = self.source().unwrap_or(cursor);
        let boom = Action::Boom { source };
        position.legality(boom).map_err(|why| why.to_string())?;
        let count = self.count().unwrap_or(position.height(source));
        Ok(Selection::Boom { source, count })
    }

    fn with_count(self, position: &Position, wanted: u8) -> Selection {
        let most = self.source().map_or(1, |source| position.height(source)).max(1);
        let wanted = wanted.clamp(1, most);
        match self {
            Selection::Source { source, .. } => Selection::Source { source, count: wanted },
            Selection::Move { source, target, .. } => {
                Selection::Move { source, target, count: wanted }
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn press(selection: Selection, name: &str) -> Selection {
        selection.press(&position(), square(name)).unwrap()
    }

    fn position() -> Position {
        "8/8/8/4a3/3C4/8/8/A2A4 w".parse().unwrap()
    }

    #[test]
    fn source_then_target_is_a_move_of_the_whole_stack() {
        let chosen = press(Selection::Nothing, "d4");
        assert_eq!(chosen.count(), Some(3));
        assert_eq!(chosen.action(), None);
        let chosen = press(chosen, "d6");
        assert_eq!(chosen.action().unwrap().to_string(), "3d4d6");
    }

    #[test]
    fn the_source_again_goes_through_the_counts() {
        let mut chosen = press(Selection::Nothing, "d4");
        let mut counts = Vec::new();
        for _ in 0..4 {
            chosen = press(chosen, "d4");
            counts.extend(chosen.count());
        }
        assert_eq!(counts, [1, 2, 3, 1]);
        assert_eq!(press(chosen, "d6").action().unwrap().to_string(), "1d4d6");
    }

    #[test]
    fn counts_stay_within_the_stack() {
        let chosen = press(Selection::Nothing, "d4");
        assert_eq!(chosen.adjust(&position(), 1).count(), Some(3));
        let chosen = chosen.adjust(&position(), -1).adjust(&position(), -1);
        assert_eq!(chosen.adjust(&position(), -1).count(), Some(1));
    }

    #[test]
    fn an_own_stack_is_a_target_in_reach_and_else_the_next_source() {
        let chosen = press(Selection::Nothing, "d4");
        assert_eq!(press(chosen, "d1").action().unwrap().to_string(), "3d4d1");
        assert_eq!(press(chosen, "a1"), Selection::Source { source: square("a1"), count: 1 });
    }

    #[test]
    fn what_cannot_be_is_explained() {
        let refused = |selection: Selection, name: &str| {
            selection.press(&position(), square(name)).unwrap_err()
        };
        assert_eq!(refused(Selection::Nothing, "h8"), "there is no stack on h8");
        assert!(refused(Selection::Nothing, "e5").contains("black"));
        assert!(refused(press(Selection::Nothing, "d4"), "e6").contains("row or column"));
    }

    #[test]
    fn a_boom_is_of_the_chosen_stack_or_below_the_cursor() {
        let chosen = press(Selection::Nothing, "d4").boom(&position(), square("a1")).unwrap();
        assert_eq!(chosen.action().unwrap().to_string(), "xd4");
        let chosen = Selection::Nothing.boom(&position(), square("a1")).unwrap();
        assert_eq!(chosen.action().unwrap().to_string(), "xa1");
        assert!(Selection::Nothing.boom(&position(), square("h8")).is_err());
        assert_eq!(press(chosen, "a1"), Selection::Source { source: square("a1"), count: 1 });
    }
}
