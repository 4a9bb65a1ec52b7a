//! Who is there.

use boombots_protocol::{ErrorCode, ServerMessage};

use futures::SinkExt as _;
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Client, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_is_welcomed_and_shown() {
    let server = TestServer::start().await;
    let mut ada = server.client("  Ada ").await;
    let (mut bob, id) = (server.client("Bob").await, ada.id);
    assert_ne!(bob.id, id);
    for client in [&mut ada, &mut bob] {
        let names = client
            .lobby_with(|lobby| {
                let names: Vec<_> = lobby.users.iter().map(|user| user.name.clone()).collect();
                (names.len() == 2).then_some(names)
            })
            .await;
        assert_eq!(names, ["Ada", "Bob"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_is_worded_as_promised() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    let lobby = ada
        .until(|message| matches!(message, ServerMessage::Lobby(_)).then(|| message.to_text()))
        .await;
    assert!(
        lobby.starts_with(r#"{"type":"lobby","users":[{"id":1,"name":"Ada"}],"challenges":[],"#),
        "{lobby}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_message_must_be_a_handshake() {
    let server = TestServer::start().await;
    let mut client = Client::open(server.addr()).await;
    client.say(r#"{"type":"startBotMatch"}"#).await;
    client.refused(ErrorCode::HandshakeRequired).await;
    client.say(r#"{"type":"handshake","name":"Ada","protocolVersion":99}"#).await;
    client.refused(ErrorCode::UnsupportedVersion).await;
    client.say(r#"{"type":"handshake","name":"\u0007"}"#).await;
    client.refused(ErrorCode::NameInvalid).await;
    client.say(r#"{"type":"handshake","name":"Ada"}"#).await;
    client.until(|message| matches!(message, ServerMessage::Welcome(_)).then_some(())).await;
    client.say(r#"{"type":"handshake","name":"Eve"}"#).await;
    client.refused(ErrorCode::AlreadyConnected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_and_bad_handshakes_end_a_connection() {
    let short = std::time::Duration::from_millis(50);
    let server = TestServer::with(|options| options.handshake_timeout = short).await;
    assert_eq!(Client::open(server.addr()).await.closed().await, 4001);
    let server = TestServer::start().await;
    let mut client = Client::open(server.addr()).await;
    for _ in 0..5 {
        client.say(r#"{"type":"handshake","name":""}"#).await;
    }
    assert_eq!(client.closed().await, 4001);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_connection_is_given_up() {
    let short = std::time::Duration::from_millis(50);
    let server = TestServer::with(|options| {
        options.ping_every = short;
        options.silence = short * 10;
    })
    .await;
    let mut ada = server.client("Ada").await;
    // Nobody reads, so nobody answers pings; the close frame is there when somebody does.
    let mut bob = server.client("Bob").await;
    bob.lobby_with(|lobby| lobby.users.iter().all(|user| user.name != "Ada").then_some(())).await;
    assert_eq!(ada.closed().await, 4003);
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_messages_are_refused_and_forgiven() {
    let server = TestServer::start().await;
    let mut ada = server.client("Ada").await;
    for text in ["", "{", "[]", "null", r#"{"type":"fly"}"#, r#"{"type":"spectate","gameId":-1}"#] {
        ada.say(text).await;
        ada.refused(ErrorCode::BadMessage).await;
    }
    ada.say(r#"{"type":"gameAction","action":{"source":{"x":8,"y":0},"count":0}}"#).await;
    ada.refused(ErrorCode::BadMessage).await;
    ada.say(r#"{"type":"ping","nonce":7}"#).await;
    ada.until(|message| matches!(message, ServerMessage::Pong { nonce: Some(7) }).then_some(()))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_dropped_and_then_closed() {
    let rate = std::num::NonZeroU32::new(1).unwrap();
    let server = TestServer::with(|options| options.message_rate = rate).await;
    let mut ada = server.client("Ada").await;
    let flood = || Message::text(r#"{"type":"spectate","gameId":1}"#);
    for _ in 0..250 {
        // The server may close before the last one.
        let _ = ada.socket.send(flood()).await;
    }
    let mut limited = 0;
    let code = loop {
        match ada.frame().await {
            Some(Ok(Message::Close(Some(frame)))) => {
                break u16::from(frame.code);
            }
            Some(Ok(frame)) if frame.to_text().is_ok_and(|text| text.contains("rateLimited")) => {
                limited += 1;
            }
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(code, 1008);
    assert!(limited > 100, "{limited}");
}
