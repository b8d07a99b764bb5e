//! Runs a network as it is asked, so that several runtimes can take turns.
//!
//! The first line that is written has the milliseconds of loading and of the first result after that, the error to
//! TensorFlow's outputs, and the peak of memory in MiB. For each line that is read, a number of seconds, the network
//! runs for so long, and a line with the milliseconds of each run is written.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use oplink::Tensor;
use oplink::graph::Callable;

use crate::case::Case;

/// Serves until the input ends.
pub(crate) fn serve(case: &Case) -> Result<(), Box<dyn Error>> {
    let mut output = io::stdout().lock();
    let start = Instant::now();
    let graph = case.load()?;
    let loaded = milliseconds(start);
    let (_session, call) = case.prepare(graph)?;
    let inputs = &case.values.inputs;
    let mut results = call.run(&inputs[0])?;
    let first = milliseconds(start);
    for input in &inputs[1..] {
        results.extend(call.run(input)?);
    }
    let error = case.values.error(&results)?;
    writeln!(output, "{loaded:.3} {first:.3} {error:e} {:.1}", memory("VmHWM:"))?;
    output.flush()?;
    for line in io::stdin().lock().lines() {
        let times = run_for(&call, inputs, Duration::from_secs_f64(line?.trim().parse()?))?;
        writeln!(output, "{}", times.iter().map(|time| format!("{time:.4}")).collect::<Vec<_>>().join(" "))?;
        output.flush()?;
    }
    Ok(())
}

/// The milliseconds of each run, at least one, until the time is over.
fn run_for(call: &Callable, inputs: &[Vec<Tensor>], time: Duration) -> Result<Vec<f64>, Box<dyn Error>> {
    let end = Instant::now() + time;
    let mut times = Vec::new();
    for input in inputs.iter().cycle() {
        let start = Instant::now();
        drop(call.run(input)?);
        times.push(milliseconds(start));
        if Instant::now() >= end {
            break;
        }
    }
    Ok(times)
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// A figure of the process's memory in MiB: `VmHWM:`, the peak, or `VmRSS:`, what it has now; NaN where the system does
/// not tell.
pub(crate) fn memory(figure: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(figure));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib / 1024.0)
}
