//! `watch`: everything as it goes on, until Ctrl-C.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::client::Client;
use crate::view::View;

pub(crate) fn run(data: &Path, json: bool) -> anyhow::Result<()> {
    let client = Client::of(data)?;
    let mut view = View::new();
    let mut known = true;
    loop {
        match client.status() {
            Ok(status) if json => {
                let mut out = std::io::stdout().lock();
                writeln!(out, "{}", serde_json::to_string(&status)?)?;
                out.flush()?;
            }
            Ok(status) => view.show(&status),
            Err(error) if known => eprintln!("{error:#}; trying again"),
            Err(_) => {}
        }
        known = client.status().is_ok();
        std::thread::sleep(if json { EVERY * 2 } else { EVERY });
    }
}

const EVERY: Duration = Duration::from_millis(500);
