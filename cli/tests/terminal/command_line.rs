//! The command line.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boombots-cli"))
        .args(arguments)
        .env_remove("BOOMBOTS_NAME")
        .env_remove("BOOMBOTS_URL")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn help_names_every_option_and_its_environment() {
    let help = text(&run(&["--help"]).stdout);
    for part in
        ["--name", "BOOMBOTS_NAME", "--url", "BOOMBOTS_URL", "ws://127.0.0.1:8008", "NO_COLOR"]
    {
        assert!(help.contains(part), "{part}: {help}");
    }
}

#[test]
fn the_man_page_and_completions_are_printed() {
    let page = run(&["--man"]);
    assert!(page.status.success() && text(&page.stdout).contains(".TH boombots-cli 1"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let completions = run(&["--completions", shell]);
        assert!(completions.status.success());
        assert!(text(&completions.stdout).contains("boombots-cli"), "{shell}");
    }
}

#[test]
fn bad_input_is_explained() {
    for (arguments, why) in [
        (&["--url", "http://localhost:8008"][..], "begins with ws:// or wss://"),
        (&["--url", "nonsense"], "looks like ws://127.0.0.1:8008"),
        (&["--theme", "pink"], "possible values: auto, dark, light, 16, ascii"),
        (&["--colour"], "--colour"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn without_a_terminal_it_says_so() {
    let output = run(&["--name", "Ada"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("must be a terminal"));
    assert!(output.stdout.is_empty());
}
