//! Random positions, and whatever must hold of each of them.

use std::collections::BTreeSet;

use boombots_rules::{Action, Boombots, Color, Game, Losses, Position, Setup, Square};
use proptest::prelude::*;

use crate::plain::PlainPosition;

/// Positions with up to 16 bots a side, tall stacks included. Half of them are
/// squeezed into a corner of the board, where chains and blocked targets abound.
fn positions() -> impl Strategy<Value = Position> {
    let height = prop_oneof![6 => 1u8..=2, 3 => 3u8..=8, 1 => 9u8..=16];
    let stacks = prop::collection::vec((any::<bool>(), 0u8..64, height), 0..24);
    (stacks, any::<bool>(), any::<bool>()).prop_map(|(stacks, squeezed, white_to_move)| {
        let turn = if white_to_move { Color::White } else { Color::Black };
        let mut setup = Setup::empty(turn);
        for (is_white, index, height) in stacks {
            let index = if squeezed { index / 8 % 5 * 8 + index % 5 } else { index };
            let square = Square::from_index(index).unwrap();
            let color = if is_white { Color::White } else { Color::Black };
            let candidate = setup.clone().put(color, square, height);
            if Position::from_setup(&candidate).is_ok() {
                setup = candidate;
            }
        }
        Position::from_setup(&setup).unwrap()
    })
}

proptest! {
    #[test]
    fn legal_actions_are_those_of_the_twin(position in positions()) {
        let listed = position.legal_actions();
        prop_assert!(listed.is_sorted_by(|one, next| one < next));
        prop_assert_eq!(position.legal_action_count(), listed.len());
        prop_assert_eq!(&Boombots::legal_actions(&position), &listed.to_vec());

        let mut plain = PlainPosition::from(&position).legal_actions();
        plain.sort();
        prop_assert_eq!(listed.to_vec(), plain);
    }

    #[test]
    fn applying_an_action_does_what_the_twin_does(position in positions()) {
        let plain = PlainPosition::from(&position);
        for action in position.legal_actions() {
            let next = position.apply_unchecked(action);
            prop_assert_eq!(PlainPosition::from(&next), plain.apply(action), "{}", action);
            prop_assert_eq!(next.outcome(), plain.apply(action).outcome());
            prop_assert_eq!(position.play(action), Ok(next));

            // The constructor sums the bots afresh and fills unused fields its
            // own way, so equality shows that `apply_unchecked` keeps both right.
            prop_assert_eq!(Position::from_setup(&Setup::from(&next)), Ok(next));
        }
    }

    #[test]
    fn legality_and_the_list_agree_on_every_conceivable_action(position in positions()) {
        let listed: BTreeSet<Action> = position.legal_actions().into_iter().collect();
        let mut legal = 0;
        for source in Square::ALL {
            for target in Square::ALL {
                for count in 1..=17 {
                    let action = Action::Move { source, target, count };
                    // Every legal action is listed, and in the end there are as
                    // many of them: no need to look up the illegal ones.
                    if position.legality(action).is_ok() {
                        prop_assert!(listed.contains(&action), "{}", action);
                        prop_assert!(position.targets(source).contains(target));
                        legal += 1;
                    }
                }
                let nothing = Action::Move { source, target, count: 0 };
                prop_assert!(position.legality(nothing).is_err());
            }
            let boom = Action::Boom { source };
            prop_assert_eq!(position.legality(boom).is_ok(), listed.contains(&boom));
            legal += usize::from(position.legality(boom).is_ok());
        }
        prop_assert_eq!(legal, listed.len());
    }

    #[test]
    fn targets_are_those_of_the_listed_moves(position in positions()) {
        for source in Square::ALL {
            let listed: BTreeSet<Square> = position
                .legal_actions()
                .iter()
                .filter(|action| action.source() == source && !action.is_boom())
                .map(|action| action.target())
                .collect();
            prop_assert_eq!(position.targets(source).iter().collect::<BTreeSet<_>>(), listed);
        }
    }

    #[test]
    fn explosions_are_those_of_the_twin(position in positions()) {
        let plain = PlainPosition::from(&position);
        for square in Square::ALL {
            let exploded: BTreeSet<Square> = position.explosion(square).iter().collect();
            prop_assert_eq!(&exploded, &plain.explosion(square));

            let lost = |sign: i8| exploded
                .iter()
                .map(|square| (plain.board[square.index()] * sign).max(0) as u8)
                .sum();
            let losses = Losses { white: lost(1), black: lost(-1) };
            prop_assert_eq!(position.after_explosion(square), losses);
        }
    }

    #[test]
    fn positions_read_back_from_their_text(position in positions()) {
        prop_assert_eq!(position.to_string().parse(), Ok(position));
    }

    #[test]
    fn changed_text_is_refused_or_the_text_of_another_position(
        position in positions(),
        place in any::<prop::sample::Index>(),
        inserted in prop::option::of("[A-Pa-p0-9/ wb]"),
        deletes in any::<bool>(),
    ) {
        let text = position.to_string();
        let (before, after) = text.split_at(place.index(text.len()));
        let after = if deletes { &after[1..] } else { after };
        let changed = format!("{before}{}{after}", inserted.unwrap_or_default());
        if let Ok(read) = changed.parse::<Position>() {
            prop_assert_eq!(read.to_string(), changed);
        }
    }

    #[test]
    fn any_text_is_refused_or_canonical(text in "([A-Ca-c1-8]{0,6}[/ ]?){8}[ wb]{0,3}") {
        if let Ok(read) = text.parse::<Position>() {
            prop_assert_eq!(read.to_string(), text);
        }
    }

    #[test]
    fn actions_read_back_from_their_text(position in positions()) {
        for action in position.legal_actions() {
            prop_assert_eq!(action.to_string().parse(), Ok(action));
        }
    }

    #[test]
    fn any_action_text_is_refused_or_canonical(text in "[x0-9]{0,3}([a-i][0-9]){0,3}") {
        if let Ok(read) = text.parse::<Action>() {
            prop_assert_eq!(read.to_string(), text);
        }
    }
}
