//! The lobby as text: the same for all but for the challenges, which are each user's own.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use boombots_protocol::{Challenge, Lobby, ServerMessage};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::ids::UserId;
use crate::text::Text;

/// A lobby that was written once for all.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownLobby {
    /// Up to the challenges, and from there on.
    around: Arc<[Utf8Bytes; 2]>,
    challenges: HashMap<UserId, Vec<Challenge>>,
}

impl ShownLobby {
    /// Writes a lobby; its own challenges are left out.
    pub(crate) fn new(lobby: Lobby, challenges: HashMap<UserId, Vec<Challenge>>) -> ShownLobby {
        let text = ServerMessage::Lobby(Lobby { challenges: Vec::new(), ..lobby }).to_text();
        // Quotation marks within a name are escaped, so that this is found nowhere else.
        let (head, tail) = text.split_once(NO_CHALLENGES).unwrap_or((&text, ""));
        ShownLobby { around: Arc::new([head.into(), tail.into()]), challenges }
    }

    /// Over which time it is shown to everybody: longer ones over longer.
    pub(crate) fn spread(&self) -> Duration {
        let length = self.around.iter().map(|part| part.len() as u64).sum::<u64>();
        Duration::from_millis(length / LENGTH_A_MILLISECOND).min(LONGEST_SPREAD)
    }

    /// The message for a user.
    pub(crate) fn text_for(&self, user: UserId) -> Text {
        self.text_with(self.challenges.get(&user).map_or(&[], Vec::as_slice))
    }

    /// The message with other challenges.
    pub(crate) fn text_with(&self, challenges: &[Challenge]) -> Text {
        let own = match challenges {
            [] => Utf8Bytes::from_static(NO_CHALLENGES),
            challenges => {
                let challenges = serde_json::to_string(challenges).unwrap_or_default();
                format!("\"challenges\":{challenges}").into()
            }
        };
        Text::Around(Arc::clone(&self.around), own)
    }
}

/// A lobby of a few users is shown at once, one of two thousand within two seconds.
const LENGTH_A_MILLISECOND: u64 = 50;

const LONGEST_SPREAD: Duration = Duration::from_secs(2);

const NO_CHALLENGES: &str = "\"challenges\":[]";

#[cfg(test)]
mod tests {
    use boombots_protocol::User;

    use super::*;

    #[test]
    fn names_cannot_get_in_the_way() {
        let name = "\"challenges\":[]".to_owned();
        let users = vec![User { id: 1, name, playing: None }];
        let lobby = Lobby { users, game_count: 3, ..Lobby::default() };
        let shown = ShownLobby::new(lobby.clone(), HashMap::new());
        let read: ServerMessage =
            serde_json::from_str(&shown.text_for(UserId(1)).joined()).unwrap();
        assert_eq!(read, ServerMessage::Lobby(lobby));
    }
}
