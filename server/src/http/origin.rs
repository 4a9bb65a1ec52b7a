//! Which pages may open a socket: those of this server, and others it was told of.

use axum::http::{HeaderMap, StatusCode, Uri, header};

use super::problem::Problem;

/// Origins beside the server's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedOrigins(Vec<String>);

impl AllowedOrigins {
    pub(crate) fn new(origins: Vec<String>) -> AllowedOrigins {
        let trimmed = |origin: String| origin.trim_end_matches('/').to_ascii_lowercase();
        AllowedOrigins(origins.into_iter().map(trimmed).collect())
    }

    /// Programs name no origin; a browser's must be the host it speaks to, or one of the list.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        if self.0.contains(&origin) || self.0.iter().any(|allowed| allowed == "*") {
            return Ok(());
        }
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let authority = origin.parse::<Uri>().ok().and_then(|uri| uri.into_parts().authority);
        let is_own = authority
            .zip(host)
            .is_some_and(|(authority, host)| authority.as_str().eq_ignore_ascii_case(host));
        if is_own {
            return Ok(());
        }
        let text = format!(
            "pages of {origin:?} may not connect; start the server with --allow-origin, or have the proxy pass the Host header on"
        );
        Err(Problem::new(StatusCode::FORBIDDEN, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(allowed: &str, origin: Option<&str>, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        AllowedOrigins::new(vec![allowed.to_owned()]).check(&headers).is_ok()
    }

    #[test]
    fn own_and_listed_pages_may_connect() {
        assert!(check("x", None, "localhost:8008"));
        assert!(check("x", Some("http://localhost:8008"), "localhost:8008"));
        assert!(check("x", Some("https://Example.org"), "example.org"));
        assert!(check("http://localhost:5173/", Some("http://localhost:5173"), "localhost:8008"));
        assert!(check("*", Some("http://anywhere"), "localhost:8008"));
        assert!(!check("x", Some("http://localhost:9000"), "localhost:8008"));
        assert!(!check("x", Some("null"), "localhost:8008"));
        assert!(!check("x", Some("https://example.org.evil"), "example.org"));
    }
}
