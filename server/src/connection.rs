//! One WebSocket connection: reads, checks and passes on, and writes what is put in its outbox.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use boombots_protocol::{
    ClientMessage, CloseCode, ErrorCode, PROTOCOL_VERSION, ParseError, ServerMessage,
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::hub::HubMessage;
use crate::ids::{ConnectionId, UserId};
use crate::outbox::{Closing, Outbox};
use crate::pending::Pending;
use crate::refusal::Refusal;
use crate::shown_lobby::ShownLobby;
use crate::socket::Socket;
use crate::text::Text;

/// What every connection works with.
#[derive(Clone)]
pub(crate) struct ConnectionContext {
    pub(crate) hub: mpsc::Sender<HubMessage>,
    /// The latest lobby and builds.
    pub(crate) lobby: watch::Receiver<Arc<ShownLobby>>,
    pub(crate) builds: watch::Receiver<Text>,
    /// Has everything closed.
    pub(crate) stopping: CancellationToken,
    /// Knows of every connection.
    pub(crate) tracker: TaskTracker,
    pub(crate) limits: ConnectionLimits,
}

/// What one connection may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// How long the handshake may take.
    pub(crate) handshake: Duration,
    /// How often the server pings.
    pub(crate) ping_every: Duration,
    /// How long nothing may be heard.
    pub(crate) silence: Duration,
    /// How long one message may take to be written.
    pub(crate) write: Duration,
    /// Messages a second, on average.
    pub(crate) messages: Quota,
}

struct Connection {
    id: ConnectionId,
    socket: Socket,
    pending: Arc<Pending>,
    context: ConnectionContext,
    outbox: Outbox,
    messages: mpsc::Receiver<Text>,
    closing: Arc<Closing>,
    rate: DefaultDirectRateLimiter,
    user: Option<UserId>,
    opened: Instant,
    heard: Instant,
    /// Refused handshakes, and messages over the rate.
    offences: u32,
}

/// Why a connection ends.
enum End {
    /// The server closes it.
    Close(CloseCode),
    /// It is gone.
    Lost,
}

/// Serves a connection to its end.
pub(crate) async fn serve(socket: Socket, pending: Arc<Pending>, context: ConnectionContext) {
    let _open = context.tracker.token();
    static LAST: AtomicU64 = AtomicU64::new(0);
    let (outbox, messages, closing) = Outbox::new();
    let now = Instant::now();
    let connection = Connection {
        id: ConnectionId(LAST.fetch_add(1, Ordering::Relaxed)),
        socket,
        pending,
        rate: RateLimiter::direct(context.limits.messages),
        context,
        outbox,
        messages,
        closing,
        user: None,
        opened: now,
        heard: now,
        offences: 0,
    };
    metrics::gauge!("boombots_connections").increment(1.0);
    connection.run().await;
    metrics::gauge!("boombots_connections").decrement(1.0);
}

impl Connection {
    async fn run(mut self) {
        let end = self.talk().await;
        if let Some(user) = self.user {
            let connection = self.id;
            let _ = self.context.hub.send(HubMessage::Disconnected { user, connection }).await;
        }
        if let End::Close(code) = end {
            metrics::counter!("boombots_closed_total", "code" => code.number().to_string())
                .increment(1);
            let frame = CloseFrame { code: code.number().into(), reason: code.reason().into() };
            let close = Message::Close(Some(frame));
            let _ = timeout(CLOSE_TIME, self.socket.send(close)).await;
        }
    }

