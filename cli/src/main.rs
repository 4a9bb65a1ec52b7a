//! `boombots-cli`: Boombots in the terminal.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use boombots_cli::arguments::Arguments;
use boombots_cli::{Address, AppOptions, Environment, MAN_PAGE, Theme, clean, completions, run};
use clap::{CommandFactory as _, Parser as _, error::ErrorKind};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.man {
        return print(MAN_PAGE);
    }
    if let Some(shell) = arguments.completions {
        return print(completions(shell));
    }
    let address: Address = match arguments.url.parse() {
        Ok(address) => address,
        Err(why) => Arguments::command().error(ErrorKind::ValueValidation, why).exit(),
    };
    let options = AppOptions {
        address,
        name: arguments.name.map(|name| clean(&name)),
        theme: Theme::new(arguments.theme, &Environment::read()),
        animate: !arguments.no_animation,
        seed: seed(),
    };
    match run(options, !arguments.no_mouse) {
        Ok(code) => code,
        Err(error) => {
            // The terminal may be gone as well.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Sets this run apart from others of the same user.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64) ^ (u64::from(std::process::id()) << 48)
}

fn print(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
