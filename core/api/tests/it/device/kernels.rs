//! Kernels on a device with memory of its own: where their outputs are, and what a view of device memory says.
#![allow(unreachable_pub, clippy::unnecessary_wraps, reason = "declarations are written as libraries write them")]

use std::sync::Arc;

use oplink::call::Arg;
use oplink::descriptors::{HasKernelDescriptor, KernelFunction};
use oplink::device::{DeviceContext, HostMemory};
use oplink::prelude::*;
use oplink::{DefaultEnv, NodeInfo, OpSpec};

use super::fake::{Fake, FakeEnv, NAME};
use crate::macros::{descriptor, entry, node};

/// The first output has the shape of `x`, the second is a scalar.
fn shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, c.input(0).clone());
    c.set_output(1, PartialShape::scalar());
    Ok(())
}

/// A value, and how large it is.
#[op("ApiOnDevice", input = "x: float", input = "dims: int32", output = "y: float", output = "size: int32", shape = shapes)]
pub struct ApiOnDevice;

/// Takes `x` and `y` as tensors of the device.
#[kernel(ApiOnDevice, device = FAKE, host_memory = [dims, size])]
fn on_device(x: &Tensor, dims: ArrayView1<'_, i32>, y: &mut Tensor, mut size: ArrayViewMut0<'_, i32>) {
    assert!(x.is_on_device() && y.is_on_device());
    size[()] = dims.sum();
}

/// Takes `x` on the host without saying so.
#[kernel(ApiOnDevice, device = FAKE, label = "input", host_memory = [dims])]
fn views_input(x: ArrayViewD<'_, f32>, y: &mut Tensor, size: &mut Tensor) {
    let _ = (x, y, size);
}

/// Takes `size` on the host without saying so.
#[kernel(ApiOnDevice, device = FAKE, label = "output")]
fn views_output(y: &mut Tensor, size: ArrayViewMut0<'_, i32>) {
    let _ = (y, size);
}

/// Takes `x` and `y` on the host without saying so.
#[kernel(ApiOnDevice, device = FAKE, label = "forward", forward(x => y))]
fn forwards(y: InOut<'_, f32>, size: &mut Tensor) {
    y.map(|y| y + 1.0);
    let _ = size;
}

/// Asks for the device.
#[kernel(ApiOnDevice, device = FAKE, label = "queue")]
fn uses_queue(context: &mut KernelContext<'_>) -> Result<()> {
    let copied = context.device()?.copy_in_device(context.input(0))?;
    let temporary = context.allocate(DType::Float, [2])?;
    assert!(!temporary.is_on_device());
    context.set_output(0, copied);
    context.set_scalar(1, 0i32);
    Ok(())
}

fn fake() -> (Arc<Fake>, FakeEnv) {
    let fake = Arc::new(Fake::default());
    (fake.clone(), FakeEnv(fake))
}

fn node_of(inputs: &[Tensor]) -> NodeInfo {
    let inputs: Vec<Arg<Tensor>> = inputs.iter().cloned().map(Arg::One).collect();
    node::<ApiOnDevice>(&[], &inputs, &[&[DType::Float], &[DType::Int32]])
}

fn inputs(fake: &Fake) -> [Tensor; 2] {
    [fake.copy_to_device(&Tensor::from_slice(&[1f32, 2.0])).unwrap(), Tensor::from_slice(&[3i32, 4])]
}

/// Runs a kernel as prepared kernels are run on a device.
fn run<K: HasKernelDescriptor>(env: &FakeEnv, mut inputs: [Tensor; 2]) -> Result<Vec<Tensor>> {
    let (kernel, node) = (descriptor::<K>(), node_of(&inputs));
    let KernelFunction::Compute(compute) = entry(kernel, &[]).function else { panic!("not computed at once") };
    let (host, mut outputs) = (HostMemory::of(&node, kernel.host_memory), [None, None]);
    compute(&mut KernelContext::new(&node, &mut inputs, &mut outputs, env).with_host_memory(Some(&host)))?;
    Ok(outputs.into_iter().flatten().collect())
}

#[test]
fn outputs_are_on_the_device_but_for_host_memory() {
    let (fake, env) = fake();
    let outputs = run::<on_device>(&env, inputs(&fake)).unwrap();
    assert!(outputs[0].is_on_device());
    assert_eq!(outputs[1].to_scalar::<i32>().unwrap(), 7);
    assert_eq!(*fake.owners.lock().unwrap(), ["node"]);
}

