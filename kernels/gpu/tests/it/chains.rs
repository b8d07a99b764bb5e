//! Chains of formulas: one program on a GPU, with the values of the single ops.

use oplink::descriptors::collected_kernels;
use oplink::device::ScalarValue;
use oplink::elementwise::StepOperand;
use oplink::gpu::{ElementwiseProgram, FormulaParam, GpuChain, GpuChainStep};
use oplink::{DType, PartialShape, Result, Tensor};
use oplink_core::{Registry, devices};
use oplink_graph::{Graph, GraphScope, PassOptions, RunOptions, Session, SessionOptions, TraceLevel};
use oplink_ops::WindowPadding;
use oplink_ops::{
    abs, add_v2, bias_add, conv2d, exp, greater, mat_mul, maximum, mul, neg, relu, reshape, sigmoid_grad, softplus,
    sqrt, square, sub, tanh,
};

use crate::programs::check_wgsl;
use crate::support::gpu;

/// A value made of the graph's inputs `x` and `y`.
type Build = fn(&mut GraphScope<'_>, oplink::Output, oplink::Output) -> Result<oplink::Output>;

/// The value for `x` of 80 x 60 elements and `y` of 60, with the ops that ran on the GPU.
fn run(build: Build, is_fused: bool) -> Result<(Tensor, Vec<String>)> {
    let mut graph = Graph::new(Registry::global()?);
    let mut scope = graph.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::new(&[Some(80), Some(60)]))?;
    let y = scope.placeholder("y", DType::Float, PartialShape::new(&[Some(60)]))?;
    let result = build(&mut scope, x, y)?;
    let name = graph.output_name(result);
    let cpu = devices()?.into_iter().find(|device| device.device_type() == "CPU").expect("a CPU");
    let passes = if is_fused { PassOptions::default() } else { PassOptions::none() };
    let session =
        Session::on_devices(graph, vec![gpu().clone(), cpu], SessionOptions { passes, ..SessionOptions::default() })?;
    let x: Vec<f32> = (0..4800).map(|i| (i % 101) as f32 / 25.0 - 2.0).collect();
    let y: Vec<f32> = (0..60).map(|i| (i % 9) as f32 / 3.0 - 1.0).collect();
    let feeds = [("x", Tensor::from_vec([80, 60], x)?), ("y", Tensor::from_vec([60], y)?)];
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let (outputs, metadata) = session.run_with(&options, &feeds, &[&name], &[])?;
    let on_gpu = metadata.nodes.iter().filter(|node| node.device.contains("GPU") && node.op != "_DeviceCopy");
    Ok((outputs[0].clone(), on_gpu.map(|node| node.op.clone()).collect()))
}

#[track_caller]
fn check(build: Build, count: usize) {
    let ((fused, ops), (apart, all)) = (run(build, true).unwrap(), run(build, false).unwrap());
    assert_eq!(ops, ["_FusedElementwise"]);
    assert_eq!(all.len(), count, "{all:?}");
    if let (Ok(fused), Ok(apart)) = (fused.as_slice::<bool>(), apart.as_slice::<bool>()) {
        assert_eq!(fused, apart);
        return;
    }
    for (fused, apart) in fused.as_slice::<f32>().unwrap().iter().zip(apart.as_slice::<f32>().unwrap()) {
        assert!((fused - apart).abs() <= 1e-6 * apart.abs().max(1.0), "{fused}, apart {apart}");
    }
}

#[test]
fn chains_are_one_program() {
    check(|scope, x, y| mul(scope, x, y).and_then(|z| relu(scope, z)), 2);
    check(
        |scope, x, y| {
            let product = mul(scope, x, y)?;
            let (low, high) = (tanh(scope, product)?, softplus(scope, product)?);
            let sum = add_v2(scope, low, high)?;
            sub(scope, sum, y)
        },
        5,
    );
    check(
        |scope, x, y| {
            let root = square(scope, x).and_then(|z| sqrt(scope, z))?;
            let least = neg(scope, root).and_then(|z| maximum(scope, z, y))?;
            let size = exp(scope, least).and_then(|z| abs(scope, z))?;
            greater(scope, size, y)
        },
        7,
    );
    check(|scope, x, _| tanh(scope, x).and_then(|z| sigmoid_grad(scope, z, x)), 2);
}

