//! Who plays a side.

use std::collections::VecDeque;
use std::time::Duration;

use crate::ids::UserId;

/// Who plays a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person.
    Human(Human),
    /// A bot.
    Bot(boombots_protocol::Bot),
}

/// A person who plays a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Human {
    /// Who it is.
    pub user: UserId,
    /// By what name.
    pub name: String,
    /// Since when the person is away.
    pub(super) away_since: Option<Duration>,
    /// The names of the last actions, so that none is applied twice.
    pub(super) action_ids: VecDeque<String>,
}

impl Seat {
    /// A person's seat.
    pub fn human(user: UserId, name: impl Into<String>) -> Seat {
        let (name, action_ids) = (name.into(), VecDeque::new());
        Seat::Human(Human { user, name, away_since: None, action_ids })
    }

    /// The person.
    pub fn as_human(&self) -> Option<&Human> {
        match self {
            Seat::Human(human) => Some(human),
            Seat::Bot(_) => None,
        }
    }

    /// The user who sits here.
    pub fn user(&self) -> Option<UserId> {
        self.as_human().map(|human| human.user)
    }

    /// Whether a bot sits here.
    pub fn is_bot(&self) -> bool {
        matches!(self, Seat::Bot(_))
    }

    /// The name that players see.
    pub fn name(&self) -> String {
        match self {
            Seat::Human(human) => human.name.clone(),
            Seat::Bot(bot) => format!("Bot {}", bot.level),
        }
    }
}

impl Human {
    /// Remembers the name of an action.
    pub(super) fn remember(&mut self, action_id: Option<String>) {
        if let Some(id) = action_id {
            self.action_ids.push_back(id);
            if self.action_ids.len() > REMEMBERED_ACTIONS {
                self.action_ids.pop_front();
            }
        }
    }
}

/// A client that lost its connection has far fewer actions under way.
const REMEMBERED_ACTIONS: usize = 16;
