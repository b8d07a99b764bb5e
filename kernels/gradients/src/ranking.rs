//! The largest elements of each row, and sums of rows of segments.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Add, ConcatV2, Div, Equal, ExpandDims, Fill, Gather, NthElement, Pack, Range, Rank, ScatterNd, SegmentSum, Size,
    SparseSegmentMean, SparseSegmentSqrtN, SparseSegmentSum, Sqrt, TopK, TopKV2, UnsortedSegmentSum,
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

/// The gradient is shared by the elements of a row that are equal to the one that was taken.
#[gradient(NthElement)]
fn nth_element(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let last = n.int(-1)?;
    let expanded = |value| n.add::<ExpandDims>([value, last]);
    let equal = n.add::<Equal>([expanded(op.output(0))?, op.input(0)])?;
    let equal = n.cast(equal, DType::Bool, op.input_dtype(0))?;
    let shares = n.add::<Div>([equal, n.sum_kept(equal, last)?])?;
    Ok(vec![Some(n.mul(shares, expanded(dy[0])?)?), None])
}

/// The gradients of rows of segments go to the rows that were taken.
fn rows_taken(n: &Nodes<'_>, op: &OpForGradient, dy: Output) -> Gradients {
    let segments = n.add::<Gather>([dy, op.input(2)])?;
    let rows = n.add::<Gather>([n.shape(op.input(0))?, n.int(0)?])?;
    Ok(vec![Some(n.add::<UnsortedSegmentSum>([segments, op.input(1), rows])?), None, None])
}

/// The gradient by the number of rows of each segment, or by what `of_count` makes of it.
fn by_counts(
    scope: &mut dyn Scope,
    op: &OpForGradient,
    dy: &[Output],
    of_count: fn(&Nodes<'_>, Output) -> Result<Output>,
) -> Gradients {
    let n = Nodes::new(scope, op);
    let inner = n.sub(n.add::<Rank>([op.input(0)])?, n.int(1)?)?;
    let ones = n.add::<Fill>([n.reshape(inner, n.ints(&[1])?)?, n.int(1)?])?;
    let parts = vec![Arg::List(vec![n.shape(op.input(2))?, ones]), Arg::One(n.int(0)?)];
    let ones = n.add::<Fill>([n.call::<ConcatV2>(parts, Vec::new())?[0], n.scalar(1.0)?])?;
    let counts = of_count(&n, n.add::<SegmentSum>([ones, op.input(2)])?)?;
    rows_taken(&n, op, n.add::<Div>([dy[0], counts])?)
}

#[gradient(SparseSegmentSum)]
fn sparse_segment_sum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    rows_taken(&Nodes::new(scope, op), op, dy[0])
}

#[gradient(SparseSegmentMean)]
fn sparse_segment_mean(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_counts(scope, op, dy, |_, count| Ok(count))
}

#[gradient(SparseSegmentSqrtN)]
fn sparse_segment_sqrt_n(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_counts(scope, op, dy, |n, count| n.add::<Sqrt>([count]))
}
