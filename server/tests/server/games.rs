//! Games between people.

use boombots_protocol::{EndReason, ErrorCode, ServerMessage, Team};
use boombots_rules::{Position, Start};

use crate::support::{STANDARD, TestServer, action};

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_from_the_start_to_a_boom_that_wins() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    // White marches a stack up to Black, loses it with many of Black's, and so on, until one side is gone. The
    // actions come from the rules: the boom that nets most, else the longest advance.
    let mut position = Position::start(Start::Standard);
    let mut revision = 0;
    while position.outcome().is_none() {
        let turn = position.turn();
        let worth = |action: &boombots_rules::Action| {
            let next = position.play(*action).unwrap();
            let lead = i32::from(next.bots(turn)) - i32::from(next.bots(!turn));
            let (from, to) = (i32::from(action.source().y()), i32::from(action.target().y()));
            let ahead = if turn == boombots_rules::Color::White { to - from } else { 0 };
            let is_win = next.outcome().and_then(|outcome| outcome.winner()) == Some(turn);
            (is_win, lead, ahead, i32::from(action.count()))
        };
        let best = position.legal_actions().iter().copied().max_by_key(worth).unwrap();
        let player = if turn == boombots_rules::Color::White { &mut ada } else { &mut bob };
        player.tell(&action(&best.to_string(), Some(revision), None)).await;
        position = position.play(best).unwrap();
        revision += 1;
        for client in [&mut ada, &mut bob] {
            let game = client.next_game().await;
            assert_eq!(
                (game.revision, game.state.position.as_str()),
                (revision, &*position.to_string())
            );
            assert_eq!(game.last_action.unwrap().text, best.to_string());
            assert_eq!(game.result.is_some(), position.outcome().is_some());
        }
        assert!(revision < 400, "{position}");
    }
    let result = ada.game.unwrap().result.unwrap();
    assert_eq!(result.reason, EndReason::Boom);
    assert!(result.winner.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn both_destroyed_is_a_draw() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players("8/8/8/4a3/3B4/8/8/8 w").await;
    ada.act("xd4").await;
    for client in [&mut ada, &mut bob] {
        let result = client.next_game().await.result.unwrap();
        assert_eq!((result.winner, result.reason), (None, EndReason::Boom));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_actions_are_refused_with_reasons() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    for (text, reason) in [
        ("1a3a4", "there is no stack on a3"),
        ("1a7a6", "the stack on a7 is black's, and it is white's turn"),
        ("2a2a3", "2 bots cannot leave a2, where 1 stand"),
        ("1a2a4", "a4 is 2 squares from a2, but a stack of 1 moves at most 1"),
        ("1a2b3", "a2 and b3 are not in one row or column"),
    ] {
        ada.act(text).await;
        let problem = ada.refused(ErrorCode::IllegalAction).await;
        assert_eq!(problem.message, reason);
        assert_eq!((problem.revision, problem.state.unwrap().turn), (Some(0), Team::White));
    }
    bob.act("1a7a6").await;
    bob.refused(ErrorCode::NotYourTurn).await;
    let mut eve = server.client("Eve").await;
    eve.act("1a2a3").await;
    eve.refused(ErrorCode::UnknownGame).await;
    eve.say(r#"{"type":"spectate","gameId":1}"#).await;
    eve.next_game().await;
    eve.act("1a2a3").await;
    eve.refused(ErrorCode::NotAPlayer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_without_options_is_enough() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    let bare = r#"{"type":"gameAction","action":{"source":{"x":0,"y":1},"target":{"x":0,"y":2},"count":1}}"#;
    ada.say(bare).await;
    assert_eq!(bob.next_game().await.last_action.unwrap().text, "1a2a3");
}

#[tokio::test(flavor = "multi_thread")]
async fn draws_are_offered_and_agreed() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    ada.say(r#"{"type":"offerDraw"}"#).await;
    let offered = |message| match message {
        ServerMessage::DrawOffer { team, .. } => team,
        _ => None,
    };
    assert_eq!(bob.until(offered).await, Team::White);
    bob.say(r#"{"type":"acceptDraw"}"#).await;
    let result = ada.next_game().await.result.unwrap();
    assert_eq!((result.winner, result.reason), (None, EndReason::Agreement));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_runs_out_ends_the_game() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    ada.say(r#"{"type":"startBotGame","color":"white","level":1,"clock":{"initialMs":1000}}"#)
        .await;
    let game = ada.next_game().await;
    assert_eq!(game.clocks.unwrap().running, Some(Team::White));
    let result = ada.next_game().await.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Team::Black), EndReason::TimeForfeit));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_stays_away_loses_and_one_who_returns_does_not() {
    let short = std::time::Duration::from_millis(300);
    let server = TestServer::with(|options| options.grace = short).await;
    let (ada, mut bob) = server.players(STANDARD).await;
    drop(ada);
    let away = |message| match message {
        ServerMessage::Presence { connected, grace_ms, .. } => Some((connected, grace_ms)),
        _ => None,
    };
    assert_eq!(bob.until(away).await, (false, Some(300)));
    let result = bob.next_game().await.result.unwrap();
    assert_eq!((result.winner, result.reason), (Some(Team::Black), EndReason::Abandonment));
}
