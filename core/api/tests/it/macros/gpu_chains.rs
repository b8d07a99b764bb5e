//! Chains of formulas on a GPU: one program for all steps.

use std::sync::Arc;

use expect_test::expect;
use oplink::elementwise::StepOperand;
use oplink::elementwise::StepOperand::{Input, Step};
use oplink::gpu::{GpuChain, GpuChainStep, GpuFormula};
use oplink::{KernelContext, ScalarValue};

use super::gpu::{Env, Noting, larger, leaky, tensor};
use super::*;

/// The formula of a GPU's kernel.
fn formula<K: HasKernelDescriptor>(dtypes: &[DType]) -> &'static GpuFormula {
    let kernel = K::DESCRIPTORS.iter().find(|kernel| kernel.device == "GPU").unwrap();
    entry(kernel, dtypes).gpu_formula().unwrap().formula
}

fn larger_step(dtype: DType, operands: [StepOperand; 2]) -> GpuChainStep {
    let formula = formula::<larger>(&[dtype]);
    GpuChainStep { formula, operands: operands.into_iter().collect(), attrs: [].into_iter().collect(), result: dtype }
}

fn leaky_step(operand: StepOperand) -> GpuChainStep {
    GpuChainStep {
        formula: formula::<leaky>(&[]),
        operands: [operand].into_iter().collect(),
        attrs: [ScalarValue::F32(0.25), ScalarValue::U32(1)].into_iter().collect(),
        result: DType::Bool,
    }
}

#[test]
fn a_chain_is_one_program() {
    let steps = || vec![larger_step(DType::Float, [Input(0), Input(1)]), leaky_step(Step(0))];
    let chain = GpuChain::new(steps(), &[DType::Float, DType::Float]).unwrap();
    let program = chain.program(false);
    assert_eq!(program.name, "the chain ApiLarger, ApiLeaky");
    expect![""].assert_eq(program.cuda.split_once("typedef double f64;\n").unwrap().1);
    expect![""].assert_eq(program.wgsl);
    let equal = GpuChain::new(steps(), &[DType::Float, DType::Float]).unwrap();
    assert!(std::ptr::eq(program, equal.program(false)), "equal chains are one program");
}

#[test]
fn results_are_rounded_between_steps() {
    let steps = vec![
        larger_step(DType::Half, [Input(0), Input(1)]),
        larger_step(DType::Half, [Step(0), Input(2)]),
        larger_step(DType::Half, [Step(1), Step(0)]),
    ];
    let chain = GpuChain::new(steps, &[DType::Half; 3]).unwrap();
    let body = |text: &str| {
        let start = text.find("value_of(").unwrap();
        let from = start + text[start..].find('\n').unwrap() + 1;
        text[from..from + text[from..].find('}').unwrap()].to_owned()
    };
    let program = chain.program(true);
    expect![""].assert_eq(&body(program.cuda));
    expect![""].assert_eq(&body(program.wgsl));
    assert_eq!(program.wgsl.matches("fn formula").count(), 1, "a formula is written once");
    assert_eq!(program.params.len(), 3 + 1 + 2 + 6 + 3 * 6);
}

#[test]
fn a_run_is_one_launch() {
    let chain = GpuChain::new(
        vec![larger_step(DType::Float, [Input(0), Input(1)]), leaky_step(Step(0))],
        &[DType::Float, DType::Float],
    );
    let (x, y) = (tensor(&[2, 3], &[0.0; 6]), tensor(&[3], &[0.0; 3]));
    let node = node::<ApiChain>(&[], &[Arg::One(x.clone()), Arg::One(y.clone())], &[&[DType::Bool]]);
    let device = Arc::new(Noting::default());
    let (env, mut outputs) = (Env(device.clone()), vec![None]);
    let chain = chain.unwrap();
    chain.run(&mut KernelContext::new(&node, &mut [x, y], &mut outputs, &env)).unwrap();
    assert_eq!(outputs[0].as_ref().unwrap().shape().to_vec(), [2, 3]);
    let (program, grid, args) = device.last();
    assert!(std::ptr::eq(program, chain.program(true)));
    let loops = "6 2 3 2 1 1 1 1 1 3 0 0 0 0 1 0 0 0 0 0";
    assert_eq!((grid, args.join(" ")), ([1, 1, 1], format!("float[2, 3] float[3] bool[2, 3] F32(0.25) 1 {loops}")));
    assert!(device.launches.lock().unwrap().is_empty());
}

/// As the op of chains has it.
#[op("ApiChain", input = "x: float", input = "y: float", output = "z: bool", shape = shape_fns::broadcast_binary)]
pub struct ApiChain;

#[test]
fn chains_that_do_not_fit_are_errors() {
    let error = |steps, inputs: &[DType]| GpuChain::new(steps, inputs).unwrap_err().to_string();
    let float = [DType::Float; 8];
    let two = || larger_step(DType::Float, [Input(0), Input(1)]);
    expect!["a chain has one step at least"].assert_eq(&error(vec![], &float[..1]));
    expect![""].assert_eq(&error(vec![two()], &float));
    expect![""].assert_eq(&error(vec![two()], &float[..1]));
    expect![""].assert_eq(&error(vec![two()], &[DType::Float, DType::Int32]));
    expect![""].assert_eq(&error(vec![larger_step(DType::Float, [Input(0), Step(0)])], &float[..1]));
    expect![""]
        .assert_eq(&error(vec![GpuChainStep { attrs: [].into_iter().collect(), ..leaky_step(Input(0)) }], &float[..1]));
    expect![""].assert_eq(&error(vec![GpuChainStep { result: DType::Int64, ..two() }], &float[..2]));
}
