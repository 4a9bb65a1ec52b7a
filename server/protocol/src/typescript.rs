//! The TypeScript of the messages: made from the types, committed, and checked fresh.

use std::fmt::Write as _;
use std::path::Path;

use ts_rs::{Config, TS};

use crate::*;

/// A type's documentation and declaration.
fn declare<T: TS + 'static>(text: &mut String, config: &Config) {
    let docs = T::docs().unwrap_or_default();
    writeln!(text, "\n{docs}export {}", T::decl(config)).unwrap();
}

fn declarations() -> String {
    let mut text = String::from(
        "// Made from the Rust types of server/protocol. Do not edit; write it anew with\n\
         //   BOOMBOTS_UPDATE=1 cargo test -p boombots-protocol typescript\n",
    );
    let config = Config::new();
    macro_rules! declare_all {
        ($($name:ty),* $(,)?) => { $(declare::<$name>(&mut text, &config);)* };
    }
    declare_all!(
        ClientMessage,
        ServerMessage,
        Welcome,
        Problem,
        ErrorCode,
        Lobby,
        User,
        Challenge,
        LiveGame,
        LobbyBots,
        LobbyTables,
        Game,
        Players,
        Player,
        Bot,
        State,
        Stack,
        Team,
        ColorChoice,
        Point,
        Action,
        LastAction,
        GameResult,
        EndReason,
        Clocks,
        ClockSettings,
        BotEvaluations,
        BotEvaluation,
        Analysis,
        AnalysisLine,
        DeepAnalysis,
        DeepLine,
        ProvedValue,
        DeepAnalysisSource,
        DeepAnalysisState,
        Builds,
        LocalBuilds,
        ClassBuild,
        ClusterBuilds,
        ClusterWorker,
        TableResult,
        TableValue,
        RatedAction,
        TableAnswer,
        TableBatch,
        FinishedGames,
        GameSummary,
        FinishedGame,
    );
    writeln!(text, "\nexport const PROTOCOL_VERSION = {PROTOCOL_VERSION};").unwrap();
    writeln!(text, "export const MAX_MESSAGE_BYTES = {MAX_MESSAGE_BYTES};").unwrap();
    writeln!(text, "export const MAX_NAME_CHARACTERS = {MAX_NAME_CHARACTERS};").unwrap();
    text
}

#[test]
fn typescript_is_fresh() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/bindings/protocol.ts"));
    let text = declarations();
    if std::env::var_os("BOOMBOTS_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == text, "run: BOOMBOTS_UPDATE=1 cargo test -p boombots-protocol typescript");
}
