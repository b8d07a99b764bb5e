//! Tensors with some elements changed.

use oplink::prelude::*;
use oplink_ops::{
    Add, Div, Equal, GatherNd, Neg, ScatterNd, ScatterNdNonAliasingAdd, Shape as ShapeOp, StridedSlice,
    TensorScatterAdd, TensorScatterMax, TensorScatterMin, TensorScatterSub, TensorScatterUpdate,
    TensorStridedSliceUpdate,
};

use crate::Gradients;
use crate::nodes::Nodes;

use super::part::MASKS;

#[gradient(TensorScatterAdd)]
fn tensor_scatter_add(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(dy[0]), None, Some(n.add::<GatherNd>([dy[0], op.input(1)])?)])
}

#[gradient(TensorScatterSub)]
fn tensor_scatter_sub(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let taken = n.add::<GatherNd>([dy[0], op.input(1)])?;
    Ok(vec![Some(dy[0]), None, Some(n.add::<Neg>([taken])?)])
}

#[gradient(TensorScatterUpdate)]
fn tensor_scatter_update(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (indices, updates) = (op.input(1), op.input(2));
    let kept = n.add::<TensorScatterUpdate>([dy[0], indices, n.zeros(updates)?])?;
    Ok(vec![Some(kept), None, Some(n.add::<GatherNd>([dy[0], indices])?)])
}

#[gradient(ScatterNdNonAliasingAdd)]
fn scatter_nd_non_aliasing_add(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(dy[0]), None, Some(n.add::<GatherNd>([dy[0], op.input(1)])?)])
}

/// The gradient is shared by all that is equal to the extremum: the tensor's element and the updates.
fn extremum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (x, indices, updates, y, dtype) = (op.input(0), op.input(1), op.input(2), op.output(0), op.input_dtype(0));
    let equal = |a, b| n.cast(n.add::<Equal>([a, b])?, DType::Bool, dtype);
    let (of_x, of_updates) = (equal(x, y)?, equal(updates, n.add::<GatherNd>([y, indices])?)?);
    let shape = n.with::<ShapeOp>([x], vec![("out_type", op.input_dtype(1).into())])?;
    let all = n.add::<Add>([of_x, n.add::<ScatterNd>([indices, of_updates, shape])?])?;
    let share = n.add::<Div>([dy[0], all])?;
    let by_updates = n.mul(n.add::<GatherNd>([share, indices])?, of_updates)?;
    Ok(vec![Some(n.add::<Div>([n.mul(dy[0], of_x)?, all])?), None, Some(by_updates)])
}

#[gradient(TensorScatterMax)]
fn tensor_scatter_max(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    extremum(scope, op, dy)
}

#[gradient(TensorScatterMin)]
fn tensor_scatter_min(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    extremum(scope, op, dy)
}

#[gradient(TensorStridedSliceUpdate)]
fn tensor_strided_slice_update(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (begin, end, strides) = (op.input(1), op.input(2), op.input(3));
    let part = n.like::<StridedSlice>(op, [dy[0], begin, end, strides], MASKS)?[0];
    let inputs = [dy[0], begin, end, strides, n.zeros(part)?];
    let kept = n.like::<TensorStridedSliceUpdate>(op, inputs, MASKS)?[0];
    Ok(vec![Some(kept), None, None, None, n.unbroadcast_one(op.input(4), part)?])
}
