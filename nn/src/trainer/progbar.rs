//! What is shown of the progress: a bar on a terminal, else plain lines.

use std::fmt;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use oplink_api::Result;

use super::callback::{Callback, Progress};

/// What is shown of the progress, on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbose {
    /// A bar on a terminal, else lines.
    #[default]
    Auto,
    /// Nothing.
    Silent,
    /// A line a second, and one for each epoch.
    Lines,
}

/// Shows how far training is: the step, the time that is left, the examples a second, and the means up to now.
pub struct ProgbarLogger {
    output: Output,
    start: Instant,
    shown: Option<Instant>,
    /// Examples of this epoch that were done before it was continued.
    before: usize,
}

enum Output {
    Bar(ProgressBar),
    Lines(Box<dyn Write>),
}

/// The time between two plain lines.
const PAUSE: Duration = Duration::from_secs(1);

impl ProgbarLogger {
    /// Plain lines that go to this writer.
    pub fn lines(writer: impl Write + 'static) -> Self {
        Self::new(Output::Lines(Box::new(writer)))
    }

    fn new(output: Output) -> Self {
        Self { output, start: Instant::now(), shown: None, before: 0 }
    }

    pub(super) fn of(verbose: Verbose) -> Option<Self> {
        match verbose {
            Verbose::Silent => None,
            Verbose::Auto if stderr().is_terminal() => Some(Self::new(Output::Bar(bar()))),
            Verbose::Auto | Verbose::Lines => Some(Self::lines(stderr())),
        }
    }

    fn show(&mut self, progress: &Progress<'_>, is_end: bool) {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-9);
        let rate = (progress.rows - self.before) as f64 / seconds;
        let mut numbers = format!("{rate:.0} examples/s");
        for (name, value) in progress.logs.iter() {
            let digits =
                if value != 0.0 && value.abs() < 1e-3 { format!("{value:.2e}") } else { format!("{value:.4}") };
            numbers += &format!(" - {name}: {digits}");
        }
        match &mut self.output {
            Output::Bar(bar) => {
                bar.set_position(progress.batch as u64);
                bar.set_message(numbers);
                if is_end {
                    bar.finish();
                }
            }
            Output::Lines(writer) => {
                let (epoch, epochs, batch) = (progress.epoch + 1, progress.epochs, progress.batch);
                let of = progress.num_batches.map_or_else(String::new, |count| format!("/{count}"));
                // Nobody who reads the progress is no reason to stop.
                let _ = writeln!(writer, "Epoch {epoch}/{epochs} - {batch}{of} - {seconds:.1} s - {numbers}");
                let _ = writer.flush();
            }
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{prefix} {pos}/{len} [{bar:24}] {elapsed}<{eta} {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

impl Callback for ProgbarLogger {
    fn on_epoch_begin(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        (self.start, self.before) = (Instant::now(), progress.rows);
        self.shown = Some(self.start);
        if let Output::Bar(shown) = &mut self.output {
            *shown = bar();
            progress.num_batches.into_iter().for_each(|count| shown.set_length(count as u64));
            shown.set_prefix(format!("Epoch {}/{}", progress.epoch + 1, progress.epochs));
        }
        Ok(())
    }

    fn on_train_batch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        let pause = if matches!(self.output, Output::Bar(_)) { PAUSE / 15 } else { PAUSE };
        if self.shown.is_none_or(|shown| shown.elapsed() >= pause) {
            self.shown = Some(Instant::now());
            self.show(progress, false);
        }
        Ok(())
    }

    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        self.show(progress, true);
        Ok(())
    }
}

impl fmt::Debug for ProgbarLogger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgbarLogger")
    }
}
