//! Whole graphs: loading, the first run, later runs with one thread and with two, and a chain of small nodes.
//!
//! MobileNetV2 runs where `OPLINK_MODELS` names the folder that `.ci/models FOLDER` filled.

use std::fs::File;
use std::path::{Path, PathBuf};

use divan::Bencher;
use ndarray::{IxDyn, OwnedRepr};
use ndarray_npy::NpzReader;
use oplink::graph::Callable;
use oplink::prelude::*;
use oplink_ops::math::add_v2;

const CHAIN: usize = 1000;
const THREADS: [usize; 2] = [1, 2];

fn main() {
    oplink::runtime::set_intra_op_threads(2).expect("the pool is not in use yet");
    divan::main();
}

/// A model with its input and the outputs that are fetched.
#[derive(Clone, Copy, Debug)]
enum Model {
    Digits,
    MobileNetV2,
}

impl Model {
    /// `None` where the model is not on this machine.
    fn path(self) -> Option<PathBuf> {
        match self {
            Self::Digits => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/digits/digits.pb")),
            Self::MobileNetV2 => Some(Path::new(&std::env::var_os("OPLINK_MODELS")?).join("mobilenetv2.pb")),
        }
    }

    fn names(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Digits => ("image:0", &["Identity:0", "Identity_1:0"]),
            Self::MobileNetV2 => ("a:0", &["Identity:0"]),
        }
    }

    fn input(self) -> Result<Tensor> {
        match self {
            Self::Digits => Tensor::from_vec([1, 28, 28, 1], vec![100u8; 28 * 28]),
            Self::MobileNetV2 => Tensor::from_vec([1, 224, 224, 3], vec![0.5f32; 224 * 224 * 3]),
        }
    }

    fn prepare(self, graph: Graph, threads: usize) -> Result<Callable> {
        let (feed, fetches) = self.names();
        session(graph, threads)?.prepare(&[feed], fetches, &[])
    }
}

fn load_graph(path: &Path) -> Result<Graph> {
    Graph::load(path, Registry::global()?)
}

fn session(graph: Graph, threads: usize) -> Result<Session> {
    Session::new(graph, SessionOptions { intra_op_threads: threads, ..SessionOptions::default() })
}

/// From the file to the graph.
#[divan::bench(args = [Model::Digits, Model::MobileNetV2], sample_count = 10)]
fn load(bencher: Bencher<'_, '_>, model: Model) {
    let Some(path) = model.path() else { return };
    bencher.bench(|| load_graph(&path).expect("the model loads"));
}

/// From the graph to the first outputs: session, plan, kernels, memory.
#[divan::bench(args = [Model::Digits, Model::MobileNetV2], sample_count = 10)]
fn first_run(bencher: Bencher<'_, '_>, model: Model) {
    let Some(path) = model.path() else { return };
    let input = model.input().expect("the size fits");
    let loaded = || load_graph(&path).expect("the model loads");
    bencher.with_inputs(loaded).bench_values(|graph| model.prepare(graph, 0)?.run(std::slice::from_ref(&input)));
}

fn later_runs(bencher: Bencher<'_, '_>, model: Model, threads: usize) {
    let Some(path) = model.path() else { return };
    let graph = load_graph(&path).expect("the model loads");
    let call = model.prepare(graph, threads).expect("every kernel is linked");
    let input = [model.input().expect("the size fits")];
    call.run(&input).expect("the model runs");
    bencher.bench_local(|| drop(divan::black_box(call.run(&input))));
}

#[divan::bench(args = THREADS, sample_count = 300)]
fn digits(bencher: Bencher<'_, '_>, threads: usize) {
    later_runs(bencher, Model::Digits, threads);
}

#[divan::bench(args = THREADS, sample_count = 50)]
fn mobilenetv2(bencher: Bencher<'_, '_>, threads: usize) {
    later_runs(bencher, Model::MobileNetV2, threads);
}

/// Models with their inputs in an archive beside them.
const ARCHIVED: [&str; 6] = ["while_v1", "while_v2", "lstm", "lstm_v1", "transformer", "resnet50"];

/// The files of an archived model, where they are on this machine.
fn archived_files(name: &str) -> Option<(PathBuf, PathBuf)> {
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let folders = [Some(small), std::env::var_os("OPLINK_MODELS").map(PathBuf::from)];
    let files = |folder: PathBuf| (folder.join(format!("{name}.pb")), folder.join(format!("{name}.npz")));
    folders.into_iter().flatten().map(files).find(|(graph, values)| graph.exists() && values.exists())
}

fn archived(name: &str, threads: usize) -> Result<Option<(Callable, Vec<Tensor>)>> {
    let Some((graph, values)) = archived_files(name) else { return Ok(None) };
    let mut archive = NpzReader::new(File::open(values).expect("the file is there")).expect("an archive");
    let names = archive.names().expect("names");
    let stripped = |prefix: &str| -> Vec<String> {
        let names = names.iter().map(|name| name.trim_end_matches(".npy"));
        names.filter_map(|name| name.strip_prefix(prefix).map(str::to_owned)).collect()
    };
    let (feeds, fetches) = (stripped("in:"), stripped("out:"));
    let mut value = |feed: &String| {
        let name = format!("in:{feed}");
        match archive.by_name::<OwnedRepr<f32>, IxDyn>(&name) {
            Ok(array) => Tensor::from_array(array),
            Err(_) => Tensor::from_array(archive.by_name::<OwnedRepr<i32>, IxDyn>(&name).expect("f32 or i32")),
        }
    };
    let values = feeds.iter().map(&mut value).collect();
    let (feeds, fetches): (Vec<&str>, Vec<&str>) =
        (feeds.iter().map(String::as_str).collect(), fetches.iter().map(String::as_str).collect());
    Ok(Some((session(load_graph(&graph)?, threads)?.prepare(&feeds, &fetches, &[])?, values)))
}

fn archived_runs(bencher: Bencher<'_, '_>, name: &str, threads: usize) {
    let Some((call, inputs)) = archived(name, threads).expect("the model loads") else { return };
    call.run(&inputs).expect("the model runs");
    bencher.bench_local(|| drop(divan::black_box(call.run(&inputs))));
}

#[divan::bench(args = ARCHIVED, sample_count = 100)]
fn one_thread(bencher: Bencher<'_, '_>, name: &str) {
    archived_runs(bencher, name, 1);
}

#[divan::bench(args = ARCHIVED, sample_count = 100)]
fn two_threads(bencher: Bencher<'_, '_>, name: &str) {
    archived_runs(bencher, name, 2);
}

fn chain(threads: usize) -> Result<Callable> {
    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[]))?;
    let sum = (0..CHAIN).try_fold(x, |sum, _| add_v2(&mut graph.scope(), sum, x))?;
    let fetch = graph.output_name(sum);
    session(graph, threads)?.prepare(&["x:0"], &[&fetch], &[])
}

/// A thousand scalar sums, each of the one before it.
#[divan::bench(args = THREADS, sample_count = 300)]
fn adds_1000(bencher: Bencher<'_, '_>, threads: usize) {
    let call = chain(threads).expect("the chain is a graph");
    let x = [Tensor::scalar(1.0f32)];
    bencher.bench_local(|| drop(divan::black_box(call.run(&x))));
}
