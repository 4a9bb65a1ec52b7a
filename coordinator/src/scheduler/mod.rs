//! The scheduler: what happened and when in, what to do out. It has no sockets and no clock.
//!
//! A build is a class and those beneath it. A class under way is an *attempt*, cut into shards;
//! its shards settle their booms and then go through the plies in step: nobody sweeps a step before
//! every delta of the step before is in the store. A shard is leased to one worker at a time, and
//! each lease has an epoch of its own: what comes under an older one is refused. A shard that is
//! lost is leased again and taken through all steps so far; their deltas are on record.

mod class;
mod messages;
mod record;
mod status;
mod worker;

use std::collections::BTreeMap;
use std::time::Duration;

use boombots_cluster_protocol::{ClassName, TableRef, ToWorker, WorkerId};
use boombots_probe::{Class, SideLayout};

use self::class::ClassState;
use self::worker::WorkerState;

pub use self::record::{
    Ban, BuildOptions, BuildRecord, BuildState, Change, Check, ClassRecord, DeltaRecord, Phase,
    PublishedRecord, Records, SideRecord, WorkerRecord,
};
pub use self::status::{BuildStatus, ClassStatus, Counters, Status, WorkerStatus};

/// A connection of a worker; a later one has a higher number.
pub type Session = u64;

/// What to do, in this order. Changes must be on disk before anything after them is done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Put a change on disk.
    Save(Change),
    /// Send a message.
    Send {
        /// To whom.
        session: Session,
        /// What.
        message: Box<ToWorker>,
    },
    /// Close a connection.
    Close {
        /// Which.
        session: Session,
    },
    /// Put a class's tables together and answer with [`Scheduler::published`].
    Publish(Box<ClassRecord>),
    /// Delete the deltas and segments of an attempt.
    Discard {
        /// Digests of blobs nobody needs any more.
        blobs: Vec<boombots_cluster_protocol::Digest>,
    },
    /// Tell the operator.
    Log(Severity, String),
}

/// How bad news is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// As it should be.
    Info,
    /// Something failed and is being mended.
    Warning,
}

/// How patient the scheduler is.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Between heartbeats.
    pub heartbeat: Duration,
    /// Silence after which a worker is dead.
    pub silence: Duration,
    /// Time without progress after which work is taken away.
    pub no_progress: Duration,
    /// How long workers have to come back after a restart before their shards are given away.
    pub grace: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_millis(500),
            silence: Duration::from_secs(3),
            no_progress: Duration::from_secs(60),
            grace: Duration::from_secs(5),
        }
    }
}

/// The scheduler.
#[derive(Debug)]
pub struct Scheduler {
    timing: Timing,
    started: Duration,
    builds: BTreeMap<u32, BuildRecord>,
    classes: BTreeMap<u32, ClassState>,
    published: BTreeMap<ClassName, PublishedRecord>,
    workers: BTreeMap<WorkerId, WorkerState>,
    sessions: BTreeMap<Session, WorkerId>,
    next_attempt: u32,
    seed: u64,
    counters: Counters,
    events: Vec<String>,
    out: Vec<Action>,
}

impl Scheduler {
    /// A scheduler that goes on from what is on disk. `seed` chooses the positions to check.
    pub fn new(records: Records, timing: Timing, seed: u64, now: Duration) -> Self {
        let mut deltas: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        for (key, record) in records.deltas {
            deltas.entry(key.0).or_default().push((key, record));
        }
        let classes = records.classes.into_iter().map(|record| {
            let deltas = deltas.remove(&record.attempt).unwrap_or_default();
            (record.attempt, ClassState::restored(record, deltas, now))
        });
        let workers = records.workers.into_iter();
        let mut scheduler = Self {
            timing,
            started: now,
            builds: records.builds.into_iter().map(|build| (build.id, build)).collect(),
            classes: classes.collect(),
            published: records.published.into_iter().map(|class| (class.class, class)).collect(),
            workers: workers.map(|record| (record.id, WorkerState::new(record, now))).collect(),
            sessions: BTreeMap::new(),
            next_attempt: records.next_attempt,
            seed,
            counters: Counters::default(),
            events: Vec::new(),
            out: Vec::new(),
        };
        let publishing =
            scheduler.classes.values().filter(|class| class.record.phase == Phase::Publishing);
        let publish: Vec<_> =
            publishing.map(|class| Action::Publish(Box::new(class.record.clone()))).collect();
        scheduler.out.extend(publish);
        scheduler
    }

