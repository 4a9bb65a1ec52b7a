//! Brings what was written to the disk, beside the thread that writes: a disk may take fifty
//! milliseconds, and every action that is to be stored meanwhile would wait for them.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use super::database::Database;

/// The way to the thread that does it, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints(SyncSender<()>);

impl Checkpoints {
    /// Starts the thread, with a connection of its own.
    pub(super) fn start(database: Database) -> std::io::Result<Checkpoints> {
        let (written, writes) = sync_channel(1);
        std::thread::Builder::new().name("checkpoints".to_owned()).spawn(move || {
            while writes.recv().is_ok() {
                if let Err(error) = database.checkpoint() {
                    // The log grows, and whoever writes tries it as well when it is long.
                    tracing::debug!(%error, "what was stored stays in the log");
                }
                std::thread::sleep(PAUSE);
            }
        })?;
        Ok(Checkpoints(written))
    }

    /// Something was written.
    pub(super) fn written(&self) {
        // It is known already if there is no room.
        let _ = self.0.try_send(());
    }
}

const PAUSE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::UserId;

    #[test]
    fn after_a_checkpoint_the_file_has_what_the_log_had() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sqlite");
        let mut writer = Database::open(&file).unwrap();
        let other = Database::open(&file).unwrap();
        other.checkpoint().unwrap();
        let last_user = |name: &str| {
            // The file alone, without its log.
            let copy = folder.path().join(name);
            std::fs::copy(&file, &copy).unwrap();
            Database::open(&copy).unwrap().last_ids().unwrap().0
        };
        let update = "UPDATE numbers SET last_user = 7";
        writer.change(|changes| changes.execute(update, [])).unwrap();
        assert_eq!(last_user("before"), UserId(0));
        other.checkpoint().unwrap();
        assert_eq!(last_user("after"), UserId(7));
    }
}