#[test]
fn a_view_of_device_memory_names_the_argument_and_the_way_out() {
    let (fake, env) = fake();
    let said = |error: Error| {
        assert_eq!(error.kind(), ErrorKind::DeviceMemory);
        assert!(error.message().contains(NAME), "{error}");
        error.context_lines().to_vec()
    };
    let lines = |role: &str, name: &str| {
        let way_out = format!(
            "the kernel takes {role} `{name}` on the host: declare `host_memory = [{name}]` to have it there, or take it \
             as a tensor and compute on the device"
        );
        vec![format!("binding {role} `{name}`"), way_out]
    };
    assert_eq!(said(run::<views_input>(&env, inputs(&fake)).unwrap_err()), lines("input", "x"));
    assert_eq!(said(run::<views_output>(&env, inputs(&fake)).unwrap_err()), lines("output", "size"));
    let kept = inputs(&fake);
    assert_eq!(said(run::<forwards>(&env, kept.clone()).unwrap_err()), lines("output", "y"));
    assert_eq!(said(run::<forwards>(&env, inputs(&fake)).unwrap_err()), lines("output", "y"));
}

#[test]
fn kernels_reach_the_queue_of_their_device() {
    let (fake, env) = fake();
    let given = inputs(&fake);
    let outputs = run::<uses_queue>(&env, given.clone()).unwrap();
    assert_eq!(fake.bytes(&outputs[0]), fake.bytes(&given[0]));
    let node = node_of(&given);
    let (mut given, mut outputs) = (given, [None, None]);
    let context = KernelContext::new(&node, &mut given, &mut outputs, &DefaultEnv);
    let error = context.device().map(|_| ()).unwrap_err();
    let said = "the kernel asks for a device's memory and queue, but /device:CPU:0 works in host memory";
    assert_eq!(error.message(), said);
}

#[test]
fn inputs_are_forwarded_within_one_memory() {
    let (fake, env) = fake();
    let ints = |values: &[i32]| Tensor::from_slice(values);
    let given = || [fake.copy_to_device(&ints(&[1, 2])).unwrap(), ints(&[3, 4])];
    let node =
        NodeInfo { output_dtypes: vec![DType::Int32; 2], input_dtypes: vec![DType::Int32; 2], ..node_of(&given()) };
    let host = HostMemory::of(&node, &["dims", "size"]);
    let taken = |candidates: &[usize], output: usize, env: &dyn oplink::KernelEnv| {
        let (mut inputs, mut outputs) = (given(), [None, None]);
        let context = KernelContext::new(&node, &mut inputs, &mut outputs, env);
        let mut context = context.with_host_memory(Some(&host));
        let (taken, memory) = context.forward_or_allocate(candidates, output, &Shape::from([2])).unwrap();
        (taken, memory.is_on_device())
    };
    assert_eq!(taken(&[1, 0], 0, &env), (Some(0), true));
    assert_eq!(taken(&[0, 1], 1, &env), (Some(1), false));
    assert_eq!(taken(&[1], 0, &env), (None, true));
    assert_eq!(taken(&[0], 1, &env), (None, false));
    assert_eq!(taken(&[1], 0, &DefaultEnv), (Some(1), false));
}

#[test]
fn host_memory_has_named_arguments_objects_and_references() {
    let spec = OpSpec::from_pieces(
        "ApiPlaces",
        &["handle: resource", "list: Ts", "named: N * float", "plain: float", "held: Ref(float)"],
        &["text: string", "made: float", "count: int32"],
        &["Ts: list(type)", "N: int >= 1"],
        oplink::descriptors::OpFlags::default(),
        None,
    );
    use DType::{Float, Int32, Resource, String};
    let node = NodeInfo {
        op: Arc::new(spec.unwrap()),
        input_dtypes: vec![Resource, Int32, String, Float, Float, Float, Float],
        output_dtypes: vec![String, Float, Int32],
        input_ranges: vec![0..1, 1..3, 3..5, 5..6, 6..7],
        output_ranges: vec![0..1, 1..2, 2..3],
        ..node_of(&inputs(&Fake::default()))
    };
    let places = |names: &[&str]| {
        let host = HostMemory::of(&node, names);
        let inputs: Vec<usize> = (0..9).filter(|&index| host.has_input(index)).collect();
        let outputs: Vec<usize> = (0..9).filter(|&index| host.has_output(index)).collect();
        (inputs, outputs)
    };
    assert_eq!(places(&[]), (vec![0, 2, 6], vec![0]));
    assert_eq!(places(&["named", "made"]), (vec![0, 2, 3, 4, 6], vec![0, 1]));
}
