//! A client that reads nothing, and everybody else.

use std::time::Duration;

use futures::SinkExt as _;
use tokio::net::TcpSocket;
use tokio_tungstenite::tungstenite::Message;

use crate::reports::shuffle;
use crate::restart::Process;
use crate::support::{Client, STANDARD};

/// A spectator that asks for the whole game again and again and reads nothing.
async fn stalled(addr: std::net::SocketAddr, game: u32) -> Client {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let stream = socket.connect(addr).await.unwrap();
    let stream = tokio_tungstenite::MaybeTlsStream::Plain(stream);
    let opening = tokio_tungstenite::client_async(format!("ws://{addr}/"), stream);
    let (socket, _) = opening.await.unwrap();
    let mut client = Client { socket, id: 0, token: String::new(), resumed: false, game: None };
    client.say(r#"{"type":"handshake","name":"Stalled"}"#).await;
    for _ in 0..20_000 {
        let ask = Message::text(format!(r#"{{"type":"spectate","gameId":{game}}}"#));
        let sent = tokio::time::timeout(Duration::from_millis(500), client.socket.send(ask)).await;
        if !matches!(sent, Ok(Ok(()))) {
            break;
        }
    }
    client
}

/// How many connections a server has closed with a code.
async fn closed_with(server: &Process, code: u16) -> u32 {
    let url = format!("http://{}/metrics", server.addr);
    let fetching = move || ureq::get(&url).call().unwrap().into_body().read_to_string().unwrap();
    let metrics = tokio::task::spawn_blocking(fetching).await.unwrap();
    let figure = format!("boombots_closed_total{{code=\"{code}\"}} ");
    let count = metrics.lines().find_map(|line| line.strip_prefix(&figure));
    count.map_or(0, |count| count.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_reader_is_closed_while_others_play_on_and_memory_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&folder, &["--message-rate", "100000"]).await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    let game = ada.game.as_ref().unwrap().id;
    let mut watcher = Client::connect(server.addr, "Watcher").await;
    watcher.say(&format!(r#"{{"type":"spectate","gameId":{game}}}"#)).await;
    watcher.next_game().await;
    let before = server.memory();
    let stalled = tokio::spawn(stalled(server.addr, game));
    // They go on until it is closed; nothing that anybody else is told is late or missing.
    let mut revision = 0;
    while revision < 400 || closed_with(&server, 4002).await == 0 {
        let player = if revision % 2 == 0 { &mut ada } else { &mut bob };
        player.act(shuffle(revision)).await;
        revision += 1;
        assert!(revision < 20_000, "it is never closed");
        for client in [&mut ada, &mut bob, &mut watcher] {
            assert_eq!(client.next_game().await.revision, revision);
        }
    }
    let _stalled = stalled.await.unwrap();
    // Nobody else is given up.
    let mut last = Client::connect(server.addr, "Last").await;
    last.lobby_with(|lobby| {
        let names: Vec<&str> = lobby.users.iter().map(|user| user.name.as_str()).collect();
        (names == ["Ada", "Bob", "Watcher", "Last"]).then_some(())
    })
    .await;
    assert_eq!(closed_with(&server, 4002).await, 1);
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 16 << 20, "{grown} bytes");
}
