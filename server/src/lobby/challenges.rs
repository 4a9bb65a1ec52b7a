//! Challenges, from sending to the game or to nothing.

use boombots_protocol::{ClockSettings, ColorChoice, ErrorCode};
use boombots_rules::Color;

use super::start::{GameStart, check_clock};
use super::{Challenge, Lobby, LobbyEffect};
use crate::ids::{ChallengeId, MatchId, UserId};
use crate::matches::Seat;
use crate::refusal::Refusal;

impl Lobby {
    /// A user asks another for a game.
    pub fn send_challenge(
        &mut self,
        from: UserId,
        to: UserId,
        start: Result<GameStart, Refusal>,
        clock: Option<ClockSettings>,
        color: ColorChoice,
    ) -> Vec<LobbyEffect> {
        let challenge = start.and_then(|start| {
            check_clock(clock)?;
            Ok(Challenge { from, to, start, clock, color, rematch_of: None })
        });
        self.add_challenge(from, challenge)
    }

    fn add_challenge(
        &mut self,
        from: UserId,
        challenge: Result<Challenge, Refusal>,
    ) -> Vec<LobbyEffect> {
        let added = challenge.and_then(|challenge| {
            self.may_challenge(&challenge)?;
            self.last_challenge.0 += 1;
            let to = challenge.to;
            self.challenges.insert(self.last_challenge, challenge);
            Ok(to)
        });
        match added {
            Ok(to) => {
                vec![LobbyEffect::Changed, LobbyEffect::Concerns(to)]
            }
            Err(refusal) => vec![LobbyEffect::Refuse { user: from, refusal }],
        }
    }

    fn may_challenge(&self, challenge: &Challenge) -> Result<(), Refusal> {
        let refuse = |code, message: &str| Err(Refusal::new(code, message));
        if challenge.from == challenge.to {
            return refuse(ErrorCode::NotYourChallenge, "you cannot challenge yourself");
        }
        if self.connection_of(challenge.to).is_none() {
            return refuse(ErrorCode::UnknownUser, "no such user is there");
        }
        self.is_free(challenge.from)?;
        let open = self.challenges.values().filter(|open| open.from == challenge.from).count();
        if open >= self.limits.challenges_of_one {
            return refuse(ErrorCode::ServerFull, "you have too many open challenges");
        }
        let open = self.challenges.values().filter(|open| open.to == challenge.to).count();
        if open >= self.limits.challenges_to_one {
            return refuse(ErrorCode::ServerFull, "too many others challenge that user");
        }
        Ok(())
    }

    /// A user accepts a challenge. Whoever is in a game cannot be in another.
    pub fn accept_challenge(&mut self, user: UserId, id: ChallengeId) -> Vec<LobbyEffect> {
        let accepted = self.challenge_to(user, id).and_then(|challenge| {
            self.is_free(user)?;
            self.is_free(challenge.from)?;
            self.has_room(false)?;
            Ok(challenge)
        });
        let challenge = match accepted {
            Ok(challenge) => challenge,
            Err(refusal) => return vec![LobbyEffect::Refuse { user, refusal }],
        };
        self.challenges.remove(&id);
        let Challenge { from, start, clock, color, .. } = challenge;
        let seats = self.seats(color, self.seat_of(from), self.seat_of(user));
        self.begin(start, clock, seats, from)
    }

    /// A user declines a challenge.
    pub fn decline_challenge(&mut self, user: UserId, id: ChallengeId) -> Vec<LobbyEffect> {
        match self.challenge_to(user, id) {
            Ok(_) => self.end_challenge(id, "declined"),
            Err(refusal) => vec![LobbyEffect::Refuse { user, refusal }],
        }
    }

    /// A user takes a challenge back.
    pub fn cancel_challenge(&mut self, user: UserId, id: ChallengeId) -> Vec<LobbyEffect> {
        let refusal = match self.challenges.get(&id) {
            Some(challenge) if challenge.from == user => {
                return self.end_challenge(id, "cancelled");
            }
            Some(_) => Refusal::new(ErrorCode::NotYourChallenge, "the challenge is not yours"),
            None => unknown_challenge(),
        };
        vec![LobbyEffect::Refuse { user, refusal }]
    }

