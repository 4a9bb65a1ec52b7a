//! A running coordinator, put together from its parts.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use boombots_cluster_protocol::{Identity, IdentityError, JoinToken, Limits, server_config};
use quinn::Endpoint;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::analysis::Analyses;
use crate::analysis_http;
use crate::database::StateDatabase;
use crate::http;
use crate::link::{Admission, accept};
use crate::publish::TablesFolder;
use crate::scheduler::{Scheduler, Timing};
use crate::service::{Clock, Event, Parts, Service, start};
use crate::store::Store;

/// How a coordinator is run.
#[derive(Clone, Debug)]
pub struct CoordinatorOptions {
    /// Where workers connect.
    pub listen: SocketAddr,
    /// Where programs and people look.
    pub http: SocketAddr,
    /// The address in the join token, where it is not the one listened on.
    pub advertise: Option<String>,
    /// The coordinator's folder.
    pub data: PathBuf,
    /// The folder of tables.
    pub tables: PathBuf,
    /// The store, where it is not a folder in `data`.
    pub store: Option<url::Url>,
    /// How patient it is with workers.
    pub timing: Timing,
    /// What connections put up with.
    pub limits: Limits,
}

/// A running coordinator.
#[derive(Debug)]
pub struct Coordinator {
    service: Service,
    token: JoinToken,
    listen: SocketAddr,
    http: SocketAddr,
    endpoint: Endpoint,
    tables: Arc<TablesFolder>,
    tasks: JoinSet<()>,
}

/// The secrets of a coordinator, in files that only its user can read.
#[derive(Debug)]
pub struct Secrets {
    /// Its key and certificate.
    pub identity: Identity,
    /// Admits workers.
    pub join: [u8; 16],
    /// Allows changes over HTTP.
    pub admin: String,
}

/// Why there are no secrets.
#[derive(Debug, Error)]
pub enum SecretsError {
    /// The key or certificate.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The other files.
    #[error("cannot keep secrets in {folder}: {source}")]
    Io {
        /// The folder.
        folder: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Secrets {
    /// Reads the secrets of a data folder, and makes them first where they are missing.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn load_or_make(data: &Path) -> Result<Self, SecretsError> {
        let folder = data.join(IDENTITY);
        let identity = Identity::load_or_make(&folder)?;
        let failed = |source| SecretsError::Io { folder: folder.display().to_string(), source };
        let secret = |name: &str| -> std::io::Result<Vec<u8>> {
            let path = folder.join(name);
            if let Ok(secret) = std::fs::read(&path)
                && secret.len() == 16
            {
                return Ok(secret);
            }
            // A key of the operating system's randomness, made the same way as the others.
            let scratch = tempfile::tempdir_in(&folder)?;
            Identity::make(scratch.path()).map_err(std::io::Error::other)?;
            let key = std::fs::read(scratch.path().join("key.pem"))?;
            let secret = blake3::derive_key("boombots cluster secret 1", &key)[..16].to_vec();
            let mut file = tempfile::NamedTempFile::new_in(&folder)?;
            std::io::Write::write_all(&mut file, &secret)?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(secret)
        };
        let join = secret("join-secret").map_err(failed)?;
        let admin = secret("admin-secret").map_err(failed)?;
        let admin = admin.iter().map(|byte| format!("{byte:02x}")).collect();
        let join = join.try_into().map_err(|_| failed(std::io::ErrorKind::InvalidData.into()))?;
        Ok(Self { identity, join, admin })
    }

    /// The join token for an address.
    pub fn token(&self, address: String) -> JoinToken {
        JoinToken { address, fingerprint: self.identity.fingerprint, secret: self.join }
    }
}

impl Coordinator {
    /// Starts a coordinator on the current tokio runtime.
    ///
    /// # Errors
    /// If a folder, the database, the store or an address cannot be used.
    pub async fn start(options: CoordinatorOptions) -> anyhow::Result<Self> {
        let data = &options.data;
        std::fs::create_dir_all(data)
            .with_context(|| format!("cannot make the folder {}", data.display()))?;
        let secrets = Secrets::load_or_make(data)?;
        let mut database = StateDatabase::open(&data.join("state.redb"))?;
        let store = Store::open(options.store.as_ref(), &data.join("store"))
            .context("cannot use the store")?;
        let tables = Arc::new(TablesFolder::open(&options.tables)?);
        let clock = Clock::start();
        let mut records = database.load()?;
        records.published = tables.published(&store);
        let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let seed = seed.as_nanos() as u64;
        let scheduler = Scheduler::new(records, options.timing, seed, clock.now());
        let analyses = Analyses::new(database.load_analyses()?, clock.now());
        let endpoint = server_config(&secrets.identity, options.limits)?;
        let endpoint = listen_on(options.listen)
            .and_then(|socket| {
                let config = quinn::EndpointConfig::default();
                Endpoint::new(config, Some(endpoint), socket, Arc::new(quinn::TokioRuntime))
            })
            .with_context(|| format!("cannot listen on {} (UDP)", options.listen))?;
        let http_listener = TcpListener::bind(options.http)
            .await
            .with_context(|| format!("cannot listen on {} (TCP)", options.http))?;
        let (listen, http) = (endpoint.local_addr()?, http_listener.local_addr()?);
        let mut tasks = JoinSet::new();
        let parts = Parts {
            scheduler,
            analyses,
            database: Arc::new(Mutex::new(database)),
            store: Arc::clone(&store),
            tables: options.tables.clone(),
            scratch: data.join("scratch"),
            clock,
        };
        let service = start(parts, &mut tasks);
        tasks.spawn({
            let store = Arc::clone(&store);
            async move { store.upload_tables().await }
        });
        let admission = Admission::new(service.clone(), Arc::clone(&store), secrets.join);
        tasks.spawn(accept(endpoint.clone(), admission));
        let router =
            http::router(service.clone(), options.tables.clone(), secrets.admin.clone(), |admin| {
                analysis_http::router(service.clone(), store, options.tables.clone(), admin)
            });
        tasks.spawn(async move {
            if let Err(error) = axum::serve(http_listener, router).await {
                tracing::error!("HTTP has stopped: {error}");
            }
        });
        tasks.spawn(watch_certificate(
            endpoint.clone(),
            data.join(IDENTITY),
            options.limits,
            service.clone(),
        ));
        let address = options.advertise.unwrap_or_else(|| advertised(listen));
        // What other commands of this program need to know.
        std::fs::write(data.join(ADDRESSES), format!("{http}\n{address}\n"))
            .context("cannot write the addresses")?;
        let token = secrets.token(address);
        Ok(Self { service, token, listen, http, endpoint, tables, tasks })
    }

