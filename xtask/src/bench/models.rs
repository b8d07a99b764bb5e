//! Networks in all runtimes, in turn.

use std::io;
use std::path::Path;

use super::Options;
use super::machine;
use super::record::Ratios;
use super::runtime::{Programs, RUNTIMES, Runtime};
use super::table::{geometric_mean, shown, table};
use super::worker::{Start, Worker};

/// The networks: the name of the files, what a reader calls them.
const NETWORKS: &[(&str, &str)] = &[
    ("resnet50", "ResNet50"),
    ("resnet50v2", "ResNet50V2"),
    ("mobilenetv2", "MobileNetV2"),
    ("mobilenet", "MobileNet"),
    ("densenet169", "DenseNet169"),
    ("efficientnetb1", "EfficientNetB1"),
    ("inceptionresnetv2", "InceptionResNetV2"),
    ("convnextsmall", "ConvNeXtSmall"),
    ("vgg19", "VGG19"),
    ("unet", "U-Net"),
    ("bert", "encoder: 12 layers, 384 wide, 128 tokens"),
    ("gpt", "decoder: 12 layers, 384 wide, 64 tokens in a `While`"),
    ("speech", "speech: 1-D convolutions, bidirectional LSTMs"),
    ("resnet50_train", "ResNet50, a step of training, batch of 4"),
    ("transformer_train", "transformer, a step of training, batch of 8"),
];

/// Differences to TensorFlow's outputs that are no problem; losses of training differ more, since each step starts from
/// the one before.
const TOLERANCE: f64 = 1e-4;
const TRAINING_TOLERANCE: f64 = 1e-3;

/// What was measured of a network with a number of threads, by runtime.
struct Measured<'a> {
    network: &'a str,
    title: &'a str,
    threads: usize,
    by_runtime: [Option<(f64, Start)>; 3],
}

impl Measured<'_> {
    fn time(&self, runtime: Runtime) -> f64 {
        self.by_runtime[runtime as usize].map_or(f64::NAN, |(time, _)| time)
    }

    fn ratio(&self, other: Runtime) -> f64 {
        self.time(Runtime::Oplink) / self.time(other)
    }

    fn start(&self, runtime: Runtime, figure: impl Fn(Start) -> f64) -> f64 {
        self.by_runtime[runtime as usize].map_or(f64::NAN, |(_, start)| figure(start))
    }
}

/// Measures, prints the tables, and compares with what is recorded.
pub(super) fn run(options: &Options) -> io::Result<Vec<String>> {
    let programs = Programs::new()?;
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    let own = options.names.iter().filter(|name| NETWORKS.iter().all(|(known, _)| known != name));
    let known = NETWORKS.iter().copied().filter(|(name, _)| options.wants(name));
    for (name, title) in known.chain(own.map(|name| (name.as_str(), name.as_str()))) {
        let network = options.models.join(name);
        if !network.with_extension("npz").exists() {
            problems
                .push(format!("{name} is not in {}; .ci/networks makes those of the table", options.models.display()));
            continue;
        }
        for &threads in &options.threads {
            match measure(&programs, &network, threads, options) {
                Ok(by_runtime) => rows.push(Measured { network: name, title, threads, by_runtime }),
                Err(error) => problems.push(format!("{name} with {threads} thread(s): {error}")),
            }
            eprintln!("{name}, {threads} thread(s)");
        }
    }
    print(&rows, &programs);
    problems.extend(rows.iter().filter_map(wrong));
    let mut ratios = Ratios::default();
    for row in &rows {
        for other in [Runtime::TensorFlow, Runtime::Onnx] {
            ratios.add(row.network, row.threads, other, row.ratio(other));
        }
    }
    problems.extend(ratios.worse_than(&Ratios::recorded()?));
    if options.record {
        ratios.record()?;
    }
    Ok(problems)
}

