//! The programs themselves, in folders of their own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

const COORDINATOR: &str = env!("CARGO_BIN_EXE_boombots-coordinator");

/// Where and how a coordinator runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The network namespace, where it is not this process's own.
    pub(crate) namespace: Option<String>,
    /// The address it listens on; a free port of loopback by default.
    pub(crate) listen: Option<String>,
    /// The bucket that is its store.
    pub(crate) store: Option<String>,
    /// Environment variables.
    pub(crate) variables: Vec<(String, String)>,
}

impl Place {
    fn command(&self, program: &Path) -> Command {
        let mut command = match &self.namespace {
            Some(namespace) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", namespace]).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// A coordinator that is killed when it is dropped.
pub(crate) struct Coordinator {
    folder: PathBuf,
    place: Place,
    child: Child,
    listen: String,
}

/// A worker that is killed when it is dropped.
pub(crate) struct Worker {
    child: Child,
}

/// A small file system, unmounted when it is dropped.
pub(crate) struct Small(PathBuf);

impl Coordinator {
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_at(folder, Place::default())
    }

    pub(crate) fn start_at(folder: &Path, place: Place) -> Self {
        let listen = place.listen.clone().unwrap_or_else(|| {
            // A port that is free now, as the same is needed after a restart.
            let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
            socket.local_addr().unwrap().to_string()
        });
        let child = Self::spawn(folder, &place, &listen);
        let coordinator = Self { folder: folder.to_owned(), place, child, listen };
        coordinator.wait();
        coordinator
    }

    fn spawn(folder: &Path, place: &Place, listen: &str) -> Child {
        let log = std::fs::File::options().append(true).create(true).open(log_of(folder)).unwrap();
        let _ = std::fs::remove_file(folder.join("data/addresses"));
        let mut command = place.command(Path::new(COORDINATOR));
        command.arg("--data").arg(folder.join("data")).args([
            "serve",
            "--listen",
            listen,
            "--http",
            "127.0.0.1:0",
            "--silence",
            "2",
        ]);
        if let Some(store) = &place.store {
            command.args(["--store", store]);
        }
        command.stdout(Stdio::null()).stderr(log).spawn().unwrap()
    }

    fn wait(&self) {
        let started = Instant::now();
        while self.ask(&["status", "--json"]).is_none() {
            assert!(
                started.elapsed() < Duration::from_secs(30),
                "it does not start: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn kill_and_restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = Self::spawn(&self.folder, &self.place, &self.listen);
        self.wait();
    }

    pub(crate) fn ask(&self, arguments: &[&str]) -> Option<String> {
        let answer = self
            .place
            .command(Path::new(COORDINATOR))
            .arg("--data")
            .arg(self.folder.join("data"))
            .args(arguments)
            .output()
            .unwrap();
        answer.status.success().then(|| String::from_utf8(answer.stdout).unwrap())
    }

    pub(crate) fn token(&self) -> String {
        self.ask(&["token"]).unwrap().trim().to_owned()
    }

    pub(crate) fn build(&self, class: &str) {
        self.build_cut(class, 6);
    }

    /// Asks for a class in so many shards a side. A sample is checked; in the tests of what is wrong
    /// everything is.
    pub(crate) fn build_cut(&self, class: &str, shards: u16) {
        let shards = shards.to_string();
        let rest = ["--compression", "fast", "--check", "20000", "--shards", &shards];
        self.ask(&[&["build", class][..], &rest[..]].concat()).unwrap();
    }

    pub(crate) fn status(&self) -> serde_json::Value {
        serde_json::from_str(&self.ask(&["status", "--json"]).unwrap()).unwrap()
    }

    /// How the analyses stand, oldest first.
    pub(crate) fn analyses(&self) -> Vec<serde_json::Value> {
        let text = self.ask(&["analyses", "--json"]).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Waits until the status is as wanted.
    pub(crate) fn until(
        &self,
        limit: Duration,
        mut wanted: impl FnMut(&serde_json::Value) -> bool,
    ) {
        let started = Instant::now();
        loop {
            let status = self.status();
            if wanted(&status) {
                return;
            }
            assert!(started.elapsed() < limit, "it never comes to that: {status}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn wait_for_build(&mut self, limit: Duration) {
        let started = Instant::now();
        loop {
            let status = self.status();
            match status["builds"][0]["state"].as_str() {
                Some("running") => {}
                Some("done") => return,
                _ => panic!("{status}"),
            }
            assert!(started.elapsed() < limit, "it does not end: {status}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn tables(&self) -> PathBuf {
        self.folder.join("data/tables")
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(log_of(&self.folder)).unwrap_or_default()
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Beside the folder, which may be full.
fn log_of(folder: &Path) -> PathBuf {
    folder
        .parent()
        .unwrap()
        .join(format!("{}.log", folder.file_name().unwrap_or_default().to_string_lossy()))
}

impl Worker {
    pub(crate) fn start(folder: &Path, number: usize, token: &str) -> Self {
        Self::start_at(folder, number, token, &Place::default())
    }

    /// A worker in a namespace of its own.
    pub(crate) fn start_at(folder: &Path, number: usize, token: &str, place: &Place) -> Self {
        let log = folder.join(format!("worker-{number}.log"));
        let log = std::fs::File::options().append(true).create(true).open(log).unwrap();
        let child = place
            .command(&program("boombots-worker"))
            .args(["--join", token, "--threads", "1", "--memory", "2GB"])
            .args(["--name", &format!("worker-{number}")])
            .arg("--cache")
            .arg(folder.join(format!("worker-{number}")))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self { child }
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id() as i32).unwrap();
        kill_process(pid, signal).unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program of this workspace beside the coordinator, built from the sources as they are.
pub(crate) fn program(name: &str) -> PathBuf {
    static BUILT: Once = Once::new();
    let own = PathBuf::from(COORDINATOR);
    BUILT.call_once(|| {
        let target = own.parent().and_then(Path::parent).unwrap();
        let mut build = Command::new(env!("CARGO"));
        // The whole workspace, as then nothing but these programs is compiled again.
        build.args(["build", "--quiet", "--workspace", "--bins", "--target-dir"]).arg(target);
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the programs cannot be built");
    });
    own.with_file_name(name)
}

/// The tables of one undisturbed process.
pub(crate) fn reference(class: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let built = Command::new(program("boombots-tablebase"))
        .args(["build", class, "--compression", "fast", "--dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    folder
}

/// Fails unless both folders hold the same tables and manifest.
pub(crate) fn same_tables(ours: &Path, reference: &tempfile::TempDir) {
    let mut compared = 0;
    for entry in reference.path().read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_owned();
        if name == ".lock" {
            continue;
        }
        let same = std::fs::read(&path).unwrap() == std::fs::read(ours.join(&name)).unwrap();
        assert!(same, "{} differs", name.to_string_lossy());
        compared += 1;
    }
    assert!(compared > 2);
}

/// A file system of so many mebibytes, where one can be mounted.
pub(crate) fn room_in_memory(folder: &Path, mebibytes: u32) -> Option<Small> {
    let path = folder.join("small");
    std::fs::create_dir(&path).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", &format!("size={mebibytes}m"), "tmpfs"])
        .arg(&path)
        .output();
    mounted.is_ok_and(|mounted| mounted.status.success()).then(|| Small(path))
}

impl Small {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Fills it but for so many bytes.
    pub(crate) fn fill(&self, ballast: &Path, left: u64) {
        let room = rustix::fs::statvfs(&self.0).unwrap();
        let free = room.f_bavail * room.f_frsize;
        std::fs::write(ballast, vec![1; free.saturating_sub(left) as usize]).unwrap();
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
