//! The web client's files: built in, from a folder, or a page that says how to build them.

use std::path::PathBuf;

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use memory_serve::{Asset, CacheControl, MemoryServe};
use tower_http::services::{ServeDir, ServeFile};

/// Where the files come from.
#[derive(Clone, Debug)]
pub(crate) enum WebFiles {
    /// Those that were there when the server was built.
    BuiltIn(&'static [Asset]),
    /// A folder, looked into at each request.
    Folder(PathBuf),
}

impl WebFiles {
    /// A folder that was asked for, or else the files built in, or else the folder where they are built.
    pub(crate) fn new(folder: Option<PathBuf>) -> WebFiles {
        match (folder, ASSETS.first()) {
            (Some(folder), _) => WebFiles::Folder(folder),
            (None, Some((_, assets))) if !assets.is_empty() => WebFiles::BuiltIn(assets),
            (None, _) => WebFiles::Folder(PathBuf::from(DEFAULT_FOLDER)),
        }
    }

    /// Answers everything nothing else answers. Paths that are no files are the client's own routes.
    pub(crate) fn service(self) -> Router {
        match self {
            WebFiles::BuiltIn(assets) => MemoryServe::new(assets)
                .index_file(Some("/index.html"))
                .fallback(Some("/index.html"))
                .fallback_status(StatusCode::OK)
                .html_cache_control(CacheControl::NoCache)
                .into_router(),
            WebFiles::Folder(folder) => {
                let index = folder.join("index.html");
                let files = ServeDir::new(&folder).fallback(ServeFile::new(&index));
                let files = Router::new().fallback_service(files);
                files.layer(axum::middleware::from_fn(
                    move |request: Request, next: axum::middleware::Next| {
                        let index = index.clone();
                        async move {
                            match tokio::fs::try_exists(&index).await {
                                Ok(true) => next.run(request).await,
                                _ => not_built(),
                            }
                        }
                    },
                ))
            }
        }
    }
}

fn not_built() -> Response {
    let headers = [(header::CACHE_CONTROL, "no-store")];
    (StatusCode::OK, headers, Html(NOT_BUILT)).into_response()
}

/// Made by the build script: nothing if the client was not built before the server.
const ASSETS: &[(&str, &[Asset])] = include!(concat!(env!("OUT_DIR"), "/memory_serve_assets.rs"));

const DEFAULT_FOLDER: &str = "web/dist";

const NOT_BUILT: &str = include_str!("not_built.html");
