//! `oplink run`.

mod compare;
mod model;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use oplink::graph::{RunMetadata, RunOptions, SessionOptions, TraceLevel};
use oplink::runtime::{Device, host_device};
use oplink::{Error, Result, Tensor, bail, ensure};

use crate::{devices, inputs, plugin, progress};
use compare::compare;
use model::Loaded;

/// Run a model.
#[derive(Args)]
pub(crate) struct RunArguments {
    /// The folder of a SavedModel, or a GraphDef, binary (.pb) or text (.pbtxt)
    model: PathBuf,
    /// The signature of a SavedModel to call; without it `serving_default`, or the only one
    #[arg(long, value_name = "NAME")]
    signature: Option<String>,
    /// Give a signature's input a value: `name=file.npy`, `name=file.png`, or written out: `x=[[1,2],[3,4]]`,
    /// `word=red`
    #[arg(long, value_name = "NAME=VALUE")]
    input: Vec<String>,
    /// Load the graph of a SavedModel that has exactly these tags, separated by commas
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    tags: Vec<String>,
    /// Feed a tensor of the graph, as `--input` does: `node=file.npy`, `node:1=2.5`
    #[arg(long, value_name = "NAME=VALUE")]
    feed: Vec<String>,
    /// Fetch an output of the signature, or a tensor of the graph: `node` or `node:1`; without it, all outputs of the
    /// signature, or those of the graph that no node reads
    #[arg(long, value_name = "NAME")]
    fetch: Vec<String>,
    /// Run nodes for their effect
    #[arg(long, value_name = "NODE")]
    target: Vec<String>,
    /// Take feeds from the arrays `in:<name>` of an archive, and compare with its arrays `out:<name>`
    #[arg(long, value_name = "FILE")]
    npz: Option<PathBuf>,
    /// Largest error, relative to an output's largest magnitude, that a comparison accepts
    #[arg(long, default_value_t = 1e-4, allow_negative_numbers = true)]
    tolerance: f64,
    /// Save fetched outputs as .npy files in this folder
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Threads a kernel may use; 0 means all
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    threads: usize,
    /// Run this often and print the median time
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true, value_parser = at_least_once)]
    repeat: usize,
    /// Write when and where each node of the last run ran, as a timeline for ui.perfetto.dev or chrome://tracing
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Stop a run that takes longer
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    timeout: Option<f64>,
    /// Run nodes on this device where it has kernels for them, and on the host else: `GPU`, `GPU:1`
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Load a plugin first; may be given several times
    #[arg(long, value_name = "FILE")]
    plugin: Vec<PathBuf>,
}

/// A number of runs.
fn at_least_once(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse::<usize>().map_err(|error| error.to_string())?;
    if number == 0 { Err("a graph is run at least once".to_owned()) } else { Ok(number) }
}

/// A value by name.
type Named = (String, Tensor);

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode> {
    plugin::load_all(&arguments.plugin)?;
    let (mut feeds, expected) = match &arguments.npz {
        Some(path) => from_archive(path)?,
        None => (Vec::new(), Vec::new()),
    };
    let loaded = Loaded::load(arguments)?;
    for feed in arguments.input.iter().chain(&arguments.feed) {
        feeds.push(loaded.feed(feed)?);
    }
    let fetches = match (&arguments.fetch[..], &expected[..]) {
        ([], []) if arguments.target.is_empty() => loaded.outputs(),
        ([], []) => Vec::new(),
        ([], expected) => expected.iter().map(|(name, _)| name.clone()).collect(),
        (fetches, _) => fetches.to_vec(),
    };
    let ran = timed(&loaded, &feeds, &fetches, arguments);
    let (outputs, metadata) = ran.map_err(|error| loaded.with_advice(error, &feeds))?;
    write_trace(arguments.trace.as_deref(), &metadata)?;
    report(&fetches, &outputs);
    save(arguments.save.as_deref(), &fetches, &outputs)?;
    compare(&fetches, &outputs, &expected, arguments.tolerance)
}

