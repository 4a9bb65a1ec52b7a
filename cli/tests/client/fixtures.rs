//! Clients brought into each view by the events that lead there.

use std::time::Duration;

use boombots_cli::arguments::ThemeChoice;
use boombots_cli::{Environment, Event, LinkEvent, Theme};
use boombots_protocol::{
    Bot, BotEvaluation, BotEvaluations, Builds, Challenge, ClassBuild, ClockSettings, Clocks,
    ClusterBuilds, ClusterWorker, ColorChoice, EndReason, Game, GameResult, LastAction, LiveGame,
    Lobby, LobbyBots, LobbyTables, LocalBuilds, Player, Players, ServerMessage, State, Team, User,
    Welcome,
};
use boombots_rules::{Action, Position};
use ratatui::crossterm::event::KeyCode;

use crate::analysis_fixtures;
pub(crate) use crate::harness::{Client, ME};

pub(crate) fn welcome(resumed: bool, playing: Option<u32>) -> ServerMessage {
    ServerMessage::Welcome(Welcome {
        id: ME,
        name: "Ada".to_owned(),
        resume_token: "token".to_owned(),
        resumed,
        protocol_version: 1,
        server_version: "0.1.0".to_owned(),
        table_classes: Vec::new(),
        playing,
    })
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

pub(crate) fn human(id: u32, name: &str) -> Player {
    Player { id: Some(id), name: name.to_owned(), bot: None, connected: true }
}

pub(crate) fn bot(level: u8, tables: bool) -> Player {
    let bot = Some(Bot { level, tables });
    Player { id: None, name: format!("Bot {level}"), bot, connected: true }
}

pub(crate) fn lobby() -> Lobby {
    let user = |id, name: &str, playing| User { id, name: name.to_owned(), playing };
    let challenge = |id, challenger_id, challenger_name: &str, target_id, clock, color| Challenge {
        id,
        challenger_id,
        challenger_name: challenger_name.to_owned(),
        target_id,
        game: "boombots".to_owned(),
        start: "standard".to_owned(),
        clock,
        color,
        rematch_of: None,
    };
    let five = Some(ClockSettings { initial_ms: 300_000, increment_ms: 3_000 });
    Lobby {
        users: vec![
            user(ME, "Ada", None),
            user(2, "Bob", None),
            user(3, "Grace Hopper", Some(7)),
            user(4, "日本の友達", None),
            user(5, "Zoë", Some(7)),
        ],
        challenges: vec![
            challenge(11, 2, "Bob", ME, five, ColorChoice::Black),
            challenge(12, ME, "Ada", 4, None, ColorChoice::Random),
        ],
        games: vec![
            LiveGame {
                id: 8,
                game: "boombots".to_owned(),
                players: Players { white: bot(10, false), black: bot(10, true) },
            },
            LiveGame {
                id: 7,
                game: "boombots".to_owned(),
                players: Players { white: human(3, "Grace Hopper"), black: human(5, "Zoë") },
            },
        ],
        game_count: 2,
        bots: LobbyBots { levels: 10, slots: 2, thinking: 1, queued: 0 },
        tables: LobbyTables {
            ready: strings(&["1v1", "2v1", "2v2", "3v1", "3v2"]),
            building: Some("3v3".to_owned()),
            problems: Vec::new(),
        },
    }
}

/// A game after actions from a start, as the server tells it to whoever comes.
pub(crate) fn game(players: Players, start: &str, history: &[&str]) -> Game {
    let first: Position = start.parse().unwrap();
    let mut position = first;
    let mut last_action = None;
    for text in history {
        let action: Action = text.parse().unwrap();
        let team = position.turn().into();
        last_action = Some(LastAction {
            team,
            action: action.into(),
            text: (*text).to_owned(),
            action_id: None,
        });
        position = position.play(action).unwrap();
    }
    Game {
        id: 9,
        game: "boombots".to_owned(),
        players,
        state: State::from(&position),
        revision: history.len() as u32,
        last_action,
        result: position.outcome().map(GameResult::by_rule),
        clocks: None,
        bot_evaluations: BotEvaluations::default(),
        draw_offer: None,
        start: Some(first.to_string()),
        history: Some(strings(history)),
    }
}

/// The same as the server tells it after an action: without start and history.
pub(crate) fn news(game: Game) -> Game {
    Game { start: None, history: None, ..game }
}

/// Three stacks a side, near enough to blow each other up.
pub(crate) const MIDDLE: &str = "a6b/8/2c5/3aA3/3C4/5b2/1B6/A6A w";

pub(crate) fn ada_and_bob() -> Players {
    Players { white: human(ME, "Ada"), black: human(2, "Bob") }
}

pub(crate) fn in_lobby() -> Client {
    let mut client = Client::welcomed();
    client.hear(ServerMessage::Lobby(lobby()));
    client.app.notice = None;
    client
}

pub(crate) fn playing() -> Client {
    let mut client = in_lobby();
    let mut game = game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4"]);
    game.clocks = Some(Clocks {
        white_ms: 245_000,
        black_ms: 17_400,
        increment_ms: 3_000,
        running: Some(Team::White),
    });
    client.hear(ServerMessage::Game(game));
    client
}

/// A stack is chosen, and how many of it go.
pub(crate) fn choosing() -> Client {
    let mut client = playing();
    client.press(KeyCode::Char(' '));
    client.press(KeyCode::Up);
    client
}

/// What a boom takes is shown.
pub(crate) fn previewing() -> Client {
    let mut client = playing();
    client.press(KeyCode::Up);
    client.press(KeyCode::Up);
    client.press(KeyCode::Char('b'));
    client
}

/// An explosion spreads.
pub(crate) fn exploding() -> Client {
    let mut client = playing();
    let mut after = game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4", "xd4"]);
    after.revision = 3;
    client.hear(ServerMessage::Game(news(after)));
    client.now += Duration::from_millis(150);
    client.event(Event::Tick);
    client
}

pub(crate) fn won() -> Client {
    let mut client = in_lobby();
    let ended = game(ada_and_bob(), "8/8/8/4a3/3B4/8/8/A7 w", &["xd4"]);
    client.hear(ServerMessage::Game(ended));
    client
}

pub(crate) fn watching() -> Client {
    let mut client = in_lobby();
    let players = Players { white: bot(10, false), black: bot(10, true) };
    let mut watched = game(players, MIDDLE, &["2d4d2", "1f3f4", "1a1a2"]);
    watched.id = 8;
    watched.bot_evaluations = BotEvaluations {
        white: Some(BotEvaluation { white_score: 135, mate_in: None }),
        black: Some(BotEvaluation { white_score: -999_984, mate_in: Some(-8) }),
    };
    client.hear(ServerMessage::Game(watched));
    let team = Team::Black;
    client.hear(ServerMessage::BotThinking { game_id: 8, team, budget_ms: 5000 });
    client.now += Duration::from_millis(1700);
    client.event(Event::Tick);
    client
}

pub(crate) fn builds() -> Client {
    let mut client = in_lobby();
    let class = |class: &str, phase: &str, done, all, ply| ClassBuild {
        class: class.to_owned(),
        phase: phase.to_owned(),
        done,
        all,
        ply,
        decided: if ply > 0 { 1_234_567_890.0 } else { 0.0 },
        elapsed_seconds: 75.4,
        rate: Some(80_000.0),
        remaining_seconds: Some(125.0),
        waiting: None,
    };
    let worker = |name: &str, state: &str, reason: Option<&str>, note: &str, shards: &[&str]| {
        ClusterWorker {
            name: name.to_owned(),
            state: state.to_owned(),
            reason: reason.map(str::to_owned),
            threads: 8,
            note: note.to_owned(),
            shards: strings(shards),
        }
    };
    let mut waits = class("5v2", "booms", 0.0, 100.0, 0);
    waits.waiting = Some("waits for a worker with 9 GB of memory".to_owned());
    (waits.rate, waits.remaining_seconds) = (None, None);
    client.hear(ServerMessage::Builds(Builds {
        local: LocalBuilds {
            enabled: true,
            ready: strings(&["1v1", "2v1", "2v2", "3v1", "3v2"]),
            waiting: Vec::new(),
            current: Some(class("3v3", "booms", 120_000.0, 528_346.0, 0)),
            problem: None,
        },
        cluster: Some(ClusterBuilds {
            connected: true,
            problem: None,
            classes: vec![class("4v3", "plies", 62.0, 100.0, 17), waits],
            published: strings(&["2v2", "3v2", "3v3", "4v2"]),
            workers: vec![
                worker("forge", "working", None, "4v3 ply 17", &["4v3/1", "4v3/4"]),
                worker("anvil", "idle", Some("no shard is free"), "", &[]),
                worker("bellows", "dead", Some("silent for 30 s"), "", &[]),
            ],
            events: strings(&["4v2 is published", "bellows is dead: silent for 30 s"]),
        }),
    }));
    client.press(KeyCode::Char('w'));
    client
}

pub(crate) fn helping() -> Client {
    let mut client = playing();
    client.press(KeyCode::Char('?'));
    client
}

pub(crate) fn asking_for_a_name() -> Client {
    let mut client = Client::new(None);
    client.type_text("Ada");
    client
}

pub(crate) fn choosing_a_bot() -> Client {
    let mut client = in_lobby();
    client.press(KeyCode::Char('p'));
    client.press(KeyCode::Down);
    client.press(KeyCode::Left);
    client
}

pub(crate) fn choosing_options() -> Client {
    let mut client = in_lobby();
    client.press(KeyCode::Char('o'));
    client
}

pub(crate) fn typing() -> Client {
    let mut client = playing();
    client.press(KeyCode::Char('m'));
    client.type_text("xd4");
    client
}

pub(crate) fn leaving() -> Client {
    let mut client = playing();
    client.press(KeyCode::Esc);
    client
}

pub(crate) fn resigning() -> Client {
    let mut client = playing();
    client.press(KeyCode::Char('r'));
    client
}

pub(crate) fn disconnected() -> Client {
    let mut client = playing();
    let reason = "the server stops; reconnect soon".to_owned();
    client.event(Event::Link(LinkEvent::Closed { code: Some(1001), reason }));
    client
}

/// A client in a view, by the view's name.
pub(crate) type Named = (&'static str, fn() -> Client);

/// Every view and everything in front of one.
pub(crate) fn all() -> Vec<Named> {
    vec![
        ("name", asking_for_a_name),
        ("lobby", in_lobby),
        ("bot", choosing_a_bot),
        ("options", choosing_options),
        ("game", playing),
        ("choosing", choosing),
        ("boom", previewing),
        ("explosion", exploding),
        ("typing", typing),
        ("leaving", leaving),
        ("resigning", resigning),
        ("lost", disconnected),
        ("ended", won),
        ("watching", watching),
        ("analysing", analysis_fixtures::analysing),
        ("analysed", analysis_fixtures::analysed),
        ("stepping", analysis_fixtures::stepping),
        ("over", analysis_fixtures::over),
        ("position", analysis_fixtures::typing),
        ("builds", builds),
        ("help", helping),
    ]
}

pub(crate) fn theme(choice: ThemeChoice, no_color: bool) -> Theme {
    let environment = Environment { no_color, ..Environment::default() };
    Theme::new(choice, &environment)
}

pub(crate) fn ended_by(reason: EndReason, winner: Option<Team>) -> Game {
    let mut ended = game(ada_and_bob(), MIDDLE, &["2d4d2", "1f3f4"]);
    ended.revision += 1;
    ended.result = Some(GameResult { winner, reason });
    ended
}
