//! The coordinator's database: a table for each kind of record, in postcard.

use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::analysis::{AnalysisChange, AnalysisRecords};
use crate::scheduler::{Change, Records};

/// The database.
#[derive(Debug)]
pub struct StateDatabase {
    path: std::path::PathBuf,
    database: Option<Database>,
}

/// Why the database cannot be used.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// redb says so.
    #[error("the database {path} cannot be used: {source}")]
    Redb {
        /// The file.
        path: String,
        /// What it says.
        source: Box<redb::Error>,
    },
    /// A record cannot be read.
    #[error("the database {path} holds a record that cannot be read: {source}")]
    Record {
        /// The file.
        path: String,
        /// What is wrong.
        source: postcard::Error,
    },
}

impl StateDatabase {
    /// Opens the database, and makes it first where it is missing.
    ///
    /// # Errors
    /// If it cannot be opened; another coordinator may have it open.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let mut database = Self { path: path.to_owned(), database: None };
        database.ready()?;
        Ok(database)
    }

    /// Everything in it, but for the published classes, which are where their files are.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn load(&mut self) -> Result<Records, DatabaseError> {
        self.apply(&[], &[])?;
        let path = self.path.display().to_string();
        let database = self.ready()?;
        let read = || -> Result<_, redb::Error> {
            let transaction = database.begin_read()?;
            let meta = transaction.open_table(META)?;
            let next_attempt = meta.get(NEXT_ATTEMPT)?.map_or(1, |value| value.value());
            let all = |table| -> Result<Vec<Vec<u8>>, redb::Error> {
                let table = transaction.open_table::<u32, &[u8]>(table)?;
                table.iter()?.map(|entry| Ok(entry?.1.value().to_vec())).collect()
            };
            let deltas = transaction.open_table(DELTAS)?;
            let deltas: Result<Vec<_>, redb::Error> = deltas
                .iter()?
                .map(|entry| {
                    let (key, value) = entry?;
                    Ok((key.value(), value.value().to_vec()))
                })
                .collect();
            let workers = transaction.open_table(WORKERS)?;
            let workers: Result<Vec<_>, redb::Error> =
                workers.iter()?.map(|entry| Ok(entry?.1.value().to_vec())).collect();
            Ok((next_attempt, all(BUILDS)?, all(CLASSES)?, deltas?, workers?))
        };
        let (next_attempt, builds, classes, deltas, workers) = read()
            .map_err(|error| DatabaseError::Redb { path: path.clone(), source: Box::new(error) })?;
        let failed = |source| DatabaseError::Record { path: path.clone(), source };
        Ok(Records {
            builds: decoded(builds).map_err(failed)?,
            classes: decoded(classes).map_err(failed)?,
            deltas: deltas
                .into_iter()
                .map(|(key, value)| Ok((key, postcard::from_bytes(&value)?)))
                .collect::<Result<_, _>>()
                .map_err(failed)?,
            published: Vec::new(),
            workers: decoded(workers).map_err(failed)?,
            next_attempt,
        })
    }

    /// Everything of analyses in it. Counts one start more.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn load_analyses(&mut self) -> Result<AnalysisRecords, DatabaseError> {
        self.apply(&[], &[])?;
        let path = self.path.display().to_string();
        let database = self.ready()?;
        let read = || -> Result<_, redb::Error> {
            let transaction = database.begin_write()?;
            let starts = {
                let mut meta = transaction.open_table(META)?;
                let starts = meta.get(STARTS)?.map_or(1, |value| value.value() + 1);
                meta.insert(STARTS, starts)?;
                starts
            };
            transaction.commit()?;
            let transaction = database.begin_read()?;
            let analyses = transaction.open_table(ANALYSES)?;
            let analyses: Result<Vec<_>, redb::Error> =
                analyses.iter()?.map(|entry| Ok(entry?.1.value().to_vec())).collect();
            let results = transaction.open_table(RESULTS)?;
            let next_result = results.last()?.map_or(0, |(number, _)| number.value() + 1);
            let results: Result<Vec<_>, redb::Error> =
                results.iter()?.map(|entry| Ok(entry?.1.value().to_vec())).collect();
            Ok((starts, analyses?, results?, next_result))
        };
        let (starts, analyses, results, next_result) = read()
            .map_err(|error| DatabaseError::Redb { path: path.clone(), source: Box::new(error) })?;
        let failed = |source| DatabaseError::Record { path: path.clone(), source };
        Ok(AnalysisRecords {
            analyses: decoded(analyses).map_err(failed)?,
            results: decoded(results).map_err(failed)?,
            next_result,
            starts,
        })
    }

    /// Makes changes, all or none of them, and waits until they are on disk.
    ///
    /// # Errors
    /// If they cannot be written. The database is then opened anew the next time.
    pub fn apply(
        &mut self,
        changes: &[Change],
        analyses: &[AnalysisChange],
    ) -> Result<(), DatabaseError> {
        let path = self.path.display().to_string();
        let outcome = write(self.ready()?, changes, analyses);
        outcome.map_err(|error| {
            // After a failed write redb refuses everything until it is opened again.
            self.database = None;
            DatabaseError::Redb { path, source: Box::new(error) }
        })
    }

    fn ready(&mut self) -> Result<&Database, DatabaseError> {
        let database = match self.database.take() {
            Some(database) => database,
            None => Database::create(&self.path).map_err(|error| DatabaseError::Redb {
                path: self.path.display().to_string(),
                source: Box::new(error.into()),
            })?,
        };
        Ok(self.database.insert(database))
    }
}

