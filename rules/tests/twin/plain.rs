//! The rules once more, as plainly as they can be written: an array of signed
//! heights, loops over coordinates, a recursive flood. Nothing here shares code
//! or ideas with the crate beyond the types that name squares and actions.

use std::collections::BTreeSet;

use boombots_rules::{Action, Color, Outcome, Position, Square};

/// White's stacks are positive heights, Black's negative ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainPosition {
    pub(crate) board: [i8; 64],
    pub(crate) white_to_move: bool,
}

impl From<&Position> for PlainPosition {
    fn from(position: &Position) -> PlainPosition {
        let mut board = [0; 64];
        for (index, square) in Square::ALL.into_iter().enumerate() {
            let height = position.height(square) as i8;
            board[index] = match position.color_at(square) {
                None => 0,
                Some(Color::White) => height,
                Some(Color::Black) => -height,
            };
        }
        PlainPosition { board, white_to_move: position.turn() == Color::White }
    }
}

impl PlainPosition {
    fn sign(&self) -> i8 {
        if self.white_to_move { 1 } else { -1 }
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let white = self.board.iter().any(|stack| *stack > 0);
        let black = self.board.iter().any(|stack| *stack < 0);
        match (white, black) {
            (true, true) => None,
            (true, false) => Some(Outcome::Win(Color::White)),
            (false, true) => Some(Outcome::Win(Color::Black)),
            (false, false) => Some(Outcome::Draw),
        }
    }

    pub(crate) fn legal_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.outcome().is_some() {
            return actions;
        }
        for y in 0..8 {
            for x in 0..8 {
                let height = self.at(x, y) * self.sign();
                if height <= 0 {
                    continue;
                }
                let source = square(x, y);
                actions.push(Action::Boom { source });
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    for distance in 1..=height {
                        let (to_x, to_y) = (x + dx * distance, y + dy * distance);
                        if !on_board(to_x, to_y) || self.at(to_x, to_y) * self.sign() < 0 {
                            continue;
                        }
                        for count in 1..=height {
                            actions.push(Action::Move {
                                source,
                                target: square(to_x, to_y),
                                count: count as u8,
                            });
                        }
                    }
                }
            }
        }
        actions
    }

    pub(crate) fn apply(&self, action: Action) -> PlainPosition {
        let mut next = self.clone();
        match action {
            Action::Move { source, target, count } => {
                next.board[source.index()] -= count as i8 * self.sign();
                next.board[target.index()] += count as i8 * self.sign();
            }
            Action::Boom { source } => next.explode(source.x() as i8, source.y() as i8),
        }
        next.white_to_move = !self.white_to_move;
        next
    }

    /// The squares that a boom of the square empties.
    pub(crate) fn explosion(&self, source: Square) -> BTreeSet<Square> {
        let mut after = self.clone();
        after.explode(source.x() as i8, source.y() as i8);
        Square::ALL
            .into_iter()
            .filter(|square| self.board[square.index()] != after.board[square.index()])
            .collect()
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let actions = self.legal_actions();
        if depth == 1 {
            return actions.len() as u64;
        }
        actions.into_iter().map(|action| self.apply(action).perft(depth - 1)).sum()
    }

    fn at(&self, x: i8, y: i8) -> i8 {
        self.board[(y * 8 + x) as usize]
    }

    fn explode(&mut self, x: i8, y: i8) {
        if !on_board(x, y) || self.at(x, y) == 0 {
            return;
        }
        self.board[(y * 8 + x) as usize] = 0;
        for dy in -1..=1 {
            for dx in -1..=1 {
                self.explode(x + dx, y + dy);
            }
        }
    }
}

fn on_board(x: i8, y: i8) -> bool {
    (0..8).contains(&x) && (0..8).contains(&y)
}

fn square(x: i8, y: i8) -> Square {
    Square::new(x as u8, y as u8).unwrap()
}
