//! Runs a suite in worker processes, and sees how they end.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::report::{Failure, Record, Report};
use crate::worker::DEADLINE;

/// Kilobytes of addresses that a worker may have: what no limit of the program's own holds ends there.
const ADDRESSES: usize = 12 << 20;
/// How long after its deadline a case is a hang.
const HANG: Duration = Duration::from_secs(1);
/// How long after its deadline a case is late.
const LATE: Duration = Duration::from_millis(100);
/// How long a worker may take to begin.
const START: Duration = Duration::from_mins(1);

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The suite's name.
    pub suite: String,
    /// What all cases follow from.
    pub seed: u64,
    /// The first case.
    pub first: u64,
    /// Cases at most.
    pub cases: u64,
    /// The time that the run may take.
    pub time: Duration,
    /// The program with the workers.
    pub program: PathBuf,
    /// An empty folder that workers run in.
    pub folder: PathBuf,
}

/// Runs cases until the time is over, or there are enough.
///
/// # Errors
/// No worker can be started.
pub fn run(options: &Options) -> std::io::Result<Report> {
    let end = Instant::now() + options.time;
    let last = options.first.saturating_add(options.cases);
    let mut report = Report { next: options.first, ..Report::default() };
    while report.next < last && Instant::now() < end {
        let mut worker = Worker::start(options, report.next, last - report.next)?;
        worker.watch(options, &mut report, end);
    }
    Ok(report)
}

/// A worker's process, and the lines that it writes.
struct Worker {
    process: Child,
    lines: Receiver<String>,
    errors: PathBuf,
}

impl Worker {
    fn start(options: &Options, first: u64, count: u64) -> std::io::Result<Self> {
        let errors = options.folder.with_extension("errors");
        let mut command = limited(&options.program);
        command.args(["--worker", &options.suite]);
        command.args(["--seed", &options.seed.to_string(), "--from", &first.to_string()]);
        command.args(["--cases", &count.to_string()]);
        command.current_dir(&options.folder).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.stderr(File::create(&errors)?).spawn()?;
        let (sender, lines) = channel();
        if let Some(out) = process.stdout.take() {
            std::thread::spawn(move || {
                BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
            });
        }
        Ok(Self { process, lines, errors })
    }

    /// Follows the worker to its end, or to the run's.
    fn watch(&mut self, options: &Options, report: &mut Report, end: Instant) {
        let mut running: Option<String> = None;
        let (mut patience, first) = (START, report.next);
        let failure = loop {
            if running.is_none() && Instant::now() >= end {
                break None;
            }
            match self.lines.recv_timeout(patience) {
                Ok(line) => match line.split_once(' ') {
                    Some(("case", rest)) => {
                        patience = DEADLINE + HANG;
                        running = rest.split_once(' ').map(|(_, description)| description.to_owned());
                    }
                    Some(("end", rest)) => {
                        patience = START;
                        let description = running.take().unwrap_or_default();
                        ended(options, report, rest, description);
                    }
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => break Some((Failure::Hang, "still running".to_owned())),
                Err(RecvTimeoutError::Disconnected) => {
                    let died = running.is_some() || report.next == first;
                    break died.then(|| (Failure::Abort, self.last_words()));
                }
            }
        };
        let _ = self.process.kill();
        let _ = self.process.wait();
        // A busy machine stops a process for a second: what hangs does so twice.
        if failure.as_ref().is_some_and(|(failure, _)| *failure == Failure::Hang) && report.tried != Some(report.next) {
            report.tried = Some(report.next);
        } else if let Some((failure, message)) = failure {
            fail(options, report, failure, running.unwrap_or_else(|| "the worker's start".to_owned()), message);
        }
    }

    /// How the process died, and the end of what it wrote.
    fn last_words(&mut self) -> String {
        let status = self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let errors = std::fs::read_to_string(&self.errors).unwrap_or_default();
        let lines: Vec<&str> = errors.lines().rev().take(3).collect();
        format!("{status}: {}", lines.into_iter().rev().collect::<Vec<_>>().join(" / "))
    }
}

fn fail(options: &Options, report: &mut Report, failure: Failure, description: String, message: String) {
    let (suite, case) = (options.suite.clone(), report.next);
    report.failures.push(Record { failure, suite, seed: options.seed, case, description, message });
    *report.outcomes.entry(format!("{failure:?}")).or_default() += 1;
    report.next += 1;
}

/// Takes in the line of a case that ended.
fn ended(options: &Options, report: &mut Report, line: &str, description: String) {
    let (late, outcome) = line.split_once(' ').unwrap_or_default();
    let late = Duration::from_millis(late.parse().unwrap_or_default());
    if late >= LATE {
        report.late.push((late, description.clone()));
    }
    match outcome.split_once(' ') {
        Some(("panic", message)) => fail(options, report, Failure::Panic, description, message.to_owned()),
        Some(("wrong", message)) => fail(options, report, Failure::Wrong, description, message.to_owned()),
        Some(("memory", message)) => fail(options, report, Failure::Memory, description, message.to_owned()),
        _ => {
            *report.outcomes.entry(outcome.to_owned()).or_default() += 1;
            report.next += 1;
        }
    }
}

/// The program with a bound on its addresses, where the system's shell sets one.
fn limited(program: &Path) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {ADDRESSES}; ulimit -c 0; exec \"$0\" \"$@\"")).arg(program);
    command
}
