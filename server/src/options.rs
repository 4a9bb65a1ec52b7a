//! How a server is set up.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use boombots_probe::Class;

/// How a server is set up. The defaults are those of the command line.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where it listens.
    pub addr: SocketAddr,
    /// The file of games and sessions.
    pub database: PathBuf,
    /// The folder of tables.
    pub tables: PathBuf,
    /// Up to which class missing tables are built; `None` builds nothing.
    pub build_up_to: Option<Class>,
    /// Bytes of decoded table blocks kept in memory.
    pub table_cache_bytes: u64,
    /// The coordinator whose builds are shown.
    pub coordinator: Option<String>,
    /// The file of its admin secret; with it users' deep analyses run on the cluster.
    pub coordinator_secret: Option<PathBuf>,
    /// The folder of the web client, in place of the files built in.
    pub web: Option<PathBuf>,
    /// Pages of other hosts that may connect.
    pub allow_origins: Vec<String>,
    /// Searches that run at once.
    pub bot_slots: usize,
    /// Mebibytes of each search's transposition table.
    pub bot_hash_mebibytes: usize,
    /// How long a bot may search.
    pub bot_budget: Duration,
    /// Whether White's bot asks the tables.
    pub white_bot_tables: bool,
    /// Whether Black's bot asks the tables.
    pub black_bot_tables: bool,
    /// How long a lost session is kept.
    pub grace: Duration,
    /// How long a match of bots goes on when its last spectator's connection was lost.
    pub unwatched_grace: Duration,
    /// Connections at most.
    pub max_connections: usize,
    /// Connections of one address at most that have not completed a handshake.
    pub max_pending: usize,
    /// Games at most.
    pub max_games: usize,
    /// Of those, games with a bot.
    pub max_bot_games: usize,
    /// Messages a second that one connection may send, on average.
    pub message_rate: NonZeroU32,
    /// Positions a second that one address may ask the tables for.
    pub table_rate: NonZeroU32,
    /// How long the head of an HTTP request may take, and how long one may be waited for.
    pub header_timeout: Duration,
    /// How long a handshake may take.
    pub handshake_timeout: Duration,
    /// How often connections are pinged.
    pub ping_every: Duration,
    /// How long nothing may be heard of a connection.
    pub silence: Duration,
    /// How long a message may take to be written.
    pub write_timeout: Duration,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        ServerOptions {
            addr: SocketAddr::from(([127, 0, 0, 1], 8008)),
            database: PathBuf::from(".data/games.sqlite"),
            tables: PathBuf::from(".data/tablebase"),
            build_up_to: Class::new(3, 3).ok(),
            table_cache_bytes: 256 << 20,
            coordinator: None,
            coordinator_secret: None,
            web: None,
            allow_origins: Vec::new(),
            bot_slots: std::thread::available_parallelism().map_or(1, usize::from),
            bot_hash_mebibytes: 64,
            bot_budget: Duration::from_secs(5),
            white_bot_tables: false,
            black_bot_tables: true,
            grace: Duration::from_secs(60),
            unwatched_grace: Duration::from_secs(10),
            max_connections: 10_000,
            max_pending: 1_000,
            max_games: 5_000,
            max_bot_games: 256,
            message_rate: NonZeroU32::MIN.saturating_add(49),
            table_rate: NonZeroU32::MIN.saturating_add(999),
            header_timeout: Duration::from_secs(20),
            handshake_timeout: Duration::from_secs(10),
            ping_every: Duration::from_secs(20),
            silence: Duration::from_secs(60),
            write_timeout: Duration::from_secs(10),
        }
    }
}
