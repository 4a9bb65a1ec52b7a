//! What keys do: one table for the line at the bottom and for the help.

use crate::app::{App, View};
use crate::glyphs::Glyphs;
use crate::state::Dialog;

/// What a key does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// The keys, with `{arrows}`, `{updown}` and `{leftright}` for those.
    pub(super) keys: &'static str,
    /// What they do, in a word or two for the line at the bottom; empty for the help only.
    pub(super) hint: &'static str,
    /// What they do, in a sentence.
    pub(super) help: &'static str,
    /// Whether the line at the bottom always has it.
    pub(super) always: bool,
}

/// The keys as a terminal can show them.
pub(super) fn shown(keys: &str, glyphs: &Glyphs) -> String {
    keys.replace("{arrows}", glyphs.arrows)
        .replace("{updown}", glyphs.up_down)
        .replace("{leftright}", glyphs.left_right)
}

/// The first of them, for where there is little room.
pub(super) fn brief(keys: &str, glyphs: &Glyphs) -> String {
    let first = keys.split(' ').next().unwrap_or_default();
    shown(if keys.ends_with("key") { keys } else { first }, glyphs)
}

/// The keys that mean something now, for the line at the bottom.
pub(super) fn of(app: &App) -> &'static [Key] {
    match &app.dialog {
        Some(Dialog::Help { .. }) => &HELP,
        Some(Dialog::Bot(_) | Dialog::Settings(_)) => &FORM,
        Some(Dialog::Leave) => &QUESTION,
        Some(Dialog::Resign { .. }) => &RESIGN,
        Some(Dialog::Action { .. }) => &TYPING,
        Some(Dialog::Position { .. }) => &TYPING_POSITION,
        None => of_view(app),
    }
}

/// The keys of the view, for the help.
pub(super) fn of_view(app: &App) -> &'static [Key] {
    match (app.view, &app.game) {
        (View::Login, _) => &LOGIN,
        (View::Lobby, _) => &LOBBY,
        (View::Analysis, _) => &ANALYSIS,
        (View::Builds, _) => &BUILDS,
        (View::Game, Some(game)) if game.side().is_none() => &WATCHING,
        (View::Game, Some(game)) if !game.is_live() => &ENDED,
        (View::Game, _) => &PLAYING,
    }
}

const fn key(keys: &'static str, hint: &'static str, help: &'static str) -> Key {
    Key { keys, hint, help, always: false }
}

const fn always(keys: &'static str, hint: &'static str, help: &'static str) -> Key {
    Key { keys, hint, help, always: true }
}

const ANALYSE: Key = key("a", "analyse", "analyses the position for as long as you look");

const SHOW_HELP: Key = always("?", "help", "these keys");

/// Keys that work everywhere.
pub(super) const EVERYWHERE: [Key; 4] = [
    key("Ctrl-C", "", "quits at once; a game that goes on waits for you a while"),
    key("Ctrl-Z", "", "stops the client until fg"),
    key("Ctrl-L", "", "draws the screen anew"),
    key("Ctrl-R", "", "connects at once when the connection is lost"),
];

const LOGIN: [Key; 2] =
    [key("Enter", "join", "joins under this name"), always("Esc", "quit", "quits")];

const LOBBY: [Key; 13] = [
    key("{updown} j/k", "select", "select a player, challenge or game"),
    key(
        "Enter Space",
        "challenge",
        "challenges the player, accepts the challenge, watches the game",
    ),
    key("Tab {leftright}", "list", "goes to the next list: players, challenges, live games"),
    key("x", "", "declines the challenge, or takes one's own back"),
    key("p", "play bot", "plays the bot: side and level"),
    key("b", "watch bots", "starts a match of two bots and watches it"),
    key("o", "options", "start, clock and side of the games you ask for"),
    key("a", "analyse", "analyses a position, typed or pasted, for as long as you look"),
    key("w", "builds", "builds of tables, here and on the cluster"),
    key("PgUp PgDn g G", "", "further up or down, the first, the last"),
    key("mouse", "", "a click selects, another one is Enter; the wheel scrolls"),
    SHOW_HELP,
    always("q Esc", "quit", "quits"),
];

const PLAYING: [Key; 13] = [
    key("{arrows} hjkl", "cursor", "move the cursor"),
    key("Space", "select", "selects a stack, then where it goes; on the stack again: how many go"),
    key("+/-", "count", "more or fewer of the stack's bots go"),
    key("b", "boom", "shows what the stack's boom takes; again, or Enter: booms"),
    key("Enter", "submit", "does what is selected"),
    key("c", "clear", "clears the selection"),
    key("m", "type", "types an action: 3d4g4, or xd4 for a boom"),
    key("d", "draw", "offers a draw, or accepts one; D declines"),
    key("r", "resign", "resigns, unless another key follows within three seconds"),
    key("f", "flip", "flips the board"),
    key(
        "mouse",
        "",
        "click or drag as Space, click the target again to submit; right button: boom; wheel: count",
    ),
    SHOW_HELP,
    always("q Esc", "leave", "leaves the game, which loses it: asked first"),
];

const ENDED: [Key; 5] = [
    key("n", "another game", "asks for another game with sides changed, or accepts it"),
    ANALYSE,
    key("f", "flip", "flips the board"),
    SHOW_HELP,
    always("q Esc", "lobby", "goes back to the lobby"),
];

const WATCHING: [Key; 5] = [
    ANALYSE,
    key("f", "flip", "flips the board"),
    SHOW_HELP,
    always("Esc", "lobby", "goes back to the lobby"),
    always("q", "quit", "disconnects and quits"),
];

const ANALYSIS: [Key; 10] = [
    key("{updown} j/k", "line", "choose a line"),
    key("Enter Space", "play", "plays the line's first action; what follows is analysed next"),
    key("{leftright} h/l", "step", "one step back (Backspace as well), and forward again"),
    key("m", "type", "types an action: 3d4g4, or xd4 for a boom"),
    key("p", "position", "analyses another position, typed or pasted"),
    key("g", "go on", "goes on when the analysis has ended undecided"),
    key("f", "flip", "flips the board"),
    key("mouse", "", "the wheel chooses a line, a click as well; another click plays"),
    SHOW_HELP,
    always("q Esc", "back", "goes back to where you came from, and ends the analysis"),
];

const BUILDS: [Key; 3] = [
    key("{updown} j/k", "scroll", "scroll"),
    SHOW_HELP,
    always("w q Esc", "lobby", "goes back to the lobby"),
];

const HELP: [Key; 2] =
    [key("{updown}", "scroll", "scroll"), always("any key", "close", "closes the help")];

const FORM: [Key; 4] = [
    key("{leftright}", "change", "change the value"),
    key("{updown}", "row", "go to another row"),
    always("Enter", "ok", "takes the values"),
    always("Esc", "cancel", "leaves everything as it was"),
];

const QUESTION: [Key; 2] = [always("y Enter", "yes", "yes"), always("n Esc", "no", "no")];

const RESIGN: [Key; 2] =
    [always("r", "resign now", "resigns"), always("any other key", "play on", "plays on")];

const TYPING_POSITION: [Key; 3] = [
    always("Enter", "analyse", "analyses it"),
    key("Ctrl-U", "clear", "clears the line"),
    always("Esc", "cancel", "does nothing"),
];

const TYPING: [Key; 2] =
    [always("Enter", "submit", "does it"), always("Esc", "cancel", "does nothing")];
