use std::time::Duration;

use boombots_protocol::{ColorChoice, ErrorCode};
use proptest::prelude::*;

use super::{GameStart, Lobby, LobbyEffect, LobbyLimits};
use crate::ids::{ChallengeId, ConnectionId, MatchId, UserId};
use crate::token::TokenDigest;

const SECOND: Duration = Duration::from_secs(1);

fn limits() -> LobbyLimits {
    LobbyLimits {
        users: 8,
        games: 8,
        bot_games: 2,
        challenges_of_one: 3,
        challenges_to_one: 5,
        watched_by_one: 2,
        grace: 60 * SECOND,
        bot_tables: [false, true],
    }
}

fn lobby() -> Lobby {
    Lobby::new(limits(), UserId(0), MatchId(0), 1)
}

fn token(number: u64) -> TokenDigest {
    TokenDigest::of(&number.to_string())
}

/// Connects users called a, b, c, … with numbers from 1, each by the connection of the same number.
fn with_users(count: u64) -> Lobby {
    let mut lobby = lobby();
    for number in 1..=count {
        let name = char::from(b'a' + number as u8 - 1).to_string();
        let effects = lobby.connect(ConnectionId(number), &name, None, token(number));
        assert!(matches!(effects[0], LobbyEffect::Welcome { resumed: false, .. }));
    }
    lobby
}

fn start() -> Result<GameStart, crate::refusal::Refusal> {
    GameStart::find(None, None)
}

fn challenge(lobby: &mut Lobby, from: u32, to: u32) -> Vec<LobbyEffect> {
    lobby.send_challenge(UserId(from), UserId(to), start(), None, ColorChoice::White)
}

fn refusal(effects: &[LobbyEffect]) -> Option<ErrorCode> {
    effects.iter().find_map(|effect| match effect {
        LobbyEffect::Refuse { refusal, .. } | LobbyEffect::RefuseConnection { refusal, .. } => {
            Some(refusal.code)
        }
        _ => None,
    })
}

fn begun(effects: &[LobbyEffect]) -> Option<MatchId> {
    effects.iter().find_map(|effect| match effect {
        LobbyEffect::Begin(begin) => Some(begin.id),
        _ => None,
    })
}

#[test]
fn so_many_may_challenge_one_and_no_more() {
    let mut lobby = with_users(6);
    for from in 2..=6 {
        assert_eq!(refusal(&challenge(&mut lobby, from, 1)), None);
    }
    assert_eq!(refusal(&challenge(&mut lobby, 2, 1)), Some(ErrorCode::ServerFull));
    // The one who is challenged may still challenge, and others be challenged.
    assert_eq!(refusal(&challenge(&mut lobby, 1, 2)), None);
    assert_eq!(refusal(&challenge(&mut lobby, 2, 3)), None);
    lobby.decline_challenge(UserId(1), ChallengeId(1));
    assert_eq!(refusal(&challenge(&mut lobby, 2, 1)), None);
}

#[test]
fn a_challenge_becomes_one_game() {
    let mut lobby = with_users(3);
    assert_eq!(refusal(&challenge(&mut lobby, 1, 2)), None);
    challenge(&mut lobby, 3, 2);
    let accept =
        |lobby: &mut Lobby, user, id| lobby.accept_challenge(UserId(user), ChallengeId(id));
    assert_eq!(refusal(&accept(&mut lobby, 1, 1)), Some(ErrorCode::NotYourChallenge));
    assert_eq!(begun(&accept(&mut lobby, 2, 1)), Some(MatchId(1)));
    // The other challenge to the same player is gone with it.
    assert_eq!(refusal(&accept(&mut lobby, 2, 2)), Some(ErrorCode::UnknownChallenge));
    assert_eq!(refusal(&challenge(&mut lobby, 1, 3)), Some(ErrorCode::AlreadyPlaying));
    challenge(&mut lobby, 3, 1);
    assert_eq!(refusal(&accept(&mut lobby, 1, 3)), Some(ErrorCode::AlreadyPlaying));
    lobby.game_ended(MatchId(1));
    assert_eq!(begun(&accept(&mut lobby, 1, 3)), Some(MatchId(2)));
}

#[test]
fn a_rematch_changes_sides_when_both_want_it() {
    let mut lobby = with_users(2);
    challenge(&mut lobby, 1, 2);
    lobby.accept_challenge(UserId(2), ChallengeId(1));
    assert_eq!(refusal(&lobby.rematch(UserId(1), None)), Some(ErrorCode::NotPossible));
    lobby.game_ended(MatchId(1));
    assert_eq!(begun(&lobby.rematch(UserId(1), None)), None);
    let effects = lobby.rematch(UserId(2), Some(MatchId(1)));
    let Some(LobbyEffect::Begin(begin)) = effects.first() else { panic!("{effects:?}") };
    assert_eq!(begin.seats[0].user(), Some(UserId(2)));
}

#[test]
fn bots_want_a_rematch_at_once() {
    let mut lobby = with_users(1);
    let bot_game = lobby.start_bot_game(UserId(1), start(), None, ColorChoice::White, 4);
    let Some(LobbyEffect::Begin(begin)) = bot_game.first() else { panic!("{bot_game:?}") };
    assert!(begin.seats[1].is_bot());
    lobby.game_ended(MatchId(1));
    let again = lobby.rematch(UserId(1), None);
    let Some(LobbyEffect::Begin(begin)) = again.first() else { panic!("{again:?}") };
    let crate::matches::Seat::Bot(bot) = begin.seats[0] else { panic!("{begin:?}") };
    assert_eq!((bot.level, bot.tables), (4, false));
}

