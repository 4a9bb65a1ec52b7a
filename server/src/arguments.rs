//! The command line.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use boombots_probe::Class;
use boombots_server::ServerOptions;
use clap::{ArgAction, Parser};

/// The Boombots game server: lobby, games, bots and tables on one port.
///
/// It needs no configuration: without tables it builds those up to 3v3 in the background and uses
/// each as it is finished. What it says is chosen by RUST_LOG (for example `debug`).
#[derive(Debug, Parser)]
#[command(name = "boombots-server", version)]
pub(crate) struct Arguments {
    /// Where to listen; 0.0.0.0:8008 takes connections of other machines as well.
    #[arg(long, env = "BOOMBOTS_ADDR", default_value = "127.0.0.1:8008")]
    addr: SocketAddr,
    /// The folder of tables.
    #[arg(long, env = "BOOMBOTS_TABLES", value_name = "DIR", default_value = ".data/tablebase")]
    tables: PathBuf,
    /// Do not build missing tables.
    #[arg(long, env = "BOOMBOTS_NO_BUILD")]
    no_build: bool,
    /// The largest class to build if it is missing.
    #[arg(long, env = "BOOMBOTS_BUILD_UP_TO", value_name = "CLASS", default_value = "3v3")]
    build_up_to: Class,
    /// Mebibytes of memory for decoded parts of tables.
    #[arg(long, env = "BOOMBOTS_TABLE_CACHE", value_name = "MIB", default_value_t = 256)]
    table_cache: u64,
    /// The file of games and sessions.
    #[arg(
        long,
        env = "BOOMBOTS_DATABASE",
        value_name = "FILE",
        default_value = ".data/games.sqlite"
    )]
    database: PathBuf,
    /// A cluster's coordinator (http://HOST:PORT) whose builds are shown.
    #[arg(long, env = "BOOMBOTS_COORDINATOR", value_name = "URL")]
    coordinator: Option<String>,
    /// Its admin secret (DATA/identity/admin-secret), so that the cluster works on users' deep
    /// analyses; without it the server does so by itself.
    #[arg(
        long,
        env = "BOOMBOTS_COORDINATOR_SECRET",
        value_name = "FILE",
        requires = "coordinator"
    )]
    coordinator_secret: Option<PathBuf>,
    /// Serve the web client from this folder and not the one built in.
    #[arg(long, env = "BOOMBOTS_WEB", value_name = "DIR")]
    web: Option<PathBuf>,
    /// A page's origin (https://HOST) that may connect beside the server's own; * for any.
    #[arg(long, env = "BOOMBOTS_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',')]
    allow_origin: Vec<String>,
    /// Searches of bots that run at once; one for each processor if it is left out.
    #[arg(long, env = "BOOMBOTS_BOT_SLOTS", value_name = "N")]
    bot_slots: Option<NonZeroU32>,
    /// Mebibytes of memory for each search.
    #[arg(long, env = "BOOMBOTS_BOT_HASH", value_name = "MIB", default_value_t = 64)]
    bot_hash: usize,
    /// Milliseconds a bot may think.
    #[arg(long, env = "BOOMBOTS_BOT_BUDGET_MS", value_name = "MS", default_value_t = 5_000)]
    bot_budget_ms: u64,
    /// Whether White's bot asks the tables.
    #[arg(long, env = "BOOMBOTS_WHITE_TABLES", value_name = "BOOL", action = ArgAction::Set, default_value_t = false)]
    white_tables: bool,
    /// Whether Black's bot asks the tables.
    #[arg(long, env = "BOOMBOTS_BLACK_TABLES", value_name = "BOOL", action = ArgAction::Set, default_value_t = true)]
    black_tables: bool,
    /// Seconds for which a lost session is kept, and a player may be away from a game.
    #[arg(long, env = "BOOMBOTS_GRACE", value_name = "SECONDS", default_value_t = 60)]
    grace: u64,
    /// Connections at most.
    #[arg(long, env = "BOOMBOTS_MAX_CONNECTIONS", value_name = "N", default_value_t = 10_000)]
    max_connections: usize,
    /// Connections of one address at most that have not completed a handshake; behind a proxy all
    /// have its address.
    #[arg(long, env = "BOOMBOTS_MAX_PENDING", value_name = "N", default_value_t = 1_000)]
    max_pending: usize,
    /// Games at most.
    #[arg(long, env = "BOOMBOTS_MAX_GAMES", value_name = "N", default_value_t = 5_000)]
    max_games: usize,
    /// Of those, games with a bot.
    #[arg(long, env = "BOOMBOTS_MAX_BOT_GAMES", value_name = "N", default_value_t = 256)]
    max_bot_games: usize,
    /// Messages a second that one connection may send; twice as many at once.
    #[arg(long, env = "BOOMBOTS_MESSAGE_RATE", value_name = "N", default_value = "50")]
    message_rate: NonZeroU32,
    /// Positions a second that one address may ask the tables for; four times as many at once.
    #[arg(long, env = "BOOMBOTS_TABLE_RATE", value_name = "N", default_value = "1000")]
    table_rate: NonZeroU32,
}

impl Arguments {
    pub(crate) fn options(self) -> ServerOptions {
        let defaults = ServerOptions::default();
        ServerOptions {
            addr: self.addr,
            database: self.database,
            tables: self.tables,
            build_up_to: (!self.no_build).then_some(self.build_up_to),
            table_cache_bytes: self.table_cache << 20,
            coordinator: self.coordinator,
            coordinator_secret: self.coordinator_secret,
            web: self.web,
            allow_origins: self.allow_origin,
            bot_slots: self.bot_slots.map_or(defaults.bot_slots, |slots| slots.get() as usize),
            bot_hash_mebibytes: self.bot_hash,
            bot_budget: Duration::from_millis(self.bot_budget_ms),
            white_bot_tables: self.white_tables,
            black_bot_tables: self.black_tables,
            grace: Duration::from_secs(self.grace),
            max_connections: self.max_connections,
            max_pending: self.max_pending,
            max_games: self.max_games,
            max_bot_games: self.max_bot_games,
            message_rate: self.message_rate,
            table_rate: self.table_rate,
            ..defaults
        }
    }
}
