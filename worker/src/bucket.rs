//! Moving bytes to and from a bucket, at addresses that the coordinator has signed.

use std::time::Duration;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::RANGE;

/// A client for buckets.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    client: reqwest::Client,
}

/// Why bytes were not moved.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BucketError {
    #[error("the bucket has no such object")]
    Missing,
    #[error("the bucket does not answer: {0}")]
    Unavailable(String),
}

impl Bucket {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            // An address is signed for one object: a redirect would lead elsewhere.
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { client })
    }

    /// Reads a run of an object's bytes, at least one.
    pub(crate) async fn get(&self, url: &str, offset: u64, len: u64) -> Result<Bytes, BucketError> {
        let range = format!("bytes={offset}-{}", offset + len.max(1) - 1);
        let request = self.client.get(url).header(RANGE, range);
        let mut response = request.send().await.map_err(unavailable)?;
        let whole = response.status() == StatusCode::OK && offset == 0;
        if response.status() != StatusCode::PARTIAL_CONTENT && !whole {
            return Err(refused(response.status()));
        }
        let limit = usize::try_from(len).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unavailable)? {
            if bytes.len() + chunk.len() > limit {
                return Err(BucketError::Unavailable("it sends more than was asked for".into()));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.into())
    }

    pub(crate) async fn put(&self, url: &str, bytes: Bytes) -> Result<(), BucketError> {
        let response = self.client.put(url).body(bytes).send().await.map_err(unavailable)?;
        if response.status().is_success() { Ok(()) } else { Err(refused(response.status())) }
    }
}

fn refused(status: StatusCode) -> BucketError {
    match status {
        StatusCode::NOT_FOUND => BucketError::Missing,
        status => BucketError::Unavailable(format!("it says {status}")),
    }
}

/// The innermost reason, without the address: that holds a permission.
fn unavailable(error: reqwest::Error) -> BucketError {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        text = cause.to_string();
        source = cause.source();
    }
    BucketError::Unavailable(text)
}

const CONNECT_LIMIT: Duration = Duration::from_secs(5);
const SILENCE_LIMIT: Duration = Duration::from_secs(30);
