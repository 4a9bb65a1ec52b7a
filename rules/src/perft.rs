//! Counting action sequences, the usual check of a move generator.

use crate::{Action, Position};

/// How many sequences of exactly `depth` actions the position allows. A finished
/// game allows none but the empty one.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_action_count() as u64,
        _ => {
            let mut sequences = 0;
            position.for_each_legal_action(|action| {
                sequences += perft(&position.apply_unchecked(action), depth - 1);
            });
            sequences
        }
    }
}

/// [`perft`] split by the first action, in the order of
/// [`Position::for_each_legal_action`]. Depth 0 has no first action and gives
/// nothing.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Action, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    position
        .legal_actions()
        .into_iter()
        .map(|action| (action, perft(&position.apply_unchecked(action), rest)))
        .collect()
}
