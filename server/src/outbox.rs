//! The way to one connection: bounded, and never waited for.

use std::sync::{Arc, OnceLock};

use boombots_protocol::{CloseCode, ServerMessage};
use tokio::sync::{Notify, mpsc};

use crate::text::Text;

/// Messages a connection may be behind with.
pub(crate) const OUTBOX_MESSAGES: usize = 256;

/// Where messages for a connection are put. Clones lead to the same connection.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Text>,
    closing: Arc<Closing>,
}

/// Whether and why a connection is to be closed.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    code: OnceLock<CloseCode>,
    notify: Notify,
}

impl Closing {
    /// Waits until the connection is to be closed.
    pub(crate) async fn wait(&self) -> CloseCode {
        loop {
            let notified = self.notify.notified();
            if let Some(code) = self.code.get() {
                return *code;
            }
            notified.await;
        }
    }
}

impl Outbox {
    /// An outbox, where its messages come out, and what says that it is to be closed.
    pub(crate) fn new() -> (Outbox, mpsc::Receiver<Text>, Arc<Closing>) {
        let (sender, receiver) = mpsc::channel(OUTBOX_MESSAGES);
        let closing = Arc::new(Closing::default());
        (Outbox { sender, closing: Arc::clone(&closing) }, receiver, closing)
    }

    /// Puts a message in. A connection that is too far behind is closed.
    pub(crate) fn send(&self, text: Text) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.sender.try_send(text) {
            self.close(CloseCode::TooSlow);
        }
    }

    /// Puts a message in.
    pub(crate) fn tell(&self, message: &ServerMessage) {
        self.send(message.to_text().into());
    }

    /// Has the connection closed.
    pub(crate) fn close(&self, code: CloseCode) {
        if self.closing.code.set(code).is_ok() {
            self.closing.notify.notify_one();
        }
    }
}
