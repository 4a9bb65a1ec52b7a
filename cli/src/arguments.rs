//! The command line. The build reads this file as well, to make the man page and the completions
//! from it, so it stands on clap alone.

use clap::{Parser, ValueEnum};

/// Boombots in the terminal: play, watch bots, and follow builds of tables.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "boombots-cli",
    version,
    after_help = "Press ? in the client for its keys.\nColours are left out when NO_COLOR is set."
)]
pub struct Arguments {
    /// The name to be known by; asked for when it is not given
    #[arg(long, env = "BOOMBOTS_NAME", value_name = "NAME")]
    pub name: Option<String>,

    /// The server
    #[arg(long, env = "BOOMBOTS_URL", value_name = "URL", default_value = "ws://127.0.0.1:8008")]
    pub url: String,

    /// Colours and characters
    #[arg(long, env = "BOOMBOTS_THEME", value_name = "THEME", default_value = "auto")]
    pub theme: ThemeChoice,

    /// Show explosions at once, not in waves
    #[arg(long, env = "BOOMBOTS_NO_ANIMATION")]
    pub no_animation: bool,

    /// Leave the mouse to the terminal, to select and copy text
    #[arg(long, env = "BOOMBOTS_NO_MOUSE")]
    pub no_mouse: bool,

    /// Print shell completions and exit
    #[arg(long, value_name = "SHELL", exclusive = true)]
    pub completions: Option<CompletionShell>,

    /// Print the man page and exit
    #[arg(long, exclusive = true)]
    pub man: bool,
}

/// Colours and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThemeChoice {
    /// What the environment says the terminal can show
    Auto,
    /// 256 colours on a dark ground
    Dark,
    /// 256 colours on a light ground
    Light,
    /// The terminal's own 16 colours
    #[value(name = "16")]
    Sixteen,
    /// ASCII characters and the terminal's own 16 colours
    Ascii,
}

/// Shells for which there are completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompletionShell {
    /// bash
    Bash,
    /// elvish
    Elvish,
    /// fish
    Fish,
    /// PowerShell
    Powershell,
    /// zsh
    Zsh,
}