    /// A user wants an ended game once more with sides changed.
    pub fn rematch(&mut self, user: UserId, game: Option<MatchId>) -> Vec<LobbyEffect> {
        match self.rematch_of(user, game) {
            Ok(effects) => effects,
            Err(refusal) => vec![LobbyEffect::Refuse { user, refusal }],
        }
    }

    fn rematch_of(
        &mut self,
        user: UserId,
        game: Option<MatchId>,
    ) -> Result<Vec<LobbyEffect>, Refusal> {
        let id =
            game.or_else(|| self.users.get(&user)?.latest).ok_or_else(super::begin::no_game)?;
        let ended = self.games.get(&id).ok_or_else(super::begin::no_game)?;
        let not_possible = |message: &str| Refusal::new(ErrorCode::NotPossible, message);
        if ended.is_live {
            return Err(not_possible("the game goes on"));
        }
        let seat =
            Color::ALL.into_iter().find(|color| ended.seats[color.index()].user() == Some(user));
        let color = seat
            .ok_or_else(|| Refusal::new(ErrorCode::NotAPlayer, "you did not play in this game"))?;
        let (start, clock) = (ended.start.clone(), ended.clock);
        let opponent = ended.seats[(!color).index()].clone();
        let mine = match color {
            Color::White => ColorChoice::Black,
            Color::Black => ColorChoice::White,
        };
        let Some(other) = opponent.user() else {
            return Ok(self.start_against(user, opponent, Ok(start), clock, mine));
        };
        let asked = self.challenges.iter().find(|(_, challenge)| {
            challenge.rematch_of == Some(id) && challenge.from == other && challenge.to == user
        });
        if let Some((&asked, _)) = asked {
            return Ok(self.accept_challenge(user, asked));
        }
        let challenge =
            Challenge { from: user, to: other, start, clock, color: mine, rematch_of: Some(id) };
        Ok(self.add_challenge(user, Ok(challenge)))
    }

    fn challenge_to(&self, user: UserId, id: ChallengeId) -> Result<Challenge, Refusal> {
        let challenge = self.challenges.get(&id).ok_or_else(unknown_challenge)?;
        if challenge.to != user {
            let message = "the challenge is not to you";
            return Err(Refusal::new(ErrorCode::NotYourChallenge, message));
        }
        Ok(challenge.clone())
    }

    fn end_challenge(&mut self, id: ChallengeId, reason: &'static str) -> Vec<LobbyEffect> {
        let Some(challenge) = self.challenges.remove(&id) else { return Vec::new() };
        let mut effects = vec![LobbyEffect::Changed];
        for user in [challenge.from, challenge.to] {
            effects.push(LobbyEffect::ChallengeEnded { user, challenge: id, reason });
        }
        effects
    }

    /// Ends every challenge of and to a user.
    pub(super) fn end_challenges_of(
        &mut self,
        user: UserId,
        reason: &'static str,
    ) -> Vec<LobbyEffect> {
        let concerned = |challenge: &Challenge| challenge.from == user || challenge.to == user;
        let ended: Vec<ChallengeId> = self
            .challenges
            .iter()
            .filter(|(_, challenge)| concerned(challenge))
            .map(|(&id, _)| id)
            .collect();
        ended.into_iter().flat_map(|id| self.end_challenge(id, reason)).collect()
    }

    pub(super) fn seat_of(&self, user: UserId) -> Seat {
        Seat::human(user, self.name_of(user).unwrap_or_default())
    }

    /// White's and Black's seat, given who would like which.
    pub(super) fn seats(&mut self, color: ColorChoice, asking: Seat, other: Seat) -> [Seat; 2] {
        let is_white = match color {
            ColorChoice::White => true,
            ColorChoice::Black => false,
            ColorChoice::Random => self.lot(),
        };
        if is_white { [asking, other] } else { [other, asking] }
    }
}

fn unknown_challenge() -> Refusal {
    Refusal::new(ErrorCode::UnknownChallenge, "there is no such challenge, or no longer")
}
