//! The lobby as the protocol shows it.

use std::collections::HashMap;

use boombots_protocol as protocol;
use boombots_rules::{Boombots, Game as _};

use super::{Challenge, Lobby};
use crate::ids::{ChallengeId, UserId};
use crate::matches::players_of;

impl Lobby {
    /// What everybody sees, but for bots and tables. Challenges are between two.
    pub fn view(&self) -> protocol::Lobby {
        let users = self.users.iter().filter(|(_, user)| user.connection.is_some());
        let users = users.map(|(id, user)| protocol::User {
            id: id.0,
            name: user.name.as_str().to_owned(),
            playing: user.playing.map(|game| game.0),
        });
        let games = self.games.iter().rev().filter(|(_, game)| game.is_live);
        let games = games.take(SHOWN_GAMES).map(|(id, game)| protocol::LiveGame {
            id: id.0,
            game: Boombots::ID.to_owned(),
            players: players_of(&game.seats),
        });
        protocol::Lobby {
            users: users.collect(),
            games: games.collect(),
            game_count: self.live_games() as u32,
            ..protocol::Lobby::default()
        }
    }

    /// The open challenges of and to a user.
    pub fn challenges_of(&self, user: UserId) -> Vec<protocol::Challenge> {
        let concerns = |challenge: &&Challenge| challenge.from == user || challenge.to == user;
        let challenges = self.challenges.iter();
        let mine = challenges.filter(|(_, challenge)| concerns(challenge));
        mine.map(|(id, challenge)| self.challenge_view(*id, challenge)).collect()
    }

    /// The open challenges of and to everybody who has any.
    pub fn challenges_by_user(&self) -> HashMap<UserId, Vec<protocol::Challenge>> {
        let mut by_user: HashMap<UserId, Vec<protocol::Challenge>> = HashMap::new();
        for (id, challenge) in &self.challenges {
            for user in [challenge.from, challenge.to] {
                by_user.entry(user).or_default().push(self.challenge_view(*id, challenge));
            }
        }
        by_user
    }

    fn challenge_view(&self, id: ChallengeId, challenge: &Challenge) -> protocol::Challenge {
        protocol::Challenge {
            id: id.0,
            challenger_id: challenge.from.0,
            challenger_name: self.name_of(challenge.from).unwrap_or_default().to_owned(),
            target_id: challenge.to.0,
            game: Boombots::ID.to_owned(),
            start: challenge.start.label.clone(),
            clock: challenge.clock,
            color: challenge.color,
            rematch_of: challenge.rematch_of.map(|game| game.0),
        }
    }
}

const SHOWN_GAMES: usize = 100;
