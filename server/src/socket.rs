//! A WebSocket whose buffers stay short: long texts are written in pieces.

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use boombots_protocol::MAX_MESSAGE_BYTES;
use futures::{SinkExt as _, StreamExt as _};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::text::Text;

/// An open socket.
pub(crate) struct Socket(WebSocketStream<TokioIo<Upgraded>>);

/// A socket that opens when its request is answered.
pub(crate) struct Opening {
    upgrade: OnUpgrade,
    response: Response,
}

impl Opening {
    /// Reads a request for a socket.
    ///
    /// # Errors
    /// What is missing, if it asks for none.
    pub(crate) fn of(mut request: Request) -> Result<Opening, Error> {
        let upgrade = hyper::upgrade::on(&mut request);
        let response = create_response(&request.map(|_body| ()))?;
        Ok(Opening { upgrade, response: response.map(|()| Body::empty()) })
    }

    /// Serves the socket once it is open; the answer that opens it.
    pub(crate) fn serve<F>(self, serve: impl FnOnce(Socket) -> F + Send + 'static) -> Response
    where
        F: Future<Output = ()> + Send,
    {
        let upgrade = self.upgrade;
        tokio::spawn(async move {
            // Whoever asked is gone if it fails.
            if let Ok(upgraded) = upgrade.await {
                serve(Socket::over(upgraded).await).await;
            }
        });
        self.response
    }
}

impl Socket {
    async fn over(upgraded: Upgraded) -> Socket {
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE_BYTES))
            .max_frame_size(Some(MAX_MESSAGE_BYTES))
            .read_buffer_size(BUFFER_BYTES)
            .write_buffer_size(BUFFER_BYTES)
            .max_write_buffer_size(MAX_WRITE_BYTES);
        let stream = TokioIo::new(upgraded);
        Socket(WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await)
    }

    /// The next message; `None` when there are no more.
    pub(crate) async fn receive(&mut self) -> Option<Result<Message, Error>> {
        self.0.next().await
    }

    /// Writes a message that is no text.
    pub(crate) async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.0.send(message).await
    }

    /// Writes a text. The buffer keeps the size of what was once in it, so a long text, a lobby of
    /// thousands say, goes through it as several frames of one message.
    pub(crate) async fn say(&mut self, text: &Text) -> Result<(), Error> {
        if text.len() <= PIECE_BYTES {
            return self.0.send(Message::Text(text.joined())).await;
        }
        let pieces = text.pieces(PIECE_BYTES);
        let last = pieces.len() - 1;
        for (index, piece) in pieces.into_iter().enumerate() {
            let data = if index == 0 { Data::Text } else { Data::Continue };
            let frame = Frame::message(piece, OpCode::Data(data), index == last);
            self.0.feed(Message::Frame(frame)).await?;
        }
        self.0.flush().await
    }
}

const BUFFER_BYTES: usize = 2 << 10;

/// The longest frame.
const PIECE_BYTES: usize = 8 << 10;

/// More than a frame and what else waits to be written.
const MAX_WRITE_BYTES: usize = 64 << 10;
