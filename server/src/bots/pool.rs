//! The searches that run at once, and the queue of those that wait.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use boombots_search::{Engine, EngineOptions, Report, Request, StopSwitch};

use crate::priority::Priority;
use crate::tables::TableService;

/// How many searches run, and how large they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolOptions {
    /// Searches at once; each has a thread.
    pub(crate) slots: usize,
    /// Mebibytes of each search's transposition table.
    pub(crate) hash_mebibytes: usize,
}

/// Is told of an iteration.
pub(crate) type Progress = Box<dyn FnMut(&Report) + Send>;

/// A search with what is to be told of it.
pub(crate) struct Search {
    pub(crate) request: Request,
    /// Ends it, or has it dropped from the queue.
    pub(crate) stop: StopSwitch,
    pub(crate) begun: Box<dyn FnOnce() + Send>,
    /// Is told of every iteration.
    pub(crate) progress: Option<Progress>,
    /// Is told of the end; `None` if the search failed.
    pub(crate) ended: Box<dyn FnOnce(Option<Report>) + Send>,
}

/// Threads that search, below the priority of those that serve sockets.
pub(crate) struct BotPool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    ready: Condvar,
    tables: Arc<TableService>,
    options: PoolOptions,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Search>,
    running: Vec<StopSwitch>,
    is_closed: bool,
}

/// How busy the pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Business {
    pub(crate) slots: usize,
    pub(crate) thinking: usize,
    pub(crate) queued: usize,
}

impl BotPool {
    pub(crate) fn start(
        options: PoolOptions,
        tables: Arc<TableService>,
    ) -> std::io::Result<BotPool> {
        let (state, ready) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { state, ready, tables, options });
        let threads = (0..options.slots.max(1)).map(|index| {
            let shared = Arc::clone(&shared);
            let builder = std::thread::Builder::new().name(format!("search {index}"));
            builder.spawn(move || shared.work())
        });
        let threads = threads.collect::<std::io::Result<_>>()?;
        Ok(BotPool { shared, threads })
    }

    /// Queues a search; how many come first, 0 if it begins at once.
    pub(crate) fn submit(&self, search: Search) -> usize {
        let mut state = self.shared.lock();
        state.queue.retain(|waiting| !waiting.stop.is_stopped());
        let free = self.shared.options.slots.max(1).saturating_sub(state.running.len());
        let ahead = (state.queue.len() + 1).saturating_sub(free);
        state.queue.push_back(search);
        drop(state);
        self.shared.ready.notify_one();
        ahead
    }

    pub(crate) fn business(&self) -> Business {
        let state = self.shared.lock();
        Business {
            slots: self.shared.options.slots.max(1),
            thinking: state.running.len(),
            queued: state.queue.iter().filter(|search| !search.stop.is_stopped()).count(),
        }
    }

    /// Ends all searches, also those to come.
    pub(crate) fn close(&self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.queue.clear();
        state.running.iter().for_each(StopSwitch::stop);
        drop(state);
        self.shared.ready.notify_all();
    }
}

impl Drop for BotPool {
    fn drop(&mut self) {
        self.close();
        for thread in self.threads.drain(..) {
            // A search that panicked was reported when it did.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next search, when there is one; `None` when there will be no more.
    fn next(&self) -> Option<Search> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            match state.queue.pop_front() {
                Some(search) if search.stop.is_stopped() => {}
                Some(search) => {
                    state.running.push(search.stop.clone());
                    return Some(search);
                }
                None => {
                    state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn work(&self) {
        Priority::Search.apply();
        let mut engines = Engines::default();
        while let Some(search) = self.next() {
            let Search { request, stop, begun, mut progress, ended } = search;
            begun();
            let found = std::panic::catch_unwind(AssertUnwindSafe(|| {
                let engine = engines.of(&request, self);
                engine.search(&request, &stop, |report| {
                    if let Some(progress) = &mut progress {
                        progress(report);
                    }
                })
            }));
            if found.is_err() {
                tracing::error!(position = %request.position, "a search panicked");
                engines = Engines::default();
            }
            self.finished(&stop);
            metrics::counter!("boombots_searches_total").increment(1);
            ended(found.ok());
        }
    }

    /// Takes one search of a stop switch off the list.
    fn finished(&self, stop: &StopSwitch) {
        let mut state = self.lock();
        let is_it = |running: &StopSwitch| running.is_same(stop);
        if let Some(at) = state.running.iter().position(is_it) {
            state.running.swap_remove(at);
        }
    }
}

/// A thread's engines. What one has learned from tables must not help the other.
#[derive(Default)]
struct Engines {
    with_tables: Option<Engine>,
    without: Option<Engine>,
}

impl Engines {
    fn of(&mut self, request: &Request, shared: &Shared) -> &mut Engine {
        let options = EngineOptions { hash_mebibytes: shared.options.hash_mebibytes, threads: 1 };
        let engine = match request.use_tables {
            true => &mut self.with_tables,
            false => &mut self.without,
        };
        let engine = engine.get_or_insert_with(|| Engine::new(&options));
        if request.use_tables {
            engine.set_tables(Some(shared.tables.current()));
        }
        engine
    }
}
