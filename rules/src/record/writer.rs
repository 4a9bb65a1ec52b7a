//! Writing a record.

use std::fmt;

use super::tags::is_rostered;
use super::{GameRecord, number_before, result_token};
use crate::{Color, Game};

/// The longest line of actions, in characters.
const LINE: usize = 80;

impl<G: Game> fmt::Display for GameRecord<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = result_token(self.outcome());
        write_tag(f, "Game", G::ID)?;
        for (name, value) in self.tags().filter(|(name, _)| is_rostered(name)) {
            write_tag(f, name, value)?;
        }
        write_tag(f, "Result", result)?;
        write_tag(f, "Start", &self.start.to_string())?;
        if let Some(conclusion) = self.conclusion {
            write_tag(f, "Termination", conclusion.name())?;
        }
        for (name, value) in self.tags().filter(|(name, _)| !is_rostered(name)) {
            write_tag(f, name, value)?;
        }
        writeln!(f)?;

        let mut lines = Lines { f, width: 0 };
        let black_starts = G::turn(&self.start) == Color::Black;
        for (index, action) in self.actions.iter().enumerate() {
            let half = index + usize::from(black_starts);
            // A number stays in the line of its action.
            match number_before(half, index == 0) {
                Some(number) => lines.item(&format!("{number} {action}"))?,
                None => lines.item(&action.to_string())?,
            }
        }
        lines.item(result)?;
        writeln!(lines.f)
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

/// Items separated by spaces, or by a line break where a line would get too
/// long.
struct Lines<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    width: usize,
}

impl Lines<'_, '_> {
    fn item(&mut self, item: &str) -> fmt::Result {
        let width = item.chars().count();
        if self.width == 0 {
            self.width = width;
        } else if self.width + 1 + width <= LINE {
            self.f.write_str(" ")?;
            self.width += 1 + width;
        } else {
            self.f.write_str("\n")?;
            self.width = width;
        }
        self.f.write_str(item)
    }
}
