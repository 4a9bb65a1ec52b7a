//! The search engine of Boombots.
//!
//! [`Engine`] finds the best action of a position by principal-variation search
//! with a shared transposition table, a quiescence search over booms and, where
//! a folder of them is given, endgame tables.

mod action_list;
mod alpha_beta;
mod blasts;
mod board;
mod busy;
mod completion;
mod engine;
mod evaluation;
mod generate;
mod groups;
mod history;
mod huge_pages;
mod limits;
mod lines;
mod ordering;
mod packed_action;
mod pair;
mod plain;
mod prefetch;
mod principal_variation;
mod proof;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod score;
mod tables;
mod tapered;
mod transposition;
pub mod ugi;
mod weights;
mod worker;
mod zobrist;

pub use board::Board;
pub use engine::{Engine, EngineOptions, Line, Report, Request};
pub use evaluation::{features, static_value};
pub use limits::{Limits, StopSwitch};
pub use packed_action::PackedAction;
pub use plain::plain_search;
pub use proof::{ProofChild, ProofLimits, ProofReport, ProofSearch, Verdict};
pub use score::Score;
pub use tables::EndgameTables;
pub use tapered::Tapered;
pub use weights::{NAMED_WEIGHTS, WEIGHT_COUNT, WEIGHTS, Weight};
