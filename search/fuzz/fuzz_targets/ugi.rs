//! Any bytes as the lines of a UGI session: nothing panics, and the session
//! goes on until it is told to quit. Searches are cut short.
//!
//! ```text
//! RUSTC_BOOTSTRAP=1 cargo fuzz run ugi --fuzz-dir search/fuzz -- -max_total_time=60
//! ```

#![no_main]

use boombots_search::ugi::{Command, Session, SetOption};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut session = Session::new(std::io::sink());
    for line in String::from_utf8_lossy(bytes).split('\n').take(64) {
        // What is understood must not take memory or time beyond a fuzzer's.
        let is_costly = match line.parse::<Command>() {
            Ok(Command::Go(go)) => {
                go.perft.is_some_and(|depth| depth > 2)
                    || go.nodes.is_none_or(|nodes| nodes > 2_000)
                    || go.infinite
            }
            Ok(Command::SetOption(SetOption::Hash(mebibytes))) => mebibytes > 4,
            Ok(Command::SetOption(SetOption::Threads(threads))) => threads > 2,
            Ok(Command::SetOption(SetOption::TablesFolder(_))) => true,
            _ => false,
        };
        if is_costly {
            continue;
        }
        if session.handle(line).expect("a sink takes everything").is_break() {
            return;
        }
    }
    session.finish();
});
