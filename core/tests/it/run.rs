//! Runs of prepared kernels: isolation of panics, checks of outputs, errors with the node, threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::{Expect, expect};
use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, OpDescriptor};
use oplink_api::{
    AsyncKernelContext, DefaultEnv, ErrorKind, KernelConstruction, KernelContext, RawKernel, Result, Shape, Tensor,
    bail,
};
use oplink_core::{PreparedKernel, node_for_flat_call};

use crate::fixture::{leak, op, sealed, with_entries};

static ADD: OpDescriptor = op("Add", &["x: float", "y: float"], &["z: float"], &["step: int = 1"], 1);

fn prepare(function: KernelFunction) -> Result<PreparedKernel> {
    let entries: &'static [KernelEntry] = leak([KernelEntry::new(&[], function)]);
    let descriptor: &'static KernelDescriptor = leak(with_entries("Add", &[], entries, 2));
    let registry = sealed(&[&ADD], &[descriptor]);
    let floats = [oplink_api::DType::Float; 2];
    let node = node_for_flat_call(registry.op("Add")?, "sum", "/device:CPU:0", &floats, &[])?;
    PreparedKernel::new(&registry, Arc::new(node), "CPU")
}

fn run(kernel: &PreparedKernel) -> Result<Tensor> {
    let mut inputs = [Tensor::from_slice(&[1f32, 2.0]), Tensor::scalar(3f32)];
    let mut outputs = [None];
    let ran = kernel.run(&mut inputs, &mut outputs, &DefaultEnv);
    assert_eq!(ran.is_ok(), outputs[0].is_some());
    ran.map(|()| outputs[0].take().unwrap())
}

fn fails(function: KernelFunction, kind: ErrorKind, expected: Expect) {
    let error = prepare(function).and_then(|kernel| run(&kernel)).unwrap_err();
    assert_eq!(error.kind(), kind);
    expected.assert_eq(&error.to_string());
}

fn refuses(context: &mut KernelContext<'_>) -> Result<()> {
    let _ = context.take_input(0);
    bail!("shapes do not fit")
}

fn panics(context: &mut KernelContext<'_>) -> Result<()> {
    let empty: [usize; 0] = [];
    let _ = context.input(1).shape()[empty.len()];
    Ok(())
}

fn sets_nothing(_: &mut KernelContext<'_>) -> Result<()> {
    Ok(())
}

fn sets_ints(context: &mut KernelContext<'_>) -> Result<()> {
    context.set_scalar(0, 1i32);
    Ok(())
}

fn has_no_shape(context: &mut KernelContext<'_>) -> Result<()> {
    context.infer_output_shapes().map(drop)
}

