//! The process that runs cases: it writes a line before and after each, which its supervisor reads.

use std::backtrace::Backtrace;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use oplink::memory;

use crate::suite::{Open, Outcome};

/// Bytes that the worker may hold.
pub const MEMORY_LIMIT: usize = 1 << 30;
/// Bytes above the limit that make a failure: what the process holds beside tensors and strings.
const TOLERATED: usize = 256 << 20;
/// The time that a case has.
pub const DEADLINE: Duration = Duration::from_millis(250);

/// Runs `count` cases from `first` on.
///
/// # Errors
/// Nobody reads the lines.
pub fn work(open: Open, seed: u64, first: u64, count: u64) -> std::io::Result<()> {
    memory::set_limit(Some(MEMORY_LIMIT));
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}\n{}", Backtrace::capture())));
    let (mut suite, mut out) = (open(seed), stdout().lock());
    for number in first..first.saturating_add(count) {
        let mut case = suite.case(number);
        writeln!(out, "case {number} {}", one_line(&case.describe()))?;
        out.flush()?;
        let deadline = Instant::now() + DEADLINE;
        let outcome = case.run(deadline);
        drop(case);
        let late = Instant::now().saturating_duration_since(deadline).as_millis();
        let held = memory::resident();
        let outcome = match outcome {
            Outcome::Panicked(message) => format!("panic {}", one_line(&message)),
            Outcome::Wrong(message) => format!("wrong {}", one_line(&message)),
            _ if held > MEMORY_LIMIT + TOLERATED => format!("memory {held} bytes are held"),
            Outcome::Done => "done".to_owned(),
            Outcome::Error(code) => format!("error {}", one_line(&code)),
        };
        writeln!(out, "end {late} {outcome}")?;
        out.flush()?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(2000).collect()
}
