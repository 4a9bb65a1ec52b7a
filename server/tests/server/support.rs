//! A server on a port of its own, and clients that say and hear messages.

use std::net::SocketAddr;
use std::time::Duration;

use boombots_protocol::{ClientMessage, ErrorCode, Game, Lobby, Problem, ServerMessage};
use boombots_server::{Server, ServerOptions};
use futures::{SinkExt as _, StreamExt as _};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A server that ends with the test.
pub(crate) struct TestServer {
    pub(crate) server: Server,
    pub(crate) folder: TempDir,
}

/// Options that depend on nothing outside a folder.
pub(crate) fn options(folder: &TempDir) -> ServerOptions {
    ServerOptions {
        addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        database: folder.path().join("games.sqlite"),
        tables: folder.path().join("tables"),
        build_up_to: None,
        bot_hash_mebibytes: 4,
        bot_budget: Duration::from_millis(20),
        ..ServerOptions::default()
    }
}

impl TestServer {
    pub(crate) async fn start() -> TestServer {
        TestServer::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut ServerOptions)) -> TestServer {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(&folder);
        change(&mut options);
        let server = Server::start(options).await.unwrap();
        TestServer { server, folder }
    }

    pub(crate) fn addr(&self) -> SocketAddr {
        self.server.addr()
    }

    pub(crate) async fn client(&self, name: &str) -> Client {
        Client::connect(self.addr(), name).await
    }

    /// Two players in a game from a start; the first has White.
    pub(crate) async fn players(&self, start: &str) -> (Client, Client) {
        let (mut white, mut black) = (self.client("Ada").await, self.client("Bob").await);
        play_from(&mut white, &mut black, start).await;
        (white, black)
    }
}

/// Begins a game in which the first has White.
pub(crate) async fn play_from(white: &mut Client, black: &mut Client, start: &str) {
    let challenge = serde_json::json!({
        "type": "sendChallenge", "targetId": black.id, "start": start, "color": "white",
    });
    white.say(&challenge.to_string()).await;
    let from = white.id;
    let challenge = black
        .lobby_with(|lobby| {
            lobby.challenges.iter().find(|open| open.challenger_id == from).map(|open| open.id)
        })
        .await;
    black.say(&format!(r#"{{"type":"acceptChallenge","challengeId":{challenge}}}"#)).await;
    for player in [white, black] {
        player.game = Some(player.next_game().await);
    }
}

/// One connection.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) id: u32,
    pub(crate) token: String,
    pub(crate) resumed: bool,
    /// The last game seen.
    pub(crate) game: Option<Game>,
}

/// Far longer than anything takes, for what would never end.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

impl Client {
    pub(crate) async fn open(addr: SocketAddr) -> Client {
        let opening = timeout(PATIENCE, connect_async(format!("ws://{addr}/ws")));
        let (socket, _) = opening.await.unwrap().unwrap();
        Client { socket, id: 0, token: String::new(), resumed: false, game: None }
    }

    pub(crate) async fn connect(addr: SocketAddr, name: &str) -> Client {
        let mut client = Client::open(addr).await;
        let handshake = serde_json::json!({ "type": "handshake", "name": name });
        client.say(&handshake.to_string()).await;
        client.welcomed().await;
        client
    }

    pub(crate) async fn resume(addr: SocketAddr, token: &str) -> Client {
        let mut client = Client::open(addr).await;
        let handshake =
            serde_json::json!({ "type": "handshake", "name": "Nobody", "resumeToken": token });
        client.say(&handshake.to_string()).await;
        client.welcomed().await;
        client
    }

    async fn welcomed(&mut self) {
        match self.next().await {
            ServerMessage::Welcome(welcome) => {
                self.id = welcome.id;
                self.token = welcome.resume_token;
                self.resumed = welcome.resumed;
            }
            other => panic!("not welcome: {other:?}"),
        }
    }

    pub(crate) async fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn tell(&mut self, message: &ClientMessage) {
        self.say(&serde_json::to_string(message).unwrap()).await;
    }

    /// Takes a turn in the last game seen.
    pub(crate) async fn act(&mut self, text: &str) {
        let revision = self.game.as_ref().map(|game| game.revision);
        self.tell(&action(text, revision, None)).await;
    }

    /// The next frame that is no ping.
    pub(crate) async fn frame(&mut self) -> Option<Result<Message, tungstenite::Error>> {
        loop {
            match timeout(PATIENCE, self.socket.next()).await.expect("the server says something") {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => return other,
            }
        }
    }

    pub(crate) async fn next(&mut self) -> ServerMessage {
        match self.frame().await {
            Some(Ok(Message::Text(text))) => serde_json::from_str(&text).unwrap(),
            other => panic!("not a message: {other:?}"),
        }
    }

    /// The first thing found in the messages that come.
    pub(crate) async fn until<T>(&mut self, mut find: impl FnMut(ServerMessage) -> Option<T>) -> T {
        // Pings and other messages go on coming while the one waited for does not.
        let found = async {
            loop {
                if let Some(found) = find(self.next().await) {
                    return found;
                }
            }
        };
        timeout(PATIENCE, found).await.expect("the server says what is waited for")
    }

    pub(crate) async fn next_game(&mut self) -> Game {
        let game = self
            .until(|message| match message {
                ServerMessage::Game(game) => Some(game),
                ServerMessage::Error(problem) => panic!("refused: {problem:?}"),
                _ => None,
            })
            .await;
        self.game = Some(game.clone());
        game
    }

    pub(crate) async fn error(&mut self) -> Problem {
        self.until(|message| match message {
            ServerMessage::Error(problem) => Some(problem),
            _ => None,
        })
        .await
    }

    pub(crate) async fn refused(&mut self, code: ErrorCode) -> Problem {
        let problem = self.error().await;
        assert_eq!(problem.code, code, "{problem:?}");
        problem
    }

    pub(crate) async fn lobby_with<T>(&mut self, mut find: impl FnMut(&Lobby) -> Option<T>) -> T {
        self.until(|message| match message {
            ServerMessage::Lobby(lobby) => find(&lobby),
            _ => None,
        })
        .await
    }

    /// The code with which the server closes; what comes before does not matter.
    pub(crate) async fn closed(&mut self) -> u16 {
        loop {
            match self.frame().await {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                Some(Ok(Message::Text(_))) => {}
                other => panic!("not a close frame with a code: {other:?}"),
            }
        }
    }
}

/// An action as a message.
pub(crate) fn action(text: &str, revision: Option<u32>, id: Option<&str>) -> ClientMessage {
    let action: boombots_rules::Action = text.parse().unwrap();
    ClientMessage::GameAction {
        action: action.into(),
        game_id: None,
        revision,
        action_id: id.map(str::to_owned),
    }
}

pub(crate) const STANDARD: &str = "standard";
