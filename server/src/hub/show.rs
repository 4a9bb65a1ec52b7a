//! The lobby as everybody is shown it, and how often.

use std::sync::Arc;
use std::time::Duration;

use boombots_protocol as protocol;

use super::Hub;
use crate::shown_lobby::ShownLobby;

impl Hub {
    /// Has the lobby shown soon.
    pub(super) fn changed(&mut self) {
        let soonest = self.shown_at + self.show_pause();
        self.show_at.get_or_insert(soonest.max(self.timeline.now()));
    }

    /// How long the lobby is shown at least before it is shown again: what goes out grows with the square of the users.
    fn show_pause(&self) -> Duration {
        (SHOW_PAUSE_A_USER * self.outboxes.len() as u32).clamp(PROMPT, LONGEST_PAUSE)
    }

    pub(super) fn show(&mut self) {
        self.show_at = None;
        self.shown_at = self.timeline.now();
        self.shown.send_replace(Arc::new(self.written()));
        metrics::gauge!("boombots_users").set(self.lobby.connected() as f64);
        metrics::gauge!("boombots_games_live").set(self.lobby.live_games() as f64);
    }

    pub(super) fn written(&self) -> ShownLobby {
        let business = self.bots.business();
        let bots = protocol::LobbyBots {
            levels: *protocol::BOT_LEVELS.end(),
            slots: business.slots as u32,
            thinking: business.thinking as u32,
            queued: business.queued as u32,
        };
        let builds = self.tables.builds();
        let builds = builds.borrow();
        let tables = protocol::LobbyTables {
            ready: builds.ready.clone(),
            building: builds.current.as_ref().map(|build| build.class.clone()),
            problems: self.tables.problems().borrow().clone(),
        };
        drop(builds);
        let lobby = protocol::Lobby { bots, tables, ..self.lobby.view() };
        ShownLobby::new(lobby, self.lobby.challenges_by_user())
    }

    /// Whether whatever changes is shown soon enough for those whom it concerns.
    pub(super) fn shows_soon(&self) -> bool {
        self.show_pause() <= SOON
    }
}

/// Soon enough for anybody.
const PROMPT: Duration = Duration::from_millis(20);

/// Soon enough for a challenge.
const SOON: Duration = Duration::from_millis(200);

const SHOW_PAUSE_A_USER: Duration = Duration::from_micros(1_500);

const LONGEST_PAUSE: Duration = Duration::from_secs(3);
