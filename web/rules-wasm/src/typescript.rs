//! The TypeScript of the answers: made from the types, committed, and checked fresh.

use std::fmt::Write as _;
use std::path::Path;

use ts_rs::{Config, TS};

use crate::*;

fn declare<T: TS + 'static>(text: &mut String, config: &Config) {
    let docs = T::docs().unwrap_or_default();
    writeln!(text, "\n{docs}export {}", T::decl(config)).unwrap();
}

#[test]
#[allow(clippy::unwrap_used)]
fn typescript_is_fresh() {
    let mut text = String::from(
        "// Made from the Rust types of web/rules-wasm. Do not edit; write it anew with `make wasm`.\n\n\
         import type { Action, State, Team } from \"../../../server/protocol/bindings/protocol\";\n",
    );
    let config = Config::new();
    declare::<Described>(&mut text, &config);
    declare::<Bots>(&mut text, &config);
    declare::<OwnStack>(&mut text, &config);
    declare::<Boom>(&mut text, &config);
    declare::<Played>(&mut text, &config);
    declare::<Replayed>(&mut text, &config);
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/bindings/rules.ts"));
    if std::env::var_os("BOOMBOTS_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == text, "bindings/rules.ts is stale: run `make wasm`");
}