#[test]
fn a_lost_session_is_kept_for_a_while_and_with_its_game() {
    let mut lobby = with_users(2);
    challenge(&mut lobby, 1, 2);
    lobby.accept_challenge(UserId(2), ChallengeId(1));
    lobby.disconnect(UserId(1), ConnectionId(1), SECOND);
    // Its name is not to be had, and time does not end it while the game goes on.
    let taken = lobby.connect(ConnectionId(9), "A", None, token(9));
    assert_eq!(refusal(&taken), Some(ErrorCode::NameTaken));
    lobby.time_passed(1_000 * SECOND);
    let back = lobby.connect(ConnectionId(10), "whatever", Some(token(1)), token(10));
    assert!(matches!(
        back[..],
        [
            LobbyEffect::Welcome { resumed: true, playing: Some(MatchId(1)), .. },
            LobbyEffect::Join { game: MatchId(1), user: UserId(1) },
            ..
        ]
    ));
    lobby.game_ended(MatchId(1));
    lobby.disconnect(UserId(1), ConnectionId(10), 1_000 * SECOND);
    lobby.time_passed(1_059 * SECOND);
    assert_eq!(lobby.known(), 2);
    lobby.time_passed(1_060 * SECOND);
    assert_eq!(lobby.known(), 1);
}

#[test]
fn a_name_without_a_game_is_free_once_its_user_is_away() {
    let mut lobby = with_users(1);
    assert_eq!(
        refusal(&lobby.connect(ConnectionId(2), "А", None, token(2))),
        Some(ErrorCode::NameTaken)
    );
    lobby.disconnect(UserId(1), ConnectionId(1), SECOND);
    let effects = lobby.connect(ConnectionId(3), "A", None, token(3));
    assert!(matches!(effects[..], [LobbyEffect::Welcome { user: UserId(2), .. }, ..]));
    assert_eq!(lobby.known(), 1);
}

#[test]
fn a_second_connection_takes_the_place_of_the_first() {
    let mut lobby = with_users(1);
    let effects = lobby.connect(ConnectionId(2), "", Some(token(1)), token(2));
    assert!(matches!(effects[0], LobbyEffect::Replace { connection: ConnectionId(1) }));
    // That the first one then ends means nothing.
    assert!(lobby.disconnect(UserId(1), ConnectionId(1), SECOND).is_empty());
    assert_eq!(lobby.connected(), 1);
}

#[test]
fn everything_is_bounded() {
    let mut lobby = with_users(8);
    let full = lobby.connect(ConnectionId(99), "z", None, token(99));
    assert_eq!(refusal(&full), Some(ErrorCode::ServerFull));
    for to in 2..5 {
        assert_eq!(refusal(&challenge(&mut lobby, 1, to)), None);
    }
    assert_eq!(refusal(&challenge(&mut lobby, 1, 5)), Some(ErrorCode::ServerFull));
    for user in 1..3 {
        assert!(begun(&lobby.start_bot_match(UserId(user), start())).is_some());
    }
    let bots = lobby.start_bot_match(UserId(3), start());
    assert_eq!(refusal(&bots), Some(ErrorCode::ServerFull));
}

#[test]
fn starts_are_checked() {
    let code = |game, start| GameStart::find(game, start).err().map(|refusal| refusal.code);
    assert_eq!(code(Some("boombots"), Some("expendibots")), None);
    assert_eq!(code(None, Some("8/8/8/2a1a3/3a4/8/1A1B4/8 w")), None);
    assert_eq!(code(None, Some("8/8/8/8/8/8/1A1B4/8 w")), Some(ErrorCode::BadStart));
    assert_eq!(code(None, Some("nowhere")), Some(ErrorCode::BadStart));
    assert_eq!(code(Some("chess"), None), Some(ErrorCode::UnsupportedGame));
}

proptest! {
    /// Whatever users do, nobody is in two games, and a player plays in a game that is there.
    #[test]
    fn nobody_is_in_two_games(steps in prop::collection::vec((0_u8..9, 1_u32..6, 1_u32..6), 0..120)) {
        let mut lobby = with_users(5);
        let mut playing = std::collections::BTreeMap::new();
        let mut connection = 100;
        for (at, (what, user, other)) in steps.into_iter().enumerate() {
            let now = SECOND * at as u32;
            let user = UserId(user);
            let effects = match what {
                0 | 1 => lobby.send_challenge(user, UserId(other), start(), None, ColorChoice::Random),
                2 | 3 => lobby.accept_challenge(user, ChallengeId(other)),
                4 => lobby.cancel_challenge(user, ChallengeId(other)),
                5 => lobby.start_bot_game(user, start(), None, ColorChoice::Random, 1),
                6 => {
                    let game = MatchId(other);
                    playing.retain(|_, played| *played != game);
                    lobby.game_ended(game)
                }
                7 => match lobby.connection_of(user) {
                    Some(current) => lobby.disconnect(user, current, now),
                    None => Vec::new(),
                },
                _ => {
                    connection += 1;
                    let token_of_user = token(u64::from(user.0));
                    lobby.connect(ConnectionId(connection), "x", Some(token_of_user), token(connection))
                }
            };
            for effect in &effects {
                if let LobbyEffect::Begin(begin) = effect {
                    for player in begin.seats.iter().filter_map(|seat| seat.user()) {
                        prop_assert_eq!(playing.insert(player, begin.id), None);
                    }
                }
            }
            let shown = lobby.view();
            for user in shown.users {
                prop_assert_eq!(user.playing, playing.get(&UserId(user.id)).map(|game| game.0));
            }
        }
    }
}
