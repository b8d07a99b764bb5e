//! `oplink run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use oplink::graph::{Graph, RunMetadata, RunOptions, Session, SessionOptions, TraceLevel};
use oplink::runtime::{Device, host_device};
use oplink::{Code, DType, Error, Result, Tensor, bail, ensure};

use crate::{devices, inputs, load, plugin, progress};

/// Run a graph.
#[derive(Args)]
pub(crate) struct RunArguments {
    /// A GraphDef, binary (.pb) or text (.pbtxt)
    graph: PathBuf,
    /// Feed an input from a file: `name=file.npy` or `name=file.png`
    #[arg(long, value_name = "NAME=FILE")]
    feed: Vec<String>,
    /// Fetch an output: `node` or `node:1`; without it, the outputs that no node reads
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
    let graph = load::graph(&arguments.graph)?;
    let (mut feeds, expected) = match &arguments.npz {
        Some(path) => from_archive(path)?,
        None => (Vec::new(), Vec::new()),
    };
    for feed in &arguments.feed {
        feeds.push(feed_from_file(&graph, feed)?);
    }
    let fetches = match (&arguments.fetch[..], &expected[..]) {
        ([], []) if arguments.target.is_empty() => unread_outputs(&graph),
        ([], []) => Vec::new(),
        ([], expected) => expected.iter().map(|(name, _)| name.clone()).collect(),
        (fetches, _) => fetches.to_vec(),
    };
    let placeholders = load::placeholders(&graph);
    let options = SessionOptions { intra_op_threads: arguments.threads, ..SessionOptions::default() };
    let session = match &arguments.device {
        Some(name) => Session::on_devices(graph, with_host(name)?, options)?,
        None => Session::new(graph, options)?,
    };
    let ran = timed(&session, &feeds, &fetches, arguments);
    let (outputs, metadata) = ran.map_err(|error| with_advice(error, &placeholders, &feeds))?;
    write_trace(arguments.trace.as_deref(), &metadata)?;
    report(&fetches, &outputs);
    save(arguments.save.as_deref(), &fetches, &outputs)?;
    compare(&fetches, &outputs, &expected, arguments.tolerance)
}

/// The error of a run, with the placeholders that had no value.
fn with_advice(error: Error, placeholders: &[String], feeds: &[Named]) -> Error {
    let is_fed = |name: &String| feeds.iter().any(|feed| feed.0.trim_end_matches(":0") == name);
    let options: Vec<String> =
        placeholders.iter().filter(|name| !is_fed(name)).map(|name| format!("--feed {name}=FILE.npy")).collect();
    match error.code() {
        Code::InvalidArgument if !options.is_empty() => error.context(format!("not fed: {}", options.join(" "))),
        _ => error,
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

fn feed_from_file(graph: &Graph, feed: &str) -> Result<Named> {
    let parts = feed.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty());
    let Some((name, file)) = parts else { bail!("--feed {feed}: write name=file.npy or name=file.png") };
    let output = graph.output_named(name)?;
    let known = graph.dtype(output);
    let tensor = inputs::read(Path::new(file), known.unwrap_or(DType::Float), &graph.shape(output))?;
    let (held, wanted) = (tensor.dtype(), known.unwrap_or(tensor.dtype()));
    ensure!(
        held == wanted,
        "{file} holds {held}, `{name}` takes {wanted}: save it so with NumPy, `array.astype(\"{}\")`",
        inputs::numpy_name(wanted)
    );
    Ok((name.to_owned(), tensor))
}

/// First outputs of the nodes whose outputs no node reads.
fn unread_outputs(graph: &Graph) -> Vec<String> {
    load::unread_nodes(graph).map(|(_, node)| node.name().to_owned()).collect()
}

fn timed(
    session: &Session,
    feeds: &[Named],
    fetches: &[String],
    arguments: &RunArguments,
) -> Result<(Vec<Tensor>, RunMetadata)> {
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect();
    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
    let targets: Vec<&str> = arguments.target.iter().map(String::as_str).collect();
    let bar = progress::bar(arguments.repeat, "running");
    let mut times = Vec::with_capacity(arguments.repeat);
    let mut options = RunOptions { timeout: timeout(arguments.timeout)?, ..RunOptions::default() };
    let (mut outputs, mut metadata) = (Vec::new(), RunMetadata::default());
    for run in 1..=arguments.repeat {
        if run == arguments.repeat && arguments.trace.is_some() {
            options.trace = TraceLevel::Nodes;
        }
        let start = Instant::now();
        (outputs, metadata) = session.run_with(&options, &feeds, &fetches, &targets)?;
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

fn compare(fetches: &[String], outputs: &[Tensor], expected: &[Named], tolerance: f64) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for (name, want) in expected {
        let Some(at) = fetches.iter().position(|f| f == name) else { continue };
        let error = relative_error(&outputs[at], want)?;
        let good = error <= tolerance;
        println!("{name}: {} (relative error {error:.2e})", if good { "agrees" } else { "DIFFERS" });
        if !good {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// The largest difference, relative to the largest expected magnitude; infinite where shapes, dtypes or NaNs differ.
fn relative_error(got: &Tensor, want: &Tensor) -> Result<f64> {
    if got.dtype() != want.dtype() || got.shape() != want.shape() {
        return Ok(f64::INFINITY);
    }
    match want.dtype() {
        DType::Float => {
            let doubles =
                |t: &Tensor| -> Result<Vec<f64>> { Ok(t.as_slice::<f32>()?.iter().map(|&v| f64::from(v)).collect()) };
            Ok(error_of(&doubles(got)?, &doubles(want)?))
        }
        DType::Double => Ok(error_of(got.as_slice::<f64>()?, want.as_slice::<f64>()?)),
        _ => Ok(if got.as_bytes()? == want.as_bytes()? { 0.0 } else { f64::INFINITY }),
    }
}

fn error_of(got: &[f64], want: &[f64]) -> f64 {
    let largest = want.iter().filter(|v| v.is_finite()).fold(1e-30, |m: f64, v| m.max(v.abs()));
    got.iter().zip(want).fold(0.0, |worst: f64, (&g, &w)| match () {
        () if g.is_nan() != w.is_nan() => f64::INFINITY,
        () if g.is_nan() || g == w => worst,
        () => worst.max((g - w).abs() / largest),
    })
}
