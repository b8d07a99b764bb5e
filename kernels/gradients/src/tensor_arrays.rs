//! Tensor arrays, whose gradients are arrays of as many elements: what is read of an array is written to that of its
//! gradients, where it adds up, and what is written to it is read there.
//!
//! The gradient of a flow makes these nodes run in the order that is the reverse of the op's.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    TensorArrayConcatV2, TensorArrayConcatV3, TensorArrayGatherV2, TensorArrayGatherV3, TensorArrayGradV2,
    TensorArrayGradV3, TensorArrayReadV2, TensorArrayReadV3, TensorArrayScatterV2, TensorArrayScatterV3,
    TensorArraySplitV2, TensorArraySplitV3, TensorArrayWriteV2, TensorArrayWriteV3,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The array of gradients of the op's array, and a flow behind it.
fn array<G: Op>(n: &Nodes<'_>, op: &OpForGradient, flow: Output) -> Result<(Output, Output)> {
    let inputs = vec![Arg::One(op.input(0)), Arg::One(flow)];
    let made = n.call::<G>(inputs, vec![("source", op.source().into())])?;
    Ok((made[0], made.get(1).copied().unwrap_or(flow)))
}

/// The dtype of the elements that an op reads or writes.
fn dtype(dtype: DType) -> Attrs {
    vec![("dtype", dtype.into())]
}

/// The gradient of the last input, a flow, and of no other.
fn of_flow(op: &OpForGradient, flow: Output) -> Gradients {
    let mut gradients = vec![None; op.inputs().len()];
    if let Some(last) = gradients.last_mut() {
        *last = Some(flow);
    }
    Ok(gradients)
}

/// What is read goes to where it was read.
fn read<G: Op, W: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (handle, flow) = array::<G>(&n, op, op.input(2))?;
    let written = n.add::<W>([handle, op.input(1), dy[0], flow])?;
    of_flow(op, written)
}

/// What is joined goes to where it came from.
fn concat<G: Op, W: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (handle, flow) = array::<G>(&n, op, op.input(1))?;
    let written = n.add::<W>([handle, dy[0], op.output(1), flow])?;
    of_flow(op, written)
}

/// What is written has the gradient at its position.
fn write<G: Op, R: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (handle, flow) = array::<G>(&n, op, dy[0])?;
    let value = n.with::<R>([handle, op.input(1), flow], dtype(op.input_dtype(2)))?;
    Ok(vec![None, None, Some(value), Some(dy[0])])
}

/// What is split has all gradients, joined.
fn split<G: Op, R: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (handle, flow) = array::<G>(&n, op, dy[0])?;
    let value = n.with::<R>([handle, flow], dtype(op.input_dtype(1)))?;
    Ok(vec![None, Some(value), None, Some(dy[0])])
}

#[gradient(TensorArrayReadV3)]
fn tensor_array_read_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    read::<TensorArrayGradV3, TensorArrayWriteV3>(scope, op, dy)
}

#[gradient(TensorArrayReadV2)]
fn tensor_array_read_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    read::<TensorArrayGradV2, TensorArrayWriteV2>(scope, op, dy)
}

#[gradient(TensorArrayGatherV3)]
fn tensor_array_gather_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    read::<TensorArrayGradV3, TensorArrayScatterV3>(scope, op, dy)
}

#[gradient(TensorArrayGatherV2)]
fn tensor_array_gather_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    read::<TensorArrayGradV2, TensorArrayScatterV2>(scope, op, dy)
}

#[gradient(TensorArrayConcatV3)]
fn tensor_array_concat_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    concat::<TensorArrayGradV3, TensorArraySplitV3>(scope, op, dy)
}

#[gradient(TensorArrayConcatV2)]
fn tensor_array_concat_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    concat::<TensorArrayGradV2, TensorArraySplitV2>(scope, op, dy)
}

#[gradient(TensorArrayWriteV3)]
fn tensor_array_write_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    write::<TensorArrayGradV3, TensorArrayReadV3>(scope, op, dy)
}

#[gradient(TensorArrayWriteV2)]
fn tensor_array_write_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    write::<TensorArrayGradV2, TensorArrayReadV2>(scope, op, dy)
}

#[gradient(TensorArrayScatterV3)]
fn tensor_array_scatter_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    write::<TensorArrayGradV3, TensorArrayGatherV3>(scope, op, dy)
}

#[gradient(TensorArrayScatterV2)]
fn tensor_array_scatter_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    write::<TensorArrayGradV2, TensorArrayGatherV2>(scope, op, dy)
}

#[gradient(TensorArraySplitV3)]
fn tensor_array_split_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    split::<TensorArrayGradV3, TensorArrayConcatV3>(scope, op, dy)
}

#[gradient(TensorArraySplitV2)]
fn tensor_array_split_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    split::<TensorArrayGradV2, TensorArrayConcatV2>(scope, op, dy)
}