fn is_overwritten(attempt: u32, later: &[Change]) -> bool {
    later.iter().any(|change| matches!(change, Change::Class(class) if class.attempt == attempt))
}

fn write(
    database: &Database,
    changes: &[Change],
    analyses: &[AnalysisChange],
) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    {
        let mut records = transaction.open_table(ANALYSES)?;
        let mut results = transaction.open_table(RESULTS)?;
        for change in analyses {
            match change {
                AnalysisChange::Analysis(record) => {
                    records.insert(record.id, &encoded(record)[..])?;
                }
                AnalysisChange::Result(number, record) => {
                    results.insert(number, &encoded(record)[..])?;
                }
            }
        }
    }
    {
        let mut meta = transaction.open_table(META)?;
        let mut builds = transaction.open_table(BUILDS)?;
        let mut classes = transaction.open_table(CLASSES)?;
        let mut deltas = transaction.open_table(DELTAS)?;
        let mut workers = transaction.open_table(WORKERS)?;
        for (at, change) in changes.iter().enumerate() {
            match change {
                // Of several states of an attempt the last one counts.
                Change::Class(class) if is_overwritten(class.attempt, &changes[at + 1..]) => {}
                Change::Build(build) => {
                    builds.insert(build.id, &encoded(build)[..])?;
                }
                Change::Class(class) => {
                    classes.insert(class.attempt, &encoded(class)[..])?;
                }
                Change::Delta { attempt, step, shard, record } => {
                    deltas.insert((*attempt, *step, *shard), &encoded(record)[..])?;
                }
                Change::AttemptEnded { attempt } => {
                    classes.remove(*attempt)?;
                    let all = (*attempt, 0, 0)..=(*attempt, u16::MAX, u16::MAX);
                    deltas.retain_in(all, |_, _| false)?;
                }
                Change::Published(_) => {}
                Change::Worker(worker) => {
                    workers.insert(&worker.id.0[..], &encoded(worker)[..])?;
                }
                Change::NextAttempt(attempt) => {
                    meta.insert(NEXT_ATTEMPT, attempt)?;
                }
            }
        }
    }
    transaction.commit()?;
    Ok(())
}

fn encoded(record: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(record).expect("records are plain values")
}

fn decoded<T: DeserializeOwned>(records: Vec<Vec<u8>>) -> Result<Vec<T>, postcard::Error> {
    records.iter().map(|record| postcard::from_bytes(record)).collect()
}

const META: TableDefinition<'_, &str, u32> = TableDefinition::new("meta");
const BUILDS: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("builds");
const CLASSES: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("classes");
const DELTAS: TableDefinition<'_, (u32, u16, u16), &[u8]> = TableDefinition::new("deltas");
const WORKERS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("workers");
const ANALYSES: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("analyses");
const RESULTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("results");
const NEXT_ATTEMPT: &str = "next attempt";
const STARTS: &str = "starts";
