//! Trained and frozen TensorFlow graphs on a GPU: TensorFlow's results, and what did not run there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use oplink::{DType, PartialShape, Result, Tensor};
use oplink_core::{Registry, devices};
use oplink_graph::{Graph, NodeStats, OutputStats, RunOptions, Session, SessionOptions, TraceLevel};
use oplink_ops::{RandomUniform, cast, greater_equal, mul, shape};

use crate::arrays::{Archive, large_model};
use crate::support::gpu;

/// Largest difference from TensorFlow's values, relative to the largest of them.
const TOLERANCE: f32 = 1e-4;

fn model(file: &str) -> PathBuf {
    let package = oplink_test_harness::package_folder("kernels/gpu", env!("CARGO_MANIFEST_DIR"));
    package.join("../../tests/models").join(file)
}

/// A session on the GPU, beside the CPU.
fn session(path: &Path) -> Result<Session> {
    session_of(Graph::load(path, Registry::global()?)?)
}

fn session_of(graph: Graph) -> Result<Session> {
    let cpu = devices()?.into_iter().find(|device| device.device_type() == "CPU").expect("a CPU");
    Session::on_devices(graph, vec![gpu().clone(), cpu], SessionOptions::default())
}

/// A run whose nodes other than shape arithmetic ran on the GPU.
#[track_caller]
fn run(session: &Session, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> Result<Vec<Tensor>> {
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let (outputs, metadata) = session.run_with(&options, feeds, fetches, targets)?;
    assert!(!metadata.nodes.is_empty(), "the run was not traced");
    let elsewhere = metadata.nodes.iter().filter(|node| !node.device.contains("GPU"));
    let (arithmetic, others): (Vec<_>, Vec<_>) = elsewhere.partition(|node| is_shape_arithmetic(node));
    let ops: BTreeSet<&str> = arithmetic.iter().map(|node| node.op.as_str()).collect();
    eprintln!("{} of {} nodes in host memory: {ops:?}", arithmetic.len(), metadata.nodes.len());
    let others: Vec<_> = others.iter().map(|node| format!("{} ({}) on {}", node.name, node.op, node.device)).collect();
    assert!(others.is_empty(), "{} nodes did not run on the GPU:\n{}", others.len(), others.join("\n"));
    Ok(outputs)
}

/// Copies between memories, nodes that do nothing, and integers that shapes are made of.
fn is_shape_arithmetic(node: &NodeStats) -> bool {
    const OF_SHAPES: [&str; 8] = ["Const", "Identity", "Shape", "StridedSlice", "GatherV2", "Prod", "Pack", "ConcatV2"];
    let is_small =
        |output: &OutputStats| matches!(output.dtype, DType::Int32 | DType::Int64) && output.shape.rank() <= 1;
    match &*node.op {
        "_DeviceCopy" | "NoOp" => true,
        op => OF_SHAPES.contains(&op) && node.outputs.iter().all(is_small),
    }
}

/// The largest difference, relative to the largest magnitude that is wanted.
fn relative_error(have: &Tensor, want: &Tensor) -> Result<f32> {
    assert_eq!(have.shape(), want.shape());
    let (have, want) = (have.as_slice::<f32>()?, want.as_slice::<f32>()?);
    assert!(have.iter().all(|value| value.is_finite()));
    let scale = want.iter().fold(0.0f32, |most, value| most.max(value.abs()));
    Ok(have.iter().zip(want).fold(0.0f32, |most, (have, want)| most.max((have - want).abs())) / scale)
}

/// Runs a model on the archive's inputs and holds its outputs against the archive's.
#[track_caller]
fn check_model(graph: &Path, archive: &Path) -> Result<()> {
    let mut archive = Archive::open(archive);
    let names: Vec<String> = archive.names().iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    let feeds: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("in:")).collect();
    let feeds: Vec<(&str, Tensor)> =
        feeds.iter().map(|feed| (*feed, archive.read_any(&format!("in:{feed}")))).collect();
    let fetches: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("out:")).collect();
    let outputs = run(&session(graph)?, &feeds, &fetches, &[])?;
    for (fetch, have) in fetches.iter().zip(&outputs) {
        let error = relative_error(have, &archive.read::<f32>(&format!("out:{fetch}")))?;
        eprintln!("{fetch}: relative error {error:.1e}");
        assert!(error <= TOLERANCE, "{fetch}: relative error {error:.1e}");
    }
    Ok(())
}

