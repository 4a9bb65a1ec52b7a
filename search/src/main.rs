//! `boombots-engine`: the search engine for programs and people.

mod commands;
mod matches;
mod tuning;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{bench, generate, perft, play_match, search, tune, ugi};

/// The Boombots search engine. Without a command it speaks UGI on standard
/// input and output.
#[derive(Parser)]
#[command(name = "boombots-engine", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak the UGI protocol on standard input and output.
    Ugi(ugi::Arguments),
    /// Search fixed positions to a fixed depth; the node total is a signature
    /// that only a change of the search may change.
    Bench(bench::Arguments),
    /// Search one position and show what is found.
    Search(search::Arguments),
    /// Let two engines play a match.
    Match(play_match::Arguments),
    /// Count action sequences.
    Perft(perft::Arguments),
    /// Fit the evaluation's weights to the results of self-play games.
    Tune(tune::Arguments),
    /// Print random positions to begin games from.
    Positions(generate::Arguments),
}

fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or(Command::Ugi(ugi::Arguments::default()));
    let result = match command {
        Command::Ugi(arguments) => ugi::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Search(arguments) => search::run(&arguments),
        Command::Match(arguments) => play_match::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Positions(arguments) => generate::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
