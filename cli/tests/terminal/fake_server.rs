//! A server that says what a test wants it to.

use std::net::SocketAddr;

use futures::{SinkExt as _, StreamExt as _};
use tokio::net::TcpListener;
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message;

/// Answers every handshake with the same messages; ends with the test program.
pub(crate) fn fake_server(messages: Vec<String>) -> String {
    let listener = std::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    listener.set_nonblocking(true).unwrap();
    let addr = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let messages = messages.clone();
                tokio::spawn(async move {
                    let Ok(mut socket) = accept_async(stream).await else { return };
                    while let Some(Ok(message)) = socket.next().await {
                        if !message.to_text().is_ok_and(|text| text.contains("handshake")) {
                            continue;
                        }
                        for message in &messages {
                            let _ = socket.send(Message::text(message)).await;
                        }
                    }
                });
            }
        });
    });
    format!("ws://{addr}")
}

/// The answer to a handshake.
pub(crate) fn welcome() -> String {
    r#"{"type":"welcome","id":1,"name":"Ada","resumeToken":"x","resumed":false,"protocolVersion":1,
        "serverVersion":"0.1.0","tableClasses":[],"playing":null}"#
        .to_owned()
}
