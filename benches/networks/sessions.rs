//! Many sessions of one graph in a process.

use std::error::Error;
use std::time::Instant;

use crate::case::Case;
use crate::serve::memory;

/// Writes a line: milliseconds to make a session and its first result, the mean of all; milliseconds of a later run,
/// the mean of one of each; MiB of the process with one session, and with all of them.
pub(crate) fn measure(case: &Case, count: usize) -> Result<(), Box<dyn Error>> {
    let graph = case.load()?;
    let input = &case.values.inputs[0];
    let mut sessions = Vec::with_capacity(count); // bounded: as many as the command asks for
    let mut with_one = 0.0;
    let start = Instant::now();
    for _ in 0..count {
        let (session, call) = case.prepare(graph.clone())?;
        call.run(input)?;
        sessions.push((session, call));
        if sessions.len() == 1 {
            with_one = memory("VmRSS:");
        }
    }
    let each = |start: Instant| start.elapsed().as_secs_f64() * 1e3 / count as f64;
    let made = each(start);
    let start = Instant::now();
    for (_, call) in &sessions {
        call.run(input)?;
    }
    println!("{made:.4} {:.4} {with_one:.1} {:.1}", each(start), memory("VmRSS:"));
    Ok(())
}
