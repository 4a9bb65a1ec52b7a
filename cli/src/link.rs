//! The connection to the server: messages there and back, and nothing decided.

use std::time::Duration;

use boombots_protocol::ClientMessage;
use futures::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::address::Address;
use crate::event::LinkEvent;
use crate::sanitise::{clean, read_message};

/// A connection, being opened or open; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Link {
    outgoing: mpsc::Sender<ClientMessage>,
    incoming: mpsc::Receiver<LinkEvent>,
    task: JoinHandle<()>,
}

impl Link {
    pub(crate) fn open(address: &Address) -> Link {
        let (outgoing, to_send) = mpsc::channel(CAPACITY);
        let (heard, incoming) = mpsc::channel(CAPACITY);
        let address = address.clone();
        let task = tokio::spawn(async move {
            let (code, reason) = converse(&address, to_send, &heard).await;
            let reason = clean(&reason);
            let _ = heard.send(LinkEvent::Closed { code, reason }).await;
        });
        Link { outgoing, incoming, task }
    }

    /// The next event; the last one is `Closed`, and nothing comes after it.
    pub(crate) async fn next(&mut self) -> Option<LinkEvent> {
        let event = self.incoming.recv().await;
        if event.is_none()
            && !self.task.is_finished()
            && let Err(failed) = (&mut self.task).await
            && let Ok(panic) = failed.try_into_panic()
        {
            std::panic::resume_unwind(panic);
        }
        event
    }

    /// What has come already.
    pub(crate) fn next_now(&mut self) -> Option<LinkEvent> {
        self.incoming.try_recv().ok()
    }

    /// Says something. A server so slow that the channel is full is not waited for: the state
    /// after a reconnection is the whole truth.
    pub(crate) fn send(&self, message: ClientMessage) {
        if self.outgoing.try_send(message).is_err() {
            self.task.abort();
        }
    }

    /// Closes politely, as far as that is quick.
    pub(crate) async fn close(mut self) {
        let (closed, _) = mpsc::channel(1);
        self.outgoing = closed;
        let _ = timeout(FAREWELL, &mut self.task).await;
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Opens the connection and passes messages on until it ends; gives the code and the reason.
async fn converse(
    address: &Address,
    mut to_send: mpsc::Receiver<ClientMessage>,
    heard: &mpsc::Sender<LinkEvent>,
) -> (Option<u16>, String) {
    let config = WebSocketConfig::default()
        .max_message_size(Some(MOST_BYTES))
        .max_frame_size(Some(MOST_BYTES));
    let opening = connect_async_with_config(address.as_str(), Some(config), true);
    let mut socket = match timeout(OPENING, opening).await {
        Ok(Ok((socket, _))) => socket,
        Ok(Err(error)) => return (None, explain(&error)),
        Err(_) => return (None, "the server does not answer".to_owned()),
    };
    if heard.send(LinkEvent::Opened).await.is_err() {
        return (None, String::new());
    }
    loop {
        tokio::select! {
            message = to_send.recv() => match message {
                Some(message) => {
                    let text = match serde_json::to_string(&message) {
                        Ok(text) => text,
                        Err(error) => return (None, error.to_string()),
                    };
                    match timeout(WRITING, socket.send(Message::text(text))).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => return (None, explain(&error)),
                        Err(_) => return (None, "the server takes nothing more".to_owned()),
                    }
                }
                None => {
                    let _ = socket.close(None).await;
                    return (None, String::new());
                }
            },
            frame = timeout(SILENCE, socket.next()) => match frame {
                Ok(Some(Ok(Message::Text(text)))) => {
                    if let Some(message) = read_message(&text)
                        && heard.send(LinkEvent::Message(Box::new(message))).await.is_err()
                    {
                        return (None, String::new());
                    }
                }
                Ok(Some(Ok(Message::Close(frame)))) => {
                    let frame = frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
                    finish(&mut socket).await;
                    return match frame {
                        Some((code, reason)) if !reason.is_empty() => (Some(code), reason),
                        Some((code, _)) => (Some(code), format!("the server closed ({code})")),
                        None => (None, "the server closed the connection".to_owned()),
                    };
                }
                Ok(Some(Ok(_))) => {}
                Ok(Some(Err(error))) => return (None, explain(&error)),
                Ok(None) => return (None, "the server closed the connection".to_owned()),
                Err(_) => return (None, "nothing is heard of the server".to_owned()),
            },
        }
    }
}

/// Lets the answer to the server's close frame out.
async fn finish(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) {
    let _ = timeout(FAREWELL, socket.next()).await;
}

/// The reason, for people.
fn explain(error: &Error) -> String {
    match error {
        Error::Io(error) => match error.kind() {
            std::io::ErrorKind::ConnectionRefused => "nobody answers at that address".to_owned(),
            _ => error.to_string(),
        },
        Error::Http(response) => {
            format!("there is no game server at that address (HTTP {})", response.status().as_u16())
        }
        Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => {
            "the connection broke off".to_owned()
        }
        other => other.to_string(),
    }
}

/// Messages that wait, in either direction.
const CAPACITY: usize = 64;

/// The longest message that is taken; a lobby of thousands is one.
const MOST_BYTES: usize = 16 << 20;

/// How long a connection may take to be opened.
const OPENING: Duration = Duration::from_secs(10);

/// How long a message may take to be written.
const WRITING: Duration = Duration::from_secs(10);

/// The server pings every 20 s; more than two of those missed, and it is gone.
const SILENCE: Duration = Duration::from_secs(50);

/// How long the end of a connection may take.
const FAREWELL: Duration = Duration::from_millis(500);