    /// What is to be done now.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.out)
    }

    /// Asks for a class. Returns the number of the build.
    pub fn submit(&mut self, class: Class, options: BuildOptions, now: Duration) -> u32 {
        let id = self.builds.keys().next_back().map_or(1, |last| last + 1);
        let record = BuildRecord { id, class: name_of(class), options, state: BuildState::Running };
        self.save(Change::Build(record.clone()));
        self.log(Severity::Info, format!("build {id}: {class} was asked for"));
        self.builds.insert(id, record);
        self.schedule(now);
        id
    }

    /// Gives a build up. Classes that another build needs go on.
    pub fn cancel(&mut self, id: u32, now: Duration) -> bool {
        match self.builds.get_mut(&id) {
            Some(build) if build.state == BuildState::Running => {
                build.state = BuildState::Cancelled;
                let build = build.clone();
                self.save(Change::Build(build));
                self.log(Severity::Info, format!("build {id} was cancelled"));
                let needed = self.needed();
                let unneeded = self
                    .classes
                    .values()
                    .filter(|class| !needed.iter().any(|(name, _)| *name == class.record.class));
                let unneeded: Vec<u32> = unneeded.map(|class| class.record.attempt).collect();
                unneeded.into_iter().for_each(|attempt| self.end_attempt(attempt));
                self.schedule(now);
                true
            }
            _ => false,
        }
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Duration) {
        self.bury_the_dead(now);
        self.take_stalled_work_away(now);
        self.schedule(now);
    }

    /// A class's tables are published, or could not be.
    pub fn published(
        &mut self,
        attempt: u32,
        outcome: Result<(Vec<TableRef>, u8), String>,
        now: Duration,
    ) {
        let Some(class) = self.classes.get(&attempt) else { return };
        if class.record.phase != Phase::Publishing {
            return;
        }
        match outcome {
            Ok((tables, deepest)) => {
                let name = class.record.class;
                let record = PublishedRecord { class: name, tables, deepest };
                self.save(Change::Published(record.clone()));
                self.published.insert(name, record);
                self.log(Severity::Info, format!("{} is published", text_of(name)));
                self.end_attempt(attempt);
            }
            Err(reason) => self.restart_class(attempt, &reason, now),
        }
        self.schedule(now);
    }

    /// Starts what can be started and ends what is finished.
    fn schedule(&mut self, now: Duration) {
        for (name, options) in self.needed() {
            let under_way = self.classes.values().any(|class| class.record.class == name);
            let Some(class) = class_of(name) else { continue };
            let ready = class
                .beneath()
                .into_iter()
                .all(|class| self.published.contains_key(&name_of(class)));
            if !under_way && ready {
                self.start_attempt(class, options, 0, now);
            }
        }
        let done: Vec<u32> = self
            .builds
            .values()
            .filter(|build| {
                build.state == BuildState::Running && self.published.contains_key(&build.class)
            })
            .map(|build| build.id)
            .collect();
        for id in done {
            self.end_build(id, BuildState::Done);
        }
        let attempts: Vec<u32> = self.classes.keys().copied().collect();
        for attempt in attempts {
            self.lease_work(attempt, now);
        }
    }

    /// The classes that running builds still need, smallest first.
    fn needed(&self) -> Vec<(ClassName, BuildOptions)> {
        let mut needed: Vec<(ClassName, BuildOptions)> = Vec::new();
        for build in self.builds.values().filter(|build| build.state == BuildState::Running) {
            let Some(class) = class_of(build.class) else { continue };
            for class in class.foundation().into_iter().chain([class]) {
                let name = name_of(class);
                if !self.published.contains_key(&name)
                    && !needed.iter().any(|(other, _)| *other == name)
                {
                    needed.push((name, build.options));
                }
            }
        }
        needed
    }

    fn start_attempt(&mut self, class: Class, options: BuildOptions, restarts: u32, now: Duration) {
        let attempt = self.next_attempt;
        self.next_attempt += 1;
        self.save(Change::NextAttempt(self.next_attempt));
        let workers = self.workers.values().filter(|worker| worker.is_up()).count().max(1);
        let sides: Vec<SideRecord> = class
            .sides()
            .into_iter()
            .map(|material| {
                let layout = SideLayout::new(material);
                let by_size = (layout.tiles() / TILES_A_SHARD).clamp(1, 4 * workers);
                let shards = options.shards.map_or(by_size, usize::from).clamp(1, MAX_SHARDS);
                let strips = layout.shards(shards).into_iter();
                let strips = strips.map(|strips| boombots_cluster_protocol::StripRange {
                    start: strips.start as u32,
                    end: strips.end as u32,
                });
                let material = boombots_cluster_protocol::Material {
                    mover: material.mover,
                    opponent: material.opponent,
                };
                SideRecord { material, shards: strips.collect(), tiles: layout.tiles() as u64 }
            })
            .collect();
        let shards = sides.iter().map(|side| side.shards.len()).sum();
        let record = ClassRecord {
            class: name_of(class),
            attempt,
            options,
            phase: Phase::Solving,
            sides,
            plies: vec![1],
            epochs: vec![0; shards],
            segments: vec![None; shards],
            verified: vec![false; shards],
            accuser: None,
            restarts,
        };
        self.save(Change::Class(record.clone()));
        self.log(Severity::Info, format!("{class}: started, {shards} shards"));
        self.classes.insert(attempt, ClassState::new(record, now));
    }

    /// Throws an attempt away and begins the class anew.
    fn restart_class(&mut self, attempt: u32, reason: &str, now: Duration) {
        let Some(class) = self.classes.get(&attempt) else { return };
        let (name, options) = (class.record.class, class.record.options);
        let restarts = class.record.restarts + 1;
        self.counters.restarts += 1;
        self.end_attempt(attempt);
        let Some(class) = class_of(name) else { return };
        if restarts > MAX_RESTARTS {
            let reason = format!("{class} failed {restarts} times, the last time because {reason}");
            let builds = self.builds.values().filter(|build| {
                let needs = class_of(build.class)
                    .is_some_and(|target| target == class || target.foundation().contains(&class));
                build.state == BuildState::Running && needs
            });
            let builds: Vec<u32> = builds.map(|build| build.id).collect();
            for id in builds {
                self.end_build(id, BuildState::Failed(reason.clone()));
            }
            return;
        }
        self.log(Severity::Warning, format!("{class}: begun anew because {reason}"));
        self.start_attempt(class, options, restarts, now);
    }

    fn end_build(&mut self, id: u32, state: BuildState) {
        let Some(build) = self.builds.get_mut(&id) else { return };
        let severity = if state == BuildState::Done { Severity::Info } else { Severity::Warning };
        build.state = state;
        let build = build.clone();
        let how = match &build.state {
            BuildState::Failed(reason) => format!("failed: {reason}"),
            _ => "is done".to_owned(),
        };
        self.log(severity, format!("build {id} ({}) {how}", text_of(build.class)));
        self.save(Change::Build(build));
    }

    fn end_attempt(&mut self, attempt: u32) {
        let Some(class) = self.classes.remove(&attempt) else { return };
        let sessions: Vec<Session> = self.sessions.keys().copied().collect();
        for session in sessions {
            self.send(session, ToWorker::Forget { attempt });
        }
        self.save(Change::AttemptEnded { attempt });
        self.out.push(Action::Discard { blobs: class.blobs() });
    }

    fn save(&mut self, change: Change) {
        self.out.push(Action::Save(change));
    }

    fn send(&mut self, session: Session, message: ToWorker) {
        self.out.push(Action::Send { session, message: Box::new(message) });
    }

    fn log(&mut self, severity: Severity, text: String) {
        if self.events.len() >= KEPT_EVENTS {
            self.events.remove(0);
        }
        self.events.push(text.clone());
        self.out.push(Action::Log(severity, text));
    }
}

/// The class of a name, if there is one.
pub fn class_of(name: ClassName) -> Option<Class> {
    Class::new(name.larger, name.smaller).ok()
}

/// The name of a class.
pub fn name_of(class: Class) -> ClassName {
    ClassName { larger: class.larger(), smaller: class.smaller() }
}

/// The name as people write it.
pub fn text_of(name: ClassName) -> String {
    format!("{}v{}", name.larger, name.smaller)
}

/// A shard of fewer tiles is not worth the messages.
const TILES_A_SHARD: usize = 8192;

/// Deltas go from every shard to every other, so that their number is bounded.
const MAX_SHARDS: usize = 128;

/// A class that fails more often fails for good.
const MAX_RESTARTS: u32 = 8;

const KEPT_EVENTS: usize = 200;
