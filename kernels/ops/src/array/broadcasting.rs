//! Broadcasts of shapes and tensors.

use oplink::prelude::*;

/// The broadcast of the shapes `s0` and `s1`.
///
/// Shapes are vectors of extents, aligned at the last one; an extent of 1 gives way. It is an error when others differ.
#[op("BroadcastArgs",
     no_gradient,
     input = "s0: T",
     input = "s1: T",
     output = "r0: T",
     attr = "T: {int32, int64} = DT_INT32",
     shape = shape_fns::broadcast_args)]
pub struct BroadcastArgs;

/// The axes over which gradients of operands of shapes `s0` and `s1` are summed.
///
/// `s0` and `s1` are the operands' shapes as vectors. `r0` lists the axes of the broadcast along which the first
/// operand has extent 1 or no axis, `r1` those of the second; both are empty where the shapes are equal. It is an error
/// when the shapes do not broadcast.
#[op(
    "BroadcastGradientArgs",
    no_gradient,
    input = "s0: T",
    input = "s1: T",
    output = "r0: T",
    output = "r1: T",
    attr = "T: {int32, int64} = DT_INT32"
)]
pub fn broadcast_gradient_args(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.with_rank(1, 1)?;
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// Stretches `input` to `shape`.
///
/// Aligned at the last axis, extents of 1 are repeated and axes are added in front. Every dtype. It is an error when
/// the input has more axes, or an extent that is neither 1 nor the wanted one. An input of that shape already is passed
/// through.
#[op("BroadcastTo", is(moves),
     input = "input: T",
     input = "shape: Tidx",
     output = "output: T",
     attr = "T: type",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::broadcast_to)]
pub struct BroadcastTo;
