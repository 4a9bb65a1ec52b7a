//! Makes the man page and the shell completions from the command line's own definition. The
//! program carries them and prints them: `boombots-cli --man`, `boombots-cli --completions bash`.

use std::path::PathBuf;
use std::{env, fs, io};

use clap::CommandFactory as _;
use clap_complete::{Shell, generate_to};

#[allow(dead_code, unreachable_pub, reason = "the build needs the definition only")]
#[path = "src/arguments.rs"]
mod arguments;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/arguments.rs");
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    // What the builder's environment says must not show up as a value.
    let mut command = arguments::Arguments::command();
    for argument in ["name", "url", "theme", "no_animation", "no_mouse"] {
        command = command.mut_arg(argument, |argument| argument.hide_env_values(true));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    fs::write(folder.join("boombots-cli.1"), page)?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        generate_to(shell, &mut command, "boombots-cli", &folder)?;
    }
    Ok(())
}
