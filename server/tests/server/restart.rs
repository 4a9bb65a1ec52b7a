//! The program itself: it starts, is told to stop, is killed, and is started again.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Child, Command, Output, Stdio};

use boombots_protocol::{EndReason, Team};
use tempfile::TempDir;

use crate::support::{Client, STANDARD, action, play_from};

/// A server in a process of its own.
pub(crate) struct Process {
    child: Child,
    pub(crate) addr: SocketAddr,
}

fn command(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boombots-server"));
    command
        .args(["--addr", "127.0.0.1:0", "--no-build", "--bot-hash", "4", "--bot-budget-ms", "20"])
        .arg("--database")
        .arg(folder.path().join("games.sqlite"))
        .arg("--tables")
        .arg(folder.path().join("tables"))
        .env("RUST_LOG", "warn")
        .current_dir(folder.path());
    command
}

impl Process {
    pub(crate) async fn start(folder: &TempDir, more: &[&str]) -> Process {
        let mut child = command(folder).args(more).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().rsplit(':').next().unwrap().parse().unwrap();
        Process { child, addr: SocketAddr::from(([127, 0, 0, 1], port)) }
    }

    pub(crate) async fn players(&self, start: &str) -> (Client, Client) {
        let mut white = Client::connect(self.addr, "Ada").await;
        let mut black = Client::connect(self.addr, "Bob").await;
        play_from(&mut white, &mut black, start).await;
        (white, black)
    }