    /// The HTTP and the advertised address of the coordinator of a data folder, as last started.
    ///
    /// # Errors
    /// If none was ever started there.
    pub fn addresses(data: &Path) -> anyhow::Result<(SocketAddr, String)> {
        let text = std::fs::read_to_string(data.join(ADDRESSES)).with_context(|| {
            format!("no coordinator was started in {}; see serve and --data", data.display())
        })?;
        let (http, address) = text.trim().split_once('\n').context("the addresses are damaged")?;
        Ok((http.parse()?, address.to_owned()))
    }

    /// The way to the scheduler.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// What a worker needs to join.
    pub fn token(&self) -> &JoinToken {
        &self.token
    }

    /// The UDP address that workers connect to.
    pub fn listen(&self) -> SocketAddr {
        self.listen
    }

    /// The TCP address of the status.
    pub fn http(&self) -> SocketAddr {
        self.http
    }

    /// The folder of tables.
    pub fn tables(&self) -> &Path {
        self.tables.path()
    }

    /// Closes all connections and lets go of its folders. What is under way goes on when the
    /// coordinator is started again.
    pub async fn stop(mut self) {
        self.endpoint.close(0_u32.into(), b"the coordinator is stopping");
        self.endpoint.wait_idle().await;
        self.tasks.shutdown().await;
    }
}

/// A socket with room for what a thousand workers send at once when the line comes back; packets that
/// find none are sent again only after a second and more.
fn listen_on(address: SocketAddr) -> std::io::Result<std::net::UdpSocket> {
    let domain = socket2::Domain::for_address(address);
    let socket = socket2::Socket::new(domain, socket2::Type::DGRAM, None)?;
    // The system may grant less.
    let _ = socket.set_recv_buffer_size(RECEIVE_BUFFER);
    let _ = socket.set_send_buffer_size(RECEIVE_BUFFER);
    socket.bind(&address.into())?;
    Ok(socket.into())
}

/// Takes over a new key or certificate as soon as its files are there. The keys to come may be laid
/// beside the present ones as `next-key.pem`, so that workers know them in time.
async fn watch_certificate(endpoint: Endpoint, folder: PathBuf, limits: Limits, service: Service) {
    let changed =
        |name: &str| std::fs::metadata(folder.join(name)).and_then(|file| file.modified()).ok();
    let mut known = (changed("cert.pem"), changed("key.pem"));
    let mut announced = Identity::load(&folder).ok().map(|identity| identity.fingerprint);
    loop {
        tokio::time::sleep(CERTIFICATE_EVERY).await;
        let next = Identity::load(&folder.join("next")).ok().map(|identity| identity.fingerprint);
        if next.is_some() && next != announced {
            announced = next;
            service.send(Event::Pins(next.into_iter().collect())).await;
        }
        let now = (changed("cert.pem"), changed("key.pem"));
        if now == known {
            continue;
        }
        let config = Identity::load(&folder)
            .map_err(anyhow::Error::from)
            .and_then(|identity| Ok(server_config(&identity, limits)?));
        match config {
            Ok(config) => {
                endpoint.set_server_config(Some(config));
                tracing::info!("new connections get the new certificate");
                known = now;
            }
            // One of the two files may be written yet.
            Err(error) => tracing::warn!("the old certificate stays: {error:#}"),
        }
    }
}

/// The address under which other machines reach this one.
fn advertised(listen: SocketAddr) -> String {
    if !listen.ip().is_unspecified() {
        return listen.to_string();
    }
    // No packet is sent: connecting a UDP socket only chooses a route.
    let route = std::net::UdpSocket::bind(("0.0.0.0", 0)).and_then(|socket| {
        socket.connect(("192.0.2.1", 9))?;
        socket.local_addr()
    });
    match route {
        Ok(own) if !own.ip().is_unspecified() => {
            SocketAddr::new(own.ip(), listen.port()).to_string()
        }
        _ => SocketAddr::from(([127, 0, 0, 1], listen.port())).to_string(),
    }
}

const IDENTITY: &str = "identity";
const ADDRESSES: &str = "addresses";
const RECEIVE_BUFFER: usize = 4 << 20;
const CERTIFICATE_EVERY: Duration = Duration::from_secs(1);