fn weights(shape: &[usize]) -> Result<Tensor> {
    Tensor::from_vec(shape, (0..shape.iter().product()).map(|i: usize| (i * 5 % 7) as f32 - 3.0).collect())
}

/// A convolution of `x` as an image of 60 channels.
fn convolved(scope: &mut GraphScope<'_>, x: oplink::Output) -> Result<oplink::Output> {
    let image = reshape(scope, x, Tensor::from_slice(&[1, 8, 10, 60]))?;
    conv2d(scope, image, weights(&[1, 1, 60, 60])?, &[1, 1, 1, 1], WindowPadding::Same)
}

/// What follows a convolution or a product of matrices becomes a part of it.
#[test]
fn contractions_take_what_follows() {
    let check = |build: Build, expected: &[&str]| {
        let ((fused, ops), (apart, _)) = (run(build, true).unwrap(), run(build, false).unwrap());
        let ops: Vec<&str> = ops.iter().map(String::as_str).filter(|op| *op != "Reshape").collect();
        assert_eq!(ops, expected);
        for (fused, apart) in fused.as_slice::<f32>().unwrap().iter().zip(apart.as_slice::<f32>().unwrap()) {
            assert!((fused - apart).abs() <= 1e-5 * apart.abs().max(1.0), "{fused}, apart {apart}");
        }
    };
    check(
        |scope, x, y| {
            let product = mat_mul(scope, x, weights(&[60, 60])?)?;
            bias_add(scope, product, y).and_then(|z| relu(scope, z))
        },
        &["_FusedMatMul"],
    );
    check(
        |scope, x, y| {
            let product = convolved(scope, x)?;
            bias_add(scope, product, y).and_then(|z| relu(scope, z))
        },
        &["_FusedConv2D"],
    );
    check(
        |scope, x, y| {
            let product = convolved(scope, x)?;
            let image = reshape(scope, x, Tensor::from_slice(&[1, 8, 10, 60]))?;
            let sum = bias_add(scope, product, y).and_then(|z| add_v2(scope, z, image))?;
            tanh(scope, sum)
        },
        &["_FusedConv2D"],
    );
    check(
        |scope, x, y| {
            let product = convolved(scope, x)?;
            bias_add(scope, product, y).and_then(|z| softplus(scope, z))
        },
        &["Conv2D", "BiasAdd", "Softplus"],
    );
}

/// A chain that ends with the formula, and begins with it where its result is what it takes.
fn chain_of(program: &ElementwiseProgram) -> Option<(GpuChain, usize)> {
    let formula = program.formula;
    let attrs = formula.params.iter().filter(|param| matches!(param, FormulaParam::Attr(_)));
    let attrs: Vec<ScalarValue> = attrs.map(|_| ScalarValue::U32(1)).collect();
    let step = |operands: Vec<StepOperand>| GpuChainStep {
        formula,
        operands: operands.into(),
        attrs: attrs.iter().copied().collect(),
        result: program.result,
    };
    let inputs: Vec<StepOperand> = (0..program.inputs.len()).map(StepOperand::Input).collect();
    if program.inputs[0] != program.result {
        return GpuChain::new(vec![step(inputs)], program.inputs).ok().map(|chain| (chain, 1));
    }
    let mut second = inputs.clone();
    second[0] = StepOperand::Step(0);
    GpuChain::new(vec![step(inputs), step(second)], program.inputs).ok().map(|chain| (chain, 2))
}

#[test(anywhere)]
fn every_formula_is_a_step_of_valid_programs() {
    let (mut formulas, mut sayable) = (0, 0);
    for program in collected_kernels()
        .iter()
        .flat_map(|kernel| kernel.entries)
        .filter_map(oplink::descriptors::KernelEntry::gpu_formula)
    {
        let (chain, steps) = chain_of(program).unwrap_or_else(|| panic!("{}: no chain", program.name));
        formulas += 1;
        for broadcast in [false, true] {
            let program = chain.program(broadcast);
            assert_eq!(program.cuda.matches("formula0(").count(), 1 + steps, "{}", program.cuda);
            sayable += usize::from(!program.wgsl.is_empty());
            check_wgsl(program);
        }
    }
    assert!(formulas > 300 && sayable > 400, "{formulas} formulas, {sayable} programs");
}
