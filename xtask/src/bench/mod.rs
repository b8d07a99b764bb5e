//! `cargo xtask bench models [--models DIR] [--rounds N] [--seconds S] [--threads N] [--record] [NAME...]` runs networks
//! in oplink, TensorFlow and ONNX Runtime in turn and writes a table of times and ratios in Markdown. A ratio that is
//! worse than the recorded one by more than a tenth is a problem; `--record` records what was measured.
//!
//! `cargo xtask bench growth [--models DIR] [--seconds S] [SERIES...]` measures how cost grows with the work, and writes
//! tables and pictures to `docs/growth`.
//!
//! `.ci/networks DIR` makes the networks; `DIR` is `target/networks` where nothing else is said. TensorFlow and ONNX
//! Runtime are those of the virtual environments `OPLINK_TENSORFLOW_VENV` and `OPLINK_ONNXRUNTIME_VENV`.

mod chart;
mod growth;
mod machine;
mod models;
mod record;
mod runtime;
mod table;
mod worker;

use std::io;
use std::path::PathBuf;

use crate::source::root;

/// What the command line says.
struct Options {
    /// The folder of the networks.
    models: PathBuf,
    /// Turns that each runtime has.
    rounds: usize,
    /// Seconds of a turn.
    seconds: f64,
    /// The numbers of threads.
    threads: Vec<usize>,
    /// Whether the ratios are recorded.
    record: bool,
    /// The networks or series that are wanted; none means all.
    names: Vec<String>,
}

/// Runs the task; what went wrong, or became slower, comes back.
pub(crate) fn run(arguments: &[String]) -> Vec<String> {
    let task = arguments.first().map(String::as_str);
    let done = match (task, Options::read(arguments.get(1..).unwrap_or_default())) {
        (Some("models"), Ok(options)) => models::run(&options),
        (Some("growth"), Ok(options)) => growth::run(&options),
        (_, Err(error)) => Err(error),
        _ => Err(io::Error::other("usage: cargo xtask bench models|growth [OPTION...] [NAME...]")),
    };
    done.unwrap_or_else(|error| vec![error.to_string()])
}

impl Options {
    fn read(arguments: &[String]) -> io::Result<Self> {
        let models = root().join("target/networks");
        let mut options =
            Self { models, rounds: 5, seconds: 0.5, threads: vec![1, 2], record: false, names: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| io::Error::other(format!("{argument} needs a value")));
            match argument.as_str() {
                "--models" => options.models = value()?.into(),
                "--rounds" => options.rounds = number(value()?)?,
                "--seconds" => options.seconds = number(value()?)?,
                "--threads" => options.threads = vec![number(value()?)?],
                "--record" => options.record = true,
                unknown if unknown.starts_with("--") => {
                    return Err(io::Error::other(format!("no option is called {unknown}")));
                }
                name => options.names.push(name.to_owned()),
            }
        }
        Ok(options)
    }

    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| wanted == name)
    }
}

fn number<T: std::str::FromStr>(text: &str) -> io::Result<T> {
    text.parse().map_err(|_| io::Error::other(format!("a number is wanted, not {text}")))
}
