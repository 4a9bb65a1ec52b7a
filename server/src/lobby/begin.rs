//! Games begin, are watched, and end.

use boombots_protocol::{BOT_LEVELS, Bot, ClockSettings, ColorChoice, ErrorCode};
use boombots_rules::{Boombots, Color};

use super::start::{Begin, GameStart, check_clock};
use super::{Lobby, LobbyEffect, LobbyGame};
use crate::ids::{MatchId, UserId};
use crate::matches::{Event, Seat};
use crate::refusal::Refusal;

impl Lobby {
    /// Two bots play, and a user watches.
    pub fn start_bot_match(
        &mut self,
        user: UserId,
        start: Result<GameStart, Refusal>,
    ) -> Vec<LobbyEffect> {
        let level = *BOT_LEVELS.end();
        let seats = Color::ALL.map(|color| Seat::from(self.bot(color, level)));
        let begun = start.and_then(|start| {
            self.has_room(true)?;
            self.may_watch(user)?;
            Ok(start)
        });
        match begun {
            Ok(start) => self.begin(start, None, seats, user),
            Err(refusal) => vec![LobbyEffect::Refuse { user, refusal }],
        }
    }

    /// A user plays against a bot.
    pub fn start_bot_game(
        &mut self,
        user: UserId,
        start: Result<GameStart, Refusal>,
        clock: Option<ClockSettings>,
        color: ColorChoice,
        level: u8,
    ) -> Vec<LobbyEffect> {
        if !BOT_LEVELS.contains(&level) {
            let (first, last) = (BOT_LEVELS.start(), BOT_LEVELS.end());
            let message = format!("bots have levels {first} to {last}");
            let refusal = Refusal::new(ErrorCode::BadMessage, message);
            return vec![LobbyEffect::Refuse { user, refusal }];
        }
        let bot = Seat::from(self.bot(Color::White, level));
        self.start_against(user, bot, start, clock, color)
    }

    pub(super) fn start_against(
        &mut self,
        user: UserId,
        bot: Seat,
        start: Result<GameStart, Refusal>,
        clock: Option<ClockSettings>,
        color: ColorChoice,
    ) -> Vec<LobbyEffect> {
        let begun = start.and_then(|start| {
            check_clock(clock)?;
            self.is_free(user)?;
            self.has_room(true)?;
            Ok(start)
        });
        let start = match begun {
            Ok(start) => start,
            Err(refusal) => return vec![LobbyEffect::Refuse { user, refusal }],
        };
        let mut seats = self.seats(color, self.seat_of(user), bot);
        for color in Color::ALL {
            if let Seat::Bot(bot) = &mut seats[color.index()] {
                // Whether a bot asks the tables is a matter of its side.
                *bot = self.bot(color, bot.level);
            }
        }
        self.begin(start, clock, seats, user)
    }

    fn bot(&self, color: Color, level: u8) -> Bot {
        Bot { level, tables: self.limits.bot_tables[color.index()] }
    }

    pub(super) fn begin(
        &mut self,
        start: GameStart,
        clock: Option<ClockSettings>,
        seats: [Seat; 2],
        creator: UserId,
    ) -> Vec<LobbyEffect> {
        self.last_match.0 += 1;
        let id = self.last_match;
        let begin = Begin { id, start, clock, seats, creator };
        let audience = begin.audience();
        let mut effects = vec![LobbyEffect::Begin(Box::new(begin.clone()))];
        self.enter(begin);
        for user in audience {
            effects.extend(self.end_challenges_of(user, "playing"));
        }
        effects.push(LobbyEffect::Changed);
        effects
    }

    /// A game from before a restart goes on.
    pub fn restore_game(&mut self, begin: Begin) {
        self.last_match = self.last_match.max(begin.id);
        self.enter(begin);
    }

    /// Puts a game on the list.
    fn enter(&mut self, begin: Begin) {
        let audience = begin.audience();
        let Begin { id, start, clock, seats, creator } = begin;
        let is_between_bots = seats.iter().all(Seat::is_bot);
        for user in &audience {
            if let Some(entry) = self.users.get_mut(user) {
                entry.latest = Some(id);
                if is_between_bots {
                    entry.watching.push(id);
                } else {
                    entry.playing = Some(id);
                    entry.watching.retain(|watched| *watched != id);
                }
            }
        }
        self.games.insert(id, LobbyGame { seats, start, clock, creator, is_live: true });
    }

