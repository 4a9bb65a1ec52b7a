//! A thousand clients that do anything: games stay legal, and everybody sees the same.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use boombots_protocol::{ClientMessage, ColorChoice, ErrorCode, Game, ServerMessage};
use boombots_rules::Position;
use futures::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Client, TestServer};

/// What was seen of all games, by game and revision.
#[derive(Default)]
struct Seen {
    revisions: HashMap<(u32, u32), Game>,
    problems: Vec<String>,
}

impl Seen {
    /// Everybody must see the same of a revision.
    fn note(&mut self, game: &Game) {
        let stripped =
            Game { start: None, history: None, clocks: None, draw_offer: None, ..game.clone() };
        let known =
            self.revisions.entry((game.id, game.revision)).or_insert_with(|| stripped.clone());
        if (&known.state, &known.last_action, &known.result)
            != (&stripped.state, &stripped.last_action, &stripped.result)
        {
            self.problems.push(format!("{known:?} and {stripped:?}"));
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) as usize) % bound
    }
}

/// A client that acts at random until a time, and checks what it sees.
struct Walker {
    client: Client,
    random: Random,
    seen: Arc<Mutex<Seen>>,
    /// The last revision of each game that is followed without a gap.
    following: HashMap<u32, u32>,
    users: Vec<u32>,
    challenges: Vec<(u32, u32)>,
    games: Vec<u32>,
    current: Option<Game>,
}

impl Walker {
    fn hear(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Lobby(lobby) => {
                self.users = lobby.users.iter().map(|user| user.id).collect();
                let mine = lobby.challenges.iter().filter(|open| open.target_id == self.client.id);
                self.challenges = mine.map(|open| (open.id, open.challenger_id)).collect();
                self.games = lobby.games.iter().map(|game| game.id).collect();
            }
            ServerMessage::Game(game) => {
                let mut seen = self.seen.lock().unwrap();
                seen.note(&game);
                // Whole games may come at any time; the others follow on one another.
                if game.history.is_none() {
                    let before = self.following.get(&game.id).copied();
                    if before != Some(game.revision - 1) {
                        seen.problems
                            .push(format!("{} after {before:?} in {}", game.revision, game.id));
                    }
                }
                drop(seen);
                self.following.insert(game.id, game.revision);
                let plays = [&game.players.white, &game.players.black]
                    .iter()
                    .any(|player| player.id == Some(self.client.id));
                if plays {
                    self.current = game.result.is_none().then_some(game);
                }
            }
            ServerMessage::LeftGame { game_id } => {
                self.following.remove(&game_id);
            }
            ServerMessage::Error(problem) if problem.code == ErrorCode::BadMessage => {
                self.seen.lock().unwrap().problems.push(problem.message);
            }
            _ => {}
        }
    }

    fn decide(&mut self) -> ClientMessage {
        let target = self.users.get(self.random.below(self.users.len().max(1))).copied();
        let choice = self.random.below(20);
        match (choice, self.current.clone()) {
            (0, Some(_)) => ClientMessage::Resign { game_id: None },
            (1, Some(_)) => ClientMessage::OfferDraw { game_id: None },
            (2, Some(_)) => ClientMessage::AcceptDraw { game_id: None },
            (3..20, Some(game)) => self.turn(&game),
            (0..3, None) if self.random.below(10) == 0 => ClientMessage::StartBotGame {
                color: None,
                level: Some(1),
                game: None,
                start: Some("expendibots".to_owned()),
                clock: None,
            },
            (3, None) if !self.games.is_empty() => {
                let game_id = self.games[self.random.below(self.games.len())];
                ClientMessage::Spectate { game_id }
            }
            (4, None) => {
                ClientMessage::LeaveGame { game_id: self.following.keys().next().copied() }
            }
            (5, None) => ClientMessage::Rematch { game_id: None },
            (6, None) => {
                ClientMessage::CancelChallenge { challenge_id: self.random.below(500) as u32 }
            }
            (7..12, None) if !self.challenges.is_empty() => {
                let (challenge_id, _) = self.challenges[self.random.below(self.challenges.len())];
                ClientMessage::AcceptChallenge { challenge_id }
            }
            (12..17, None) => ClientMessage::Ping { nonce: None },
            _ => ClientMessage::SendChallenge {
                target_id: target.unwrap_or(1),
                game: None,
                start: None,
                clock: None,
                color: Some(ColorChoice::Random),
            },
        }
    }

    /// Mostly a legal action of whoever's turn it is, sometimes of an old revision.
    fn turn(&mut self, game: &Game) -> ClientMessage {
        let position = Position::try_from(&game.state).unwrap();
        let actions = position.legal_actions();
        let action = actions[self.random.below(actions.len())];
        ClientMessage::GameAction {
            action: action.into(),
            game_id: Some(game.id),
            revision: (self.random.below(4) > 0).then_some(game.revision),
            action_id: (self.random.below(2) > 0)
                .then(|| format!("{}", self.random.below(1_000_000))),
        }
    }

    /// Connections are lost now and then, and taken up again.
    async fn walk(mut self, addr: std::net::SocketAddr, end: tokio::time::Instant) {
        while tokio::time::Instant::now() < end {
            if self.random.below(200) == 0 {
                self.client = Client::resume(addr, &self.client.token).await;
                self.following.clear();
                self.current = None;
            }
            let message = self.decide();
            let text = Message::text(serde_json::to_string(&message).unwrap());
            let mut pause = tokio::time::Instant::now()
                + Duration::from_millis(100 + self.random.below(300) as u64);
            if self.client.socket.send(text).await.is_err() {
                pause = end;
            }
            while let Ok(Some(Ok(frame))) =
                tokio::time::timeout_at(pause.min(end), self.client.socket.next()).await
            {
                // Most lobbies are passed over: a thousand clients in one process read enough.
                if let Message::Text(text) = frame
                    && (!text.starts_with(LOBBY) || self.random.below(4) == 0)
                {
                    self.hear(serde_json::from_str(&text).unwrap());
                }
            }
        }
    }
}

