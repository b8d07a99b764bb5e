//! The largest elements of each row.

use oplink::prelude::*;
use oplink_ops::{
    Add, ApproxTopK, Div, Equal, ExpandDims, Gather, NthElement, Pack, Range, Rank, ScatterNd, Size, TopK, TopKV2,
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

/// Along the last axis, which is the only one that the op has a kernel for.
#[gradient(ApproxTopK)]
fn approx_top_k(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let axis = op.attr::<i64>("reduction_dimension")?;
    if axis != -1 {
        return Err(oplink::Error::unimplemented(format!(
            "gradients of ApproxTopK along axis {axis} are not supported"
        )));
    }
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
