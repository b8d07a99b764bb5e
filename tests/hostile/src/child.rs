//! The process that runs cases: a line on standard output before each and one after it.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use crate::case::{Case, Outcome};
use crate::suites::{Suite, find};

/// Runs the cases of a suite from number `start` until it is killed.
pub(crate) fn run(suite: &str, seed: u64, start: u64) -> ExitCode {
    let Some(suite) = find(suite) else { return ExitCode::from(2) };
    let folder = std::env::temp_dir().join(format!("oplink-hostile-{}", std::process::id()));
    let mut output = std::io::stdout().lock();
    for number in start.. {
        let written = writeln!(output, "begin {number}").and_then(|()| output.flush());
        let outcome = one(suite, seed, number, &folder);
        let line = match outcome {
            Ok(Outcome::Ran) => "ran".to_owned(),
            Ok(Outcome::Refused(message)) => format!("refused {}", one_line(&message)),
            Err(wrong) => format!("wrong {}", one_line(&wrong)),
        };
        // The driver is gone: so is the reason to go on.
        if written.and_then(|()| writeln!(output, "{line}")).and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    ExitCode::SUCCESS
}

fn one_line(text: &str) -> String {
    text.replace('\n', " | ")
}

fn one(suite: &Suite, seed: u64, number: u64, folder: &std::path::Path) -> Result<Outcome, String> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    std::env::set_current_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Neighbouring numbers must not give neighbouring sequences.
    let random =
        fastrand::Rng::with_seed(fastrand::Rng::with_seed(seed).u64(..) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut case = Case { random, folder };
    let ran = catch_unwind(AssertUnwindSafe(|| (suite.run)(&mut case)));
    ran.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("without a message")))
    })
}