const LOBBY: &str = r#"{"type":"lobby""#;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_random_clients_break_nothing() {
    let server = TestServer::with(|options| options.bot_budget = Duration::from_millis(2)).await;
    let mut limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.current = limit.maximum;
    // Where it is refused, the test says so by failing to connect.
    let _ = rustix::process::setrlimit(rustix::process::Resource::Nofile, limit);
    let (addr, seen) = (server.addr(), Arc::new(Mutex::new(Seen::default())));
    let clients = 1_000;
    let mut walkers = Vec::new();
    for seed in 0..clients {
        let client = server.client(&format!("walker {seed}")).await;
        walkers.push(Walker {
            client,
            random: Random(seed),
            seen: Arc::clone(&seen),
            following: HashMap::new(),
            users: Vec::new(),
            challenges: Vec::new(),
            games: Vec::new(),
            current: None,
        });
    }
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    let walks = walkers.into_iter().map(|walker| tokio::spawn(walker.walk(addr, end)));
    for walk in futures::future::join_all(walks).await {
        walk.unwrap();
    }
    let seen = seen.lock().unwrap();
    assert!(seen.problems.is_empty(), "{} problems: {}", seen.problems.len(), seen.problems[0]);
    check_legality(&seen.revisions);
    let games =
        seen.revisions.keys().map(|(game, _)| *game).collect::<std::collections::BTreeSet<_>>();
    assert!(
        games.len() > 5 && seen.revisions.len() > 50,
        "{} {}",
        games.len(),
        seen.revisions.len()
    );
}

/// Every action that was seen is legal where it was taken.
fn check_legality(revisions: &HashMap<(u32, u32), Game>) {
    for ((id, revision), game) in revisions {
        let Some(before) = revision.checked_sub(1).and_then(|before| revisions.get(&(*id, before)))
        else {
            continue;
        };
        let position: Position = before.state.position.parse().unwrap();
        if game.state.position == before.state.position {
            // An end otherwise than by rule.
            assert!(game.result.is_some() && game.last_action == before.last_action);
            continue;
        }
        let last = game.last_action.as_ref().unwrap();
        let action: boombots_rules::Action = last.action.try_into().unwrap();
        assert_eq!(position.play(action).unwrap().to_string(), game.state.position);
        assert_eq!(last.team, position.turn().into());
    }
}
