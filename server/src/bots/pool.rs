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

/// Work that is done when no search needs the thread.
pub(crate) struct Spare {
    /// Ends it, or has it dropped from the queue. It is used as well when a search comes: whoever
    /// is not done then submits the rest anew.
    pub(crate) stop: StopSwitch,
    pub(crate) work: Box<dyn FnOnce() + Send>,
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
    searches: VecDeque<Search>,
    spares: VecDeque<Spare>,
    /// What stops the searches that run.
    searching: Vec<StopSwitch>,
    /// What stops the spare work that is done.
    sparing: Vec<StopSwitch>,
    is_closed: bool,
}

enum Work {
    Search(Box<Search>),
    Spare(Spare),
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
        let slots = self.slots();
        let mut state = self.shared.lock();
        state.searches.retain(|waiting| !waiting.stop.is_stopped());
        let free = slots.saturating_sub(state.searching.len());
        let ahead = (state.searches.len() + 1).saturating_sub(free);
        state.searches.push_back(search);
        let is_idle = state.searching.len() + state.sparing.len() < slots;
        if !is_idle && let Some(stop) = state.sparing.iter().find(|stop| !stop.is_stopped()) {
            stop.stop();
        }
        drop(state);
        self.shared.ready.notify_one();
        ahead
    }

    /// Queues work for when no search needs the thread.
    pub(crate) fn submit_spare(&self, spare: Spare) {
        let mut state = self.shared.lock();
        state.spares.retain(|waiting| !waiting.stop.is_stopped());
        if !state.is_closed {
            state.spares.push_back(spare);
        }
        drop(state);
        self.shared.ready.notify_one();
    }

    /// How busy searches keep it; spare work counts for nothing.
    pub(crate) fn business(&self) -> Business {
        let state = self.shared.lock();
        Business {
            slots: self.slots(),
            thinking: state.searching.len(),
            queued: state.searches.iter().filter(|search| !search.stop.is_stopped()).count(),
        }
    }

    /// Mebibytes of a search's transposition table.
    pub(crate) fn hash_mebibytes(&self) -> usize {
        self.shared.options.hash_mebibytes
    }

    /// Ends all work, also that to come.
    pub(crate) fn close(&self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.searches.clear();
        state.spares.clear();
        state.searching.iter().chain(&state.sparing).for_each(StopSwitch::stop);
        drop(state);
        self.shared.ready.notify_all();
    }

    fn slots(&self) -> usize {
        self.shared.options.slots.max(1)
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

    /// What to do next, when there is something; `None` when there will be nothing more.
    fn next(&self) -> Option<Work> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(search) = state.searches.pop_front() {
                if !search.stop.is_stopped() {
                    state.searching.push(search.stop.clone());
                    return Some(Work::Search(Box::new(search)));
                }
            } else if let Some(spare) = state.spares.pop_front() {
                if !spare.stop.is_stopped() {
                    state.sparing.push(spare.stop.clone());
                    return Some(Work::Spare(spare));
                }
            } else {
                state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn work(&self) {
        Priority::Search.apply();
        let mut engines = Engines::default();
        while let Some(work) = self.next() {
            match work {
                Work::Search(search) => self.search(*search, &mut engines),
                Work::Spare(Spare { stop, work }) => {
                    if std::panic::catch_unwind(AssertUnwindSafe(work)).is_err() {
                        tracing::error!("spare work panicked");
                    }
                    take_off(&mut self.lock().sparing, &stop);
                }
            }
        }
    }

    fn search(&self, search: Search, engines: &mut Engines) {
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
            *engines = Engines::default();
        }
        take_off(&mut self.lock().searching, &stop);
        metrics::counter!("boombots_searches_total").increment(1);
        ended(found.ok());
    }
}

/// Takes one piece of work off a list.
fn take_off(running: &mut Vec<StopSwitch>, stop: &StopSwitch) {
    if let Some(at) = running.iter().position(|running| running.is_same(stop)) {
        running.swap_remove(at);
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
