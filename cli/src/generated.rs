//! What the build makes from the definition of the command line.

use crate::arguments::CompletionShell;

/// The man page, in troff.
pub const MAN_PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/boombots-cli.1"));

/// The completions of a shell.
pub fn completions(shell: CompletionShell) -> &'static str {
    match shell {
        CompletionShell::Bash => include_str!(concat!(env!("OUT_DIR"), "/boombots-cli.bash")),
        CompletionShell::Elvish => include_str!(concat!(env!("OUT_DIR"), "/boombots-cli.elv")),
        CompletionShell::Fish => include_str!(concat!(env!("OUT_DIR"), "/boombots-cli.fish")),
        CompletionShell::Powershell => include_str!(concat!(env!("OUT_DIR"), "/_boombots-cli.ps1")),
        CompletionShell::Zsh => include_str!(concat!(env!("OUT_DIR"), "/_boombots-cli")),
    }
}