/// Runs a network in each runtime in turn.
fn measure(
    programs: &Programs,
    network: &Path,
    threads: usize,
    options: &Options,
) -> io::Result<[Option<(f64, Start)>; 3]> {
    let start = |runtime| {
        let command = programs.serve(runtime, network, threads);
        let worker = command.map(|mut command| Worker::new(&mut command)).transpose();
        worker.map_err(|error| io::Error::other(format!("{}: {error}", runtime.title())))
    };
    let mut workers = RUNTIMES.into_iter().map(start).collect::<io::Result<Vec<Option<Worker>>>>()?;
    for _ in 0..options.rounds {
        for worker in workers.iter_mut().flatten() {
            worker.turn(options.seconds)?;
        }
    }
    let figures = |position: usize| workers[position].as_ref().map(|worker| (worker.best, worker.start));
    Ok([figures(0), figures(1), figures(2)])
}

/// What is wrong with oplink's outputs.
fn wrong(row: &Measured<'_>) -> Option<String> {
    let error = row.start(Runtime::Oplink, |start| start.error);
    let tolerance = if row.network.ends_with("_train") { TRAINING_TOLERANCE } else { TOLERANCE };
    let problem = || format!("{} with {} thread(s) differs from TensorFlow by {error:.1e}", row.network, row.threads);
    // NaN is a difference too.
    (!(error <= tolerance)).then(problem)
}

fn print(rows: &[Measured<'_>], programs: &Programs) {
    println!("{}. {}.\n", machine::describe(), programs.versions());
    let head = ["network", "threads", "error", "oplink, ms", "TensorFlow, ms", "ratio", "ONNX Runtime, ms", "ratio"];
    let cells = |row: &Measured<'_>| {
        vec![
            row.title.to_owned(),
            row.threads.to_string(),
            format!("{:.0e}", row.start(Runtime::Oplink, |start| start.error)),
            shown(row.time(Runtime::Oplink)),
            shown(row.time(Runtime::TensorFlow)),
            ratio(row.ratio(Runtime::TensorFlow)),
            shown(row.time(Runtime::Onnx)),
            ratio(row.ratio(Runtime::Onnx)),
        ]
    };
    let mut text: Vec<Vec<String>> = rows.iter().map(cells).collect();
    text.extend(means(rows));
    println!("{}", table(&head, &text));
    let head =
        ["network", "first result, ms", "TensorFlow", "ONNX Runtime", "peak memory, MiB", "TensorFlow", "ONNX Runtime"];
    let once = rows.iter().filter(|row| row.threads == rows[0].threads);
    let cells = |row: &Measured<'_>| {
        let figures = |figure: fn(Start) -> f64| RUNTIMES.map(|runtime| shown(row.start(runtime, figure)));
        let (first, peak) = (figures(|start| start.first), figures(|start| start.peak));
        std::iter::once(row.title.to_owned()).chain(first).chain(peak).collect()
    };
    println!("{}", table(&head, &once.map(cells).collect::<Vec<_>>()));
}

/// Rows of the geometric means, by the number of threads: of inference, then of training.
fn means(rows: &[Measured]) -> Vec<Vec<String>> {
    let mut means = Vec::new();
    for (trains, what) in [(false, "inference"), (true, "training")] {
        for threads in [1, 2] {
            let of = |row: &&Measured| row.threads == threads && row.network.ends_with("_train") == trains;
            let measured: Vec<&Measured> = rows.iter().filter(of).collect();
            if measured.len() < 2 {
                continue;
            }
            let mean = |other| ratio(geometric_mean(measured.iter().map(|row| row.ratio(other))));
            let (tensorflow, onnxruntime) = (mean(Runtime::TensorFlow), mean(Runtime::Onnx));
            let title = format!("**geometric mean, {what}**");
            let empty = String::new;
            means.push(vec![title, threads.to_string(), empty(), empty(), empty(), tensorflow, empty(), onnxruntime]);
        }
    }
    means
}

fn ratio(ratio: f64) -> String {
    if ratio.is_finite() { format!("{ratio:.2}") } else { String::new() }
}
