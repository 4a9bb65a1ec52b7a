//! `docs/terminal.md` shows the screens as they are.

use std::fmt::Write as _;
use std::path::Path;

use crate::fixtures;

/// Writes the screens anew with `BOOMBOTS_UPDATE=1`.
#[test]
fn the_screens_of_the_documentation_are_fresh() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/terminal.md"));
    let old = std::fs::read_to_string(path).unwrap();
    let mut new = String::new();
    let mut rest = old.as_str();
    let mut shown = Vec::new();
    while let Some((before, after)) = rest.split_once("<!-- screen: ") {
        let (name, after) = after.split_once(" -->\n").unwrap();
        let after = after.strip_prefix("```text\n").unwrap();
        let (_, after) = after.split_once("```\n").unwrap();
        let all = fixtures::all();
        let (_, client) = all.iter().find(|(other, _)| *other == name).unwrap();
        let screen = client().screen(80, 24);
        let _ = write!(new, "{before}<!-- screen: {name} -->\n```text\n{screen}```\n");
        shown.push(name);
        rest = after;
    }
    new.push_str(rest);
    if std::env::var_os("BOOMBOTS_UPDATE").is_some() {
        std::fs::write(path, &new).unwrap();
    } else {
        assert!(old == new, "docs/terminal.md is out of date: BOOMBOTS_UPDATE=1 writes it anew");
    }
    for view in [
        "name",
        "lobby",
        "choosing",
        "boom",
        "explosion",
        "watching",
        "analysing",
        "builds",
        "help",
    ] {
        assert!(shown.contains(&view), "docs/terminal.md does not show {view}");
    }
}

#[test]
fn every_option_is_documented() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/terminal.md"));
    let text = text.unwrap();
    let command = <boombots_cli::arguments::Arguments as clap::CommandFactory>::command();
    for option in command.get_arguments().filter_map(clap::Arg::get_long) {
        if !["help", "version"].contains(&option) {
            assert!(text.contains(&format!("`--{option}")), "--{option} is not documented");
        }
    }
}

#[test]
fn the_build_makes_the_man_page_and_completions() {
    use boombots_cli::arguments::CompletionShell;
    use clap::ValueEnum as _;

    let page = boombots_cli::MAN_PAGE;
    assert!(page.contains(".TH boombots-cli 1"), "{page}");
    for option in ["name", "url", "theme", "no\\-animation", "no\\-mouse"] {
        assert!(page.contains(&format!("\\-\\-{option}")), "{option}: {page}");
    }
    for shell in CompletionShell::value_variants() {
        let completions = boombots_cli::completions(*shell);
        assert!(completions.contains("no-animation"), "{shell:?}");
    }
}
