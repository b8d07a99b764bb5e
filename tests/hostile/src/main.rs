//! Drives oplink with hostile input and counts what went wrong: a process that died, a panic, a broken invariant, a hang
//! past the deadline, a wrong value.
//!
//! Each case follows from its suite, the seed and its number alone. A child runs case after case under a limit of
//! memory; where it dies or hangs, the case is noted and another child goes on with the next.
#![forbid(unsafe_code)]

mod case;
mod child;
mod suites;
mod supervisor;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::suites::{SUITES, find};

/// How long a case's run may take before it has to stop itself.
pub(crate) const DEADLINE: Duration = Duration::from_millis(300);

/// Drives oplink with hostile input.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The suites to run; all where none is named.
    suites: Vec<String>,
    /// Seconds for each suite.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// What the cases follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first case.
    #[arg(long, default_value_t = 0)]
    start: u64,
    /// The greatest number of cases of each suite.
    #[arg(long, default_value_t = u64::MAX)]
    cases: u64,
    /// The memory that a child may address, in MiB.
    #[arg(long, default_value_t = 8192)]
    memory: u64,
    /// Prints the errors of refused cases.
    #[arg(long)]
    show_refused: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Runs cases one after the other; the driver starts it.
    #[command(hide = true)]
    Child { suite: String, seed: u64, start: u64 },
    /// Saves one checkpoint after the other until it is killed; a suite starts it.
    #[command(hide = true)]
    Save { folder: std::path::PathBuf },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match &arguments.command {
        Some(Command::Child { suite, seed, start }) => child::run(suite, *seed, *start),
        Some(Command::Save { folder }) => suites::saves::save_forever(folder),
        None => drive(&arguments),
    }
}

fn drive(arguments: &Arguments) -> ExitCode {
    let named: Vec<&str> = arguments.suites.iter().map(String::as_str).collect();
    if let Some(unknown) = named.iter().find(|name| find(name).is_none()) {
        let known: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        eprintln!("no suite is named `{unknown}`; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let mut failures = 0;
    for suite in SUITES.iter().filter(|suite| named.is_empty() || named.contains(&suite.name)) {
        let limits = supervisor::Limits {
            time: Duration::from_secs(arguments.seconds),
            cases: arguments.cases,
            memory: arguments.memory,
            show_refused: arguments.show_refused,
        };
        let counts = supervisor::run(suite, arguments.seed, arguments.start, &limits);
        println!("{}: {counts}", suite.name);
        failures += counts.failures();
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
