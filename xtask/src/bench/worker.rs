//! A process that runs one network as it is asked.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that runs one network. It ends when this is dropped.
pub(super) struct Worker {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// What it says of its start.
    pub(super) start: Start,
    /// The milliseconds of the best turn's median run.
    pub(super) best: f64,
}

/// What a process says when its network has run once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Start {
    /// Milliseconds to load the graph.
    pub(super) load: f64,
    /// Milliseconds to load the graph and to give the first result.
    pub(super) first: f64,
    /// The largest difference to TensorFlow's outputs, relative to the largest magnitude.
    pub(super) error: f64,
    /// The peak of the process's memory in MiB.
    pub(super) peak: f64,
}

impl Worker {
    /// Starts the process and waits for the first result.
    pub(super) fn new(command: &mut Command) -> io::Result<Self> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let input = process.stdin.take();
        let output = process.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
        let empty = Start { load: f64::NAN, first: f64::NAN, error: f64::NAN, peak: f64::NAN };
        let mut worker = Self { process, input, output: BufReader::new(output), start: empty, best: f64::INFINITY };
        worker.start = match worker.figures()?[..] {
            [load, first, error, peak] => Start { load, first, error, peak },
            _ => return Err(worker.failure()),
        };
        Ok(worker)
    }

    /// A turn of so many seconds.
    pub(super) fn turn(&mut self, seconds: f64) -> io::Result<()> {
        let input = self.input.as_mut().ok_or_else(|| io::Error::other("no input"))?;
        writeln!(input, "{seconds}")?;
        let mut times = self.figures()?;
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).copied().ok_or_else(|| self.failure())?;
        self.best = self.best.min(median);
        Ok(())
    }

    /// The numbers of the next line.
    fn figures(&mut self) -> io::Result<Vec<f64>> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        line.split_whitespace().map(|figure| figure.parse().map_err(|_| io::Error::other(line.clone()))).collect()
    }

    /// What the process says of its end: the last line of its messages.
    fn failure(&mut self) -> io::Error {
        self.input = None;
        let messages = self.process.stderr.take().map(io::read_to_string).and_then(Result::ok).unwrap_or_default();
        io::Error::other(messages.lines().last().unwrap_or("it ended without a message").to_owned())
    }
}

impl Drop for Worker {
    /// Ends the process: it ends by itself when its input does.
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
