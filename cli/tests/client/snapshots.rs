//! What every view looks like at several sizes.

use crate::fixtures;

/// The usual terminal, a large one, a tall and narrow one, and the smallest.
const SIZES: [(u16, u16); 4] = [(80, 24), (132, 43), (48, 36), (40, 15)];

#[test]
fn every_view_at_several_sizes() {
    for (name, client) in fixtures::all() {
        for (columns, rows) in SIZES {
            let screen = client().screen(columns, rows);
            insta::assert_snapshot!(format!("{name}-{columns}x{rows}"), screen);
        }
    }
}

#[test]
fn too_small_a_terminal_says_so() {
    let mut client = fixtures::playing();
    for (columns, rows) in [(39, 24), (80, 14), (20, 5)] {
        let screen = client.screen(columns, rows);
        assert!(screen.contains("too small"), "{screen}");
        assert!(screen.contains(&format!("{columns}x{rows}")), "{screen}");
    }
    assert!(!client.screen(40, 15).contains("too small"));
}

#[test]
fn the_game_from_blacks_side() {
    let mut client = fixtures::watching();
    client.type_text("f");
    insta::assert_snapshot!("watching-flipped", client.screen(80, 24));
}
