//! The lobby: what is there and what is chosen.

use boombots_protocol::{Challenge, LiveGame, Lobby, User};

/// A list of the lobby.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// Other users.
    #[default]
    Players,
    /// Challenges of and to this user.
    Challenges,
    /// Games that can be watched.
    Games,
}

/// What is there and what is chosen.
#[derive(Clone, Debug, Default)]
pub struct LobbyState {
    /// The lobby as the server last told.
    pub lobby: Lobby,
    /// The list that has the keys.
    pub pane: Pane,
    chosen: [Chosen; 3],
}

/// A row of a list: kept by number while the row is there, and by place when it goes.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    id: Option<u32>,
    row: usize,
}

impl Pane {
    /// All lists, in the order of Tab.
    pub const ALL: [Pane; 3] = [Pane::Players, Pane::Challenges, Pane::Games];

    /// The list after or before.
    pub fn step(self, by: isize) -> Pane {
        Pane::ALL[(self as isize + by).rem_euclid(Pane::ALL.len() as isize) as usize]
    }
}

impl LobbyState {
    /// Takes the lobby as it is now, without the user itself among the players.
    pub fn take(&mut self, mut lobby: Lobby, me: Option<u32>) {
        lobby.users.retain(|user| Some(user.id) != me);
        self.lobby = lobby;
        for pane in Pane::ALL {
            let ids = self.ids(pane);
            let chosen = &mut self.chosen[pane as usize];
            match ids.iter().position(|&id| Some(id) == chosen.id) {
                Some(row) => chosen.row = row,
                None => {
                    chosen.row = chosen.row.min(ids.len().saturating_sub(1));
                    chosen.id = ids.get(chosen.row).copied();
                }
            }
        }
    }

    /// How many rows a list has.
    pub fn len(&self, pane: Pane) -> usize {
        match pane {
            Pane::Players => self.lobby.users.len(),
            Pane::Challenges => self.lobby.challenges.len(),
            Pane::Games => self.lobby.games.len(),
        }
    }

    /// The chosen row of a list.
    pub fn row(&self, pane: Pane) -> Option<usize> {
        Some(self.chosen[pane as usize].row).filter(|&row| row < self.len(pane))
    }

    /// Chooses a row of the list that has the keys, the nearest there is.
    pub fn choose(&mut self, row: usize) {
        let ids = self.ids(self.pane);
        let row = row.min(ids.len().saturating_sub(1));
        self.chosen[self.pane as usize] = Chosen { id: ids.get(row).copied(), row };
    }

    /// Chooses a row further on or back.
    pub fn step(&mut self, by: isize) {
        let row = self.chosen[self.pane as usize].row;
        self.choose(row.saturating_add_signed(by));
    }

    /// The chosen player.
    pub fn player(&self) -> Option<&User> {
        self.lobby.users.get(self.row(Pane::Players)?)
    }

    /// The chosen challenge.
    pub fn challenge(&self) -> Option<&Challenge> {
        self.lobby.challenges.get(self.row(Pane::Challenges)?)
    }

    /// The chosen game.
    pub fn game(&self) -> Option<&LiveGame> {
        self.lobby.games.get(self.row(Pane::Games)?)
    }

    /// The name of a user, as far as it is known.
    pub fn name(&self, id: u32) -> &str {
        self.lobby.users.iter().find(|user| user.id == id).map_or("?", |user| &user.name)
    }

    fn ids(&self, pane: Pane) -> Vec<u32> {
        match pane {
            Pane::Players => self.lobby.users.iter().map(|user| user.id).collect(),
            Pane::Challenges => self.lobby.challenges.iter().map(|open| open.id).collect(),
            Pane::Games => self.lobby.games.iter().map(|game| game.id).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lobby(ids: &[u32]) -> Lobby {
        let user = |&id: &u32| User { id, name: format!("user {id}"), playing: None };
        Lobby { users: ids.iter().map(user).collect(), ..Lobby::default() }
    }

    #[test]
    fn the_chosen_player_stays_chosen_while_others_come_and_go() {
        let mut state = LobbyState::default();
        state.take(lobby(&[1, 2, 3, 4]), Some(1));
        state.step(1);
        assert_eq!(state.player().unwrap().id, 3);
        state.take(lobby(&[1, 3, 9]), Some(1));
        assert_eq!(state.player().unwrap().id, 3);
        state.take(lobby(&[1, 8, 9]), Some(1));
        assert_eq!(state.player().unwrap().id, 8);
        state.take(lobby(&[1]), Some(1));
        assert!(state.player().is_none());
        state.step(5);
        state.take(lobby(&[1, 5]), Some(1));
        assert_eq!(state.player().unwrap().id, 5);
    }

    #[test]
    fn panes_go_round() {
        assert_eq!(Pane::Players.step(-1), Pane::Games);
        assert_eq!(Pane::Games.step(1), Pane::Players);
    }
}
