//! Several sessions of one network, and several processes, that run one after the other and all at once: what they lose
//! by sharing the processor.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use oplink::Tensor;
use oplink::graph::Callable;

use crate::case::Case;

/// How long each way of running lasts in a round.
const TIME: Duration = Duration::from_secs(1);
const ROUNDS: usize = 5;

/// Writes a line: milliseconds of the clock for each run where sessions run in turn, where they run at once, and where
/// processes run at once, the best of several rounds that alternate. `arguments` are those that the case was made of.
pub(crate) fn measure(case: &Case, arguments: [&str; 3], count: usize) -> Result<(), Box<dyn Error>> {
    let graph = case.load()?;
    let made = (0..count).map(|_| case.prepare(graph.clone())).collect::<Result<Vec<_>, _>>()?;
    let calls: Vec<&Callable> = made.iter().map(|(_, call)| call).collect();
    let input = &case.values.inputs[0];
    let mut others = (0..count).map(|_| Other::start(arguments)).collect::<Result<Vec<_>, _>>()?;
    let mut best = [f64::INFINITY; 3];
    for _ in 0..=ROUNDS {
        let ran = [in_turn(&calls, input)?, at_once(&calls, input)?, processes(&mut others)?];
        for (best, runs) in best.iter_mut().zip(ran) {
            *best = best.min(TIME.as_secs_f64() * 1e3 / runs.max(1) as f64);
        }
    }
    println!("{:.3} {:.3} {:.3}", best[0], best[1], best[2]);
    Ok(())
}

/// Runs until the time is over; how many.
fn run_for(call: &Callable, input: &[Tensor], time: Duration) -> oplink::Result<usize> {
    let (end, mut runs) = (Instant::now() + time, 0);
    while Instant::now() < end {
        drop(call.run(input)?);
        runs += 1;
    }
    Ok(runs)
}

fn in_turn(calls: &[&Callable], input: &[Tensor]) -> oplink::Result<usize> {
    let time = TIME / calls.len().max(1) as u32;
    calls.iter().map(|call| run_for(call, input, time)).sum()
}

fn at_once(calls: &[&Callable], input: &[Tensor]) -> Result<usize, Box<dyn Error>> {
    thread::scope(|scope| {
        let running: Vec<_> = calls.iter().map(|call| scope.spawn(|| run_for(call, input, TIME))).collect();
        let mut runs = 0;
        for thread in running {
            runs += thread.join().map_err(|_| "a session's thread panicked")??;
        }
        Ok(runs)
    })
}

fn processes(others: &mut [Other]) -> Result<usize, Box<dyn Error>> {
    others.iter_mut().try_for_each(Other::ask)?;
    others.iter_mut().map(Other::runs).sum()
}

/// A process that runs the network as it is asked.
struct Other {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Other {
    fn start([graph, values, threads]: [&str; 3]) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", graph, values, threads]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("the process has no input and output".into());
        };
        let mut output = BufReader::new(output);
        output.read_line(&mut String::new())?;
        Ok(Self { process, input, output })
    }

    fn ask(&mut self) -> Result<(), Box<dyn Error>> {
        Ok(writeln!(self.input, "{}", TIME.as_secs_f64())?)
    }

    /// The runs that it was asked for last, how many.
    fn runs(&mut self) -> Result<usize, Box<dyn Error>> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.split_whitespace().count())
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
