//! The HTTP side of the one port: WebSocket, pages, questions and figures.

mod games;
mod origin;
mod problem;
mod status;
mod tablebase;
mod web;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRef, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::mpsc;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

pub(crate) use origin::AllowedOrigins;
pub(crate) use tablebase::TableQuestions;

use crate::builds::BuildSources;
use crate::connection::{self, ConnectionContext};
use crate::hub::HubMessage;
use crate::listener::Peer;
use crate::records::Records;
use crate::socket::Opening;
use crate::tables::TableService;
use problem::Problem;
use web::WebFiles;

/// What the handlers work with.
#[derive(Clone)]
pub(crate) struct HttpContext {
    pub(crate) connections: ConnectionContext,
    pub(crate) origins: Arc<AllowedOrigins>,
    pub(crate) hub: mpsc::Sender<HubMessage>,
    pub(crate) records: Records,
    pub(crate) tables: Arc<TableService>,
    pub(crate) questions: Arc<TableQuestions>,
    pub(crate) builds: BuildSources,
    pub(crate) metrics: PrometheusHandle,
    pub(crate) business: Arc<crate::bots::BotPool>,
}

impl FromRef<HttpContext> for Records {
    fn from_ref(context: &HttpContext) -> Records {
        context.records.clone()
    }
}

/// Everything the port answers; web files from `web_folder`, or else those built in.
pub(crate) fn router(context: HttpContext, web_folder: Option<PathBuf>) -> Router {
    let web = WebFiles::new(web_folder);
    let api = Router::new()
        .route("/games", get(games::list))
        .route("/games/{id}", get(games::one))
        .route("/tablebase", get(tablebase::one).post(tablebase::many))
        .route("/status", get(status::status))
        .route("/builds", get(status::builds))
        .fallback(|| async { Problem::new(StatusCode::NOT_FOUND, "there is no such thing here") })
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, TIME_LIMIT));
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    Router::new()
        .nest("/api", api)
        .route("/ws", get(socket))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/metrics", get(status::metrics))
        .with_state(context.clone())
        .fallback_service(web.service())
        .layer(middleware::from_fn_with_state(context, socket_at_root))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::X_FRAME_OPTIONS, "DENY"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY))
}

async fn socket(
    State(context): State<HttpContext>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
) -> Response {
    if let Err(problem) = context.origins.check(request.headers()) {
        return problem.into_response();
    }
    match Opening::of(request) {
        Ok(opening) => {
            let (connections, pending) = (context.connections, peer.pending());
            opening.serve(move |socket| connection::serve(socket, pending, connections))
        }
        Err(error) => Problem::new(StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

/// `/` is a page, and for whoever asks for one a socket.
async fn socket_at_root(
    context: State<HttpContext>,
    peer: ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if request.uri().path() != "/" || !request.headers().contains_key(header::UPGRADE) {
        return next.run(request).await;
    }
    socket(context, peer, request).await
}

const MAX_BODY_BYTES: usize = 256 << 10;

const TIME_LIMIT: Duration = Duration::from_secs(10);

const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; \
     object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
