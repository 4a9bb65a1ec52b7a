//! A real server in a process of its own, which can be killed: this test program once more.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use boombots_server::{Server, ServerOptions};
use std::io::{BufRead as _, BufReader};
use tempfile::TempDir;

/// A server in a process of its own.
pub(crate) struct ServerProcess {
    child: Child,
    addr: SocketAddr,
}

impl ServerProcess {
    /// A server that keeps its games in a folder, on a port of the system's choice.
    pub(crate) fn start(folder: &TempDir) -> ServerProcess {
        ServerProcess::start_at(folder, SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    fn start_at(folder: &TempDir, addr: SocketAddr) -> ServerProcess {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "server_process::serves", "--nocapture", "--test-threads", "1"])
            .env(FOLDER, folder.path())
            .env(ADDRESS, addr.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let addr = loop {
            let line = lines.next().expect("the server says where it is").unwrap();
            if let Some((_, addr)) = line.split_once(LISTENS) {
                break addr.trim().parse().unwrap();
            }
        };
        ServerProcess { child, addr }
    }

    pub(crate) fn url(&self) -> String {
        format!("ws://{}", self.addr)
    }

    /// Kills it at once, as a crash would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again where it was.
    pub(crate) fn start_again(&mut self, folder: &TempDir) {
        *self = ServerProcess::start_at(folder, self.addr);
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// No test but the server itself, in the process that is started for it.
#[test]
fn serves() {
    let (Some(folder), Ok(addr)) = (std::env::var_os(FOLDER), std::env::var(ADDRESS)) else {
        return;
    };
    let folder = std::path::PathBuf::from(folder);
    let options = ServerOptions {
        addr: addr.parse().unwrap(),
        database: folder.join("games.sqlite"),
        tables: folder.join("tables"),
        build_up_to: None,
        bot_hash_mebibytes: 4,
        bot_budget: Duration::from_millis(50),
        ..ServerOptions::default()
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut server = Server::start(options).await.unwrap();
        println!("{LISTENS}{}", server.addr());
        let _ = server.failed().await;
    });
}

const FOLDER: &str = "BOOMBOTS_TEST_SERVER_FOLDER";
const ADDRESS: &str = "BOOMBOTS_TEST_SERVER_ADDRESS";
const LISTENS: &str = "the server listens at ";