impl RunArguments {
    /// How the session runs.
    fn session_options(&self) -> SessionOptions {
        SessionOptions { intra_op_threads: self.threads, ..SessionOptions::default() }
    }

    /// The devices asked for, those of the highest priority first; none for the host.
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        self.device.as_deref().map_or_else(|| Ok(Vec::new()), with_host)
    }
}

/// The device that the name means, before the host.
fn with_host(name: &str) -> Result<Vec<Arc<dyn Device>>> {
    let (found, host) = (devices::named(name)?, host_device()?);
    let has_own_memory = found.context().is_some();
    Ok(if has_own_memory { vec![found, host] } else { vec![found] })
}

/// Feeds and expected outputs of an archive; tensor names may end in `:0`.
fn from_archive(path: &Path) -> Result<(Vec<Named>, Vec<Named>)> {
    let (mut feeds, mut expected) = (Vec::new(), Vec::new());
    for (name, tensor) in inputs::read_npz(path)? {
        if let Some(input) = name.strip_prefix("in:") {
            feeds.push((input.to_owned(), tensor));
        } else if let Some(output) = name.strip_prefix("out:") {
            expected.push((output.to_owned(), tensor));
        }
    }
    ensure!(
        !feeds.is_empty() || !expected.is_empty(),
        "{} has no arrays named in:<tensor> or out:<tensor>",
        path.display()
    );
    Ok((feeds, expected))
}

fn timed(
    loaded: &Loaded,
    feeds: &[Named],
    fetches: &[String],
    arguments: &RunArguments,
) -> Result<(Vec<Tensor>, RunMetadata)> {
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect();
    let bar = progress::bar(arguments.repeat, "running");
    let mut times = Vec::with_capacity(arguments.repeat);
    let mut options = RunOptions { timeout: timeout(arguments.timeout)?, ..RunOptions::default() };
    let (mut outputs, mut metadata) = (Vec::new(), RunMetadata::default());
    for run in 1..=arguments.repeat {
        if run == arguments.repeat && arguments.trace.is_some() {
            options.trace = TraceLevel::Nodes;
        }
        let start = Instant::now();
        (outputs, metadata) = loaded.run(&options, &feeds, fetches, &arguments.target)?;
        times.push(start.elapsed());
        bar.inc(1);
    }
    bar.finish_and_clear();
    times.sort();
    if arguments.repeat > 1 {
        println!("median of {} runs: {:.3} ms", times.len(), times[times.len() / 2].as_secs_f64() * 1e3);
    }
    Ok((outputs, metadata))
}

fn timeout(seconds: Option<f64>) -> Result<Option<Duration>> {
    let Some(seconds) = seconds else { return Ok(None) };
    match Duration::try_from_secs_f64(seconds) {
        Ok(timeout) => Ok(Some(timeout)),
        Err(_) => bail!("--timeout {seconds}: give a number of seconds that is not negative"),
    }
}

fn write_trace(file: Option<&Path>, metadata: &RunMetadata) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, metadata.to_chrome_trace())
        .map_err(|e| Error::invalid_argument(format!("{}: {e}", file.display())))?;
    println!("wrote {}", file.display());
    Ok(())
}

fn report(fetches: &[String], outputs: &[Tensor]) {
    let width = fetches.iter().map(String::len).max().unwrap_or(0);
    for (name, tensor) in fetches.iter().zip(outputs) {
        println!("{name:width$}  {tensor}");
    }
}

fn save(folder: Option<&Path>, fetches: &[String], outputs: &[Tensor]) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|e| Error::invalid_argument(format!("{}: {e}", folder.display())))?;
    for (name, tensor) in fetches.iter().zip(outputs) {
        let file = folder.join(format!("{}.npy", name.replace(['/', ':'], "_")));
        inputs::write_npy(&file, tensor)?;
        println!("wrote {}", file.display());
    }
    Ok(())
}
