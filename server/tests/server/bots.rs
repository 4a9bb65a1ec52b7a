//! Bots play.

use std::time::Duration;

use boombots_protocol::{ServerMessage, Team};

use crate::support::{Client, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_match_with_the_production_budget_moves_after_announcing_five_seconds() {
    let server = TestServer::with(|options| options.bot_budget = Duration::from_secs(5)).await;
    let mut ada = server.client("Ada").await;
    ada.say(r#"{"type":"startBotMatch"}"#).await;
    let start = ada.next_game().await;
    assert_eq!((start.revision, start.players.white.id), (0, None));
    // As shipped, Black's bot asks the tables and White's does not.
    assert!(!start.players.white.bot.unwrap().tables);
    assert!(start.players.black.bot.unwrap().tables);
    let mut announced = Vec::new();
    let moved = ada
        .until(|message| match message {
            ServerMessage::BotThinking { game_id, team, budget_ms } => {
                announced.push((game_id, team, budget_ms));
                None
            }
            ServerMessage::Game(game) => Some(game),
            _ => None,
        })
        .await;
    assert_eq!(announced, [(start.id, Team::White, 5_000)]);
    assert_eq!(moved.revision, 1);
    assert_eq!(moved.last_action.unwrap().team, Team::White);
    assert!(moved.bot_evaluations.white.is_some() && moved.bot_evaluations.black.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_of_bots_goes_on_until_its_last_spectator_leaves() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = (server.client("Ada").await, server.client("Bob").await);
    ada.say(r#"{"type":"startBotMatch","start":"expendibots"}"#).await;
    let id = ada.next_game().await.id;
    bob.say(&format!(r#"{{"type":"spectate","gameId":{id}}}"#)).await;
    let seen = bob.next_game().await;
    ada.say(r#"{"type":"leaveGame"}"#).await;
    ada.until(|message| matches!(message, ServerMessage::LeftGame { .. }).then_some(())).await;
    for revision in seen.revision + 1..seen.revision + 5 {
        assert_eq!(bob.next_game().await.revision, revision);
    }
    bob.say(&format!(r#"{{"type":"leaveGame","gameId":{id}}}"#)).await;
    bob.lobby_with(|lobby| (lobby.game_count == 0).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_of_every_level_answer_a_person() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    for level in 1..=10 {
        ada.say(&format!(r#"{{"type":"startBotGame","color":"white","level":{level}}}"#)).await;
        let game = ada.next_game().await;
        assert_eq!(game.players.black.bot.unwrap().level, level);
        ada.act("1a2a3").await;
        assert_eq!(ada.next_game().await.revision, 1);
        let answer = ada.next_game().await;
        assert_eq!(answer.last_action.unwrap().team, Team::Black);
        assert!(answer.bot_evaluations.black.is_some());
        ada.say(r#"{"type":"resign"}"#).await;
        assert!(ada.next_game().await.result.is_some());
        ada.lobby_with(|lobby| lobby.users.iter().all(|user| user.playing.is_none()).then_some(()))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_during_a_search_is_told_of_it() {
    // Longer than the test: nobody needs to wait for the end.
    let budget = Duration::from_secs(600);
    let server = TestServer::with(|options| {
        (options.bot_budget, options.bot_slots) = (budget, 2);
    })
    .await;
    let thinking = |message| match message {
        ServerMessage::BotThinking { game_id, team, budget_ms } => Some((game_id, team, budget_ms)),
        _ => None,
    };
    let mut ada = server.client("Ada").await;
    ada.say(r#"{"type":"startBotMatch"}"#).await;
    let id = ada.next_game().await.id;
    assert_eq!(ada.until(thinking).await, (id, Team::White, 600_000));
    let mut bob = server.client("Bob").await;
    bob.say(&format!(r#"{{"type":"spectate","gameId":{id}}}"#)).await;
    assert!(bob.next_game().await.history.is_some());
    let (game, team, left) = bob.until(thinking).await;
    assert_eq!((game, team), (id, Team::White));
    assert!(left <= 600_000, "{left}");
    // A player who comes back, too.
    let mut eve = server.client("Eve").await;
    eve.say(r#"{"type":"startBotGame","color":"black","level":10}"#).await;
    let id = eve.next_game().await.id;
    eve.until(thinking).await;
    let mut eve = Client::resume(server.addr(), &eve.token).await;
    assert_eq!(eve.next_game().await.id, id);
    let (game, team, _) = eve.until(thinking).await;
    assert_eq!((game, team), (id, Team::White));
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_wait_for_one_another_and_say_so() {
    let server = TestServer::with(|options| {
        options.bot_slots = 1;
        options.bot_budget = Duration::from_millis(200);
    })
    .await;
    let (mut ada, mut bob) = (server.client("Ada").await, server.client("Bob").await);
    ada.say(r#"{"type":"startBotMatch"}"#).await;
    ada.until(|message| matches!(message, ServerMessage::BotThinking { .. }).then_some(())).await;
    bob.say(r#"{"type":"startBotMatch"}"#).await;
    let queued = |message| match message {
        ServerMessage::BotQueued { ahead, .. } => Some(ahead),
        _ => None,
    };
    assert_eq!(bob.until(queued).await, 1);
    bob.until(|message| matches!(message, ServerMessage::BotThinking { .. }).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_search_of_a_game_waits_and_says_so() {
    // Longer than the test: the other search goes on.
    let server = TestServer::with(|options| {
        (options.bot_slots, options.bot_budget) = (1, Duration::from_secs(600));
    })
    .await;
    let (mut ada, mut bob) = (server.client("Ada").await, server.client("Bob").await);
    ada.say(r#"{"type":"startBotMatch"}"#).await;
    ada.until(|message| matches!(message, ServerMessage::BotThinking { .. }).then_some(())).await;
    bob.say(r#"{"type":"startBotMatch"}"#).await;
    let id = bob.next_game().await.id;
    let queued = |message| match message {
        ServerMessage::BotQueued { game_id, team, ahead } => Some((game_id, team, ahead)),
        _ => None,
    };
    assert_eq!(bob.until(queued).await, (id, Team::White, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_analysed() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    let position = "8/8/6aA/6a1/8/8/1A6/8 w";
    ada.say(&format!(r#"{{"type":"analyze","position":"{position}","budgetMs":100,"lines":2}}"#))
        .await;
    let analysis = ada
        .until(|message| match message {
            ServerMessage::Analysis(analysis) => analysis.done.then_some(analysis),
            _ => None,
        })
        .await;
    assert_eq!(analysis.position, position);
    assert_eq!(analysis.lines.len(), 2);
    assert_eq!((analysis.lines[0].white_score, analysis.lines[0].mate_in), (999_999, Some(1)));
    assert_eq!(analysis.lines[0].line[0], "xh6");
}
