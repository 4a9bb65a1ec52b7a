//! Connections that are opened and not used, and requests that never end.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::{Client, PATIENCE, TestServer};

/// Waits until the other end has closed.
async fn closed(stream: &mut TcpStream) {
    let mut answer = Vec::new();
    // Closed with something unread it is reset, which is an end as well.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it is closed");
}

async fn is_alive(client: &mut Client) {
    client.say(r#"{"type":"ping","nonce":1}"#).await;
    let pong = boombots_protocol::ServerMessage::Pong { nonce: Some(1) };
    client.until(|message| (message == pong).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_head_of_a_request_has_to_come_in_time() {
    let short = Duration::from_millis(100);
    let server = TestServer::with(|options| options.header_timeout = short).await;
    let mut player = server.client("Ada").await;
    // One says nothing at all, one begins and stops, one goes on and on.
    let mut silent = TcpStream::connect(server.addr()).await.unwrap();
    let mut begun = TcpStream::connect(server.addr()).await.unwrap();
    begun.write_all(b"GET /ws HTTP/1.1\r\nHost: here\r\n").await.unwrap();
    let mut endless = TcpStream::connect(server.addr()).await.unwrap();
    endless.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
    let trickle = async {
        let mut tick = tokio::time::interval(Duration::from_millis(10));
        while endless.write_all(b"X-More: and more\r\n").await.is_ok() {
            tick.tick().await;
        }
    };
    timeout(PATIENCE, trickle).await.expect("it is closed");
    closed(&mut silent).await;
    closed(&mut begun).await;
    // One that is answered is closed when it asks for nothing more.
    let mut idle = TcpStream::connect(server.addr()).await.unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, idle.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok\n"), "{answer}");
    // A socket is no request any more.
    is_alive(&mut player).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_only_so_many_connections_without_a_handshake() {
    let server = TestServer::with(|options| options.max_pending = 3).await;
    // Those that have completed one do not count.
    let mut players = Vec::new();
    for number in 0..10 {
        players.push(server.client(&format!("Player {number}")).await);
    }
    // Neither requests nor sockets without a handshake may take the places of others.
    let mut idle = Vec::new();
    for _ in 0..2 {
        idle.push(TcpStream::connect(server.addr()).await.unwrap());
    }
    let mut stranger = Client::open(server.addr()).await;
    closed(&mut TcpStream::connect(server.addr()).await.unwrap()).await;
    assert!(tokio_tungstenite::connect_async(format!("ws://{}/ws", server.addr())).await.is_err());
    for player in &mut players {
        is_alive(player).await;
    }
    // Whoever says who it is makes room for another.
    stranger.say(r#"{"type":"handshake","name":"Eve"}"#).await;
    is_alive(&mut stranger).await;
    server.client("Late").await;
    // And so does whoever goes.
    let mut other = Client::open(server.addr()).await;
    drop(idle);
    is_alive(&mut players[0]).await;
    let latest = async {
        while tokio_tungstenite::connect_async(format!("ws://{}/", server.addr())).await.is_err() {}
    };
    timeout(PATIENCE, latest).await.expect("there is room again");
    other.say(r#"{"type":"handshake","name":"Other"}"#).await;
    is_alive(&mut other).await;
}
