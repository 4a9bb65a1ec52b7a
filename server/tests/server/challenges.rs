//! From a challenge to a game, or to none.

use boombots_protocol::{ErrorCode, ServerMessage, Team};

use crate::support::{STANDARD, TestServer, play_from};

#[tokio::test(flavor = "multi_thread")]
async fn challenges_are_declined_and_cancelled() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = (server.client("Ada").await, server.client("Bob").await);
    for (decline, reason) in [(true, "declined"), (false, "cancelled")] {
        ada.say(&format!(r#"{{"type":"sendChallenge","targetId":{}}}"#, bob.id)).await;
        let challenge =
            bob.lobby_with(|lobby| lobby.challenges.first().map(|challenge| challenge.id)).await;
        let kind = if decline { "declineChallenge" } else { "cancelChallenge" };
        let who = if decline { &mut bob } else { &mut ada };
        who.say(&format!(r#"{{"type":"{kind}","challengeId":{challenge}}}"#)).await;
        for client in [&mut ada, &mut bob] {
            let ended = |message| match message {
                ServerMessage::ChallengeEnded { challenge_id, reason } => {
                    (challenge_id == challenge).then_some(reason)
                }
                _ => None,
            };
            assert_eq!(client.until(ended).await, reason);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn impossible_challenges_are_refused() {
    let server = TestServer::start().await;
    let (mut ada, bob) = (server.client("Ada").await, server.client("Bob").await);
    for (fields, code) in [
        ("99".to_owned(), ErrorCode::UnknownUser),
        (ada.id.to_string(), ErrorCode::NotYourChallenge),
        (format!(r#"{},"game":"chess""#, bob.id), ErrorCode::UnsupportedGame),
        (format!(r#"{},"start":"nowhere""#, bob.id), ErrorCode::BadStart),
        (format!(r#"{},"clock":{{"initialMs":1}}"#, bob.id), ErrorCode::BadMessage),
    ] {
        ada.say(&format!(r#"{{"type":"sendChallenge","targetId":{fields}}}"#)).await;
        ada.refused(code).await;
    }
    ada.say(r#"{"type":"acceptChallenge","challengeId":5}"#).await;
    ada.refused(ErrorCode::UnknownChallenge).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_players_are_shown_the_whole_game() {
    let server = TestServer::start().await;
    let (ada, bob) = server.players(STANDARD).await;
    let (white, black) = (ada.game.unwrap(), bob.game.unwrap());
    assert_eq!(white, black);
    assert_eq!(white.players.white.id, Some(ada.id));
    assert_eq!((white.revision, white.state.turn), (0, Team::White));
    assert_eq!(white.history, Some(Vec::new()));
    assert_eq!(white.state.board.len(), 64);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_changes_sides() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    ada.say(r#"{"type":"resign"}"#).await;
    ada.next_game().await;
    bob.next_game().await;
    ada.say(r#"{"type":"rematch"}"#).await;
    bob.lobby_with(|lobby| lobby.challenges.first().and_then(|challenge| challenge.rematch_of))
        .await;
    bob.say(r#"{"type":"rematch"}"#).await;
    let again = bob.next_game().await;
    assert_eq!(again.players.white.id, Some(bob.id));
    assert_eq!(ada.next_game().await.id, again.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_game_frees_both() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    ada.say(r#"{"type":"leaveGame"}"#).await;
    let end = bob.next_game().await.result.unwrap();
    assert_eq!(end.winner, Some(Team::Black));
    bob.lobby_with(|lobby| lobby.users.iter().all(|user| user.playing.is_none()).then_some(()))
        .await;
    play_from(&mut bob, &mut ada, "expendibots").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hears_that_a_game_has_ended_begins_another_at_once() {
    let many = std::num::NonZeroU32::MAX;
    let server = TestServer::with(|options| options.message_rate = many).await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    let mut last = 1;
    for _ in 0..200 {
        bob.say(r#"{"type":"resign"}"#).await;
        assert!(ada.next_game().await.result.is_some());
        ada.say(&format!(r#"{{"type":"sendChallenge","targetId":{}}}"#, bob.id)).await;
        last = bob
            .lobby_with(|lobby| {
                lobby.challenges.iter().map(|challenge| challenge.id).find(|&id| id > last)
            })
            .await;
        bob.say(&format!(r#"{{"type":"acceptChallenge","challengeId":{last}}}"#)).await;
        assert!(ada.next_game().await.result.is_none());
    }
}
