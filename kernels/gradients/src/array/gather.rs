//! Elements taken by index: their gradients are added up where they were taken.

use oplink::Error;
use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Add, ConcatV2, DynamicPartition, DynamicStitch, FloorMod, Gather, GatherNd, GatherV2, InvertPermutation,
    ParallelDynamicStitch, Prod, Range, Rank, ScatterNd, Shape as ShapeOp, Size, Slice, Transpose, UnsortedSegmentSum,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// Vectors and scalars of int32 joined to one vector.
fn joined(n: &Nodes<'_>, parts: &[Output]) -> Result<Output> {
    Ok(n.call::<ConcatV2>(vec![Arg::List(parts.to_vec()), Arg::One(n.int(0)?)], Vec::new())?[0])
}

/// A scalar as a vector.
fn vector(n: &Nodes<'_>, scalar: Output) -> Result<Output> {
    n.reshape(scalar, n.ints(&[1])?)
}

/// The elements of a vector from a place on, `count` of them; -1 for all.
fn elements(n: &Nodes<'_>, of: Output, from: Output, count: Output) -> Result<Output> {
    n.add::<Slice>([of, vector(n, from)?, vector(n, count)?])
}

/// Of rows gathered from a tensor of this shape: the rows in a list, the index of each, and how many the tensor has.
pub(crate) fn gathered_rows(
    n: &Nodes<'_>,
    shape: Output,
    indices: Output,
    rows: Output,
) -> Result<(Output, Output, Output)> {
    let inner = elements(n, shape, n.int(1)?, n.int(-1)?)?;
    let count = vector(n, n.add::<Size>([indices])?)?;
    let values = n.reshape(rows, joined(n, &[count, inner])?)?;
    let indices = n.reshape(indices, n.ints(&[-1])?)?;
    let total = elements(n, shape, n.int(0)?, n.int(1)?)?;
    Ok((values, indices, n.reshape(total, n.constant(Tensor::from_slice::<i32>(&[]))?)?))
}

#[gradient(Gather)]
fn gather(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (values, indices, rows) = gathered_rows(&n, n.shape(op.input(0))?, op.input(1), dy[0])?;
    Ok(vec![Some(n.add::<UnsortedSegmentSum>([values, indices, rows])?), None])
}

/// The axis of the indices goes to the front, where the gradients are added up, and back.
#[gradient(GatherV2)]
fn gather_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    if op.attr::<i64>("batch_dims")? != 0 {
        return Err(Error::unimplemented("gradients of gathers with `batch_dims` are not supported"));
    }
    let n = Nodes::new(scope, op);
    let (params, indices) = (op.input(0), n.reshape(op.input(1), n.ints(&[-1])?)?);
    let (shape, rank) = (n.shape(params)?, n.add::<Rank>([params])?);
    let axis = n.add::<FloorMod>([n.cast(op.input(2), op.input_dtype(2), DType::Int32)?, rank])?;
    let behind = n.add::<Add>([axis, n.int(1)?])?;
    let outer = elements(&n, shape, n.int(0)?, axis)?;
    let inner = elements(&n, shape, behind, n.int(-1)?)?;
    let count = vector(&n, n.add::<Size>([indices])?)?;
    let values = n.reshape(dy[0], joined(&n, &[outer, count, inner])?)?;
    let outer_axes = n.add::<Range>([n.int(0)?, axis, n.int(1)?])?;
    let inner_axes = n.add::<Range>([behind, rank, n.int(1)?])?;
    let order = joined(&n, &[vector(&n, axis)?, outer_axes, inner_axes])?;
    let values = n.add::<Transpose>([values, order])?;
    let total = n.add::<Gather>([shape, axis])?;
    let sums = n.add::<UnsortedSegmentSum>([values, indices, total])?;
    let back = n.add::<Transpose>([sums, n.add::<InvertPermutation>([order])?])?;
    Ok(vec![Some(back), None, None])
}

#[gradient(GatherNd)]
fn gather_nd(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let shape = n.with::<ShapeOp>([op.input(0)], vec![("out_type", op.input_dtype(1).into())])?;
    Ok(vec![Some(n.add::<ScatterNd>([op.input(1), dy[0], shape])?), None])
}

#[gradient(ScatterNd)]
fn scatter_nd(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![None, Some(n.add::<GatherNd>([dy[0], op.input(0)])?), None])
}

#[gradient(DynamicStitch)]
fn dynamic_stitch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    stitched(scope, op, dy)
}

#[gradient(ParallelDynamicStitch)]
fn parallel_dynamic_stitch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    stitched(scope, op, dy)
}

/// The first half of the inputs are indices.
fn stitched(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let count = op.inputs().len() / 2;
    let mut gradients = vec![None; count];
    for &indices in &op.inputs()[..count] {
        gradients.push(Some(n.add::<Gather>([dy[0], indices])?));
    }
    Ok(gradients)
}

/// The partitions are stitched together where they were taken.
#[gradient(DynamicPartition)]
fn dynamic_partition(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (data, partitions) = (op.input(0), op.input(1));
    let shape = n.shape(partitions)?;
    let count = n.add::<Prod>([shape, n.int(0)?])?;
    let locations = n.reshape(n.add::<Range>([n.int(0)?, count, n.int(1)?])?, shape)?;
    let locations = n.like::<DynamicPartition>(op, [locations, partitions], &["num_partitions"])?;
    let stitched = n.call::<DynamicStitch>(vec![Arg::List(locations), Arg::List(dy.to_vec())], Vec::new())?;
    Ok(vec![Some(n.reshape_like(stitched[0], data)?), None])
}
