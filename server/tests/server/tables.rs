//! Tables appear, answer, and turn out to be damaged.

use std::path::{Path, PathBuf};

use boombots_probe::{Plies, Tables, TablesOptions, Value};
use boombots_protocol::{ServerMessage, TableAnswer, TableResult, Team};
use boombots_rules::{Color, Position, Setup, Square};

use crate::support::{TestServer, action};

/// Tables of 1v1, 2v1 and 2v2.
pub(crate) fn small_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../search/data/tables")
}

fn copy_tables(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for entry in small_tables().read_dir().unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
}

pub(crate) async fn ask(server: &TestServer, position: &str) -> TableAnswer {
    let url = format!("http://{}/api/tablebase", server.addr());
    let position = position.to_owned();
    let asking = move || {
        let response = ureq::get(&url).query("position", &position).call().unwrap();
        response.into_body().read_json().unwrap()
    };
    tokio::task::spawn_blocking(asking).await.unwrap()
}

/// A position with three bots a side that White, to move, loses in no fewer plies.
fn lost_for_white(tables: &Tables, plies: u8) -> Position {
    let mut random = 5_u64;
    let mut below = |bound: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (random >> 33) % bound
    };
    loop {
        let mut setup = Setup::empty(Color::White);
        for bot in 0..6 {
            let square = Square::ALL[below(64) as usize];
            let color = Color::ALL[bot % 2];
            if setup.height(!color, square) == 0 {
                let height = setup.height(color, square) + 1;
                setup = setup.put(color, square, height);
            }
        }
        let position = Position::from_setup(&setup).unwrap();
        if matches!(tables.value(&position), Ok(Value::Loss(Plies(found))) if found >= plies) {
            return position;
        }
    }
}

/// The whole way of a new server: it builds everything up to 3v3, says so, and plays by it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_tables_builds_them_and_its_bot_counts_down_to_mate() {
    let server = TestServer::with(|options| {
        options.build_up_to = Some("3v3".parse().unwrap());
    })
    .await;
    let mut ada = server.client("Ada").await;
    let mut seen = Vec::new();
    ada.until(|message| match message {
        ServerMessage::Builds(builds) => {
            seen.extend(builds.local.current.map(|build| build.phase));
            builds.local.ready.contains(&"3v3".to_owned()).then_some(())
        }
        _ => None,
    })
    .await;
    assert!(seen.iter().any(|phase| phase == "booms" || phase == "writing"), "{seen:?}");
    let ready = ada.lobby_with(|lobby| {
        let ready = &lobby.tables.ready;
        ready.contains(&"3v3".to_owned()).then(|| ready.clone())
    });
    assert_eq!(ready.await, ["1v1", "2v1", "2v2", "3v1", "3v2", "3v3"]);

    let tables =
        Tables::open(&server.folder.path().join("tables"), TablesOptions::default()).unwrap();
    let mut position = lost_for_white(&tables, 14);
    ada.say(&format!(
        r#"{{"type":"startBotGame","color":"white","level":10,"start":"{position}"}}"#
    ))
    .await;
    let mut announced: Option<i32> = None;
    let mut revision = ada.next_game().await.revision;
    loop {
        // White delays as long as can be.
        let best = tables.best_action(&position).unwrap().action;
        ada.tell(&action(&best.to_string(), Some(revision), None)).await;
        let mine = ada.next_game().await;
        let game = if mine.result.is_some() { mine } else { ada.next_game().await };
        revision = game.revision;
        position = game.state.position.parse().unwrap();
        if let Some(evaluation) = game.bot_evaluations.black {
            let mate = evaluation.mate_in.unwrap();
            assert!(mate < 0 && evaluation.white_score < -999_000);
            if let Some(before) =
                announced.filter(|_| game.last_action.unwrap().team == Team::Black)
            {
                assert_eq!(mate, before + 1);
            }
            announced = Some(mate);
        }
        if let Some(result) = game.result {
            assert_eq!(result.winner, Some(Team::Black));
            break;
        }
    }
    assert_eq!(announced, Some(-1));
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_appear_are_used_at_once() {
    let server = TestServer::start().await;
    let position = "8/8/8/8/8/1a6/8/A2A4 w";
    let answer = ask(&server, position).await;
    assert_eq!((answer.value, answer.class.as_deref()), (None, Some("2v1")));
    assert!(answer.error.unwrap().contains("there is no"));
    let mut ada = server.client("Ada").await;
    copy_tables(&server.folder.path().join("tables"));
    ada.lobby_with(|lobby| lobby.tables.ready.contains(&"2v1".to_owned()).then_some(())).await;
    let answer = ask(&server, position).await;
    assert_eq!((answer.value, answer.plies), (Some(TableResult::Win), Some(17)));
    let actions = answer.actions.unwrap();
    assert_eq!((actions[0].text.as_str(), actions[0].plies), ("1d1d2", Some(17)));
    assert_eq!(actions.last().unwrap().value, TableResult::Draw);
}

