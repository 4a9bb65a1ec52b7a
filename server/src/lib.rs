//! The game server of Boombots.
