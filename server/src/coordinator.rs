//! The HTTP interface of a cluster's coordinator, as a client sees it.

use std::time::Duration;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Where a coordinator is, and what it takes to be heard there.
#[derive(Clone, Debug)]
pub(crate) struct CoordinatorLink {
    base: String,
    /// The coordinator's admin secret; without it nothing can be changed.
    secret: Option<String>,
    client: reqwest::Client,
}

/// Server-sent events, as they come.
#[derive(Debug)]
pub(crate) struct Events {
    address: String,
    response: reqwest::Response,
    /// What came and was not read yet.
    pending: Vec<u8>,
}

#[derive(Deserialize)]
struct Refused {
    error: String,
}

impl CoordinatorLink {
    /// A link to the coordinator at a URL. Nothing is sent yet.
    ///
    /// # Errors
    /// If the system has no usable store of certificates.
    pub(crate) fn new(url: &str, secret: Option<String>) -> reqwest::Result<CoordinatorLink> {
        let client = reqwest::Client::builder()
            .connect_timeout(ANSWER_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            .build()?;
        Ok(CoordinatorLink { base: url.trim_end_matches('/').to_owned(), secret, client })
    }

    /// Whether it may change anything.
    pub(crate) fn is_admin(&self) -> bool {
        self.secret.is_some()
    }

    /// Asks for a JSON text.
    ///
    /// # Errors
    /// If it does not come, or is another.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        let address = format!("{}{path}", self.base);
        let request = self.client.get(&address).timeout(ANSWER_LIMIT);
        let response = answered(request, &address).await?;
        read(response, &address).await
    }

    /// Has something changed; what is answered.
    ///
    /// # Errors
    /// If it is refused, or there is no answer.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<T> {
        let address = format!("{}{path}", self.base);
        let mut request = self.client.post(&address).timeout(ANSWER_LIMIT);
        if let Some(secret) = &self.secret {
            request = request.bearer_auth(secret);
        }
        let body = serde_json::to_vec(body)?;
        let request = request.header("content-type", "application/json").body(body);
        let response = answered(request, &address).await?;
        match response.status() {
            // Nothing is said, which reads as JSON's nothing.
            reqwest::StatusCode::NO_CONTENT => Ok(serde_json::from_str("null")?),
            _ => read(response, &address).await,
        }
    }

    /// Listens to events.
    ///
    /// # Errors
    /// If there are none.
    pub(crate) async fn events(&self, path: &str) -> anyhow::Result<Events> {
        let address = format!("{}{path}", self.base);
        let asked = answered(self.client.get(&address), &address);
        let response = tokio::time::timeout(ANSWER_LIMIT, asked).await;
        let response = response.with_context(|| format!("{address} does not answer"))??;
        Ok(Events { address, response, pending: Vec::new() })
    }
}

impl Events {
    /// The next event; `None` when there will be no more.
    ///
    /// # Errors
    /// If the connection is lost, nothing is heard for long, or an event is none of the kind.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> anyhow::Result<Option<T>> {
        loop {
            while let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.pending.drain(..=end).collect();
                if let Some(data) = line.strip_prefix(b"data:") {
                    let event = serde_json::from_slice(data).with_context(|| {
                        format!("{} says what this version does not know", self.address)
                    })?;
                    return Ok(Some(event));
                }
            }
            let chunk = self.response.chunk().await;
            let chunk = chunk.with_context(|| format!("{} broke off", self.address))?;
            let Some(chunk) = chunk else { return Ok(None) };
            self.pending.extend_from_slice(&chunk);
            anyhow::ensure!(self.pending.len() <= MAX_EVENT_BYTES, "{} is too long", self.address);
        }
    }
}

/// Sends a request; what is refused is an error that says why.
async fn answered(
    request: reqwest::RequestBuilder,
    address: &str,
) -> anyhow::Result<reqwest::Response> {
    let response = request.send().await.with_context(|| format!("{address} does not answer"))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let why: Option<Refused> = read(response, address).await.ok();
    let why = why.map_or_else(|| status.to_string(), |refused| refused.error);
    anyhow::bail!("{address} refuses: {why}")
}

async fn read<T: DeserializeOwned>(
    mut response: reqwest::Response,
    address: &str,
) -> anyhow::Result<T> {
    let mut text = Vec::new();
    while let Some(chunk) =
        response.chunk().await.with_context(|| format!("{address} broke off"))?
    {
        text.extend_from_slice(&chunk);
        anyhow::ensure!(text.len() <= MAX_EVENT_BYTES, "{address} is too long");
    }
    let read = serde_json::from_slice(&text);
    read.with_context(|| format!("{address} says what this version does not know"))
}

/// Bytes of an event, or of an answer.
const MAX_EVENT_BYTES: usize = 4 << 20;

/// How long an answer may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// How long nothing may be heard where events go on; a coordinator says at least that it is there
/// every 15 seconds.
const SILENCE_LIMIT: Duration = Duration::from_secs(45);
