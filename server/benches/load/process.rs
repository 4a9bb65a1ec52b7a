//! The server under load, in a process of its own.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

pub(crate) struct Process {
    child: Child,
    pub(crate) addr: SocketAddr,
    _folder: tempfile::TempDir,
}

impl Process {
    pub(crate) fn start() -> Process {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_boombots-server"))
            .args(["--addr", "127.0.0.1:0", "--no-build"])
            .arg("--database")
            .arg(folder.path().join("games.sqlite"))
            .arg("--tables")
            .arg(folder.path().join("tables"))
            .env("RUST_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().rsplit(':').next().unwrap().parse().unwrap();
        Process { child, addr: SocketAddr::from(([127, 0, 0, 1], port)), _folder: folder }
    }

    /// Resident memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1_024
    }

    /// Processor time of all its threads.
    pub(crate) fn processor_seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        let fields: Vec<&str> = fields.split(' ').collect();
        let ticks: u64 = [11, 12].iter().map(|&at| fields[at].parse::<u64>().unwrap()).sum();
        ticks as f64 / 100.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
