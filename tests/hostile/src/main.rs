//! `oplink-hostile SUITE [--seconds N] [--seed S] [--from CASE] [--cases N]`: runs a suite and prints what failed. Ends
//! with 1 where something did.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use oplink_hostile::supervisor::{Options, run};
use oplink_hostile::{SUITES, files, worker};

/// The command line.
struct Arguments {
    suite: String,
    worker: bool,
    seconds: u64,
    seed: u64,
    from: u64,
    cases: u64,
}

fn arguments() -> Option<Arguments> {
    let mut given = Arguments { suite: String::new(), worker: false, seconds: 3600, seed: 0, from: 0, cases: u64::MAX };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--worker" => given.worker = true,
            "--seconds" => given.seconds = words.next()?.parse().ok()?,
            "--seed" => given.seed = words.next()?.parse().ok()?,
            "--from" => given.from = words.next()?.parse().ok()?,
            "--cases" => given.cases = words.next()?.parse().ok()?,
            _ => given.suite = word,
        }
    }
    Some(given)
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--save") {
        return files::save_forever();
    }
    let open = |name: &str| SUITES.iter().find(|(suite, _)| *suite == name).map(|(_, open)| *open);
    let Some((open, given)) = arguments().and_then(|given| Some((open(&given.suite)?, given))) else {
        let names: Vec<&str> = SUITES.iter().map(|(name, _)| *name).collect();
        eprintln!("oplink-hostile SUITE [--seconds N] [--seed S] [--from CASE] [--cases N]; suites: {names:?}");
        return ExitCode::FAILURE;
    };
    let done = if given.worker {
        worker::work(open, given.seed, given.from, given.cases).map(|()| true)
    } else {
        supervise(given)
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing failed.
fn supervise(given: Arguments) -> std::io::Result<bool> {
    let folder: PathBuf = std::env::temp_dir().join(format!("oplink-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let Arguments { suite, seconds, seed, from, cases, .. } = given;
    let (time, program) = (Duration::from_secs(seconds), std::env::current_exe()?);
    let report = run(&Options { suite, seed, first: from, cases, time, program, folder: folder.clone() });
    let _ = std::fs::remove_dir_all(&folder);
    let _ = std::fs::remove_file(folder.with_extension("errors"));
    let report = report?;
    println!("{report}");
    Ok(report.failures.is_empty())
}