#[test]
fn an_error_of_a_kernel_tells_node_and_inputs_even_taken_ones() {
    fails(
        KernelFunction::Compute(refuses),
        ErrorKind::KernelFailed,
        expect![[r#"
        shapes do not fit
          node `sum` (op Add) on /device:CPU:0
          input 0 `x`: float [2]
          input 1 `y`: float []"#]],
    );
    fails(
        KernelFunction::Compute(has_no_shape),
        ErrorKind::KernelFailed,
        expect![[r#"
        op Add has no shape function, so its outputs cannot be allocated ahead of the kernel
          node `sum` (op Add) on /device:CPU:0
          input 0 `x`: float [2]
          input 1 `y`: float []"#]],
    );
}

#[test]
fn a_panic_is_an_error_and_the_kernel_can_run_again() {
    fails(
        KernelFunction::Compute(panics),
        ErrorKind::KernelPanicked,
        expect![[r#"
        the kernel panicked: index out of bounds: the len is 0 but the index is 0
          node `sum` (op Add) on /device:CPU:0
          input 0 `x`: float [2]
          input 1 `y`: float []"#]],
    );
    let kernel = prepare(KernelFunction::Compute(panics)).unwrap();
    for _ in 0..3 {
        assert_eq!(run(&kernel).unwrap_err().kind(), ErrorKind::KernelPanicked);
    }
}

#[test]
fn outputs_must_be_set_and_of_the_declared_dtype() {
    fails(
        KernelFunction::Compute(sets_nothing),
        ErrorKind::KernelFailed,
        expect![[r#"
        the kernel did not set output `z`
          node `sum` (op Add) on /device:CPU:0
          input 0 `x`: float [2]
          input 1 `y`: float []"#]],
    );
    fails(
        KernelFunction::Compute(sets_ints),
        ErrorKind::KernelFailed,
        expect![[r#"
        the kernel made output `z` int32, the op declares float
          node `sum` (op Add) on /device:CPU:0
          input 0 `x`: float [2]
          input 1 `y`: float []"#]],
    );
}

#[test]
fn slots_must_be_those_of_the_node() {
    let kernel = prepare(KernelFunction::Compute(sets_nothing)).unwrap();
    let error = kernel.run(&mut [Tensor::scalar(1i32), Tensor::scalar(1f32)], &mut [None], &DefaultEnv).unwrap_err();
    assert_eq!(error.message(), "input `x` of op Add must be float, it is int32");
    let error = kernel.run(&mut [Tensor::scalar(1f32)], &mut [None], &DefaultEnv).unwrap_err();
    assert_eq!(error.message(), "op Add takes 2 inputs here, 1 are given");
    let error = kernel.run(&mut [Tensor::scalar(1f32), Tensor::scalar(1f32)], &mut [], &DefaultEnv).unwrap_err();
    assert_eq!(error.message(), "0 output slots are given for 1 outputs");
}

struct Counter {
    step: usize,
    runs: AtomicUsize,
}

impl RawKernel for Counter {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { step: construction.attr::<i64>("step")? as usize, runs: AtomicUsize::new(0) })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let before = self.runs.fetch_add(self.step, Ordering::Relaxed);
        context.set_scalar(0, before as f32);
        Ok(())
    }
}

fn counter(construction: &KernelConstruction<'_>) -> Result<Box<dyn RawKernel>> {
    Ok(Box::new(Counter::new(construction)?))
}

fn no_counter(construction: &KernelConstruction<'_>) -> Result<Box<dyn RawKernel>> {
    assert!(construction.input_dtypes().is_empty(), "no counters here");
    counter(construction)
}

#[test]
fn a_kernel_with_state_is_made_once_and_runs_on_eight_threads() {
    let kernel = prepare(KernelFunction::Create(counter)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..250).for_each(|_| drop(run(&kernel).unwrap())));
        }
    });
    assert_eq!(run(&kernel).unwrap().to_scalar::<f32>().unwrap(), 2000.0);
}

#[test]
fn a_constructor_that_panics_is_an_error_with_the_node() {
    fails(
        KernelFunction::Create(no_counter),
        ErrorKind::KernelPanicked,
        expect![[r#"
            the constructor of the kernel panicked: no counters here
              node `sum` (op Add) on /device:CPU:0
              input 0 `x`: float
              input 1 `y`: float"#]],
    );
}

fn later(mut context: AsyncKernelContext) {
    std::thread::spawn(move || {
        let sum: f32 = context.inputs()[0].as_slice::<f32>().unwrap().iter().sum();
        context.set_output(0, Tensor::scalar(sum));
        context.finish(Ok(()));
    });
}

fn forgets(context: AsyncKernelContext) {
    std::thread::spawn(move || drop(context));
}

fn panics_async(context: AsyncKernelContext) {
    assert!(context.inputs().is_empty(), "inputs are not empty");
}

#[test]
fn an_asynchronous_kernel_is_waited_for() {
    let kernel = prepare(KernelFunction::Async(later)).unwrap();
    assert_eq!(run(&kernel).unwrap().to_scalar::<f32>().unwrap(), 3.0);
    fails(
        KernelFunction::Async(forgets),
        ErrorKind::Internal,
        expect![[r#"
        the asynchronous kernel of Add dropped its context without finishing it
          node `sum` (op Add) on /device:CPU:0
          input 0 `x`: float [2]
          input 1 `y`: float []"#]],
    );
    fails(
        KernelFunction::Async(panics_async),
        ErrorKind::KernelPanicked,
        expect![[r#"
        the kernel panicked: inputs are not empty
          node `sum` (op Add) on /device:CPU:0
          input 0 `x`: float [2]
          input 1 `y`: float []"#]],
    );
}

fn in_place(context: &mut KernelContext<'_>) -> Result<()> {
    let shape: Shape = context.input(0).shape().clone();
    let (from, tensor) = context.forward_or_allocate(&[0], 0, &shape)?;
    assert_eq!(from.is_some(), tensor.is_unique() && from == Some(0));
    context.set_output(0, tensor);
    Ok(())
}

#[test]
fn a_unique_input_is_forwarded() {
    let kernel = prepare(KernelFunction::Compute(in_place)).unwrap();
    let mut inputs = [Tensor::from_slice(&[1f32; 100]), Tensor::scalar(3f32)];
    let address = inputs[0].as_ptr();
    let mut outputs = [None];
    kernel.run(&mut inputs, &mut outputs, &DefaultEnv).unwrap();
    assert_eq!(outputs[0].as_ref().unwrap().as_ptr(), address);
    let held = outputs[0].take().unwrap();
    inputs[0] = held.clone();
    kernel.run(&mut inputs, &mut outputs, &DefaultEnv).unwrap();
    assert_ne!(outputs[0].as_ref().unwrap().as_ptr(), address);
}
