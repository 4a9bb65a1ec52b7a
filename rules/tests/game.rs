//! Boombots as servers, clients and bots see it: through the trait alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use boombots_rules::{Boombots, Color, Game, Outcome};

/// Always takes the last action listed, which is a boom.
fn last_action_wins<G: Game>(start: &str) -> (usize, Outcome) {
    let mut position = G::start(start).unwrap();
    for played in 0.. {
        if let Some(outcome) = G::outcome(&position) {
            assert!(G::legal_actions(&position).is_empty());
            return (played, outcome);
        }
        let action = G::legal_actions(&position).pop().unwrap();
        let turn = G::turn(&position);
        position = G::play(&position, &action).unwrap();
        assert_eq!(G::turn(&position), turn.opposite());
    }
    unreachable!("the loop counts without end");
}

#[test]
fn a_game_can_be_played_through_the_trait() {
    // White's two ranks are one chain: its first boom takes all of its bots.
    let outcome = Outcome::Win(Color::Black);
    assert_eq!(last_action_wins::<Boombots>("standard"), (1, outcome));
    // Here each side has three groups, and White runs out of them first.
    assert_eq!(last_action_wins::<Boombots>("expendibots"), (5, outcome));
}

#[test]
fn starts_have_names_and_nothing_else_has() {
    assert_eq!(Boombots::STARTS, ["standard", "expendibots"]);
    for name in Boombots::STARTS {
        assert!(Boombots::start(name).is_some());
    }
    assert_eq!(Boombots::start(""), None);
    assert_eq!(Boombots::ID, "boombots");
    assert_eq!(Boombots::NAME, "Boombots");
    assert_eq!(Boombots::BOT_MATCH_ACTIONS, 200);
}

#[test]
fn texts_and_refusals_go_through_the_trait() {
    let start = Boombots::start("standard").unwrap();
    let action = "1a2c2".parse().unwrap();
    let reason = Boombots::play(&start, &action).unwrap_err();
    assert_eq!(reason.to_string(), "c2 is 2 squares from a2, but a stack of 1 moves at most 1");
}
