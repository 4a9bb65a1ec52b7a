//! Refusals over HTTP.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// A status and a sentence.
#[derive(Debug)]
pub(crate) struct Problem(StatusCode, String);

impl Problem {
    pub(crate) fn new(status: StatusCode, text: impl Into<String>) -> Problem {
        Problem(status, text.into())
    }

    /// Something failed that is not the client's fault.
    pub(crate) fn internal(error: &anyhow::Error) -> Problem {
        tracing::error!("a request failed: {error:#}");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the server could not answer; see its log")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.0, Json(serde_json::json!({ "error": self.1 }))).into_response()
    }
}
