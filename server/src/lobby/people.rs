//! Users come, go and come back.

use std::time::Duration;

use boombots_protocol::ErrorCode;

use super::{Lobby, LobbyEffect, User};
use crate::ids::{ConnectionId, UserId};
use crate::name::Name;
use crate::refusal::Refusal;
use crate::token::TokenDigest;

impl Lobby {
    /// A connection says who it is. `fresh` is the token of a new user.
    pub fn connect(
        &mut self,
        connection: ConnectionId,
        name: &str,
        resume: Option<TokenDigest>,
        fresh: TokenDigest,
    ) -> Vec<LobbyEffect> {
        if let Some(user) = resume.and_then(|token| self.tokens.get(&token).copied()) {
            return self.resume(connection, user);
        }
        match self.new_user(name, fresh) {
            Ok((user, dropped)) => {
                if let Some(entry) = self.users.get_mut(&user) {
                    entry.connection = Some(connection);
                }
                let welcome =
                    LobbyEffect::Welcome { connection, user, resumed: false, playing: None };
                [dropped, vec![welcome, LobbyEffect::Changed]].concat()
            }
            Err(refusal) => vec![LobbyEffect::RefuseConnection { connection, refusal }],
        }
    }

    fn resume(&mut self, connection: ConnectionId, user: UserId) -> Vec<LobbyEffect> {
        let Some(entry) = self.users.get_mut(&user) else { return Vec::new() };
        let mut effects = Vec::new();
        if let Some(old) = entry.connection.replace(connection) {
            effects.push(LobbyEffect::Replace { connection: old });
        }
        entry.away_since = None;
        let playing = entry.playing;
        effects.push(LobbyEffect::Welcome { connection, user, resumed: true, playing });
        // An ended game is shown as well: the end may have been missed.
        let latest = entry.latest.filter(|latest| !entry.watching.contains(latest));
        let mut games = entry.watching.clone();
        games.extend(playing.or(latest));
        games.retain(|game| self.games.contains_key(game));
        effects.extend(games.into_iter().map(|game| LobbyEffect::Join { game, user }));
        effects.push(LobbyEffect::Changed);
        effects
    }

    fn new_user(
        &mut self,
        name: &str,
        token: TokenDigest,
    ) -> Result<(UserId, Vec<LobbyEffect>), Refusal> {
        let name = Name::new(name)
            .map_err(|error| Refusal::new(ErrorCode::NameInvalid, error.to_string()))?;
        let mut effects = Vec::new();
        if let Some(&holder) = self.names.get(name.key()) {
            if !self.gives_up_its_name(holder) {
                let message = format!("somebody is called {:?} already", name.as_str());
                return Err(Refusal::new(ErrorCode::NameTaken, message));
            }
            effects.extend(self.forget(holder));
        }
        if self.users.len() >= self.limits.users {
            return Err(Refusal::new(ErrorCode::ServerFull, "the server is full; try later"));
        }
        self.last_user.0 += 1;
        let user = self.last_user;
        self.insert_user(user, name, token, None);
        Ok((user, effects))
    }

    /// A user from before a restart, who is away.
    pub fn restore_user(
        &mut self,
        user: UserId,
        name: &str,
        token: TokenDigest,
        now: Duration,
    ) -> bool {
        let Ok(name) = Name::new(name) else { return false };
        self.insert_user(user, name, token, Some(now));
        true
    }

    fn insert_user(
        &mut self,
        user: UserId,
        name: Name,
        token: TokenDigest,
        away_since: Option<Duration>,
    ) {
        self.last_user = self.last_user.max(user);
        self.names.insert(name.key().clone(), user);
        self.tokens.insert(token, user);
        let entry = User {
            name,
            token,
            connection: None,
            away_since,
            playing: None,
            latest: None,
            watching: Vec::new(),
        };
        self.users.insert(user, entry);
    }

    /// A lost session without a game makes room for whoever wants its name.
    fn gives_up_its_name(&self, user: UserId) -> bool {
        self.users.get(&user).is_none_or(|user| user.connection.is_none() && user.playing.is_none())
    }

    /// A connection was lost or closed.
    pub fn disconnect(
        &mut self,
        user: UserId,
        connection: ConnectionId,
        now: Duration,
    ) -> Vec<LobbyEffect> {
        let Some(entry) = self.users.get_mut(&user) else { return Vec::new() };
        if entry.connection != Some(connection) {
            // The user is back by another one already.
            return Vec::new();
        }
        entry.connection = None;
        entry.away_since = Some(now);
        let games = entry.watching.iter().copied().chain(entry.playing);
        let mut effects: Vec<LobbyEffect> =
            games.map(|game| LobbyEffect::Gone { game, user }).collect();
        effects.extend(self.end_challenges_of(user, "cancelled"));
        effects.push(LobbyEffect::Changed);
        effects
    }

    /// Forgets those who did not come back.
    pub fn time_passed(&mut self, now: Duration) -> Vec<LobbyEffect> {
        let grace = self.limits.grace;
        let expired = |user: &User| {
            user.playing.is_none() && user.away_since.is_some_and(|since| now >= since + grace)
        };
        let expired: Vec<UserId> =
            self.users.iter().filter(|(_, user)| expired(user)).map(|(&id, _)| id).collect();
        expired.into_iter().flat_map(|user| self.forget(user)).collect()
    }

    fn forget(&mut self, user: UserId) -> Vec<LobbyEffect> {
        let effects = self.end_challenges_of(user, "cancelled");
        if let Some(entry) = self.users.remove(&user) {
            self.names.remove(entry.name.key());
            self.tokens.remove(&entry.token);
        }
        effects
    }
}
