//! The thread that writes, and readers beside it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use boombots_protocol::{FinishedGame, GameResult, GameSummary};
use boombots_rules::{Boombots, GameRecord};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::checkpoints::Checkpoints;
use super::database::{self, Database, DatabaseError};
use super::rows::{ActionRow, LiveMatch, MatchRow, SessionRow};
use crate::ids::{MatchId, UserId};

/// The way to what is stored. Changes of all games are written in order by one thread, as many at
/// once as there are; each is known to be written when its call returns.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    writer: mpsc::Sender<Order>,
    reader: Arc<Mutex<Database>>,
}

/// What was found when the server started.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) last_user: UserId,
    pub(crate) last_match: MatchId,
    pub(crate) sessions: Vec<SessionRow>,
    pub(crate) live: Vec<LiveMatch>,
}

#[derive(Debug)]
struct Order {
    change: Change,
    done: oneshot::Sender<()>,
}

#[derive(Debug)]
enum Change {
    Begin(Box<MatchRow>),
    Action(ActionRow),
    End(MatchId, Box<GameRecord<Boombots>>, Option<GameResult>),
    Remove(MatchId),
}

impl Records {
    /// Opens the file, finds what is in it, and starts to write.
    pub(crate) fn open(file: &Path) -> Result<(Records, Found), DatabaseError> {
        let failed = |problem: String| DatabaseError { file: file.to_owned(), problem };
        let database = Database::open(file)?;
        let found = find(&database).map_err(|error| failed(error.to_string()))?;
        let reader = Arc::new(Mutex::new(Database::open(file)?));
        let checkpoints =
            Checkpoints::start(Database::open(file)?).map_err(|error| failed(error.to_string()))?;
        let (writer, orders) = mpsc::channel(WAITING_ORDERS);
        let path = file.to_owned();
        let thread = std::thread::Builder::new().name("records".to_owned());
        thread
            .spawn(move || write_all(database, orders, &checkpoints, &path))
            .map_err(|error| failed(error.to_string()))?;
        Ok((Records { writer, reader }, found))
    }

    /// Stores a game that begins.
    pub(crate) async fn begin(&self, row: MatchRow) {
        self.order(Change::Begin(Box::new(row))).await;
    }

    /// Stores an action.
    pub(crate) async fn action(&self, row: ActionRow) {
        self.order(Change::Action(row)).await;
    }

    /// Stores the end of a game.
    pub(crate) async fn end(
        &self,
        id: MatchId,
        record: GameRecord<Boombots>,
        result: Option<GameResult>,
    ) {
        self.order(Change::End(id, Box::new(record), result)).await;
    }

    /// Forgets a game.
    pub(crate) async fn remove(&self, id: MatchId) {
        self.order(Change::Remove(id)).await;
    }

    /// A failure was logged where it happened, and play goes on from memory.
    async fn order(&self, change: Change) {
        let (done, written) = oneshot::channel();
        if self.writer.send(Order { change, done }).await.is_ok() {
            let _ = written.await;
        }
    }

    /// Finished games below a number, the latest first.
    pub(crate) async fn finished(
        &self,
        before: u32,
        limit: u32,
    ) -> anyhow::Result<Vec<GameSummary>> {
        self.read(move |database| database.finished(before, limit)).await
    }

    /// One finished game.
    pub(crate) async fn finished_game(&self, id: u32) -> anyhow::Result<Option<FinishedGame>> {
        self.read(move |database| database.finished_game(id)).await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Database) -> rusqlite::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let reader = Arc::clone(&self.reader);
        let reading = tokio::task::spawn_blocking(move || {
            read(&reader.lock().unwrap_or_else(PoisonError::into_inner))
        });
        Ok(reading.await??)
    }
}

fn find(database: &Database) -> rusqlite::Result<Found> {
    let (last_user, last_match) = database.last_ids()?;
    let sessions = database.sessions()?;
    Ok(Found { last_user, last_match, sessions, live: database.live()? })
}

fn write_all(
    mut database: Database,
    mut orders: mpsc::Receiver<Order>,
    checkpoints: &Checkpoints,
    file: &Path,
) {
    while let Some(first) = orders.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(order) = orders.try_recv()
        {
            batch.push(order);
        }
        let written = database
            .change(|changes| batch.iter().try_for_each(|order| write(changes, &order.change)));
        if let Err(error) = written {
            metrics::counter!("boombots_record_failures_total").increment(1);
            tracing::error!(
                %error,
                file = %file.display(),
                "games are not stored; make room or mend the file, play goes on without"
            );
        }
        for order in batch {
            let _ = order.done.send(());
        }
        checkpoints.written();
    }
}

fn write(changes: &Connection, change: &Change) -> rusqlite::Result<()> {
    match change {
        Change::Begin(row) => database::insert_match(changes, row),
        Change::Action(row) => database::insert_action(changes, row),
        Change::End(id, record, result) => database::end_match(changes, *id, record, *result),
        Change::Remove(id) => database::remove_match(changes, *id),
    }
}

const WAITING_ORDERS: usize = 4_096;

const BATCH: usize = 512;