    /// Its memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        let kibibytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kibibytes << 10
    }

    fn signal(&self, signal: &str) {
        let killed = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(killed.unwrap().success());
    }

    fn wait(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_during_a_game_both_players_go_on_and_no_finished_game_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&folder, &[]).await;
    let (mut ada, mut bob) = server.players("8/8/8/4a3/3B4/8/8/A7 w").await;
    ada.act("xd4").await;
    assert_eq!(bob.next_game().await.result.unwrap().reason, EndReason::Boom);
    ada.next_game().await;
    play_from(&mut ada, &mut bob, STANDARD).await;
    for (revision, text) in ["1a2a3", "1h7h6", "1b2b3", "1g7g6", "1c2c3"].into_iter().enumerate() {
        let player = if revision % 2 == 0 { &mut ada } else { &mut bob };
        player.tell(&action(text, Some(revision as u32), Some(&format!("{revision}")))).await;
        ada.next_game().await;
        bob.next_game().await;
    }
    let before = bob.game.clone().unwrap();
    server.signal("-KILL");
    assert_eq!(server.wait(), None);

    let server = Process::start(&folder, &[]).await;
    for client in [&mut ada, &mut bob] {
        *client = Client::resume(server.addr, &client.token).await;
        assert!(client.resumed);
        let game = client.next_game().await;
        assert_eq!((game.id, game.revision, &game.state), (before.id, 5, &before.state));
        assert_eq!(game.last_action, before.last_action);
        assert_eq!(game.history.unwrap(), ["1a2a3", "1h7h6", "1b2b3", "1g7g6", "1c2c3"]);
    }
    // An action whose answer the kill may have swallowed is still applied once.
    ada.tell(&action("1c2c3", Some(4), Some("4"))).await;
    assert_eq!(ada.next_game().await.revision, 5);
    bob.act("1a7a6").await;
    assert_eq!(ada.next_game().await.revision, 6);
    let url = format!("http://{}/api/games", server.addr);
    let listing = move || ureq::get(&url).call().unwrap().into_body().read_to_string().unwrap();
    let games: serde_json::Value =
        serde_json::from_str(&tokio::task::spawn_blocking(listing).await.unwrap()).unwrap();
    assert_eq!(games["games"].as_array().unwrap().len(), 1);
    assert_eq!(games["games"][0]["reason"], "boom");
    // Numbers are not used again.
    let eve = Client::connect(server.addr, "Eve").await;
    assert!(eve.id > bob.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn told_to_stop_it_says_so_and_the_game_goes_on_after() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&folder, &[]).await;
    let (mut ada, mut bob) = server.players(STANDARD).await;
    ada.act("1a2a3").await;
    let before = bob.next_game().await;
    server.signal("-TERM");
    assert_eq!((ada.closed().await, bob.closed().await), (1001, 1001));
    assert_eq!(server.wait(), Some(0));
    let server = Process::start(&folder, &[]).await;
    let mut bob = Client::resume(server.addr, &bob.token).await;
    assert_eq!(bob.next_game().await.state, before.state);
    bob.act("1a7a6").await;
    assert_eq!(bob.next_game().await.revision, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_and_its_clocks_go_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&folder, &[]).await;
    let mut ada = Client::connect(server.addr, "Ada").await;
    let mut bob = Client::connect(server.addr, "Bob").await;
    let challenge = serde_json::json!({
        "type": "sendChallenge", "targetId": bob.id, "start": "8/8/8/4a3/3B4/8/8/A7 w",
        "color": "white", "clock": { "initialMs": 300_000, "incrementMs": 60_000 },
    });
    ada.say(&challenge.to_string()).await;
    let open = bob.lobby_with(|lobby| lobby.challenges.first().map(|open| open.id)).await;
    bob.say(&format!(r#"{{"type":"acceptChallenge","challengeId":{open}}}"#)).await;
    ada.next_game().await;
    bob.next_game().await;
    ada.act("xd4").await;
    assert!(ada.next_game().await.result.is_some());
    assert!(bob.next_game().await.result.is_some());

    let rematch = async |one: &mut Client, other: &mut Client| {
        one.say(r#"{"type":"rematch"}"#).await;
        other.say(r#"{"type":"rematch"}"#).await;
        (one.next_game().await, other.next_game().await)
    };
    rematch(&mut ada, &mut bob).await;
    bob.act("1a1a2").await;
    ada.next_game().await;
    bob.next_game().await;
    ada.act("1e5e6").await;
    let before = ada.next_game().await;
    assert_eq!(before.players.white.id, Some(bob.id));
    server.signal("-KILL");
    server.wait();

    let server = Process::start(&folder, &[]).await;
    ada = Client::resume(server.addr, &ada.token).await;
    bob = Client::resume(server.addr, &bob.token).await;
    let after = ada.next_game().await;
    assert_eq!(bob.next_game().await.id, before.id);
    assert_eq!((after.id, after.revision, &after.state), (before.id, 2, &before.state));
    let (was, is) = (before.clocks.unwrap(), after.clocks.unwrap());
    // The clock that stood has what it had; the other goes on, and not from the beginning.
    assert_eq!((is.running, is.black_ms), (Some(Team::White), was.black_ms));
    assert!(is.black_ms > 300_000 && is.white_ms <= was.white_ms, "{was:?} {is:?}");
    assert_eq!(is.increment_ms, 60_000);
    // The settings are known as well, and who had which side.
    bob.say(r#"{"type":"resign"}"#).await;
    assert!(bob.next_game().await.result.is_some());
    assert!(ada.next_game().await.result.is_some());
    let (again, _) = rematch(&mut bob, &mut ada).await;
    assert_eq!(again.players.white.id, Some(ada.id));
    assert_eq!(again.start.as_deref(), Some("8/8/8/4a3/3B4/8/8/A7 w"));
    assert_eq!(again.clocks.unwrap().black_ms, 300_000);
}

fn fails(folder: &TempDir, more: &[&str]) -> String {
    let Output { status, stderr, .. } = command(folder).args(more).output().unwrap();
    assert!(!status.success());
    String::from_utf8(stderr).unwrap()
}

#[test]
fn what_keeps_it_from_starting_is_said_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let error = fails_with_addr(&folder, &addr);
    assert!(error.contains("another program") && error.contains("--addr"), "{error}");
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let error = replace(&folder, "--tables", file.to_str().unwrap());
    assert!(
        error.contains("cannot read the table folder") && error.contains("--tables DIR"),
        "{error}"
    );
    let error = replace(&folder, "--database", folder.path().to_str().unwrap());
    assert!(error.contains("--database FILE"), "{error}");
    let error = fails(&folder, &["--message-rate", "0"]);
    assert!(error.contains("--message-rate"), "{error}");
    let error = replace(&folder, "--addr", "nowhere");
    assert!(error.contains("--addr"), "{error}");
}

fn fails_with_addr(folder: &TempDir, addr: &str) -> String {
    replace(folder, "--addr", addr)
}

/// What is said when one option has another value.
fn replace(folder: &TempDir, option: &str, value: &str) -> String {
    let given = command(folder);
    let mut arguments: Vec<_> = given.get_args().map(|argument| argument.to_owned()).collect();
    let at = arguments.iter().position(|argument| argument == option).unwrap();
    arguments[at + 1] = value.into();
    let mut child = Command::new(given.get_program())
        .args(arguments)
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(!child.wait().unwrap().success());
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn it_listens_on_every_address_and_takes_its_options_from_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_boombots-server"))
        .env("BOOMBOTS_ADDR", "0.0.0.0:0")
        .env("BOOMBOTS_NO_BUILD", "true")
        .env("BOOMBOTS_DATABASE", folder.path().join("games.sqlite"))
        .env("BOOMBOTS_TABLES", folder.path().join("tables"))
        .env("RUST_LOG", "warn")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port: u16 = line.trim().rsplit(':').next().unwrap().parse().unwrap();
    let server = Process { child, addr: SocketAddr::from(([127, 0, 0, 1], port)) };
    assert!(line.starts_with("Boombots is at http://localhost:"), "{line}");
    Client::connect(server.addr, "Ada").await;
}
