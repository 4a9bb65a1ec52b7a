//! Whole games by keys alone.

use crate::pseudo_terminal::{PseudoTerminal, client};
use crate::server_process::ServerProcess;

/// Two clients in a game with each other: White's first, then Black's.
fn players(server: &ServerProcess) -> (PseudoTerminal, PseudoTerminal) {
    let ada = PseudoTerminal::run(client(&server.url(), &["--name", "Ada"]));
    ada.see("lobby");
    // Without a name the client asks for one.
    let bob = PseudoTerminal::run(client(&server.url(), &[]));
    bob.see("What is your name?");
    bob.press("Bob\r");
    bob.see("Ada");
    ada.see("Bob");
    ada.press("\r");
    bob.see("from Ada");
    bob.press("\t\r");
    for player in [&ada, &bob] {
        player.see("(you)");
    }
    // Who has White is decided by lot.
    if ada.screen().contains("your turn") { (ada, bob) } else { (bob, ada) }
}

#[test]
fn two_clients_play_to_a_win_by_boom() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder);
    let (white, black) = players(&server);
    white.see("your turn");
    // From d2 one up.
    white.press(" ");
    white.see("1 of 1 from d2");
    white.press("\x1b[A ");
    white.see("1d2d3, 1 of 1");
    white.press("\r");
    black.see("your turn");
    black.see("1d2d3");
    // All of Black's stacks touch: a boom of one takes every one, and only White is left.
    black.press("b");
    black.see("xe7 takes 0 White, 16 Black");
    black.press("\r");
    for player in [&white, &black] {
        player.see("(White) won by boom");
    }
    // Another game with sides changed, then back to the lobby and out.
    white.press("n");
    black.see("n accepts");
    black.press("n");
    black.see("your turn: choose a stack");
    black.press("q");
    black.see("to leave");
    black.press("y");
    black.see("Players 1");
    white.see("won by abandonment");
    white.press("q");
    white.see("Players 1");
    for player in [white, black] {
        player.press("q");
        assert!(player.ended().success());
        player.assert_restored();
    }
}

#[test]
fn a_match_of_bots_is_watched_with_evaluations() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder);
    let ada = PseudoTerminal::run(client(&server.url(), &["--name", "Ada"]));
    ada.see("Players 0");
    ada.press("b");
    ada.see("watching game 1");
    ada.until("both evaluations", |screen| screen.matches("eval ").count() == 2);
    ada.until("figures from White's view", |screen| {
        screen.split("eval ").skip(1).all(|text| text.starts_with(['+', '-', '#']))
    });
    // A spectator's keys move nothing, and Esc leads back.
    ada.press(" r\x1b");
    ada.see("Players 0");
    ada.press("q");
    assert!(ada.ended().success());
}

#[test]
fn the_bot_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder);
    let ada = PseudoTerminal::run(client(&server.url(), &["--name", "Ada"]));
    ada.see("Players 0");
    ada.press("p");
    ada.see("Play the bot");
    ada.press("l");
    ada.until("White", |screen| screen.contains("you play   White"));
    ada.press("\r");
    ada.see("your turn");
    // Typed, and answered by the bot.
    ada.press("m");
    ada.see("Type an action");
    ada.press("9a2a3\r");
    ada.see("9 bots cannot leave a2");
    ada.press("\x7f\x7f\x7f\x7f\x7f1a2a3\r");
    ada.until("two actions", |screen| screen.contains("Actions 2") && screen.contains("1a2a3"));
    // With the mouse: down on b2, dragged to b3, let go there.
    ada.see("your turn");
    ada.press("\x1b[<0;11;16M\x1b[<32;11;14M\x1b[<0;11;14m");
    ada.see("1b2b3, 1 of 1");
    ada.press("\r");
    ada.until("four actions", |screen| screen.contains("Actions 4"));
    ada.press("r");
    ada.see("You resign in");
    ada.press("r");
    ada.see("won by resignation");
    ada.press("\x03");
    assert!(ada.ended().success());
    ada.assert_restored();
}

#[test]
fn a_server_killed_in_a_game_and_started_again_is_resumed_by_both() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start(&folder);
    let (white, black) = players(&server);
    white.see("your turn");
    white.press(" \x1b[A \r");
    black.see("1d2d3");
    server.kill();
    for player in [&white, &black] {
        player.see("connection lost, again in");
    }
    server.start_again(&folder);
    for player in [&white, &black] {
        player.until("the connection", |screen| {
            !screen.contains("connection lost") && !screen.contains("connecting")
        });
    }
    // The game goes on where it was.
    black.see("your turn");
    black.press(" k ");
    black.see("1e7e6, 1 of 1");
    black.press("\r");
    white.see("1e7e6");
    white.see("your turn");
}
