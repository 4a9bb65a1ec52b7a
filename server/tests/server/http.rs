//! Questions over HTTP, and pages.

use boombots_protocol::TableAnswer;
use serde_json::Value;

use crate::support::{Client, STANDARD, TestServer};
use crate::tables::small_tables;

/// Status, headers as text, and body.
async fn fetch(server: &TestServer, path: &str) -> (u16, String, String) {
    let url = format!("http://{}{path}", server.addr());
    let fetching = move || {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let response = agent.get(&url).call().unwrap();
        let (status, headers) = (response.status().as_u16(), format!("{:?}", response.headers()));
        (status, headers, response.into_body().read_to_string().unwrap())
    };
    tokio::task::spawn_blocking(fetching).await.unwrap()
}

async fn fetch_json(server: &TestServer, path: &str) -> Value {
    let (status, _, body) = fetch(server, path).await;
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_are_listed_and_read_back() {
    let server = TestServer::start().await;
    let (mut ada, mut bob) = server.players("8/8/8/4a3/3B4/8/8/A7 w").await;
    assert_eq!(fetch_json(&server, "/api/games").await["games"], serde_json::json!([]));
    ada.act("xd4").await;
    assert!(bob.next_game().await.result.is_some());
    let games = fetch_json(&server, "/api/games?limit=10").await;
    let game = &games["games"][0];
    assert_eq!((game["white"].as_str(), game["winner"].as_str()), (Some("Ada"), Some("white")));
    assert_eq!((game["reason"].as_str(), game["actions"].as_u64()), (Some("boom"), Some(1)));
    let id = game["id"].as_u64().unwrap();
    let whole = fetch_json(&server, &format!("/api/games/{id}")).await;
    assert_eq!(whole["history"], serde_json::json!(["xd4"]));
    let (_, headers, text) = fetch(&server, &format!("/api/games/{id}?format=text")).await;
    assert!(headers.contains("text/plain"));
    let record: boombots_rules::GameRecord = text.parse().unwrap();
    assert_eq!((record.tag("White"), record.actions().len()), (Some("Ada"), 1));
    assert_eq!(fetch(&server, "/api/games/99").await.0, 404);
    assert_eq!(fetch(&server, "/api/games/x").await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_positions_are_answered_in_order_and_no_more() {
    let server = TestServer::with(|options| options.tables = small_tables()).await;
    let url = format!("http://{}/api/tablebase", server.addr());
    let post = |positions: Vec<String>| {
        let url = url.clone();
        let posting = move || {
            let agent: ureq::Agent =
                ureq::Agent::config_builder().http_status_as_error(false).build().into();
            let body = serde_json::json!({ "positions": positions });
            let response = agent.post(&url).send_json(&body).unwrap();
            (response.status().as_u16(), response.into_body().read_to_string().unwrap())
        };
        tokio::task::spawn_blocking(posting)
    };
    let positions = ["8/8/8/8/8/1a6/8/A2A4 w", "nowhere", "8/8/8/8/8/8/8/A6a b"];
    let (status, body) = post(positions.map(str::to_owned).to_vec()).await.unwrap();
    let answers: Vec<TableAnswer> = serde_json::from_str(&body).unwrap();
    assert_eq!(status, 200);
    assert_eq!(
        answers.iter().map(|answer| answer.position.as_str()).collect::<Vec<_>>(),
        positions
    );
    assert_eq!(answers[0].plies, Some(17));
    assert!(answers[1].error.is_some() && answers[1].value.is_none());
    assert_eq!(answers[2].value, Some(boombots_protocol::TableResult::Draw));
    assert_eq!(post(vec![String::new(); 1_001]).await.unwrap().0, 413);
    // Each address has so many positions a second.
    let mut refused = false;
    for _ in 0..20 {
        refused |= post(vec!["8/8/8/8/8/1a6/8/A2A4 w".to_owned(); 1_000]).await.unwrap().0 == 429;
    }
    assert!(refused);
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_are_told_how_the_server_is() {
    let server = TestServer::with(|options| options.tables = small_tables()).await;
    let (_ada, _bob) = server.players(STANDARD).await;
    let status = fetch_json(&server, "/api/status").await;
    assert_eq!((status["users"].as_u64(), status["games"].as_u64()), (Some(2), Some(1)));
    assert_eq!(status["tables"]["ready"], serde_json::json!(["1v1", "2v1", "2v2"]));
    let builds = fetch_json(&server, "/api/builds").await;
    assert_eq!(
        (builds["cluster"].clone(), builds["local"]["enabled"].as_bool()),
        (Value::Null, Some(false))
    );
    assert_eq!(fetch(&server, "/healthz").await.2, "ok\n");
    let (_, _, metrics) = fetch(&server, "/metrics").await;
    assert!(metrics.contains("boombots_games_total"), "{metrics}");
    assert_eq!(fetch(&server, "/api/nothing").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_not_built_is_explained_and_one_that_is_gets_its_routes() {
    let server = TestServer::with(|options| options.web = Some("/nonexistent".into())).await;
    let (status, headers, page) = fetch(&server, "/").await;
    assert_eq!(status, 200);
    assert!(page.contains("npm run build"));
    assert!(headers.contains("content-security-policy") && headers.contains("nosniff"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<title>the client</title>").unwrap();
    std::fs::write(folder.path().join("app.js"), "1").unwrap();
    let web = folder.path().to_owned();
    let server = TestServer::with(|options| options.web = Some(web)).await;
    for route in ["/", "/games/7", "/analysis?position=x"] {
        let (status, _, page) = fetch(&server, route).await;
        assert_eq!((status, page.as_str()), (200, "<title>the client</title>"), "{route}");
    }
    let (_, headers, script) = fetch(&server, "/app.js").await;
    assert!(headers.contains("javascript") && script == "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_built_before_the_server_is_built_in() {
    let server = TestServer::start().await;
    let (status, headers, page) = fetch(&server, "/").await;
    assert_eq!(status, 200);
    assert!(headers.contains("text/html") && headers.contains("content-security-policy"));
    // There is no client in the tests' own folder, so this is the page that explains, or the one built in.
    let Some((_, script)) = page.split_once("<script type=\"module\" crossorigin src=\"") else {
        assert!(page.contains("npm run build"), "{page}");
        return;
    };
    let (script, _) = script.split_once('"').unwrap();
    let (status, headers, text) = fetch(&server, script).await;
    assert_eq!(status, 200);
    assert!(headers.contains("javascript") && text.len() > 1_000, "{headers}");
    // Its routes are its own, and what has another address is nobody's.
    assert_eq!(fetch(&server, "/games/7").await.2, page);
    assert_eq!(fetch(&server, "/api/games/7").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_hosts_may_not_connect() {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
    let server =
        TestServer::with(|options| options.allow_origins = vec!["http://friend:1".into()]).await;
    let addr = server.addr();
    let connect = |path: &str, origin: String| {
        let mut request = format!("ws://{addr}{path}").into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        tokio_tungstenite::connect_async(request)
    };
    assert!(connect("/", format!("http://{addr}")).await.is_ok());
    assert!(connect("/ws", "http://friend:1".to_owned()).await.is_ok());
    for path in ["/", "/ws"] {
        let refused = connect(path, "http://evil.example".to_owned()).await;
        let Err(tokio_tungstenite::tungstenite::Error::Http(response)) = refused else {
            panic!("{path} was not refused")
        };
        assert_eq!(response.status().as_u16(), 403);
    }
    Client::connect(addr, "Ada").await;
}
