//! The driver's side: starts children, watches them, counts.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::DEADLINE;
use crate::suites::Suite;

/// What a suite may take.
pub(crate) struct Limits {
    /// How long cases are begun.
    pub(crate) time: Duration,
    /// How many cases are run.
    pub(crate) cases: u64,
    /// The memory that a child may address, in MiB.
    pub(crate) memory: u64,
    /// Whether errors of refused cases are printed.
    pub(crate) show_refused: bool,
}

/// How many cases ended how.
#[derive(Default)]
pub(crate) struct Counts {
    ran: u64,
    refused: u64,
    wrong: u64,
    died: u64,
    hung: u64,
}

impl Counts {
    /// Counts a case; what is to be said of it.
    fn count(&mut self, end: End, show_refused: bool) -> Option<String> {
        let (count, what) = match end {
            End::Ran => (&mut self.ran, None),
            End::Refused(error) => (&mut self.refused, show_refused.then(|| format!("refused: {error}"))),
            End::Wrong(what) => (&mut self.wrong, Some(format!("FAILED: {what}"))),
            End::Died(how) => (&mut self.died, Some(format!("FAILED: the process died: {how}"))),
            End::Hung => (&mut self.hung, Some("FAILED: did not stop at its deadline".to_owned())),
        };
        *count += 1;
        what
    }

    /// Cases that are mistakes of oplink.
    pub(crate) fn failures(&self) -> u64 {
        self.wrong + self.died + self.hung
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.ran + self.refused + self.failures();
        write!(
            f,
            "{all} cases, {} ran, {} were refused, {} wrong answers, {} processes died, {} hung",
            self.ran, self.refused, self.wrong, self.died, self.hung
        )
    }
}

/// How one case ended.
enum End {
    Ran,
    Refused(String),
    Wrong(String),
    Died(String),
    Hung,
}

/// Runs cases of a suite from number `start` as long as the limits allow.
pub(crate) fn run(suite: &Suite, seed: u64, start: u64, limits: &Limits) -> Counts {
    let begun = Instant::now();
    let mut counts = Counts::default();
    let mut number = start;
    let mut process = None;
    while begun.elapsed() < limits.time && number - start < limits.cases {
        let running = process.get_or_insert_with(|| Running::start(suite, seed, number, limits.memory));
        let end = running.next(suite.patience());
        if matches!(end, End::Died(_) | End::Hung) {
            process = None;
        }
        // A machine that is busy elsewhere is no hang: the case gets another chance, alone and with more time.
        let end = match end {
            End::Hung => Running::start(suite, seed, number, limits.memory).next(3 * suite.patience()),
            end => end,
        };
        let what = counts.count(end, limits.show_refused);
        if let Some(what) = what {
            println!("{} --seed {seed} --start {number} --cases 1: {what}", suite.name);
        }
        number += 1;
    }
    counts
}

/// A child and what it writes, line by line.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    fn start(suite: &Suite, seed: u64, number: u64, memory: u64) -> Self {
        let program = std::env::current_exe().expect("the program knows its own path");
        let limited = format!("ulimit -v {}; exec \"$0\" \"$@\"", memory * 1024);
        let mut child = Command::new("sh")
            .args(["-c", &limited])
            .arg(program)
            .args(["child", suite.name, &seed.to_string(), &number.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell starts the program");
        let output = child.stdout.take().expect("standard output is piped");
        Self { child, lines: read_lines(output) }
    }

    /// How the next case ends.
    fn next(&mut self, patience: Duration) -> End {
        loop {
            match self.lines.recv_timeout(patience) {
                Ok(line) if line.starts_with("begin ") => {}
                Ok(line) if line == "ran" => return End::Ran,
                Ok(line) => {
                    return match line.split_once(' ') {
                        Some(("refused", error)) => End::Refused(error.to_owned()),
                        _ => End::Wrong(line.trim_start_matches("wrong ").to_owned()),
                    };
                }
                Err(RecvTimeoutError::Timeout) => return End::Hung,
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait();
                    return End::Died(status.map_or_else(|error| error.to_string(), |status| status.to_string()));
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let left = std::env::temp_dir().join(format!("oplink-hostile-{}", self.child.id()));
        let _ = std::fs::remove_dir_all(left);
    }
}

fn read_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Suite {
    /// How long nothing may be heard of a child: a case's deadline and a second, for each run of it.
    fn patience(&self) -> Duration {
        (DEADLINE + Duration::from_secs(1)) * self.runs
    }
}
