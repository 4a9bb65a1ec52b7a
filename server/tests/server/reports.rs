//! What has gone wrong in servers like this one, each as a test.

use boombots_protocol::{ErrorCode, ServerMessage};
use futures::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::restart::Process;
use crate::support::{Client, PATIENCE, STANDARD, TestServer, action};

fn plenty() -> std::num::NonZeroU32 {
    std::num::NonZeroU32::new(100_000).unwrap()
}

/// Actions that can be taken for ever, White's and Black's in turn.
pub(crate) fn shuffle(revision: u32) -> &'static str {
    ["1a2a3", "1a7a6", "1a3a2", "1a6a7"][revision as usize % 4]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_lost_after_the_action_and_before_the_answer_applies_it_once() {
    let server = TestServer::start().await;
    let (ada, bob) = server.players(STANDARD).await;
    let mut players = [ada, bob];
    for revision in 0..24 {
        let player = &mut players[revision as usize % 2];
        let id = format!("action {revision}");
        let sent = action(shuffle(revision), Some(revision), Some(&id));
        player.tell(&sent).await;
        // The answer is never read: the connection is gone.
        *player = Client::resume(server.addr(), &player.token).await;
        assert!(player.resumed);
        player.next_game().await;
        player.tell(&sent).await;
        let game = player
            .until(|message| match message {
                ServerMessage::Game(game) => (game.revision > revision).then_some(game),
                ServerMessage::Error(problem) => panic!("{problem:?}"),
                _ => None,
            })
            .await;
        assert_eq!(game.revision, revision + 1);
        assert_eq!(game.last_action.unwrap().action_id.as_deref(), Some(id.as_str()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_action_is_answered_with_a_code_and_the_state() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    ada.act("1a2a3").await;
    bob.next_game().await;
    bob.act("1a7a6").await;
    bob.next_game().await;
    ada.tell(&action("1b2b3", Some(0), Some("late"))).await;
    let problem = ada.refused(ErrorCode::StaleAction).await;
    let state = problem.state.unwrap();
    assert_eq!((problem.revision, problem.action_id.as_deref()), (Some(2), Some("late")));
    assert_eq!(state.position, bob.game.unwrap().state.position);
    let whole = ada.next_game().await;
    assert_eq!((whole.revision, whole.history.unwrap().len()), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_parallel_accepts_and_cancels_make_at_most_one_game_a_player() {
    let server = TestServer::with(|options| options.message_rate = plenty()).await;
    let mut bob = server.client("Bob").await;
    let mut others = Vec::new();
    for number in 0..50 {
        let mut other = server.client(&format!("Challenger {number}")).await;
        other.say(&format!(r#"{{"type":"sendChallenge","targetId":{}}}"#, bob.id)).await;
        others.push(other);
    }
    let challenges = bob
        .lobby_with(|lobby| {
            let open: Vec<u32> = lobby.challenges.iter().map(|challenge| challenge.id).collect();
            (open.len() == 50).then_some(open)
        })
        .await;
    let cancels = others.iter_mut().zip(&challenges).map(|(other, challenge)| async move {
        other.say(&format!(r#"{{"type":"cancelChallenge","challengeId":{challenge}}}"#)).await;
    });
    let accepts = async {
        for challenge in challenges.iter().rev() {
            bob.say(&format!(r#"{{"type":"acceptChallenge","challengeId":{challenge}}}"#)).await;
        }
    };
    tokio::join!(futures::future::join_all(cancels), accepts);
    // What the lobby is told last it answers last.
    bob.say(r#"{"type":"spectate","gameId":4000000000}"#).await;
    let mut games = 0;
    bob.until(|message| match message {
        ServerMessage::Game(_) => {
            games += 1;
            None
        }
        ServerMessage::Error(problem) => (problem.code == ErrorCode::UnknownGame).then_some(()),
        _ => None,
    })
    .await;
    let mut watcher = server.client("Watcher").await;
    let lobby = watcher.lobby_with(|lobby| Some(lobby.clone())).await;
    let playing: Vec<u32> = lobby.users.iter().filter_map(|user| user.playing).collect();
    assert!(lobby.game_count <= 1);
    assert_eq!(playing.len(), 2 * lobby.game_count as usize);
    assert!(games <= lobby.game_count);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_challenged_by_many_can_still_begin_a_game() {
    let server = TestServer::with(|options| options.message_rate = plenty()).await;
    let mut bob = server.client("Bob").await;
    let mut others = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    for number in 1..=8 {
        let mut other = server.client(&format!("Challenger {number}")).await;
        for _ in 0..16 {
            other.say(&format!(r#"{{"type":"sendChallenge","targetId":{}}}"#, bob.id)).await;
        }
        open = bob
            .lobby_with(|lobby| {
                let open = lobby.challenges.iter().map(|challenge| challenge.id);
                (lobby.challenges.len() == 16 * number).then(|| open.collect())
            })
            .await;
        others.push(other);
    }
    let mut one_more = server.client("One more").await;
    one_more.say(&format!(r#"{{"type":"sendChallenge","targetId":{}}}"#, bob.id)).await;
    one_more.refused(ErrorCode::ServerFull).await;
    bob.say(&format!(r#"{{"type":"acceptChallenge","challengeId":{}}}"#, open[0])).await;
    // All the others end at once, and Bob was closed for not having read that.
    let (mut ended, mut begun) = (0, false);
    bob.until(|message| {
        match message {
            ServerMessage::ChallengeEnded { .. } => ended += 1,
            ServerMessage::Game(_) => begun = true,
            _ => {}
        }
        (begun && ended == 127).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_who_joins_a_thousand_times_sees_revisions_without_a_gap() {
    let server = TestServer::with(|options| options.message_rate = plenty()).await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    let id = ada.game.as_ref().unwrap().id;
    let players = tokio::spawn(async move {
        loop {
            let revision = ada.game.as_ref().unwrap().revision;
            let player = if revision % 2 == 0 { &mut ada } else { &mut bob };
            player.act(shuffle(revision)).await;
            ada.next_game().await;
            bob.next_game().await;
        }
    });
    let watch = |mut watcher: Client| async move {
        for _ in 0..100 {
            watcher.say(&format!(r#"{{"type":"spectate","gameId":{id}}}"#)).await;
            let first = watcher.next_game().await;
            assert_eq!(first.history.unwrap().len(), first.revision as usize);
            let mut revision = first.revision;
            for _ in 0..3 {
                let game = watcher.next_game().await;
                assert!(game.history.is_none());
                revision += 1;
                assert_eq!(game.revision, revision);
            }
            watcher.say(&format!(r#"{{"type":"leaveGame","gameId":{id}}}"#)).await;
            watcher
                .until(|message| match message {
                    ServerMessage::Game(game) => {
                        revision += 1;
                        assert_eq!(game.revision, revision);
                        None
                    }
                    ServerMessage::LeftGame { .. } => Some(()),
                    _ => None,
                })
                .await;
        }
    };
    let mut watchers = Vec::new();
    for number in 0..10 {
        watchers.push(tokio::spawn(watch(server.client(&format!("Watcher {number}")).await)));
    }
    for watcher in watchers {
        watcher.await.unwrap();
    }
    players.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn oversize_and_endless_messages_are_closed_with_1009_and_memory_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&folder, &[]).await;
    let mut before = 0;
    for round in 0..60 {
        let mut client = Client::connect(server.addr, &format!("Eve {round}")).await;
        if round % 2 == 0 {
            client.say(&"x".repeat(65_537 + 40_000 * (round % 3))).await;
        } else {
            let chunk = vec![b'x'; 4_096];
            let mut opcode = OpCode::Data(Data::Text);
            for _ in 0..100 {
                let frame = Frame::message(chunk.clone(), opcode, false);
                opcode = OpCode::Data(Data::Continue);
                if client.socket.send(Message::Frame(frame)).await.is_err() {
                    break;
                }
            }
        }
        assert_eq!(client.closed().await, 1009);
        if round == 20 {
            before = server.memory();
        }
    }
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 8 << 20, "{grown} bytes");
    let mut largest = Client::connect(server.addr, "Ada").await;
    let ping = r#"{"type":"ping"}"#;
    largest.say(&format!("{ping}{}", " ".repeat(65_536 - ping.len()))).await;
    largest.until(|message| matches!(message, ServerMessage::Pong { .. }).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_no_text_is_closed_with_1003() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    ada.socket.send(Message::binary(vec![0; 10])).await.unwrap();
    assert_eq!(ada.closed().await, 1003);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_look_alike_are_refused() {
    let server = TestServer::start().await;
    let _ada = server.client("Ada").await;
    for name in ["Ada", "ADA", " ada ", "Аda", "Ａｄａ", "\u{1d400}da"] {
        let mut eve = Client::open(server.addr()).await;
        eve.say(&serde_json::json!({ "type": "handshake", "name": name }).to_string()).await;
        eve.refused(ErrorCode::NameTaken).await;
    }
    for name in ["A\u{200b}da", "\u{202e}adA", "A\u{ad}da", "A\u{0}da", &"A".repeat(33), ""] {
        let mut eve = Client::open(server.addr()).await;
        eve.say(&serde_json::json!({ "type": "handshake", "name": name }).to_string()).await;
        eve.refused(ErrorCode::NameInvalid).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_connection_replaces_the_first() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    let again = Client::resume(server.addr(), &ada.token).await;
    assert_eq!((again.id, again.resumed), (ada.id, true));
    assert_eq!(ada.closed().await, 4000);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_connects_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&folder, &["--grace", "0"]).await;
    let connect = |addr, number: u32| async move {
        let mut client = Client::connect(addr, &format!("Guest {number}")).await;
        client.socket.close(None).await.unwrap();
        while tokio::time::timeout(PATIENCE, client.socket.next()).await.unwrap().is_some() {}
    };
    let batch = async |from: u32, count: u32| {
        for start in (from..from + count).step_by(50) {
            futures::future::join_all(
                (start..start + 50).map(|number| connect(server.addr, number)),
            )
            .await;
        }
    };
    batch(0, 1_000).await;
    let before = server.memory();
    batch(1_000, 9_000).await;
    let mut last = Client::connect(server.addr, "Last").await;
    last.lobby_with(|lobby| (lobby.users.len() == 1).then_some(())).await;
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 8 << 20, "{grown} bytes");
}
