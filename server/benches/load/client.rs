//! Clients that play, listen, or stall.

use std::net::SocketAddr;
use std::time::Duration;

use boombots_protocol::{ClientMessage, ColorChoice, Game, ServerMessage};
use futures::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
    id: u32,
}

/// Both players of a game that has begun.
pub(crate) struct Pair {
    white: Client,
    black: Client,
    pub(crate) game: u32,
}

impl Client {
    pub(crate) async fn connect(addr: SocketAddr, name: &str) -> Client {
        Client::over(TcpStream::connect(addr).await.unwrap(), addr, name).await
    }

    async fn over(stream: TcpStream, addr: SocketAddr, name: &str) -> Client {
        stream.set_nodelay(true).unwrap();
        let (socket, _) = client_async(format!("ws://{addr}/ws"), stream).await.unwrap();
        let mut client = Client { socket, id: 0 };
        client.say(&format!(r#"{{"type":"handshake","name":"{name}"}}"#)).await;
        client.id = client
            .until(|message| match message {
                ServerMessage::Welcome(welcome) => Some(welcome.id),
                _ => None,
            })
            .await;
        client
    }

    pub(crate) async fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    async fn until<T>(&mut self, mut find: impl FnMut(ServerMessage) -> Option<T>) -> T {
        loop {
            let frame = self.socket.next().await.unwrap().unwrap();
            if let Message::Text(text) = frame
                // Lobbies are long, and read where one is wanted only.
                && let Some(found) = find(serde_json::from_str(&text).unwrap())
            {
                return found;
            }
        }
    }

    async fn game(&mut self) -> Game {
        loop {
            let frame = self.socket.next().await.unwrap().unwrap();
            if let Message::Text(text) = frame
                && text.starts_with(r#"{"type":"game""#)
            {
                let ServerMessage::Game(game) = serde_json::from_str(&text).unwrap() else {
                    continue;
                };
                return game;
            }
        }
    }

    /// Reads for ever.
    pub(crate) async fn listen(mut self) {
        while let Some(Ok(_)) = self.socket.next().await {}
    }
}

/// Begins a game.
pub(crate) async fn pair(mut white: Client, mut black: Client) -> Pair {
    let challenge = ClientMessage::SendChallenge {
        target_id: black.id,
        game: None,
        start: None,
        clock: None,
        color: Some(ColorChoice::White),
    };
    white.say(&serde_json::to_string(&challenge).unwrap()).await;
    let from = white.id;
    let challenge = black
        .until(|message| match message {
            ServerMessage::Lobby(lobby) => {
                lobby.challenges.iter().find(|open| open.challenger_id == from).map(|open| open.id)
            }
            _ => None,
        })
        .await;
    black.say(&format!(r#"{{"type":"acceptChallenge","challengeId":{challenge}}}"#)).await;
    let game = white.game().await.id;
    black.game().await;
    Pair { white, black, game }
}

/// Plays until a time; how long each action took to both players.
pub(crate) async fn play(pair: Pair, seed: u64, end: Instant) -> Vec<Duration> {
    let Pair { mut white, mut black, .. } = pair;
    let mut times = Vec::new();
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for revision in 0_u32.. {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let pause = Duration::from_millis(500 + (random >> 33) % 1_000);
        let wake = Instant::now() + pause;
        if wake >= end {
            break;
        }
        // Both keep reading, as clients do.
        tokio::join!(idle(&mut white, wake), idle(&mut black, wake));
        let text = ["1a2a3", "1a7a6", "1a3a2", "1a6a7"][revision as usize % 4];
        let action: boombots_rules::Action = text.parse().unwrap();
        let message = ClientMessage::GameAction {
            action: action.into(),
            game_id: None,
            revision: Some(revision),
            action_id: None,
        };
        let text = serde_json::to_string(&message).unwrap();
        let sent = Instant::now();
        let mover = if revision.is_multiple_of(2) { &mut white } else { &mut black };
        mover.say(&text).await;
        let (seen, other) = tokio::join!(white.game(), black.game());
        times.push(sent.elapsed());
        assert_eq!((seen.revision, other.revision), (revision + 1, revision + 1));
    }
    times
}

async fn idle(client: &mut Client, until: Instant) {
    while let Ok(Some(Ok(_))) = tokio::time::timeout_at(until, client.socket.next()).await {}
}

/// Asks for a game again and again and reads nothing.
pub(crate) async fn stall(addr: SocketAddr, number: usize, game: u32, end: Instant) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let stream = socket.connect(addr).await.unwrap();
    let mut client = Client::over(stream, addr, &format!("Stalled {number}")).await;
    let mut ask = tokio::time::interval(Duration::from_millis(20));
    while Instant::now() < end {
        ask.tick().await;
        let text = Message::text(format!(r#"{{"type":"spectate","gameId":{game}}}"#));
        if !matches!(tokio::time::timeout_at(end, client.socket.send(text)).await, Ok(Ok(()))) {
            break;
        }
    }
    tokio::time::sleep_until(end).await;
}
