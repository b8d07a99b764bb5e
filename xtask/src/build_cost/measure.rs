//! Processor time and time on the clock of a command with all that it starts.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

/// Ticks of a second in `/proc`: Linux has shown programs this many on every architecture since 2.6.
const TICKS: f64 = 100.0;

/// What a build costs.
#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    /// Seconds of processor time, of all processes together.
    pub(super) processor: f64,
    /// Seconds on the clock.
    pub(super) clock: f64,
    /// Crates that were not built, because they had been.
    pub(super) fresh: usize,
}

/// `cargo` in a folder, with a target folder, as a user calls it.
pub(super) fn cargo(folder: &Path, target: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    for variable in ["RUSTFLAGS", "OPLINK_SELECTION"] {
        command.env_remove(variable);
    }
    command
}

/// Runs a build that must succeed.
pub(super) fn cost_of(build: &mut Command) -> io::Result<Cost> {
    let (before, start) = (of_children()?, Instant::now());
    let mut running =
        build.args(["--message-format=json-render-diagnostics", "--quiet"]).stdout(Stdio::piped()).spawn()?;
    let output = running.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let mut fresh = 0;
    for line in BufReader::new(output).lines() {
        let message: Value = serde_json::from_str(&line?).unwrap_or_default();
        fresh += usize::from(message["fresh"] == Value::Bool(true));
    }
    let status = running.wait()?;
    if !status.success() {
        return Err(io::Error::other(format!("{build:?} ended with {status}")));
    }
    Ok(Cost { processor: of_children()? - before, clock: start.elapsed().as_secs_f64(), fresh })
}

/// Seconds of processor time that processes took which this one has waited for, and those that they waited for.
fn of_children() -> io::Result<f64> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    // The second field, the name of the program, is in brackets and may hold blanks; `cutime` and `cstime` are the 16th
    // and 17th.
    let fields = text.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    let ticks: Option<Vec<f64>> = fields.split_whitespace().skip(13).take(2).map(|field| field.parse().ok()).collect();
    let ticks = ticks.filter(|ticks| ticks.len() == 2);
    let ticks = ticks.ok_or_else(|| io::Error::other("/proc/self/stat has no times of children"))?;
    Ok((ticks[0] + ticks[1]) / TICKS)
}
