//! Whole graphs: loading, the first run, later runs with one thread and with two, and a chain of small nodes.
//!
//! MobileNetV2 runs where `OPLINK_MODELS` names the folder that `.ci/models FOLDER` filled.

use std::path::{Path, PathBuf};

use divan::Bencher;
use oplink::graph::Callable;
use oplink::prelude::*;
use oplink_kernels_cpu::math::binary::add_v2;

const CHAIN: usize = 1000;
const THREADS: [usize; 2] = [1, 2];

fn main() {
    oplink::core::set_intra_op_threads(2).expect("the pool is not in use yet");
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
