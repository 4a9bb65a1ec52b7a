//! One position for all that symmetry and exchanged colours make equal.

use boombots_rules::{Action, Color, Position, Square};

use crate::symmetry::Symmetry;

/// The position that stands for all those equal to this one up to the symmetries of the board and
/// the exchange of colours, and a symmetry that carries this one there. In it White is to move.
pub fn canonical(position: &Position) -> (Position, Symmetry) {
    let mut stacks = [(0_u8, 0_u8); 32];
    let mut len = 0;
    for color in Color::ALL {
        let side = u8::from(color != position.turn()) << 7;
        for square in position.stacks(color) {
            stacks[len] = (square.index() as u8, side | position.height(square));
            len += 1;
        }
    }
    let stacks = &stacks[..len];
    let mut best = images(stacks, Symmetry::IDENTITY);
    let mut chosen = Symmetry::IDENTITY;
    for symmetry in &Symmetry::ALL[1..] {
        let images = images(stacks, *symmetry);
        if images[..len] < best[..len] {
            (best, chosen) = (images, *symmetry);
        }
    }
    let mut canonical = Position::empty(Color::White);
    for &(square, stack) in &best[..len] {
        let color = if stack >> 7 == 0 { Color::White } else { Color::Black };
        let square = Square::from_index(square).expect("a symmetry stays on the board");
        canonical
            .add_bots(color, square, stack & 127)
            .expect("a symmetry keeps stacks apart and their bots");
    }
    (canonical, chosen)
}

/// The action where a symmetry carries it.
pub fn carried(action: Action, symmetry: Symmetry) -> Action {
    let image = |square| symmetry.square(square);
    match action {
        Action::Move { source, target, count } => {
            Action::Move { source: image(source), target: image(target), count }
        }
        Action::Boom { source } => Action::Boom { source: image(source) },
    }
}

/// The stacks where a symmetry carries them, in the order of squares.
fn images(stacks: &[(u8, u8)], symmetry: Symmetry) -> [(u8, u8); 32] {
    let mut images = [(0, 0); 32];
    for (image, &(square, stack)) in images.iter_mut().zip(stacks) {
        *image = (symmetry.square_index(square), stack);
    }
    images[..stacks.len()].sort_unstable();
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_have_one_form() {
        let position: Position = "8/1B6/8/3c4/8/8/5a2/A7 w".parse().unwrap();
        let (form, _) = canonical(&position);
        assert_eq!(form.turn(), Color::White);
        for symmetry in Symmetry::ALL {
            for exchanged in [false, true] {
                let mut image =
                    Position::empty(if exchanged { Color::Black } else { Color::White });
                for color in Color::ALL {
                    for square in position.stacks(color) {
                        let color = if exchanged { !color } else { color };
                        let height = position.height(square);
                        image.add_bots(color, symmetry.square(square), height).unwrap();
                    }
                }
                let (other, carrying) = canonical(&image);
                assert_eq!(other, form);
                let action = image.legal_actions().iter().next().copied().unwrap();
                let after = image.apply_unchecked(action);
                let then = form.play(carried(action, carrying)).unwrap();
                assert_eq!(canonical(&after).0, canonical(&then).0);
            }
        }
    }
}
