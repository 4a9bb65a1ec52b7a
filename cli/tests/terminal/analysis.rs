//! Positions analysed by a real server.

use crate::pseudo_terminal::{PseudoTerminal, client};
use crate::server_process::ServerProcess;

/// White wins in three plies.
const WON: &str = "7a/8/6A1/8/8/8/8/A7 w";

/// The positions looked at, as the screen has them.
fn positions(screen: &str) -> Option<&str> {
    let (before, _) = screen.split_once(" positions")?;
    let (_, figure) = before.rsplit_once("  ")?;
    Some(figure.trim()).filter(|figure| figure.starts_with(|first: char| first.is_ascii_digit()))
}

/// The actions of a line that stands first among the best.
fn best_line(screen: &str) -> Option<String> {
    let (_, row) = screen.split_once("▸ ")?;
    let row = row.lines().next()?;
    let mut actions =
        row.split_whitespace().filter(|word| word.parse::<boombots_rules::Action>().is_ok());
    actions.next().map(str::to_owned)
}

#[test]
fn a_position_is_analysed_live_and_a_line_of_it_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder);
    let ada = PseudoTerminal::run(client(&server.url(), &["--name", "Ada"]));
    ada.see("Players 0");
    ada.press("a");
    ada.see("aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w");
    ada.press("\r");
    ada.see("this server");
    ada.until("a line", |screen| best_line(screen).is_some());
    let mut first = None;
    ada.until("figures that change", |screen| {
        let now = positions(screen).filter(|&figure| figure != "0").map(str::to_owned);
        first = first.take().or_else(|| now.clone());
        now.is_some() && now != first
    });
    // The first action of the best line is played, and what follows is analysed.
    ada.press("\r");
    ada.see("Best for Black");
    ada.until("a line of Black's", |screen| screen.contains("way ") && best_line(screen).is_some());
    ada.press("h");
    ada.see("Best for White");
    ada.press("q");
    ada.see("Players 0");
    ada.press("q");
    assert!(ada.ended().success());
    ada.assert_restored();
}

#[test]
fn a_win_is_shown_as_proved_and_followed_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder);
    let ada = PseudoTerminal::run(client(&server.url(), &["--name", "Ada"]));
    ada.see("Players 0");
    ada.press("a\x15");
    // Pasted, as terminals bracket it.
    ada.press(&format!("\x1b[200~{WON}\x1b[201~"));
    ada.see("White to move, bots: 2 White, 1 Black");
    ada.press("\r");
    ada.see("White wins: proved");
    ada.until("the winning action", |screen| best_line(screen).as_deref() == Some("1g6g7"));
    ada.press("m1g6g7\rm1h8g8\rmxg7\r");
    ada.see("The game is over: White has won");
    ada.press("q");
    ada.see("Players 0");
    // A match that is watched is analysed as well, and come back to.
    ada.press("b");
    ada.see("watching game 1");
    ada.press("a");
    ada.see("this server");
    ada.press("\x1b");
    ada.see("watching game 1");
    ada.press("q");
    assert!(ada.ended().success());
    ada.assert_restored();
}
