//! Puts everything together and runs it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use boombots_probe::OpenError;
use governor::Quota;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::analysis::Analyses;
use crate::bots::{BotPool, PoolOptions};
use crate::builds::BuildSources;
use crate::cluster;
use crate::connection::{ConnectionContext, ConnectionLimits};
use crate::coordinator::CoordinatorLink;
use crate::deep::DeepAnalyses;
use crate::http::{self, AllowedOrigins, HttpContext, TableQuestions};
use crate::hub::Hub;
use crate::listener::BoundedListener;
use crate::lobby::{Lobby, LobbyLimits};
use crate::matches::{ActorContext, MatchRules};
use crate::options::ServerOptions;
use crate::outbox::OUTBOX_MESSAGES;
use crate::records::{DatabaseError, Records};
use crate::restore::restore;
use crate::serving;
use crate::tables::{TableOptions, TableService, Watcher};
use crate::timeline::Timeline;

/// A server that runs.
pub struct Server {
    addr: SocketAddr,
    stopping: CancellationToken,
    tracker: TaskTracker,
    bots: Arc<BotPool>,
    serving: JoinHandle<()>,
    _watcher: Watcher,
}

/// Why a server does not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("cannot listen on {addr}: {source}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file of games cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The folder of tables cannot be read or made.
    #[error(transparent)]
    Tables(#[from] OpenError),
    /// The system gives no more threads.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// The coordinator's secret cannot be read.
    #[error("cannot read the coordinator's secret in {}: {source}", file.display())]
    Secret {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The coordinator cannot be asked anything.
    #[error("cannot speak HTTP: {0}")]
    Coordinator(reqwest::Error),
}

impl Server {
    /// Starts a server; it runs until [`Server::stop`].
    ///
    /// # Errors
    /// See [`StartError`].
    pub async fn start(options: ServerOptions) -> Result<Server, StartError> {
        let addr = options.addr;
        let listen = |source| StartError::Listen { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(listen)?;
        let addr = listener.local_addr().map_err(listen)?;
        let (records, found) = Records::open(&options.database)?;
        let (tables, watcher) = TableService::start(TableOptions {
            folder: options.tables.clone(),
            build_up_to: options.build_up_to,
            cache_bytes: options.table_cache_bytes,
        })?;
        let pool =
            PoolOptions { slots: options.bot_slots, hash_mebibytes: options.bot_hash_mebibytes };
        let bots = BotPool::start(pool, Arc::clone(&tables)).map_err(StartError::Thread)?;
        let bots = Arc::new(bots);
        let link = coordinator_of(&options)?.map(Arc::new);
        let cluster = link.clone().map(cluster::follow);
        let builds = BuildSources { local: tables.builds(), cluster };

        let timeline = Timeline::start();
        let (news, news_inbox) = mpsc::channel(options.max_games.max(1) * 2);
        let context = ActorContext {
            timeline,
            records: records.clone(),
            bots: Arc::clone(&bots),
            news,
            linger: options.grace,
        };
        let lots = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), addr);
        let lobby = Lobby::new(limits(&options), found.last_user, found.last_match, lots);
        let (shown, lobby_shown) = watch::channel(Arc::default());
        let mut hub = Hub {
            lobby,
            timeline,
            rules: MatchRules {
                grace: options.grace,
                unwatched_grace: options.unwatched_grace,
                bot_budget: options.bot_budget,
            },
            context,
            tables: Arc::clone(&tables),
            bots: Arc::clone(&bots),
            analyses: Analyses::new(Arc::clone(&bots), Arc::clone(&tables)),
            deep: DeepAnalyses::new(Arc::clone(&bots), Arc::clone(&tables), link),
            shown,
            outboxes: HashMap::new(),
            handles: HashMap::new(),
            show_at: Some(Duration::ZERO),
            shown_at: Duration::ZERO,
            tokens: HashMap::new(),
        };
        restore(&mut hub, found);
        let (hub_sender, hub_inbox) = mpsc::channel(HUB_MESSAGES);
        tokio::spawn(hub.run(hub_inbox, news_inbox));

        let (stopping, tracker) = (CancellationToken::new(), TaskTracker::new());
        let connections = ConnectionContext {
            hub: hub_sender.clone(),
            lobby: lobby_shown,
            builds: builds.clone().show(),
            stopping: stopping.clone(),
            tracker: tracker.clone(),
            limits: connection_limits(&options),
        };
        let context = HttpContext {
            connections,
            origins: Arc::new(AllowedOrigins::new(options.allow_origins.clone())),
            hub: hub_sender,
            records,
            tables,
            questions: Arc::new(TableQuestions::new(options.table_rate)),
            builds,
            metrics: metrics_handle(),
            business: Arc::clone(&bots),
        };
        let router = http::router(context, options.web.clone());
        let listener = BoundedListener::new(listener, options.max_connections, options.max_pending);
        let stop = stopping.clone();
        let serving = serving::serve(listener, router, options.header_timeout, stop);
        let serving = tokio::spawn(serving);
        Ok(Server { addr, stopping, tracker, bots, serving, _watcher: watcher })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Waits until the server ends by itself, which it only does when it fails.
    ///
    /// # Errors
    /// What made it end.
    pub async fn failed(&mut self) -> std::io::Result<()> {
        (&mut self.serving).await.map_err(std::io::Error::other)
    }

    /// Tells everybody, closes everything and ends, within five seconds. Games that go on are stored.
    pub async fn stop(self) {
        self.stopping.cancel();
        self.tracker.close();
        self.bots.close();
        let closed = async {
            self.tracker.wait().await;
            let _ = self.serving.await;
        };
        if tokio::time::timeout(STOP_TIME, closed).await.is_err() {
            tracing::warn!("some connections did not close in time");
        }
    }
}

/// The coordinator that is to be followed.
fn coordinator_of(options: &ServerOptions) -> Result<Option<CoordinatorLink>, StartError> {
    let Some(url) = &options.coordinator else { return Ok(None) };
    let secret = options.coordinator_secret.as_ref().map(|file| {
        let failed = |source| StartError::Secret { file: file.clone(), source };
        let bytes = std::fs::read(file).map_err(failed)?;
        Ok::<_, StartError>(data_encoding::HEXLOWER.encode(&bytes))
    });
    let link = CoordinatorLink::new(url, secret.transpose()?);
    link.map(Some).map_err(StartError::Coordinator)
}

fn limits(options: &ServerOptions) -> LobbyLimits {
    LobbyLimits {
        // Those who are away for a moment count as well.
        users: options.max_connections.saturating_mul(2),
        games: options.max_games,
        bot_games: options.max_bot_games,
        challenges_of_one: 16,
        challenges_to_one: MOST_CHALLENGES_TO_ONE,
        watched_by_one: 8,
        grace: options.grace,
        bot_tables: [options.white_bot_tables, options.black_bot_tables],
    }
}

fn connection_limits(options: &ServerOptions) -> ConnectionLimits {
    let burst = options.message_rate.saturating_mul(std::num::NonZeroU32::MIN.saturating_add(1));
    ConnectionLimits {
        handshake: options.handshake_timeout,
        ping_every: options.ping_every,
        silence: options.silence,
        write: options.write_timeout,
        messages: Quota::per_second(options.message_rate).allow_burst(burst),
    }
}

/// The figures of the process; servers in one process share them.
fn metrics_handle() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    let install = || {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        // Where the process keeps figures of its own, they are found there.
        let _ = metrics::set_global_recorder(recorder);
        handle
    };
    HANDLE.get_or_init(install).clone()
}

/// Their ends at once are no more than a connection may be behind with.
const MOST_CHALLENGES_TO_ONE: usize = OUTBOX_MESSAGES / 2;

const HUB_MESSAGES: usize = 4_096;

const STOP_TIME: Duration = Duration::from_secs(4);
