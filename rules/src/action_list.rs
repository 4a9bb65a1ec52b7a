//! The legal actions of one position, without allocation.

use std::fmt;
use std::ops::Deref;

use crate::{Action, Square};

/// A list of the legal actions of one position; dereferences to a slice.
#[derive(Clone)]
pub struct ActionList {
    actions: [Action; ActionList::CAPACITY],
    len: usize,
}

impl ActionList {
    /// The most actions a position can have. Each bot of a stack adds one count
    /// to at most 14 targets, each stack has one boom, and a side has at most
    /// 16 bots: 16 · 14 + 16.
    pub const CAPACITY: usize = 240;

    #[inline]
    pub(crate) const fn new() -> ActionList {
        // A move has no padding, unlike a boom, so that the compiler fills the
        // array as plain bytes; that halves the time of a short list.
        let filler = Action::Move { source: Square::ALL[0], target: Square::ALL[0], count: 0 };
        ActionList { actions: [filler; ActionList::CAPACITY], len: 0 }
    }

    #[inline]
    pub(crate) const fn push(&mut self, action: Action) {
        self.actions[self.len] = action;
        self.len += 1;
    }
}

impl Deref for ActionList {
    type Target = [Action];

    #[inline]
    fn deref(&self) -> &[Action] {
        &self.actions[..self.len]
    }
}

impl<'a> IntoIterator for &'a ActionList {
    type Item = &'a Action;
    type IntoIter = std::slice::Iter<'a, Action>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for ActionList {
    type Item = Action;
    type IntoIter = std::iter::Take<std::array::IntoIter<Action, { ActionList::CAPACITY }>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.actions.into_iter().take(self.len)
    }
}

impl PartialEq for ActionList {
    fn eq(&self, other: &ActionList) -> bool {
        **self == **other
    }
}

impl Eq for ActionList {}

impl fmt::Debug for ActionList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
