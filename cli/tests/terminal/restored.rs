//! The terminal is as it was, however the client ends.

use std::os::unix::process::ExitStatusExt as _;

use boombots_cli::Screen;
use rustix::process::Signal;

use crate::fake_server::{fake_server, welcome};
use crate::pseudo_terminal::{PseudoTerminal, client, plain};

/// A client in the lobby of a server that says nothing more.
fn in_lobby() -> PseudoTerminal {
    let ada = PseudoTerminal::run(client(&fake_server(vec![welcome()]), &["--name", "Ada"]));
    ada.see("Players 0");
    assert!(ada.is_taken());
    ada
}

#[test]
fn after_quitting() {
    for keys in ["q", "\x1b", "\x03"] {
        let ada = in_lobby();
        ada.press(keys);
        assert!(ada.ended().success());
        ada.assert_restored();
    }
}

#[test]
fn after_an_error() {
    let refusal =
        r#"{"type":"error","code":"unsupportedVersion","message":"this server speaks version 2"}"#;
    let url = fake_server(vec![refusal.to_owned()]);
    let ada = PseudoTerminal::run(client(&url, &["--name", "Ada"]));
    assert_eq!(ada.ended().code(), Some(1));
    ada.assert_restored();
    // Told where the user sees it.
    ada.see("error: this server speaks version 2");
}

#[test]
fn after_signals() {
    for (signal, code) in
        [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)]
    {
        let ada = in_lobby();
        ada.signal(signal);
        assert_eq!(ada.ended().code(), Some(code), "{signal:?}");
        ada.assert_restored();
    }
}

#[test]
fn after_a_panic() {
    let this = std::env::current_exe().unwrap();
    let command = plain(this.to_str().unwrap())
        .args(["--exact", "restored::panics_with_the_terminal_taken_over", "--nocapture"])
        .env(PANIC, "1");
    let program = PseudoTerminal::run(command);
    assert!(!program.ended().success());
    program.assert_restored();
    // The message is on the usual screen, not lost with the other one.
    program.see("something is wrong in the drawing");
    let text = String::from_utf8_lossy(&program.bytes()).into_owned();
    let (_, after) = text.split_once("\x1b[?1049h").unwrap();
    let (_, after) = after.split_once("\x1b[?1049l").unwrap();
    assert!(after.contains("something is wrong in the drawing"), "{text:?}");
}

/// No test but a program that panics, in the process that is started for it.
#[test]
fn panics_with_the_terminal_taken_over() {
    if std::env::var_os(PANIC).is_some() {
        let mut screen = Screen::enter(true).unwrap();
        let _ = screen.terminal().draw(|_| panic!("something is wrong in the drawing"));
    }
}

#[test]
fn a_vanished_terminal_ends_the_client() {
    let mut ada = in_lobby();
    ada.vanish();
    let status = ada.ended();
    // By the signal that comes with it, or by seeing that nothing can be read any more.
    assert!(matches!(status.code(), Some(1 | 129)), "{status:?}");
}

#[test]
fn a_vanished_terminal_ends_the_client_also_without_a_signal() {
    let url = fake_server(vec![welcome()]);
    // The shell ignores the signal, and so does its child until it chooses otherwise.
    let script =
        format!("trap '' HUP; {} --name Ada --url {url}", env!("CARGO_BIN_EXE_boombots-cli"));
    let mut ada = PseudoTerminal::run(plain("sh").args(["-c", &script]));
    ada.see("Players 0");
    ada.vanish();
    let status = ada.ended();
    assert!(status.signal().is_none() && !status.success(), "{status:?}");
}

#[test]
fn ctrl_z_and_fg() {
    let url = fake_server(vec![welcome()]);
    let shell =
        plain("bash").args(["--norc", "--noprofile", "--noediting", "-i"]).env("PS1", "ready> ");
    let shell = PseudoTerminal::run(shell);
    shell.see("ready>");
    let program = env!("CARGO_BIN_EXE_boombots-cli");
    shell.press(&format!("{program} --name Ada --url {url}\n"));
    shell.see("Players 0");
    assert!(shell.is_taken());
    for round in 1..=2 {
        shell.press("\x1a");
        shell.until("the shell", |screen| screen.matches("Stopped").count() == round);
        shell.assert_restored();
        shell.press("echo the answer is $((6 * 7))\n");
        shell.until("the answer", |screen| screen.matches("the answer is 42").count() == round);
        shell.press("fg\n");
        // Everything is drawn anew, and keys work.
        shell.until("the lobby again", |screen| {
            screen.contains("Players 0") && !screen.contains("Stopped")
        });
        assert!(shell.is_taken());
    }
    shell.press("?");
    shell.see("Ctrl-Z");
    shell.press("q");
    shell.until("help closed", |screen| !screen.contains("Ctrl-Z"));
    shell.press("q");
    shell.until("the shell", |screen| screen.trim_end().ends_with("ready>"));
    shell.assert_restored();
    shell.press("exit\n");
    assert!(shell.ended().success());
}

#[test]
fn a_resized_terminal_is_drawn_anew() {
    let ada = in_lobby();
    ada.resize(30, 10);
    ada.see("terminal too small");
    ada.resize(120, 40);
    ada.see("Players 0");
    ada.press("q");
    assert!(ada.ended().success());
}

#[test]
fn no_color_is_respected() {
    let url = fake_server(vec![welcome()]);
    let ada = PseudoTerminal::run(client(&url, &["--name", "Ada"]).env("NO_COLOR", "1"));
    ada.see("Players 0");
    let text = String::from_utf8_lossy(&ada.bytes()).into_owned();
    // 38 and 48 choose colours, 30–37 and 40–47 those of the terminal.
    for escape in text.split("\x1b[").skip(1) {
        let Some((codes, _)) = escape.split_once('m') else { continue };
        if !codes.chars().all(|character| character.is_ascii_digit() || character == ';') {
            continue;
        }
        for code in codes.split(';').filter_map(|code| code.parse::<u8>().ok()) {
            assert!(!matches!(code, 30..=38 | 40..=48 | 90..=107), "{codes}");
        }
    }
}

const PANIC: &str = "BOOMBOTS_TEST_PANIC";
