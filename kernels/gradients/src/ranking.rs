//! The largest elements of each row, and sums of rows of segments.

use oplink::prelude::*;
use oplink_ops::{
    Add, ExpandDims, Gather, Pack, Range, Rank, ScatterNd, Size, SparseSegmentSum, TopK, TopKV2, UnsortedSegmentSum,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// The gradients go to the locations that the elements were taken from.
fn taken(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let x = op.input(0);
    let indices = n.cast(op.output(1), op.info().output_dtypes[1], DType::Int32)?;
    let (shape, total) = (n.shape(x)?, n.add::<Size>([x])?);
    let length = n.add::<Gather>([shape, n.sub(n.add::<Rank>([x])?, n.int(1)?)?])?;
    let starts = n.add::<Range>([n.int(0)?, total, length])?;
    let rows = n.join::<Pack>(&[n.add::<Size>([starts])?, n.int(-1)?], Vec::new())?;
    let locations = n.add::<Add>([n.reshape(indices, rows)?, n.add::<ExpandDims>([starts, n.int(-1)?])?])?;
    let locations = n.reshape(locations, n.ints(&[-1, 1])?)?;
    let values = n.reshape(dy[0], n.ints(&[-1])?)?;
    let flat = n.add::<ScatterNd>([locations, values, n.reshape(total, n.ints(&[1])?)?])?;
    let mut gradients = vec![Some(n.reshape(flat, shape)?)];
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}

#[gradient(TopK)]
fn top_k(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    taken(scope, op, dy)
}

#[gradient(TopKV2)]
fn top_k_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    taken(scope, op, dy)
}

#[gradient(SparseSegmentSum)]
fn sparse_segment_sum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let segments = n.add::<Gather>([dy[0], op.input(2)])?;
    let rows = n.add::<Gather>([n.shape(op.input(0))?, n.int(0)?])?;
    Ok(vec![Some(n.add::<UnsortedSegmentSum>([segments, op.input(1), rows])?), None, None])
}
