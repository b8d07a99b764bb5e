//! A line that tells how far an epoch is: rewritten on a terminal, else one a second.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// The progress of an epoch.
pub(crate) struct Progress {
    epoch: usize,
    epochs: usize,
    total: usize,
    done: usize,
    start: Instant,
    shown: Instant,
}

impl Progress {
    pub(crate) fn new(epoch: usize, epochs: usize, total: usize) -> Self {
        let now = Instant::now();
        Self { epoch, epochs, total, done: 0, start: now, shown: now }
    }

    /// Counts rows, and tells of them now and then.
    pub(crate) fn advance(&mut self, rows: usize, loss: f64) {
        self.done += rows;
        let pause = Duration::from_millis(if stderr().is_terminal() { 100 } else { 1000 });
        if self.shown.elapsed() >= pause {
            self.shown = Instant::now();
            self.show(&format!("loss {loss:.4}"), false);
        }
    }

    /// The last line of the epoch.
    pub(crate) fn finish(&self, loss: f64, accuracy: f64) {
        self.show(&format!("loss {loss:.4}, test accuracy {:.2} %", 100.0 * accuracy), true);
    }

    fn show(&self, what: &str, is_last: bool) {
        let (is_terminal, rate) = (stderr().is_terminal(), self.done as f64 / self.start.elapsed().as_secs_f64());
        let bar = "#".repeat(20 * self.done / self.total.max(1));
        let (epoch, epochs, done, total) = (self.epoch, self.epochs, self.done, self.total);
        let line = format!("epoch {epoch}/{epochs} [{bar:20}] {done}/{total}, {rate:.0} pictures/s, {what}");
        let (before, after) = if is_terminal { ("\r\x1b[K", if is_last { "\n" } else { "" }) } else { ("", "\n") };
        // Nobody who reads the progress is no reason to stop.
        let _ = write!(stderr(), "{before}{line}{after}");
        let _ = stderr().flush();
    }
}