#[test]
fn digits() -> Result<()> {
    let mut archive = Archive::open(&model("digits/digits.npz"));
    let image = archive.read::<u8>("in:image:0");
    let (labels, want) = (archive.read::<i64>("out:Identity:0"), archive.read::<f32>("out:Identity_1:0"));
    let session = session(&model("digits/digits.pb"))?;
    let outputs = run(&session, &[("image:0", image)], &["Identity:0", "Identity_1:0"], &[])?;
    assert_eq!(outputs[0].as_slice::<i64>()?, labels.as_slice::<i64>()?);
    let error = relative_error(&outputs[1], &want)?;
    eprintln!("relative error {error:.1e}");
    assert!(error <= TOLERANCE, "relative error {error:.1e}");
    Ok(())
}

#[test]
fn a_transformer() -> Result<()> {
    check_model(&model("transformer.pb"), &model("transformer.npz"))
}

#[test(Gpu, Models)]
fn mobilenetv2() -> Result<()> {
    let (graph, values) = (large_model("mobilenetv2.pb"), large_model("mobilenetv2.npz"));
    check_model(&graph, &values)?;
    // Probabilities of random weights are nearly uniform and hide errors: values inside of the network do not.
    let inside = [
        "mobilenetv2_1.00_224_1/Conv1_1/convolution:0",
        "mobilenetv2_1.00_224_1/block_10_depthwise_1/depthwise:0",
        "mobilenetv2_1.00_224_1/Conv_1_1/convolution:0",
    ];
    let feeds = [("a:0", Archive::open(&values).read::<f32>("in:a:0"))];
    let on_cpu = Session::new(Graph::load(&graph, Registry::global()?)?, SessionOptions::default())?;
    let wanted = on_cpu.run(&feeds, &inside, &[])?;
    for ((have, want), name) in run(&session(&graph)?, &feeds, &inside, &[])?.iter().zip(&wanted).zip(inside) {
        let error = relative_error(have, want)?;
        eprintln!("{name}: relative error {error:.1e}");
        assert!(error <= TOLERANCE, "{name}: relative error {error:.1e}");
    }
    Ok(())
}

/// Forty steps of Adam: the loss of each, and the weights after the last.
#[test]
fn training() -> Result<()> {
    let mut archive = Archive::open(&model("mlp_train.npz"));
    let session = session(&model("mlp_train.pb"))?;
    run(&session, &[], &[], &["init"])?;
    let (inputs, labels) = (archive.read::<f32>("in:feed_0:0"), archive.read::<i32>("in:feed_1:0"));
    let losses = archive.read::<f32>("loss");
    for (step, want) in losses.as_slice::<f32>()?.iter().enumerate() {
        let row = |all: &Tensor| all.slice(step, step + 1)?.with_shape(&all.shape()[1..]);
        let feeds = [("feed_0:0", row(&inputs)?), ("feed_1:0", row(&labels)?)];
        let loss = run(&session, &feeds, &["loss:0"], &["train"])?[0].to_scalar::<f32>()?;
        assert!(
            (loss - want).abs() <= TOLERANCE * want.abs().max(1.0),
            "step {step}: loss {loss}, TensorFlow's {want}"
        );
    }
    for name in ["w1", "b1", "w2", "b2"] {
        let have = session.run(&[], &[&format!("read_{name}:0")], &[])?;
        let error = relative_error(&have[0], &archive.read::<f32>(&format!("final:{name}")))?;
        assert!(error <= 1e-3, "{name}: relative error {error:.1e}");
    }
    Ok(())
}

/// What a dropout keeps of a tensor: other elements in each run, and those that the CPU keeps.
#[test]
fn a_dropout_keeps_what_the_cpu_keeps() -> Result<()> {
    let graph = || -> Result<(Graph, String)> {
        let mut graph = Graph::new(Registry::global()?);
        let mut scope = graph.scope();
        let x = scope.placeholder("x", DType::Float, PartialShape::unknown())?;
        let extents = shape(&mut scope, x)?;
        let drawn = RandomUniform::builder(DType::Float).seed(7).build(&mut scope, extents)?;
        let is_kept = greater_equal(&mut scope, drawn, 0.25_f32)?;
        let mask = cast(&mut scope, is_kept, DType::Float)?;
        let kept = mul(&mut scope, x, mask)?;
        let name = graph.output_name(kept);
        Ok((graph, name))
    };
    let ((on_gpu, name), (on_cpu, _)) = (graph()?, graph()?);
    let (on_gpu, on_cpu) = (session_of(on_gpu)?, Session::new(on_cpu, SessionOptions::default())?);
    let feeds = [("x", Tensor::full([33, 17], 1.5_f32))];
    let mut last = Vec::new();
    for _ in 0..3 {
        let (have, want) = (run(&on_gpu, &feeds, &[&name], &[])?, on_cpu.run(&feeds, &[&name], &[])?);
        let values = have[0].as_slice::<f32>()?.to_vec();
        assert_eq!(values, want[0].as_slice::<f32>()?);
        assert_ne!(values, std::mem::replace(&mut last, values.clone()));
    }
    Ok(())
}