    /// A user watches a game, or wants to see all of it once more.
    pub fn spectate(&mut self, user: UserId, game: MatchId) -> Vec<LobbyEffect> {
        let allowed = match self.games.contains_key(&game) {
            true => self.may_watch(user),
            false => Err(no_game()),
        };
        if let Err(refusal) = allowed {
            return vec![LobbyEffect::Refuse { user, refusal }];
        }
        if let Some(entry) = self.users.get_mut(&user) {
            if entry.playing != Some(game) && !entry.watching.contains(&game) {
                entry.watching.push(game);
            }
            entry.latest = Some(game);
        }
        vec![LobbyEffect::Join { game, user }]
    }

    /// A user leaves a game.
    pub fn leave(&mut self, user: UserId, game: Option<MatchId>) -> Vec<LobbyEffect> {
        let Ok(game) = self.game_meant(user, game) else {
            return vec![LobbyEffect::Refuse { user, refusal: no_game() }];
        };
        if let Some(entry) = self.users.get_mut(&user) {
            entry.watching.retain(|watched| *watched != game);
            if entry.playing != Some(game) {
                entry.latest = entry.latest.filter(|latest| *latest != game);
            }
        }
        vec![LobbyEffect::Leave { game, user }]
    }

    /// Something happens in a game.
    pub fn happens(
        &mut self,
        user: UserId,
        game: Option<MatchId>,
        event: Event<Boombots>,
    ) -> Vec<LobbyEffect> {
        match self.game_meant(user, game) {
            Ok(game) => vec![LobbyEffect::Happens { game, user, event }],
            Err(refusal) => vec![LobbyEffect::Refuse { user, refusal }],
        }
    }

    /// A game has ended; its players are free.
    pub fn game_ended(&mut self, id: MatchId) -> Vec<LobbyEffect> {
        let Some(game) = self.games.get_mut(&id) else { return Vec::new() };
        game.is_live = false;
        for user in game.seats.iter().filter_map(Seat::user) {
            if let Some(entry) = self.users.get_mut(&user)
                && entry.playing == Some(id)
            {
                entry.playing = None;
            }
        }
        vec![LobbyEffect::Changed]
    }

    /// A game that ended is no longer shown.
    pub fn game_closed(&mut self, id: MatchId) {
        self.games.remove(&id);
        for user in self.users.values_mut() {
            user.watching.retain(|watched| *watched != id);
            user.latest = user.latest.filter(|latest| *latest != id);
        }
    }

    /// The game that a message is about: the named one, or that played, watched or played last.
    fn game_meant(&self, user: UserId, game: Option<MatchId>) -> Result<MatchId, Refusal> {
        let entry = self.users.get(&user);
        let meant = game.or_else(|| entry.and_then(|user| user.playing.or(user.latest)));
        meant.filter(|game| self.games.contains_key(game)).ok_or_else(no_game)
    }

    pub(super) fn is_free(&self, user: UserId) -> Result<(), Refusal> {
        match self.users.get(&user).and_then(|user| user.playing) {
            None => Ok(()),
            Some(game) => {
                let name = self.name_of(user).unwrap_or_default();
                let message = format!("{name:?} plays in game {game}");
                Err(Refusal::new(ErrorCode::AlreadyPlaying, message))
            }
        }
    }

    pub(super) fn has_room(&self, with_bot: bool) -> Result<(), Refusal> {
        let full = |message: &str| Err(Refusal::new(ErrorCode::ServerFull, message));
        if self.live_games() >= self.limits.games {
            return full("as many games go on as the server takes");
        }
        let has_bot = |game: &&LobbyGame| game.is_live && game.seats.iter().any(Seat::is_bot);
        if with_bot && self.games.values().filter(has_bot).count() >= self.limits.bot_games {
            return full("the bots play as many games as they can");
        }
        Ok(())
    }

    fn may_watch(&self, user: UserId) -> Result<(), Refusal> {
        let watched = self.users.get(&user).map_or(0, |user| user.watching.len());
        if watched < self.limits.watched_by_one {
            return Ok(());
        }
        Err(Refusal::new(ErrorCode::ServerFull, "you watch as many games as one can; leave one"))
    }

    /// Who started a game.
    pub fn creator_of(&self, id: MatchId) -> Option<UserId> {
        self.games.get(&id).map(|game| game.creator)
    }
}

pub(super) fn no_game() -> Refusal {
    Refusal::new(ErrorCode::UnknownGame, "there is no such game, or no longer")
}
