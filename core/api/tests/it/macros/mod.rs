//! Declared ops and kernels: their descriptors, run by hand.
#![allow(unreachable_pub, clippy::unnecessary_wraps, reason = "declarations are written as libraries write them")]

mod calls;
mod descriptors;
mod forms;
mod gpu;
mod gpu_chains;
mod hygiene;
mod library;
mod outputs;
mod programs;
mod typed;

use std::sync::Arc;

use oplink::call::Arg;
use oplink::descriptors::{HasKernelDescriptor, KernelDescriptor, KernelEntry, KernelFunction, collected_ops};
use oplink::prelude::*;
use oplink::{AttrMap, DefaultEnv, NodeInfo, Op, OpSpec};

/// The model of a declared op.
pub(crate) fn spec<O: Op>() -> OpSpec {
    let op = O::DESCRIPTOR;
    OpSpec::from_pieces(op.name, op.inputs, op.outputs, op.attrs, op.flags, None).unwrap()
}

/// The only descriptor of a kernel.
pub(crate) fn descriptor<K: HasKernelDescriptor>() -> &'static KernelDescriptor {
    let [one] = K::DESCRIPTORS else { panic!("{} descriptors", K::DESCRIPTORS.len()) };
    one
}

/// A node for these inputs: ranges from the arguments, dtypes of single-typed outputs from the attrs.
pub(crate) fn node<O: Op>(attrs: &[(&str, AttrValue)], inputs: &[Arg<Tensor>], outputs: &[&[DType]]) -> NodeInfo {
    let spec = spec::<O>();
    let mut next = 0;
    let mut range = |len: usize| {
        next += len;
        next - len..next
    };
    let lengths = inputs.iter().map(|arg| match arg {
        Arg::One(_) => 1,
        Arg::List(list) => list.len(),
    });
    let input_ranges = lengths.map(&mut range).collect();
    next = 0;
    let output_ranges = outputs.iter().map(|dtypes| {
        next += dtypes.len();
        next - dtypes.len()..next
    });
    let attrs: AttrMap = attrs.iter().map(|(name, value)| (*name, value.clone())).collect();
    NodeInfo {
        name: "node".to_owned(),
        device: "/device:CPU:0".to_owned(),
        attrs,
        input_dtypes: flat(inputs).iter().map(Tensor::dtype).collect(),
        output_dtypes: outputs.concat(),
        input_ranges,
        output_ranges: output_ranges.collect(),
        shape_fn: O::DESCRIPTOR.shape.map(Into::into),
        op: Arc::new(spec),
    }
}

fn flat(inputs: &[Arg<Tensor>]) -> Vec<Tensor> {
    let tensors = inputs.iter().flat_map(|arg| match arg {
        Arg::One(tensor) => vec![tensor.clone()],
        Arg::List(list) => list.clone(),
    });
    tensors.collect()
}

/// The kernel's entry for these dtypes.
pub(crate) fn entry(kernel: &'static KernelDescriptor, dtypes: &[DType]) -> &'static KernelEntry {
    kernel.entries.iter().find(|entry| entry.dtypes == dtypes).unwrap_or_else(|| panic!("no entry for {dtypes:?}"))
}

/// Runs a kernel's entry; the inputs' only references are given to it.
pub(crate) fn run(entry: &KernelEntry, node: &NodeInfo, inputs: Vec<Arg<Tensor>>) -> Result<Vec<Tensor>> {
    let mut tensors = flat(&inputs);
    drop(inputs);
    let mut outputs = vec![None; node.output_dtypes.len()];
    let mut context = KernelContext::new(node, &mut tensors, &mut outputs, &DefaultEnv);
    match entry.function {
        KernelFunction::Compute(compute) => compute(&mut context)?,
        KernelFunction::Create(create) => create(&oplink::KernelConstruction::new(node))?.compute(&mut context)?,
        KernelFunction::Async(_)
        | KernelFunction::Program(_)
        | KernelFunction::Foreign(_)
        | KernelFunction::HostFallback => {
            panic!("not computed at once")
        }
    }
    Ok(outputs.into_iter().map(|output| output.expect("an output is missing")).collect())
}

/// Runs the kernel `K` of op `O` for float inputs and one output.
pub(crate) fn run_float<O: Op, K: HasKernelDescriptor>(inputs: Vec<Arg<Tensor>>) -> Result<Tensor> {
    let node = node::<O>(&[], &inputs, &[&[DType::Float]]);
    Ok(run(entry(descriptor::<K>(), &[DType::Float]), &node, inputs)?.remove(0))
}

/// Runs the kernel `K` of an op without type attrs that has one float output.
pub(crate) fn run_one<O: Op, K: HasKernelDescriptor>(inputs: Vec<Arg<Tensor>>) -> Result<Tensor> {
    let node = node::<O>(&[], &inputs, &[&[DType::Float]]);
    Ok(run(entry(descriptor::<K>(), &[]), &node, inputs)?.remove(0))
}

/// A shape function for tests: every output has the first input's shape.
pub(crate) fn like_first(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(0).clone();
    (0..c.num_outputs()).for_each(|index| c.set_output(index, shape.clone()));
    Ok(())
}

#[test]
fn collection_gathers_the_declared_ops_but_where_lists_name_them() {
    let is_there = collected_ops().iter().any(|op| std::ptr::eq(*op, <forms::ApiForms as Op>::DESCRIPTOR));
    assert_eq!(is_there, cfg!(not(feature = "explicit")));
}