/// A position of two against two.
const TWO_EACH: &str = "8/1a6/8/8/5a2/8/2A5/6A1 w";

fn damage(path: &Path, how: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    how(&mut bytes);
    // In place, as a failing disk would.
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_byte_sets_the_table_aside_and_play_goes_on() {
    let server = TestServer::with(|options| {
        copy_tables(&options.tables);
        // Header and index are at the front; this is in the last block.
        damage(&options.tables.join("2v1.dtm.bbtb"), |bytes| {
            let at = bytes.len() - 100;
            bytes[at] ^= 0x40;
        });
    })
    .await;
    let mut ada = server.client("Ada").await;
    // One of these is answered from the damaged block.
    let corners = [
        "8/8/8/8/8/1a6/8/A2A4 w",
        "7A/8/8/8/8/8/8/A6a w",
        "8/8/8/3A4/8/8/4a3/A7 w",
        "8/8/3aA3/8/8/8/8/7A b",
    ];
    let more = Square::ALL.map(|square| {
        let setup = Setup::empty(Color::White).put(Color::White, Square::ALL[27], 2);
        let square = if square == Square::ALL[27] { Square::ALL[0] } else { square };
        Position::from_setup(&setup.put(Color::Black, square, 1)).unwrap().to_string()
    });
    let mut refused = 0;
    for position in corners.map(str::to_owned).into_iter().chain(more) {
        refused += u32::from(ask(&server, &position).await.error.is_some());
    }
    assert!(refused > 0);
    let problems = ada
        .lobby_with(|lobby| {
            (!lobby.tables.problems.is_empty()).then(|| lobby.tables.problems.clone())
        })
        .await;
    assert!(problems[0].contains("2v1.dtm.bbtb"), "{problems:?}");
    plays_on(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_cut_before_the_start_is_refused_by_name() {
    let server = TestServer::with(|options| {
        copy_tables(&options.tables);
        damage(&options.tables.join("2v2.wdl.bbtb"), |bytes| bytes.truncate(bytes.len() / 2));
    })
    .await;
    let mut ada = server.client("Ada").await;
    let problems = ada.lobby_with(|lobby| Some(lobby.tables.problems.clone())).await;
    assert!(
        problems[0].contains("2v2.wdl.bbtb") && problems[0].contains("cut off"),
        "{problems:?}"
    );
    let answer = ask(&server, TWO_EACH).await;
    assert!(answer.error.is_some());
    plays_on(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_cut_while_it_is_probed_is_set_aside() {
    let server = TestServer::with(|options| copy_tables(&options.tables)).await;
    assert!(ask(&server, TWO_EACH).await.value.is_some());
    let path = server.folder.path().join("tables/2v2.wdl.bbtb");
    damage(&path, |bytes| bytes.truncate(bytes.len() / 3));
    let mut ada = server.client("Ada").await;
    ada.lobby_with(|lobby| (!lobby.tables.problems.is_empty()).then_some(())).await;
    assert!(ask(&server, "8/8/8/8/8/1a6/8/A2A4 w").await.value.is_some());
    plays_on(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_table_is_built_anew() {
    let server = TestServer::with(|options| {
        copy_tables(&options.tables);
        damage(&options.tables.join("2v2.dtm.bbtb"), |bytes| bytes.truncate(bytes.len() / 2));
        options.build_up_to = Some("2v2".parse().unwrap());
    })
    .await;
    let mut ada = server.client("Ada").await;
    ada.lobby_with(|lobby| {
        (lobby.tables.problems.is_empty() && lobby.tables.building.is_none()).then_some(())
    })
    .await;
    assert!(ask(&server, TWO_EACH).await.value.is_some());
}

/// A bot still finds an action where the table would have answered.
async fn plays_on(server: &TestServer) {
    let mut eve = server.client("Eve").await;
    eve.say(&format!(
        r#"{{"type":"startBotGame","color":"black","level":10,"start":"{TWO_EACH}"}}"#
    ))
    .await;
    eve.next_game().await;
    assert_eq!(eve.next_game().await.revision, 1);
}
