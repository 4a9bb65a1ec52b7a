//! The SQLite file.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use boombots_protocol::{EndReason, FinishedGame, GameResult, GameSummary, Team};
use boombots_rules::{Boombots, GameRecord};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use thiserror::Error;

use super::rows::{ActionRow, LiveMatch, MatchRow, SessionRow, winner_text};
use crate::ids::{MatchId, UserId};
use crate::token::TokenDigest;

/// Why the file of games cannot be used.
#[derive(Debug, Error)]
#[error("cannot use {}: {problem}", file.display())]
pub struct DatabaseError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong.
    pub problem: String,
}

/// One connection to the file.
#[derive(Debug)]
pub(crate) struct Database {
    connection: Connection,
}

impl Database {
    /// Opens the file and makes it if need be.
    pub(crate) fn open(file: &Path) -> Result<Database, DatabaseError> {
        let failed = |problem: String| DatabaseError { file: file.to_owned(), problem };
        if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let connection = Connection::open(file).map_err(|error| failed(error.to_string()))?;
        let mut database = Database { connection };
        match database.prepare_file().map_err(|error| failed(error.to_string()))? {
            version if version > SCHEMA_VERSION => Err(failed(format!(
                "it was written by a newer server (schema {version}, this one knows {SCHEMA_VERSION})"
            ))),
            _ => Ok(database),
        }
    }

    /// Brings the schema up to date; the file's version.
    fn prepare_file(&mut self) -> rusqlite::Result<u32> {
        let connection = &mut self.connection;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A killed server loses nothing; a power cut at most the last moments.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // Whoever writes waits for the disk only where the other thread does not keep up.
        connection.pragma_update(None, "wal_autocheckpoint", LONG_LOG_PAGES)?;
        let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version == 0 {
            let change = connection.transaction()?;
            change.execute_batch(SCHEMA)?;
            change.pragma_update(None, "user_version", SCHEMA_VERSION)?;
            change.commit()?;
        }
        Ok(version)
    }

    /// Does several changes at once: all or none.
    pub(crate) fn change<T>(
        &mut self,
        changes: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let transaction = self.connection.transaction()?;
        let done = changes(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }

    /// Brings what is in the log to its place in the file, and both to the disk, while others write.
    pub(crate) fn checkpoint(&self) -> rusqlite::Result<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_row| Ok(()))
    }

    /// The highest numbers of users and games so far.
    pub(crate) fn last_ids(&self) -> rusqlite::Result<(UserId, MatchId)> {
        let query = "SELECT last_user, last_match FROM numbers";
        self.connection.query_row(query, [], |row| Ok((UserId(row.get(0)?), MatchId(row.get(1)?))))
    }

    /// Sessions of those who play or watch games that go on; others are forgotten.
    pub(crate) fn sessions(&self) -> rusqlite::Result<Vec<SessionRow>> {
        let forget =
            "DELETE FROM sessions WHERE NOT EXISTS (SELECT 1 FROM matches WHERE ended IS NULL
             AND sessions.user IN (white_user, black_user, creator))";
        self.connection.execute(forget, [])?;
        let mut query = self.connection.prepare("SELECT user, name, token FROM sessions")?;
        let rows = query.query_map([], |row| {
            let token: Vec<u8> = row.get(2)?;
            let token = TokenDigest::from_bytes(&token);
            Ok((UserId(row.get(0)?), row.get::<_, String>(1)?, token))
        })?;
        let mut sessions = Vec::new();
        for row in rows {
            if let (user, name, Some(token)) = row? {
                sessions.push(SessionRow { user, name, token });
            }
        }
        Ok(sessions)
    }

    /// Games that go on.
    pub(crate) fn live(&self) -> rusqlite::Result<Vec<LiveMatch>> {
        let mut query = self.connection.prepare(
            "SELECT id, game, start, white, black, clock, creator FROM matches WHERE ended IS NULL",
        )?;
        let rows = query.query_map([], |row| {
            let json = |column| row.get::<_, Option<String>>(column);
            let player = |column| {
                let text = json(column)?.unwrap_or_default();
                serde_json::from_str(&text).map_err(|error| unreadable(column, error))
            };
            Ok(LiveMatch {
                id: MatchId(row.get(0)?),
                game: row.get(1)?,
                start: row.get(2)?,
                white: player(3)?,
                black: player(4)?,
                clock: json(5)?.and_then(|text| serde_json::from_str(&text).ok()),
                creator: UserId(row.get(6)?),
                actions: Vec::new(),
            })
        })?;
        let mut live = rows.collect::<rusqlite::Result<Vec<LiveMatch>>>()?;
        for game in &mut live {
            game.actions = self.actions(game.id)?;
        }
        Ok(live)
    }

    fn actions(&self, game: MatchId) -> rusqlite::Result<Vec<ActionRow>> {
        let mut query = self.connection.prepare_cached(
            "SELECT number, action, action_id, white_ms, black_ms FROM actions WHERE match = ?1
             ORDER BY number",
        )?;
        let rows = query.query_map([game.0], |row| {
            let white: Option<u32> = row.get(3)?;
            let black: Option<u32> = row.get(4)?;
            Ok(ActionRow {
                game,
                number: row.get(0)?,
                action: row.get(1)?,
                action_id: row.get(2)?,
                left_ms: white.zip(black).map(|(white, black)| [white, black]),
            })
        })?;
        rows.collect()
    }

    /// Finished games below a number, the latest first.
    pub(crate) fn finished(&self, before: u32, limit: u32) -> rusqlite::Result<Vec<GameSummary>> {
        let query = format!("{FINISHED} AND id < ?1 ORDER BY id DESC LIMIT ?2");
        let mut query = self.connection.prepare_cached(&query)?;
        let rows = query.query_map([before, limit], summary)?;
        rows.collect()
    }

    /// One finished game.
    pub(crate) fn finished_game(&self, id: u32) -> rusqlite::Result<Option<FinishedGame>> {
        let query = format!("{FINISHED} AND id = ?1");
        let mut query = self.connection.prepare_cached(&query)?;
        let found = query.query_row([id], |row| Ok((summary(row)?, row.get::<_, String>(9)?)));
        let Some((summary, text)) = found.optional()? else { return Ok(None) };
        let record: Option<GameRecord<Boombots>> = text.parse().ok();
        let (start, history) = record.map_or_else(Default::default, |record| {
            let history = record.actions().iter().map(ToString::to_string).collect();
            (record.start().to_string(), history)
        });
        Ok(Some(FinishedGame { summary, start, history, record: text }))
    }
}

