//! `built-in -> third-party -> built-in` is one fused kernel on the CPU, and one program on a GPU.
//!
//! A GPU is needed for the second half: Mesa's lavapipe, a Vulkan driver in software, is one.

#[macro_use(test)]
extern crate oplink_test_harness;

use std::sync::Arc;

use oplink::{DType, PartialShape, Result, Tensor};
use oplink_core::{Device, Registry, devices};
use oplink_graph::{Graph, PassOptions, RunOptions, Session, SessionOptions, TraceLevel};
use oplink_ops::math::{mul, tanh};
use third_party_formulas::squareplus;

use oplink_device_cpu as _;
use oplink_device_gpu as _;

oplink::link!(oplink_ops);
oplink::link!(oplink_kernels_elementwise);
oplink::link!(third_party_formulas);

oplink_test_harness::main!(Gpu);

/// Elements of the graph's input, enough for a chain to be worth it.
const ELEMENTS: usize = 128 * 64;

/// `tanh(squareplus(x * y))`.
fn graph(dtype: DType) -> Result<(Graph, String)> {
    let mut graph = Graph::new(Registry::global()?);
    let mut scope = graph.scope();
    let x = scope.placeholder("x", dtype, PartialShape::new(&[Some(128), Some(64)]))?;
    let y = scope.placeholder("y", dtype, PartialShape::new(&[Some(64)]))?;
    let product = mul(&mut scope, x, y)?;
    let smooth = squareplus(&mut scope, product)?;
    let result = tanh(&mut scope, smooth)?;
    let name = graph.output_name(result);
    Ok((graph, name))
}

fn feeds(dtype: DType) -> Result<[(&'static str, Tensor); 2]> {
    let x: Vec<f32> = (0..ELEMENTS).map(|i| (i % 97) as f32 / 24.0 - 2.0).collect();
    let y: Vec<f32> = (0..64).map(|i| (i % 7) as f32 / 3.0 - 1.0).collect();
    let (x, y) = (Tensor::from_vec([128, 64], x)?, Tensor::from_vec([64], y)?);
    Ok([("x", cast(&x, dtype)?), ("y", cast(&y, dtype)?)])
}

fn cast(values: &Tensor, dtype: DType) -> Result<Tensor> {
    let values = (values.shape().clone(), values.as_slice::<f32>()?);
    let halves = || values.1.iter().map(|&value| oplink::element::f16::from_f32(value)).collect();
    match dtype {
        DType::Half => Tensor::from_vec(values.0, halves()),
        _ => Tensor::from_vec(values.0, values.1.to_vec()),
    }
}

fn device(kind: &str) -> Result<Arc<dyn Device>> {
    Ok(devices()?.into_iter().find(|device| device.device_type() == kind).expect("the device is linked"))
}

/// The result, and the ops that computed on devices of a type.
fn run(devices: Vec<Arc<dyn Device>>, kind: &str, dtype: DType, is_fused: bool) -> Result<(Vec<f32>, Vec<String>)> {
    let passes = if is_fused { PassOptions::default() } else { PassOptions::none() };
    let (graph, name) = graph(dtype)?;
    let session = Session::on_devices(graph, devices, SessionOptions { passes, ..SessionOptions::default() })?;
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let (outputs, metadata) = session.run_with(&options, &feeds(dtype)?, &[&name], &[])?;
    let nodes = metadata.nodes.iter().filter(|node| node.device.contains(kind) && node.op != "_DeviceCopy");
    let ops = nodes.map(|node| node.op.clone()).collect();
    let values = match dtype {
        DType::Half => outputs[0].as_slice::<oplink::element::f16>()?.iter().map(|value| value.to_f32()).collect(),
        _ => outputs[0].as_slice::<f32>()?.to_vec(),
    };
    Ok((values, ops))
}

fn assert_near(have: &[f32], want: &[f32], tolerance: f32) {
    assert_eq!((have.len(), want.len()), (ELEMENTS, ELEMENTS));
    for (at, (have, want)) in have.iter().zip(want).enumerate() {
        assert!((have - want).abs() <= tolerance, "element {at}: {have}, not {want}");
    }
}

#[test(anywhere)]
fn on_the_cpu_it_is_one_kernel() -> Result<()> {
    let (fused, ops) = run(vec![device("CPU")?], "CPU", DType::Float, true)?;
    assert_eq!(ops, ["_FusedElementwise"]);
    let (apart, ops) = run(vec![device("CPU")?], "CPU", DType::Float, false)?;
    assert_eq!(ops, ["Mul", "Squareplus", "Tanh"]);
    assert_eq!(fused, apart, "the same operations");
    let wanted = |x: f32| ((x + (x * x + 4.0).sqrt()) * 0.5).tanh();
    let [(_, x), (_, y)] = feeds(DType::Float)?;
    let (x, y) = (x.as_slice::<f32>()?, y.as_slice::<f32>()?);
    let wanted: Vec<f32> = x.iter().enumerate().map(|(at, &x)| wanted(x * y[at % 64])).collect();
    assert_near(&fused, &wanted, 1e-6);
    Ok(())
}

#[test]
fn on_a_gpu_it_is_one_program() -> Result<()> {
    for (dtype, tolerance) in [(DType::Float, 1e-5), (DType::Half, 2e-3)] {
        let (wanted, _) = run(vec![device("CPU")?], "CPU", dtype, false)?;
        let on_gpu = || -> Result<_> { Ok(vec![device("GPU")?, device("CPU")?]) };
        let (fused, ops) = run(on_gpu()?, "GPU", dtype, true)?;
        assert_eq!(ops, ["_FusedElementwise"], "{dtype}");
        assert_near(&fused, &wanted, tolerance);
        let (apart, ops) = run(on_gpu()?, "GPU", dtype, false)?;
        assert_eq!(ops, ["Mul", "Squareplus", "Tanh"], "{dtype}");
        assert_near(&apart, &wanted, tolerance);
    }
    Ok(())
}
