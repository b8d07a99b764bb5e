//! Elements taken by index: their gradients are added up where they were taken.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Add, ConcatV2, DynamicPartition, DynamicStitch, FloorMod, Gather, GatherNd, GatherV2, Pack, ParallelDynamicStitch,
    Prod, Range, Rank, ScatterNd, Shape as ShapeOp, Size, Slice, Transpose, UnsortedSegmentSum,
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

/// A scalar: the elements that the axes of a shape `from..to` have together.
fn extent(n: &Nodes<'_>, shape: Output, from: Output, to: Output) -> Result<Output> {
    n.add::<Prod>([elements(n, shape, from, n.sub(to, from)?)?, n.int(0)?])
}

/// The axis of the indices goes behind those of the batch, where the gradients are added up, and back. Every part of a
/// batch has its own segments.
#[gradient(GatherV2)]
fn gather_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (params, indices, dtype) = (op.input(0), op.input(1), op.input_dtype(1));
    let (shape, taken) = (n.shape(params)?, n.shape(indices)?);
    let (rank, taken_rank) = (n.add::<Rank>([params])?, n.add::<Rank>([indices])?);
    let axis = n.add::<FloorMod>([n.cast(op.input(2), op.input_dtype(2), DType::Int32)?, rank])?;
    let batch_dims = n.int(op.attr::<i64>("batch_dims")? as i32)?;
    let batch_axes =
        if op.attr::<i64>("batch_dims")? < 0 { n.add::<Add>([batch_dims, taken_rank])? } else { batch_dims };
    let behind = n.add::<Add>([axis, n.int(1)?])?;
    let batch = extent(&n, shape, n.int(0)?, batch_axes)?;
    let outer = extent(&n, shape, batch_axes, axis)?;
    let (length, inner) = (extent(&n, shape, axis, behind)?, extent(&n, shape, behind, rank)?);
    let count = extent(&n, taken, batch_axes, taken_rank)?;
    let packed = |extents: &[Output]| n.join::<Pack>(extents, Vec::new());
    let exchanged = |value| n.add::<Transpose>([value, n.ints(&[0, 2, 1, 3])?]);
    let values = exchanged(n.reshape(dy[0], packed(&[batch, outer, count, inner])?)?)?;
    let all = n.mul(batch, length)?;
    let first = n.mul(n.add::<Range>([n.int(0)?, batch, n.int(1)?])?, length)?;
    let first = n.reshape(n.cast(first, DType::Int32, dtype)?, packed(&[batch, n.int(1)?])?)?;
    let segments = n.add::<Add>([n.reshape(indices, packed(&[batch, count])?)?, first])?;
    let sums = n.add::<UnsortedSegmentSum>([values, segments, all])?;
    let sums = exchanged(n.reshape(sums, packed(&[batch, length, outer, inner])?)?)?;
    Ok(vec![Some(n.reshape(sums, shape)?), None, None])
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
