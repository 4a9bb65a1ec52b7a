//! Tables that answer while others appear, are built, or turn out to be damaged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use boombots_probe::{Class, OpenError, Tables, TablesOptions};
use boombots_protocol::LocalBuilds;
use boombots_search::EndgameTables;
use tokio::sync::watch;

use super::build::{self, Built};
use crate::priority::Priority;

/// Which tables, and what is to be done about missing ones.
#[derive(Clone, Debug)]
pub(crate) struct TableOptions {
    pub(crate) folder: PathBuf,
    /// Whether missing classes are built, up to this one.
    pub(crate) build_up_to: Option<Class>,
    /// Bytes of decoded blocks kept in memory.
    pub(crate) cache_bytes: u64,
}

/// The tables of a folder, always the latest.
#[derive(Debug)]
pub(crate) struct TableService {
    options: TableOptions,
    current: RwLock<Arc<EndgameTables>>,
    builds: watch::Sender<LocalBuilds>,
    problems: watch::Sender<Vec<String>>,
    /// Whether the threads are to end.
    closed: Mutex<bool>,
    closing: Condvar,
}

/// The files of a folder as they were last seen.
type Listing = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

impl TableService {
    /// Opens the folder, and watches over it from a thread of its own.
    pub(crate) fn start(options: TableOptions) -> Result<(Arc<TableService>, Watcher), OpenError> {
        let folder = options.folder.clone();
        let failed = |source| OpenError { folder: folder.clone(), source };
        if options.build_up_to.is_some() || !folder.exists() {
            std::fs::create_dir_all(&folder).map_err(failed)?;
        }
        let listing = list(&folder).map_err(failed)?;
        let current = open(&options)?;
        let service = Arc::new(TableService {
            builds: watch::Sender::new(LocalBuilds {
                enabled: options.build_up_to.is_some(),
                ready: names(&current.classes()),
                ..LocalBuilds::default()
            }),
            problems: watch::Sender::new(current.problems()),
            current: RwLock::new(Arc::new(current)),
            closed: Mutex::new(false),
            closing: Condvar::new(),
            options,
        });
        let mut threads = Vec::new();
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(failed)
        };
        let watched = Arc::clone(&service);
        threads.push(spawn("tables", Box::new(move || watched.watch(listing)))?);
        if let Some(top) = service.options.build_up_to {
            let builder = Arc::clone(&service);
            threads.push(spawn("builds", Box::new(move || builder.build_missing(top)))?);
        }
        Ok((Arc::clone(&service), Watcher { service, threads }))
    }

    /// The tables as they are now.
    pub(crate) fn current(&self) -> Arc<EndgameTables> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The names of the classes that answer, smallest first.
    pub(crate) fn ready(&self) -> Vec<String> {
        names(&self.current().classes())
    }

    /// What is wrong with files of the folder.
    pub(crate) fn problems(&self) -> watch::Receiver<Vec<String>> {
        self.problems.subscribe()
    }

    /// What is being built here.
    pub(crate) fn builds(&self) -> watch::Receiver<LocalBuilds> {
        self.builds.subscribe()
    }

    pub(super) fn folder(&self) -> &Path {
        &self.options.folder
    }

    pub(super) fn report(&self, change: impl FnOnce(&mut LocalBuilds)) {
        self.builds.send_modify(change);
    }

    /// Opens the folder once more.
    fn reload(&self) {
        match open(&self.options) {
            Ok(tables) => {
                let ready = names(&tables.classes());
                let problems = tables.problems();
                for problem in &problems {
                    tracing::warn!("{problem}; the table is set aside");
                }
                tracing::info!(classes = ready.join(" "), "tables answer");
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tables);
                self.problems.send_replace(problems);
                self.report(|builds| builds.ready = ready);
            }
            Err(error) => tracing::warn!(%error, "the tables cannot be read again"),
        }
    }

    /// Looks after the folder until the service is closed.
    fn watch(&self, mut known: Listing) {
        while self.wait(LOOK_EVERY) {
            if let Ok(listing) = list(&self.options.folder)
                && listing != known
            {
                known = listing;
                self.reload();
            }
            // Blocks are only checked when they are first needed.
            let problems = self.current().problems();
            if *self.problems.borrow() != problems {
                problems
                    .iter()
                    .for_each(|problem| tracing::warn!("{problem}; the table is set aside"));
                self.problems.send_replace(problems);
            }
        }
    }

    /// Builds what is missing or damaged, whenever something is.
    fn build_missing(&self, top: Class) {
        Priority::Build.apply();
        let wanted = build::classes_up_to(top);
        loop {
            let missing = self.missing(&wanted);
            let waiting = names(missing.get(1..).unwrap_or_default());
            self.report(|builds| builds.waiting = waiting);
            let pause = match missing.first() {
                None => LOOK_EVERY,
                Some(&class) => {
                    let started = Instant::now();
                    let built = build::build(class, self);
                    self.report(|builds| builds.current = None);
                    match built {
                        Ok(Built::Stopped) => return,
                        Ok(Built::Done) => {
                            let seconds = started.elapsed().as_secs_f64();
                            tracing::info!(%class, seconds, "a table is built");
                            self.report(|builds| builds.problem = None);
                            self.reload();
                            Duration::ZERO
                        }
                        Err(error) => {
                            tracing::warn!(%class, "not built: {error:#}");
                            self.report(|builds| {
                                builds.problem = Some(format!("{class}: {error:#}"))
                            });
                            RETRY_AFTER
                        }
                    }
                }
            };
            if !self.wait(pause) {
                return;
            }
        }
    }

    fn missing(&self, wanted: &[Class]) -> Vec<Class> {
        let current = self.current();
        let damaged: Vec<String> =
            current.tables().problems().iter().map(|problem| class_of(&problem.file)).collect();
        let is_missing = |class: &&Class| {
            let name = class.to_string();
            !current.tables().has_distances(**class) || damaged.contains(&name)
        };
        wanted.iter().filter(is_missing).copied().collect()
    }

    /// Waits; false if the service was closed.
    fn wait(&self, pause: Duration) -> bool {
        let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.closing.wait_timeout_while(closed, pause, |closed| !*closed);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Whether the service was closed.
    pub(super) fn is_closed(&self) -> bool {
        *self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps the threads of a table service; they end with it. A build that is under way ends with the process: what it wrote is
/// there whole or not at all.
#[derive(Debug)]
pub(crate) struct Watcher {
    service: Arc<TableService>,
    threads: Vec<JoinHandle<()>>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        *self.service.closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.service.closing.notify_all();
        // Only the watching thread is quick to end.
        if let Some(thread) = self.threads.drain(..).next() {
            let _ = thread.join();
        }
    }
}

fn open(options: &TableOptions) -> Result<EndgameTables, OpenError> {
    let tables = Tables::open(&options.folder, TablesOptions { cache_bytes: options.cache_bytes })?;
    Ok(EndgameTables::from(tables))
}

fn list(folder: &Path) -> std::io::Result<Listing> {
    let mut listing = Listing::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "bbtb")
            && let Ok(metadata) = path.metadata()
        {
            listing.insert(path, (metadata.len(), metadata.modified().ok()));
        }
    }
    Ok(listing)
}

fn names(classes: &[Class]) -> Vec<String> {
    classes.iter().map(ToString::to_string).collect()
}

/// The class that a file's name promises.
fn class_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

const LOOK_EVERY: Duration = Duration::from_millis(500);

const RETRY_AFTER: Duration = Duration::from_secs(10);
