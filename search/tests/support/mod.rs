//! What the tests share; no test uses all of it.

#![allow(dead_code)]

use boombots_rules::{Color, Position, Setup, Square};

/// A small generator of reproducible chance.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) as usize) % bound
    }

    /// At most so many bots a side, at least one, strewn about.
    pub(crate) fn placement(&mut self, most: usize) -> Position {
        let turn = Color::ALL[self.below(2)];
        let mut setup = Setup::empty(turn);
        for color in Color::ALL {
            for _ in 0..1 + self.below(most) {
                let square = Square::ALL[self.below(64)];
                let is_free = setup.height(!color, square) == 0;
                // The first bots take different corners, so that both sides have one.
                let square = if is_free { square } else { Square::ALL[color.index() * 63] };
                if setup.height(!color, square) == 0 {
                    let height = setup.height(color, square) + 1;
                    setup = setup.put(color, square, height);
                }
            }
        }
        let position = Position::from_setup(&setup).unwrap();
        if position.is_over() { self.placement(most) } else { position }
    }
}