    async fn talk(&mut self) -> End {
        let mut ping = tokio::time::interval(self.context.limits.ping_every);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let mut builds_known = false;
        let mut lobby_at = None;
        let stopping = self.context.stopping.clone();
        let closing = Arc::clone(&self.closing);
        let handshake_until = self.opened + self.context.limits.handshake;
        loop {
            let is_welcome = self.user.is_some();
            if is_welcome && !builds_known {
                // Everybody sees the builds once; the lobby came with the welcome.
                builds_known = true;
                self.context.builds.mark_changed();
                self.context.lobby.mark_unchanged();
            }
            let done = tokio::select! {
                // What is meant for this connection alone comes first: the welcome before the lobby.
                biased;
                code = closing.wait() => return End::Close(code),
                () = stopping.cancelled() => return End::Close(CloseCode::GoingAway),
                Some(text) = self.messages.recv() => self.write(text).await,
                received = self.socket.receive() => match received {
                    Some(Ok(message)) => {
                        self.heard = Instant::now();
                        self.hear(message).await
                    }
                    Some(Err(error)) => return End::of(&error),
                    None => return End::Lost,
                },
                _ = ping.tick() => {
                    if self.heard.elapsed() >= self.context.limits.silence {
                        return End::Close(CloseCode::Silent);
                    }
                    self.ping().await
                }
                Ok(()) = self.context.lobby.changed(), if is_welcome && lobby_at.is_none() => {
                    // A long lobby does not go to everybody at once: games would wait for it.
                    let spread = self.context.lobby.borrow_and_update().spread();
                    let share = (self.id.0 % SPREAD_SHARES) as u32;
                    lobby_at = Some(Instant::now() + spread * share / SPREAD_SHARES as u32);
                    Ok(())
                }
                () = sleep_until(lobby_at) => {
                    lobby_at = None;
                    let lobby = Arc::clone(&self.context.lobby.borrow_and_update());
                    self.write(lobby.text_for(self.user.unwrap_or(UserId(0)))).await
                }
                Ok(()) = self.context.builds.changed(), if is_welcome => {
                    let text = self.context.builds.borrow_and_update().clone();
                    self.write(text).await
                }
                () = tokio::time::sleep_until(handshake_until), if !is_welcome => {
                    return End::Close(CloseCode::NoHandshake);
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    /// Writes a message, unless the connection is to be closed before it is written.
    async fn write(&mut self, text: Text) -> Result<(), End> {
        let limit = self.context.limits.write;
        let closing = Arc::clone(&self.closing);
        unless_closing(&closing, limit, self.socket.say(&text)).await
    }

    async fn ping(&mut self) -> Result<(), End> {
        let limit = self.context.limits.write;
        let closing = Arc::clone(&self.closing);
        let ping = Message::Ping(bytes::Bytes::new());
        unless_closing(&closing, limit, self.socket.send(ping)).await
    }

    async fn hear(&mut self, message: Message) -> Result<(), End> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return Err(End::Close(CloseCode::NotText)),
            Message::Close(_) => return Err(End::Lost),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => return Ok(()),
        };
        metrics::counter!("boombots_messages_total").increment(1);
        if self.rate.check().is_err() {
            self.offences += 1;
            if self.offences > MOST_OFFENCES {
                return Err(End::Close(CloseCode::TooFast));
            }
            let message = "too many messages at once; this one was dropped";
            return self.refuse(Refusal::new(ErrorCode::RateLimited, message)).await;
        }
        match ClientMessage::parse(&text) {
            Ok(ClientMessage::Ping { nonce }) => {
                self.write(ServerMessage::Pong { nonce }.to_text().into()).await
            }
            Ok(message) => self.understand(message).await,
            Err(ParseError::TooLong { .. }) => Err(End::Close(CloseCode::TooLong)),
            Err(error) => self.refuse(Refusal::new(ErrorCode::BadMessage, error.to_string())).await,
        }
    }

    async fn understand(&mut self, message: ClientMessage) -> Result<(), End> {
        let connection = self.id;
        match (self.user, message) {
            (None, ClientMessage::Handshake { name, resume_token, protocol_version }) => {
                if let Some(version) =
                    protocol_version.filter(|&version| version != PROTOCOL_VERSION)
                {
                    let message = format!(
                        "you speak version {version} of the protocol, and the server {PROTOCOL_VERSION}"
                    );
                    return self.refuse(Refusal::new(ErrorCode::UnsupportedVersion, message)).await;
                }
                let (welcomed, answer) = oneshot::channel();
                let outbox = self.outbox.clone();
                let resume = resume_token;
                let connect = HubMessage::Connect { connection, outbox, name, resume, welcomed };
                self.pass_on(connect).await?;
                self.user = answer.await.map_err(|_| End::Close(CloseCode::GoingAway))?;
                if self.user.is_some() {
                    self.pending.complete();
                } else {
                    self.offences += OFFENCE_OF_A_HANDSHAKE;
                    if self.offences > MOST_OFFENCES {
                        return Err(End::Close(CloseCode::NoHandshake));
                    }
                }
                Ok(())
            }
            (None, _) => {
                let message = "the first message is the handshake";
                self.refuse(Refusal::new(ErrorCode::HandshakeRequired, message)).await
            }
            (Some(user), message) => {
                self.pass_on(HubMessage::Said { user, connection, message }).await
            }
        }
    }

    async fn pass_on(&mut self, message: HubMessage) -> Result<(), End> {
        self.context.hub.send(message).await.map_err(|_| End::Close(CloseCode::GoingAway))
    }

    async fn refuse(&mut self, refusal: Refusal) -> Result<(), End> {
        let text = ServerMessage::Error(refusal.problem()).to_text();
        self.write(text.into()).await
    }
}

/// Writes in bounded time, unless the connection is to be closed before it is done.
async fn unless_closing(
    closing: &Closing,
    limit: Duration,
    write: impl Future<Output = Result<(), tungstenite::Error>>,
) -> Result<(), End> {
    tokio::select! {
        written = timeout(limit, write) => match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Lost),
            Err(_) => Err(End::Close(CloseCode::TooSlow)),
        },
        code = closing.wait() => Err(End::Close(code)),
    }
}

/// Waits until a time; for ever where there is none.
async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

impl End {
    /// What an error of reading means.
    fn of(error: &tungstenite::Error) -> End {
        match error {
            tungstenite::Error::Capacity(_) => End::Close(CloseCode::TooLong),
            _ => End::Lost,
        }
    }
}

/// Into how many shares connections are parted when a long lobby is shown.
const SPREAD_SHARES: u64 = 256;

const CLOSE_TIME: Duration = Duration::from_secs(1);

const MOST_OFFENCES: u32 = 200;

/// Five bad handshakes are too many.
const OFFENCE_OF_A_HANDSHAKE: u32 = 41;
