//! Sparse reductions by segment. The gradient is dense, also where `sparse_gradient` asks for the rows that were taken.

use oplink::prelude::*;
use oplink_ops::{
    Gather, SparseSegmentMean, SparseSegmentMeanGrad, SparseSegmentMeanWithNumSegments, SparseSegmentSqrtN,
    SparseSegmentSqrtNGrad, SparseSegmentSqrtNWithNumSegments, SparseSegmentSum, SparseSegmentSumGrad,
    SparseSegmentSumWithNumSegments,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// The gradient by the data, which has as many rows, by the op `G`; none by the others.
fn by_data<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let rows = n.add::<Gather>([n.shape(op.input(0))?, n.int(0)?])?;
    let mut gradients = vec![Some(n.add::<G>([dy[0], op.input(1), op.input(2), rows])?)];
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}

#[gradient(SparseSegmentSum)]
fn sparse_segment_sum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_data::<SparseSegmentSumGrad>(scope, op, dy)
}

#[gradient(SparseSegmentSumWithNumSegments)]
fn sparse_segment_sum_with_num_segments(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_data::<SparseSegmentSumGrad>(scope, op, dy)
}

#[gradient(SparseSegmentMean)]
fn sparse_segment_mean(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_data::<SparseSegmentMeanGrad>(scope, op, dy)
}

#[gradient(SparseSegmentMeanWithNumSegments)]
fn sparse_segment_mean_with_num_segments(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_data::<SparseSegmentMeanGrad>(scope, op, dy)
}

#[gradient(SparseSegmentSqrtN)]
fn sparse_segment_sqrt_n(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_data::<SparseSegmentSqrtNGrad>(scope, op, dy)
}

#[gradient(SparseSegmentSqrtNWithNumSegments)]
fn sparse_segment_sqrt_n_with_num_segments(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    by_data::<SparseSegmentSqrtNGrad>(scope, op, dy)
}
