//! Networks as `cargo xtask bench` runs them: a process for a network and a number of threads.
//!
//! ```text
//! networks serve GRAPH VALUES THREADS [AXIS=EXTENT...]      runs as it is asked on the standard input
//! networks profile GRAPH VALUES THREADS [AXIS=EXTENT...]    where the time goes, by op and by node; of these the
//!                                                           first 25, or as many as `PROFILE_NODES` says
//! networks chain NODES GRAPH                                writes a graph of so many scalar sums
//! networks sessions GRAPH VALUES COUNT                      time and memory of so many sessions of one graph
//! networks at_once GRAPH VALUES THREADS COUNT               so many sessions in turn and at once, processes at once
//! ```
//!
//! `GRAPH` and `VALUES` are files of `tests/tools/make_networks.py`. `AXIS=EXTENT` makes that axis of every input as
//! long as this, its values repeated.

mod at_once;
mod case;
mod chain;
#[path = "../support/profile.rs"]
mod profile;
mod serve;
mod sessions;
mod values;

use std::error::Error;
use std::process::ExitCode;

use case::Case;

fn main() -> ExitCode {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    match arguments {
        ["serve", graph, values, threads, extents @ ..] => serve::serve(&Case::new(graph, values, threads, extents)?),
        ["profile", graph, values, threads, extents @ ..] => profile_of(&Case::new(graph, values, threads, extents)?),
        ["chain", nodes, graph] => chain::write(nodes.parse()?, graph),
        ["sessions", graph, values, count] => sessions::measure(&Case::new(graph, values, "1", &[])?, count.parse()?),
        ["at_once", graph, values, threads, count] => {
            at_once::measure(&Case::new(graph, values, threads, &[])?, [graph, values, threads], count.parse()?)
        }
        // Without arguments there is nothing to measure: `cargo bench` runs every benchmark so.
        [] => Ok(()),
        _ => Err("usage: networks serve|profile|chain|sessions|at_once ARGUMENT...".into()),
    }
}

fn profile_of(case: &Case) -> Result<(), Box<dyn Error>> {
    let (_session, call) = case.prepare(case.load()?)?;
    let input = &case.values.inputs[0];
    for _ in 0..3 {
        call.run(input)?;
    }
    let run = |options: &_| call.run_with(options, input.iter().cloned(), &mut Vec::new());
    Ok(profile::print(run)?)
}
