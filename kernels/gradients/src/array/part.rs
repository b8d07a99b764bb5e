//! Parts of tensors, and tensors with margins.

use oplink::prelude::*;
use oplink_ops::{MirrorPad, MirrorPadGrad, Pack, Pad, PadV2, Shape as ShapeOp, Slice, StridedSlice, StridedSliceGrad};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The shape of a value in the dtype of indices.
fn shape_of(n: &Nodes<'_>, value: Output, dtype: DType) -> Result<Output> {
    n.with::<ShapeOp>([value], vec![("out_type", dtype.into())])
}

/// Zeros around the gradient of the part.
#[gradient(Slice)]
fn slice(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (begin, dtype) = (op.input(1), op.input_dtype(1));
    let (whole, part) = (shape_of(&n, op.input(0), dtype)?, shape_of(&n, op.output(0), dtype)?);
    let behind = n.sub(n.sub(whole, begin)?, part)?;
    let margins = n.join::<Pack>(&[begin, behind], vec![("axis", 1i64.into())])?;
    Ok(vec![Some(n.add::<Pad>([dy[0], margins])?), None, None])
}

pub(super) const MASKS: &[&str] = &["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"];

#[gradient(StridedSlice)]
fn strided_slice(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let shape = shape_of(&n, op.input(0), op.input_dtype(1))?;
    let inputs = [shape, op.input(1), op.input(2), op.input(3), dy[0]];
    Ok(vec![Some(n.like::<StridedSliceGrad>(op, inputs, MASKS)?[0]), None, None, None])
}

#[gradient(StridedSliceGrad)]
fn strided_slice_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[0], op.input(1), op.input(2), op.input(3)];
    Ok(vec![None, None, None, None, Some(n.like::<StridedSlice>(op, inputs, MASKS)?[0])])
}

/// The part of `dy` between the margins.
fn without_margins(n: &Nodes<'_>, op: &OpForGradient, dy: Output) -> Result<Output> {
    let dtype = op.input_dtype(1);
    let shape = shape_of(n, op.input(0), dtype)?;
    let before = n.call::<StridedSlice>(
        [op.input(1), n.ints(&[0, 0])?, n.ints(&[0, 1])?, n.ints(&[1, 1])?].map(oplink::call::Arg::One).to_vec(),
        column(),
    )?;
    n.add::<Slice>([dy, before[0], shape])
}

/// All rows, and of the columns the one where the slice begins.
fn column() -> Attrs {
    vec![("begin_mask", 1i64.into()), ("end_mask", 1i64.into()), ("shrink_axis_mask", 2i64.into())]
}

#[gradient(Pad)]
fn pad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(without_margins(&n, op, dy[0])?), None])
}

#[gradient(PadV2)]
fn pad_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(without_margins(&n, op, dy[0])?), None, None])
}

#[gradient(MirrorPad)]
fn mirror_pad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<MirrorPadGrad>(op, [dy[0], op.input(1)], &["mode"])?[0]), None])
}

#[gradient(MirrorPadGrad)]
fn mirror_pad_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<MirrorPad>(op, [dy[0], op.input(1)], &["mode"])?[0]), None])
}
