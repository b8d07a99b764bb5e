//! Ops that join tensors, and that take them apart.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{Concat, ConcatOffset, ConcatV2, FloorMod, Pack, Rank, ShapeN, Slice, Split, SplitV, Unpack};

use crate::Gradients;
use crate::nodes::{Nodes, same};

#[gradient(Pack)]
fn pack(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let mut attrs = same(op, &["axis"]);
    attrs.push(("num", (op.inputs().len() as i64).into()));
    Ok(n.call::<Unpack>(vec![Arg::One(dy[0])], attrs)?.into_iter().map(Some).collect())
}

#[gradient(Unpack)]
fn unpack(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.join::<Pack>(dy, same(op, &["axis"]))?)])
}

/// For each of the values its part of `dy`.
fn parts(n: &Nodes<'_>, values: &[Output], axis: Output, dy: Output) -> Result<Vec<Option<Output>>> {
    if let &[_] = values {
        return Ok(vec![Some(dy)]);
    }
    let shapes = n.call::<ShapeN>(vec![Arg::List(values.to_vec())], Vec::new())?;
    let offsets = n.call::<ConcatOffset>(vec![Arg::One(axis), Arg::List(shapes.clone())], Vec::new())?;
    let part = |(&offset, &shape): (&Output, &Output)| n.add::<Slice>([dy, offset, shape]).map(Some);
    offsets.iter().zip(&shapes).map(part).collect()
}

#[gradient(Concat)]
fn concat(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let axis = positive_axis(&n, op, op.input(0), DType::Int32, 1)?;
    let mut gradients = vec![None];
    gradients.extend(parts(&n, &op.inputs()[1..], axis, dy[0])?);
    Ok(gradients)
}

#[gradient(ConcatV2)]
fn concat_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let last = op.inputs().len() - 1;
    let axis = positive_axis(&n, op, op.input(last), op.input_dtype(last), 0)?;
    let mut gradients = parts(&n, &op.inputs()[..last], axis, dy[0])?;
    gradients.push(None);
    Ok(gradients)
}

/// The axis as int32, counted from the front of the value at `value`.
fn positive_axis(n: &Nodes<'_>, op: &OpForGradient, axis: Output, dtype: DType, value: usize) -> Result<Output> {
    let axis = n.cast(axis, dtype, DType::Int32)?;
    n.add::<FloorMod>([axis, n.add::<Rank>([op.input(value)])?])
}

#[gradient(Split)]
fn split(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![None, Some(joined(&Nodes::new(scope, op), dy, op.input(0))?)])
}

#[gradient(SplitV)]
fn split_v(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(joined(&Nodes::new(scope, op), dy, op.input(2))?), None, None])
}

/// The parts along the axis; one alone is the whole.
fn joined(n: &Nodes<'_>, parts: &[Output], axis: Output) -> Result<Output> {
    match parts {
        &[part] => Ok(part),
        parts => Ok(n.call::<ConcatV2>(vec![Arg::List(parts.to_vec()), Arg::One(axis)], Vec::new())?[0]),
    }
}