/// Stores a game that begins.
pub(crate) fn insert_match(changes: &Connection, row: &MatchRow) -> rusqlite::Result<()> {
    let json = |value: Result<String, serde_json::Error>| value.unwrap_or_default();
    changes.execute(
        "INSERT INTO matches (id, game, start, white, black, white_user, black_user, clock, creator, created)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            row.id.0,
            row.game,
            row.start,
            json(serde_json::to_string(&row.players.white)),
            json(serde_json::to_string(&row.players.black)),
            row.players.white.id,
            row.players.black.id,
            row.clock.map(|clock| json(serde_json::to_string(&clock))),
            row.creator.0,
            unix_seconds(),
        ],
    )?;
    let last_user = row.sessions.iter().map(|session| session.user.0).max().unwrap_or(0);
    changes.execute(
        "UPDATE numbers SET last_match = max(last_match, ?1), last_user = max(last_user, ?2)",
        [row.id.0, last_user],
    )?;
    for session in &row.sessions {
        changes.execute(
            "INSERT OR REPLACE INTO sessions (user, name, token) VALUES (?1, ?2, ?3)",
            params![session.user.0, session.name, session.token.as_bytes()],
        )?;
    }
    Ok(())
}

/// Stores an action; once.
pub(crate) fn insert_action(changes: &Connection, row: &ActionRow) -> rusqlite::Result<()> {
    let mut insert = changes.prepare_cached(
        "INSERT OR IGNORE INTO actions (match, number, action, action_id, white_ms, black_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let left = |index: usize| row.left_ms.map(|left| left[index]);
    insert.execute(params![row.game.0, row.number, row.action, row.action_id, left(0), left(1)])?;
    Ok(())
}

/// Stores the end of a game; its record takes the place of its actions.
pub(crate) fn end_match(
    changes: &Connection,
    id: MatchId,
    record: &GameRecord<Boombots>,
    result: Option<GameResult>,
) -> rusqlite::Result<()> {
    let reason = result.and_then(|result| serde_json::to_string(&result.reason).ok());
    changes.execute(
        "UPDATE matches SET ended = ?2, winner = ?3, reason = ?4, record = ?5, length = ?6
         WHERE id = ?1",
        params![
            id.0,
            unix_seconds(),
            result.and_then(winner_text),
            reason,
            record.to_string(),
            record.actions().len() as u32,
        ],
    )?;
    changes.execute("DELETE FROM actions WHERE match = ?1", [id.0])?;
    Ok(())
}

/// Forgets a game.
pub(crate) fn remove_match(changes: &Connection, id: MatchId) -> rusqlite::Result<()> {
    changes.execute("DELETE FROM actions WHERE match = ?1", [id.0])?;
    changes.execute("DELETE FROM matches WHERE id = ?1", [id.0])?;
    Ok(())
}

fn summary(row: &Row<'_>) -> rusqlite::Result<GameSummary> {
    let name = |column| {
        let text: String = row.get(column)?;
        serde_json::from_str(&text)
            .map(|player: boombots_protocol::Player| player.name)
            .map_err(|error| unreadable(column, error))
    };
    let winner: Option<String> = row.get(4)?;
    let reason: String = row.get(5)?;
    Ok(GameSummary {
        id: row.get(0)?,
        game: row.get(1)?,
        white: name(2)?,
        black: name(3)?,
        winner: winner.map(|winner| if winner == "white" { Team::White } else { Team::Black }),
        reason: serde_json::from_str(&reason).unwrap_or(EndReason::Boom),
        actions: row.get(6)?,
        created_at: row.get(7)?,
        ended_at: row.get(8)?,
    })
}

fn unreadable(column: usize, error: serde_json::Error) -> rusqlite::Error {
    let kind = rusqlite::types::Type::Text;
    rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
}

fn unix_seconds() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}

/// Of 4 096 bytes each, 64 MiB in all.
const LONG_LOG_PAGES: u32 = 16_384;

const SCHEMA_VERSION: u32 = 1;

const SCHEMA: &str = include_str!("schema.sql");

const FINISHED: &str =
    "SELECT id, game, white, black, winner, reason, length, created, ended, record
     FROM matches WHERE ended IS NOT NULL";
