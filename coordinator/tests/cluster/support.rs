//! A coordinator and workers in temporary folders, and tables to compare with.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use boombots_cluster_protocol::{JoinToken, Limits};
use boombots_coordinator::scheduler::{BuildOptions, BuildState, Check, Status, Timing};
use boombots_coordinator::{Coordinator, CoordinatorOptions};
use boombots_probe::{Class, OrbitTables};
use boombots_retrograde::{
    Compression, Level, SolveOptions, SolvedClass, Storage, TableCoding, TableFolder, solve,
};
use boombots_worker::{WorkerError, WorkerOptions};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub(crate) struct Cluster {
    pub(crate) folder: TempDir,
    pub(crate) coordinator: Coordinator,
}

pub(crate) struct Worker {
    pub(crate) task: JoinHandle<Result<(), WorkerError>>,
    pub(crate) stop: watch::Sender<bool>,
}

impl Cluster {
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let coordinator = Self::coordinator_in(folder.path(), ([127, 0, 0, 1], 0).into()).await;
        Self { folder, coordinator }
    }

    /// Stops the coordinator and starts it again at the same address.
    pub(crate) async fn restart(self) -> Self {
        let Self { folder, coordinator } = self;
        let listen = coordinator.listen();
        coordinator.stop().await;
        let coordinator = Self::coordinator_in(folder.path(), listen).await;
        Self { folder, coordinator }
    }

    async fn coordinator_in(folder: &Path, listen: std::net::SocketAddr) -> Coordinator {
        Coordinator::start(CoordinatorOptions {
            listen,
            http: ([127, 0, 0, 1], 0).into(),
            advertise: None,
            data: folder.join("data"),
            tables: folder.join("tables"),
            store: None,
            timing: Timing { silence: Duration::from_secs(2), ..Timing::default() },
            limits: Limits::default(),
        })
        .await
        .unwrap()
    }

    pub(crate) fn worker_options(&self, name: &str) -> WorkerOptions {
        let token = self.coordinator.token().clone();
        let cache = self.folder.path().join(name);
        WorkerOptions::new(token, 1, 4 << 30, cache, name.to_owned())
    }

    pub(crate) fn worker(&self, name: &str) -> Worker {
        Worker::start(self.worker_options(name))
    }

    pub(crate) fn token(&self) -> JoinToken {
        self.coordinator.token().clone()
    }

    pub(crate) async fn build(&self, class: &str, shards: u16) -> u32 {
        self.build_checked(class, shards, Check::Sample(4000)).await
    }

    pub(crate) async fn build_checked(&self, class: &str, shards: u16, check: Check) -> u32 {
        let options = BuildOptions {
            shards: Some(shards),
            compression: (Compression::FAST.values, Compression::FAST.distances),
            check,
        };
        self.coordinator.service().submit(class.parse().unwrap(), options).await.unwrap()
    }

    pub(crate) async fn status(&self) -> Status {
        self.coordinator.service().status().await.unwrap()
    }

    /// Waits until the status is as wanted, and fails with the status if it never is.
    pub(crate) async fn until(&self, wanted: impl Fn(&Status) -> bool) -> Status {
        for _ in 0..6000 {
            let status = self.status().await;
            if wanted(&status) {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it never came to that: {:#?}", self.status().await);
    }

    pub(crate) async fn done(&self, build: u32) -> Status {
        for _ in 0..18_000 {
            match self.coordinator.service().build_state(build).await.unwrap() {
                Some(BuildState::Running) => {}
                Some(BuildState::Done) => return self.status().await,
                state => panic!("{state:?}: {:#?}", self.status().await),
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the build does not end: {:#?}", self.status().await);
    }

    /// Fails unless the folder holds exactly what one process builds.
    pub(crate) fn compare(&self, class: &str) {
        let reference = reference();
        let class: Class = class.parse().unwrap();
        for class in class.foundation().into_iter().chain([class]) {
            for kind in ["wdl", "dtm"] {
                let name = format!("{class}.{kind}.bbtb");
                let ours = std::fs::read(self.coordinator.tables().join(&name)).unwrap();
                assert!(ours == std::fs::read(reference.join(&name)).unwrap(), "{name} differs");
            }
        }
    }
}

impl Worker {
    pub(crate) fn start(options: WorkerOptions) -> Self {
        let (stop, stopped) = watch::channel(false);
        Self { task: tokio::spawn(boombots_worker::run(options, stopped)), stop }
    }

    /// As kill −9 does, as far as a task can be killed.
    pub(crate) fn kill(&self) {
        self.task.abort();
    }
}

/// A folder with classes up to 3v1 and 2v2, built in this process.
fn reference() -> &'static PathBuf {
    static FOLDER: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let tables = TableFolder::new(folder.path());
        let orbits = OrbitTables::new();
        let level = Level::best();
        for class in ["1v1", "2v1", "2v2", "3v1"] {
            let class: Class = class.parse().unwrap();
            let options = SolveOptions { level, shards: 1, storage: Storage::Heap };
            let load = |side| Ok(Arc::new(tables.load(side, &orbits, level)?));
            let sides = solve(class, &orbits, &load, &options, &|_| {}).unwrap();
            let solved = SolvedClass::new(class, sides, &orbits);
            let coding = TableCoding { orbits: &orbits, level, compression: Compression::FAST };
            tables.write(&solved, &coding, &mut || {}).unwrap();
        }
        let path = folder.path().to_owned();
        (folder, path)
    });
    path
}
